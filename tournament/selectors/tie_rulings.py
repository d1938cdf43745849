"""The rulings on a tie at the cut, side by side: what each said, by whom and why, and which counts (T23)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from tournament.engine.advance import Decided
from tournament.models import Entry, JournalEntry, Round, TieRuling
from tournament.selectors.stages import SEATED_STATES, round_cut
from tournament.selectors.standings_states import Json


class WhyNot(StrEnum):
    """Why the cut is not made with a ruling; NONE where it is."""

    NONE = ""
    LIFTED = "lifted"
    REPLACED = "replaced"
    OTHER_TIE = "other_tie"


@dataclass(frozen=True)
class TieRuled:
    """One ruling (T23): the entries tied, who of them advances by it, who ruled, when and why.

    ``who`` is empty for the house itself, ``at`` None where its journal entry was not kept with it.
    ``counts``: the cut is made with it; ``why_not`` names why it is not.
    """

    tied: tuple[str, ...]
    advance: tuple[str, ...]
    reason: str
    who: str
    at: datetime | None
    why_not: WhyNot

    @property
    def counts(self) -> bool:
        """Whether the cut is made with it."""
        return not self.why_not


def tie_rulings(round_: Round) -> list[TieRuled]:
    """Every ruling on the tie at the cut of a round, in the order in which they were made (T23)."""
    kept = list(round_.rulings.all())
    if not kept:
        return []
    entries = JournalEntry.objects.filter(event=round_.event_id, seq__in=[each.seq for each in kept])
    made = {entry.seq: entry for entry in entries.select_related("actor")}
    live = Entry.objects.filter(event=round_.event_id, status=Entry.Status.LIVE)
    in_it = frozenset(live.values_list("code", flat=True))
    now = {each.seq for each in kept if each.used}
    if round_.status != Round.Status.CLOSED:
        there = frozenset(round_.stacks.filter(state__in=SEATED_STATES).values_list("entry__code", flat=True))
        said = {
            Decided(there.intersection(each.tied), there.intersection(each.advance)): each.seq
            for each in kept
            if not each.lifted
        }
        now = {said[each] for each in round_cut(round_).settled if each in said}
    return [
        _ruled(each, made.get(each.seq), _why_not(each, kept[at + 1 :], now, in_it))
        for at, each in enumerate(kept)
    ]


def _ruled(ruling: TieRuling, entry: JournalEntry | None, why_not: WhyNot) -> TieRuled:
    who = entry.actor.get_username() if entry and entry.actor else ""
    at = entry.at if entry else None
    return TieRuled(tuple(ruling.tied), tuple(ruling.advance), ruling.reason, who, at, why_not)


def _why_not(ruling: TieRuling, later: list[TieRuling], now: set[int], in_it: frozenset[str]) -> WhyNot:
    """Why the cut is not made with a ruling; the latest on the same players counts."""
    if ruling.seq in now:
        return WhyNot.NONE
    if ruling.lifted:
        return WhyNot.LIFTED
    if any(not each.lifted and in_it & set(each.tied) == in_it & set(ruling.tied) for each in later):
        return WhyNot.REPLACED
    return WhyNot.OTHER_TIE


def rulings_posted(round_: Round) -> list[Json]:
    """Return the public part of the rulings of a closed round: ``advance`` and ``reason`` of each."""
    return [{**each} for each in round_.rulings.filter(used=True).values("advance", "reason")]
