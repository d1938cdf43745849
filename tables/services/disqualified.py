"""Two persons disqualify an entry: what that comes to by the facts, shown before it and carried out (T26).

The preview is what two states differ in: the event as it is, and with one fact more. ``project`` writes the
same difference.
"""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass
from typing import Any

from ground.refused import Refused, refuse
from tables.selectors.facts_standing import Course, course_standing
from tables.selectors.names import Names
from tables.selectors.standing_folded import NOWHERE, Place, Stands
from tournament.engine.basis import Basis
from tournament.engine.facts import Disqualified
from tournament.engine.prizes import Unclaimed
from tournament.engine.stages import FINISHED
from tournament.engine.steps.leaving import place_held
from tournament.models import Entry, Request, Round
from tournament.selectors.basis import basis_made
from tournament.selectors.penalties import DISQUALIFY, why_not_disqualify
from tournament.selectors.prizes import paid_of
from tournament.selectors.stages import current_round
from tournament.selectors.tie_changes import Tie, ties_of
from tournament.selectors.waiting import why_lapsed
from tournament.services.asked import find
from tournament.services.journal import Command, Json, event_lock
from tournament.services.requests import handler
from tournament.services.saving import taken_back

from .facts_write import course_after, course_write
from .leaving import may_leave


@dataclass(frozen=True)
class Moved:
    """The changes for one entry, before and after; amounts in cents.

    A prize is None where there is none: nothing posted, or who has it still plays. ``paid_cents`` has been
    paid of it.
    """

    entry: Entry
    place_before: Place
    place_after: Place
    rank_before: Place
    rank_after: Place
    prize_before_cents: int | None
    prize_after_cents: int | None
    paid_cents: int

    @property
    def left_cents(self) -> int:
        """The amount still to be paid of the prize afterwards."""
        return max(0, (self.prize_after_cents or 0) - self.paid_cents)

    @property
    def changed(self) -> bool:
        """Whether this entry notices anything."""
        before = (self.place_before, self.rank_before, self.prize_before_cents)
        return before != (self.place_after, self.rank_after, self.prize_after_cents)


@dataclass(frozen=True)
class Effects:
    """The effects of a disqualification: entries that move, the disqualified first, and remarks.

    ``stage`` is the one that is played, None between two; ``decided``: every place is decided afterwards, so
    that the prizes are what is paid; ``begun`` are the ties for money that come of it, and ``opens``: places
    that were decided are open again by them; ``unheld`` is what becomes of the prizes that nobody is paid for
    by place. ``counted`` are the tables whose two counts then agree (T18).
    """

    lines: tuple[Moved, ...]
    stage: Round | None
    decided: bool
    decides: bool
    begun: tuple[Tie, ...]
    opens: bool
    unheld: tuple[Unclaimed, ...]
    counted: tuple[int, ...]


@dataclass(frozen=True)
class Found:
    """A disqualification worked out: the event as it is, and with it; ``place`` is what the entry held."""

    entry: Entry
    names: Names
    place: int
    before: Course
    after: Course


def found_of(entry: Entry) -> Found:
    """Work a disqualification out, with the tables of the entry locked; writes nothing.

    Raises Refused what ``why_not_disqualify`` and ``may_leave`` say, ``journal_not_whole`` (409) and
    ``cannot_follow`` (409).
    """
    refuse(why_not_disqualify(entry))
    may_leave(entry)
    names, before = course_standing(entry.event)
    place = place_held(before.state, entry.code)
    after = course_after(entry.event, before, [Disqualified(entry.code, place)])
    return Found(entry, names, place, before, after)


@handler(DISQUALIFY)
def _disqualify(cmd: Command, request: Request) -> Json:
    """The stack leaves play, the place is last of the round, no prize, no refund (T26).

    The journal keeps the place, which it rests on, and what moves for whom, as it was shown to who confirms.
    """
    found = found_of(find(Entry, request.body["entry"], "entry"))
    cmd.note(place=found.place, effects=_noted(_effects(found)))
    course_write(cmd, found.names, found.before, found.after)
    return {"entry": found.entry.pk, "code": found.entry.code}


# What it would change -------------------------------------------------------------------------------------


def disqualified_preview(request: Request) -> Effects:
    """Return what approving a request would change now; changes nothing.

    Raises Refused whatever the approval would.
    """
    entry = find(Entry, request.body["entry"], "entry")
    with taken_back():
        event_lock(entry.event_id)
        return _effects(found_of(entry))


def _effects(found: Found) -> Effects:
    event = found.entry.event
    stage = current_round(event)
    key = found.names.stages[stage.pk] if stage else None
    before, after = Stands.of(found.before.state, key), Stands.of(found.after.state, key)
    known = {code for group in before.ties for code in group.entries}
    begun = [group for group in after.ties if not known & set(group.entries)]
    return Effects(
        _lines(found.entry, before, after),
        stage,
        after.status == FINISHED,
        after.status == FINISHED and before.status != FINISHED,
        ties_of(begun),
        bool(begun) and before.status == FINISHED,
        after.unheld,
        tuple(table for table in after.counted if table not in before.counted),
    )


def _lines(gone: Entry, before: Stands, after: Stands) -> tuple[Moved, ...]:
    paid = paid_of(gone.event)
    made = [
        Moved(
            each,
            before.places.get(each.code, NOWHERE),
            after.places.get(each.code, NOWHERE),
            before.ranks.get(each.code, NOWHERE),
            after.ranks.get(each.code, NOWHERE),
            before.prizes.get(each.code),
            after.prizes.get(each.code),
            paid.get(each.code, 0),
        )
        for each in gone.event.entries.select_related("player").order_by("number")
    ]
    noticed = [each for each in made if each.changed or each.entry.pk == gone.pk]
    return tuple(sorted(noticed, key=lambda each: (each.entry.pk != gone.pk, *_order(each))))


def _order(line: Moved) -> tuple[int, int]:
    first = line.place_before.number or line.rank_before.number or 0
    return first, line.entry.number


def disqualified_looked(request: Request) -> Effects | Refused:
    """Return what approving an open request would change now, or why it is refused."""
    lapsed = why_lapsed(request)
    if lapsed is not None:
        return lapsed
    try:
        return disqualified_preview(request)
    except Refused as no:
        return no


def preview_basis(request_id: int, looked: Effects | Refused | None = None) -> Basis:
    """Return the basis of the answer: the places and the money that it would change now.

    The ranks of a round that is played change with every hand, and are no part of it. ``looked``: what it
    would change, where that was tried already.
    """
    request = Request.objects.get(pk=request_id)
    facts: Any = None
    if request.status == Request.Status.OPEN:
        found = looked or disqualified_looked(request)
        facts = found.code if isinstance(found, Refused) else _facts(found)
    names, of = (
        [("request", request_id), ("entry", request.body["entry"])],
        f"asked disqualification {request_id}",
    )
    return basis_made(request.event_id, names=names, of=of, facts=[request.status, facts])


def _noted(effects: Effects) -> Json:
    """Return the places and prizes that move, by code, as the histories of their entries read them."""
    return {
        "lines": [
            {
                "entry": each.entry.code,
                "place": [astuple(each.place_before), astuple(each.place_after)],
                "prize_cents": [each.prize_before_cents, each.prize_after_cents],
            }
            for each in effects.lines
        ]
    }


def _facts(effects: Effects) -> list[Any]:
    lines = [
        [
            each.entry.code,
            astuple(each.place_before),
            astuple(each.place_after),
            *(each.prize_before_cents, each.prize_after_cents, each.paid_cents),
        ]
        for each in effects.lines
    ]
    made = [list(map(asdict, each)) for each in (effects.begun, effects.unheld)]
    return [lines, effects.decided, effects.opens, *made, effects.counted]
