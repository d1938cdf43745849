"""The rulings on a tie at the cut, side by side: what each said, by whom and why, and which counts (T23)."""

from dataclasses import dataclass
from datetime import datetime

from tournament.engine.advance import Decided
from tournament.engine.state import State
from tournament.models import JournalEntry, Round, TieRuling
from tournament.selectors.stages import SEATED_STATES, round_cut
from tournament.selectors.standings_states import Json


@dataclass(frozen=True)
class TieRuled:
    """One ruling (T23): the entries tied, who of them advances by it, who ruled, when and why.

    ``who`` is empty for the house itself, ``at`` None where its journal entry was not kept with it.
    ``counts``: the cut is made with it.
    """

    tied: tuple[str, ...]
    advance: tuple[str, ...]
    reason: str
    who: str
    at: datetime | None
    counts: bool


def tie_rulings(round_: Round, state: State | None = None) -> list[TieRuled]:
    """Every ruling on the tie at the cut of a round, in the order in which they were made (T23).

    ``state``: that of its event, where it is known.
    """
    kept = list(round_.rulings.all())
    if not kept:
        return []
    entries = JournalEntry.objects.filter(event=round_.event_id, seq__in=[each.seq for each in kept])
    made = {entry.seq: entry for entry in entries.select_related("actor")}
    now = {each.seq for each in kept if each.used}
    if round_.status != Round.Status.CLOSED:
        there = frozenset(round_.stacks.filter(state__in=SEATED_STATES).values_list("entry__code", flat=True))
        said = {
            Decided(there.intersection(each.tied), there.intersection(each.advance)): each.seq
            for each in kept
            if not each.lifted
        }
        now = {said[each] for each in round_cut(round_, state).settled if each in said}
    return [_ruled(each, made.get(each.seq), each.seq in now) for each in kept]


def _ruled(ruling: TieRuling, entry: JournalEntry | None, counts: bool) -> TieRuled:
    who = entry.actor.get_username() if entry and entry.actor else ""
    at = entry.at if entry else None
    return TieRuled(tuple(ruling.tied), tuple(ruling.advance), ruling.reason, who, at, counts)


def rulings_posted(round_: Round) -> list[Json]:
    """Return the public part of the rulings of a closed round: ``advance`` and ``reason`` of each."""
    return [{**each} for each in round_.rulings.filter(used=True).values("advance", "reason")]
