"""Who should have gone on from a closed round and did not, once a hand of it was put right (T17, T20).

Where a later stage is seated its seats stand: a correction takes nobody's seat and gives nobody one (ADR 14).
What it would have come to is for the director to weigh, who replaces, disqualifies, or rules that the cut
stands. Who went on is compared with the cut made twice by the same function: from the stacks that the round
was closed with, and from those that it has now. What else has happened since, a replacement or a
disqualification, is in both and says nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal
from tournament.engine.facts import Closed, Fact
from tournament.engine.fold import fold
from tournament.engine.state import stage_of
from tournament.engine.steps.places import ADVANCED
from tournament.models import Entry, Event, JournalEntry, Posting, Request, Round, Stack
from tournament.selectors.replaced import replaced_in
from tournament.selectors.stage_ranking import Row, cut_from, stage_ranking
from tournament.selectors.stages import RoundCut, main_rounds, went_on
from tournament.selectors.waiting import disqualifications_waiting

from .facts_standing import facts_standing
from .journal_facts import Names
from .played import bettors_then

Json = dict[str, Any]
Facts = tuple[Names, Sequence[Fact]]
Kind, Status = Round.Kind, Round.Status

STANDS = "cut_stands"
"""In the stakes of a round: every ruling that its cut stands after a correction, in their order."""


@dataclass(frozen=True)
class Differs:
    """By whom a cut differs from who went on, by entry codes; ``seats`` are those that ``tied`` contest."""

    missed: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    seats: int = 0

    def __bool__(self) -> bool:
        return bool(self.missed or self.extra or self.tied)

    def body(self) -> Json:
        """The same as JSON."""
        lists = {"missed": list(self.missed), "extra": list(self.extra), "tied": list(self.tied)}
        return {**lists, "seats": self.seats}


@dataclass(frozen=True)
class Stood:
    """A ruling that a cut stands: about whom, who ruled, when and why; ``who`` is empty for the house."""

    about: Differs
    who: str
    at: datetime | None
    reason: str


@dataclass(frozen=True)
class CutSince:
    """A round whose cut would be another one by the hands as they are now.

    ``missed`` should have advanced and did not, ``extra`` did and should not have; ``tied`` are level for
    ``about.seats`` seats that nobody has played off. ``went_on``: the codes of those who did. ``stands``: the
    ruling on exactly this, ``before``: those on what it was before a later correction.
    """

    round: Round
    about: Differs
    missed: tuple[Row, ...]
    extra: tuple[Row, ...]
    tied: tuple[Row, ...]
    went_on: frozenset[str]
    corrected: tuple[Deal, ...]
    stands: Stood | None
    before: tuple[Stood, ...]


def cuts_since(event: Event) -> list[CutSince]:
    """The rounds of an event whose cut a correction would have made otherwise, in order."""
    corrected = _corrected(event)
    if not corrected:
        return []
    found = (_cut_since(round_, corrected) for round_ in main_rounds(event))
    return [each for each in found if each is not None]


def cut_since(round_: Round, facts: Facts | None = None) -> CutSince | None:
    """The same of one round; None where those who went on are those who should have.

    ``facts``: those that would stand, where the journal does not hold them.
    """
    return _cut_since(round_, _corrected(round_.event), facts)


def disqualifying_waits(found: CutSince) -> list[Request]:
    """What a second person is asked about the players of such a cut: that one of them is disqualified."""
    players = (*found.missed, *found.extra, *found.tied)
    return disqualifications_waiting([row.entry.pk for row in players])


def cuts_standing(entry: Entry) -> list[CutSince]:
    """The cuts that an entry is on another side of by now, and that are ruled to stand."""
    return [
        found
        for found in cuts_since(entry.event)
        if found.stands and entry.code in (*found.about.missed, *found.about.extra, *found.about.tied)
    ]


def cut_before_play(round_: Round | None) -> CutSince | None:
    """What is to be ruled on before a round that is seated begins (T17, T25); None where nothing is.

    With the first bet the replacing of a qualifier ends.
    """
    if round_ is None or round_.kind != Kind.ROUND or round_.status != Status.SEATED or round_.number < 2:
        return None
    before = Round.objects.filter(event=round_.event_id, kind=Kind.ROUND, number=round_.number - 1).first()
    if before is None:
        return None
    before.event = round_.event
    found = cut_since(before)
    return found if found and why_not_stands(before, found) is None else None


def next_of_cut(round_: Round) -> Round | None:
    """The round that those who went on from a round are seated in; None where none is yet."""
    later = Round.objects.filter(event=round_.event_id, kind=Kind.ROUND, number__gt=round_.number)
    return later.order_by("number").first()


def why_not_stands(round_: Round, found: CutSince | None) -> Refused | None:
    """Why the cut of a round is not ruled to stand.

    ``round_not_closed`` (409), ``cut_agrees`` where there is nothing to rule on, ``cut_ruled`` (409) where
    that is done, ``event_over`` (409) once the event is.
    """
    if round_.status != Status.CLOSED:
        return Refused(
            "round_not_closed",
            _("%(title)s is not closed: nobody has gone on from it yet, so there is no cut to rule on."),
            status=409,
            title=round_.title,
        )
    if found is None:
        return Refused(
            "cut_agrees",
            _("The right players have gone on from %(title)s. There is nothing to rule on."),
            title=round_.title,
        )
    if found.stands is not None:
        text = _("This cut has already been ruled to stand.")
        if found.stands.who:
            text = _("%(who)s has already ruled that this cut stands.")
        return Refused("cut_ruled", text, status=409, who=found.stands.who)
    if round_.event.status not in (Event.Status.RUNNING, Event.Status.FINISHED):
        return Refused(
            "event_over",
            _("The event is %(state)s; its cuts are not ruled on any more."),
            status=409,
            state=round_.event.get_status_display(),
        )
    return None


# The cut, twice -----------------------------------------------------------------------------------------


def _corrected(event: Event) -> list[Deal]:
    """The hands of an event that stand in place of others, as they were put right, the first one first."""
    made = Deal.objects.filter(shoe__round__event=event, corrects__isnull=False)
    return list(made.select_related("shoe__table", "shoe__round").order_by("opened_at", "pk"))


def _cut_since(round_: Round, corrected: Iterable[Deal], facts: Facts | None = None) -> CutSince | None:
    if round_.closed_at is None or round_.cut_to is None:
        return None
    # With a hand of its own the round was closed again, and its cut made again: only what came after that
    # close, or moved stacks that were carried to it from a round before, leaves a cut that is another one.
    at = round_.closed_at
    since = tuple(
        deal for deal in corrected if deal.opened_at > at and deal.shoe.round.number <= round_.number
    )
    if not since:
        return None
    stacks = list(round_.stacks.select_related("entry"))
    through = went_on(round_, stacks)
    won = _won(round_, {deal.shoe.round_id for deal in since}, facts)
    about = _differs(round_, stacks, through, won)
    if not about:
        return None
    rows = {row.code: row for row in stage_ranking(round_).rows}
    made = _stood(round_)
    return CutSince(
        round=round_,
        about=about,
        missed=tuple(rows[code] for code in about.missed),
        extra=tuple(rows[code] for code in about.extra),
        tied=tuple(rows[code] for code in about.tied),
        went_on=frozenset(through),
        corrected=since,
        stands=made[-1] if made and made[-1].about == about else None,
        before=tuple(each for each in made if each.about != about),
    )


def _differs(
    round_: Round, stacks: Iterable[Stack], through: Collection[str], won: Mapping[int, Collection[str]]
) -> Differs:
    """T25: whoever was replaced after qualifying is in neither cut, the next-ranked has that seat in both.

    T26: nor is who was cut and disqualified since, who goes on by no correction; the seat of a qualifier who
    was disqualified, and that was given to nobody, stayed empty.
    """
    qualified = {s.entry.code for s in stacks if s.outcome == Stack.Outcome.ADVANCED}
    disqualified = {s.entry.code for s in stacks if s.entry.status == Entry.Status.DISQUALIFIED}
    gone = qualified - set(through)
    replaced = replaced_in(round_.event_id) if gone & disqualified else {}
    left_empty = (gone & disqualified) - {s.entry.code for s in stacks if s.entry_id in replaced}
    without = (gone - left_empty) | (disqualified - qualified)
    assert round_.closed_at is not None, "a cut that was never made differs from nothing"
    played = bettors_then(round_.pk, round_.closed_at)
    was = cut_from(round_, _chips_closed_with(round_), bettors=played, without=without)
    now = cut_from(round_, without=without, won=won)
    level = set(now.cut.tied)
    above, above_then = set(now.cut.advance), set(was.cut.advance)
    undecided = now.open_tie and (now.cut.tied, now.cut.contested_seats) != _tie_of(was)
    return Differs(
        missed=tuple(sorted(above - above_then - set(through) - gone)),
        extra=tuple(sorted((above_then | set(was.cut.tied)) & set(through) - above - level)),
        tied=now.cut.tied if undecided else (),
        seats=now.cut.contested_seats if undecided else 0,
    )


def _tie_of(found: RoundCut) -> tuple[tuple[str, ...], int]:
    return found.cut.tied, found.cut.contested_seats


def _chips_closed_with(round_: Round) -> dict[str, int]:
    """The stacks by entry code as the result was posted at the close."""
    posted = Posting.objects.filter(
        event=round_.event_id, kind=Posting.Kind.RESULT, number=round_.number, at__lte=round_.closed_at
    )
    result = posted.order_by("-version").first()
    return {code: chips for _place, code, chips, _how in result.body["standings"]} if result else {}


def _won(round_: Round, put_right: set[int], facts: Facts | None) -> Mapping[int, Collection[str]]:
    """Who would have won the play-offs of which a hand was put right; who won there stays (T23)."""
    play_offs = list(round_.play_offs.filter(pk__in=put_right, status=Status.CLOSED))
    if not play_offs:
        return {}
    try:
        names, log = facts or facts_standing(round_.event)
    except Refused:
        # What the journal does not hold is not known otherwise than as it ended.
        return {}
    found: dict[int, Collection[str]] = {}
    for play_off in play_offs:
        key = names.stages[play_off.pk]
        shut = next(at for at, each in enumerate(log) if isinstance(each, Closed) and each.stage == key)
        results = stage_of(fold(log[:shut]), key).results
        found[play_off.pk] = [code for code, each in results.items() if each.outcome == ADVANCED]
    return found


# Rulings that it stands ---------------------------------------------------------------------------------


def _stood(round_: Round) -> list[Stood]:
    kept = round_.stakes.get(STANDS, [])
    entries = JournalEntry.objects.filter(event=round_.event_id, seq__in=[each["seq"] for each in kept])
    made = {entry.seq: entry for entry in entries.select_related("actor")} if kept else {}
    return [_stood_as(each, made.get(each["seq"])) for each in kept]


def _stood_as(kept: Json, entry: JournalEntry | None) -> Stood:
    about = Differs(tuple(kept["missed"]), tuple(kept["extra"]), tuple(kept["tied"]), kept["seats"])
    who = entry.actor.get_username() if entry and entry.actor else ""
    return Stood(about, who, entry.at if entry else None, kept["reason"])
