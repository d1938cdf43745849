"""Two persons disqualify an entry: preview the consequences, then carry it out (T26).

The preview compares two states: the event as it is, and with the disqualification. ``project`` writes the
same difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass

from ground.refused import Refused, refuse
from tables.selectors.standing_folded import Stood, stood, ties_for_money
from tournament.engine.facts import Disqualified, key_of
from tournament.engine.prizes import Unclaimed
from tournament.engine.stages import COUNTED, FINISHED
from tournament.engine.state import Stage, stage_of
from tournament.engine.steps.leaving import place_held
from tournament.engine.steps.prizes import prizes_now
from tournament.engine.ties import TieGroup
from tournament.models import Entry, Request, Round
from tournament.selectors.facts_standing import Course, course_standing
from tournament.selectors.penalties import DISQUALIFY, why_not_disqualify
from tournament.selectors.prizes import paid_of
from tournament.selectors.stages import boxes_for_all, current_round
from tournament.services.arguments import find
from tournament.services.journal import Command, Json
from tournament.services.requests import foreseen, handler

from .facts_write import course_after, course_write
from .leaving import may_leave


@dataclass(frozen=True)
class Moved:
    """The changes for one entry; ``paid_cents`` of its prize have been paid already."""

    entry: Entry
    before: Stood
    after: Stood
    paid_cents: int

    @property
    def left_cents(self) -> int:
        """The cents of the prize that are still to be paid afterwards."""
        return max(0, (self.after.prize_cents or 0) - self.paid_cents)

    @property
    def changed(self) -> bool:
        """Whether anything changes for this entry."""
        return self.before != self.after


@dataclass(frozen=True)
class Effects:
    """The effects of a disqualification: entries that move, the disqualified first, and remarks.

    ``stage``: the stage being played, None between two; ``decided``: every place is decided afterwards, so
    the prizes are final; ``begun``: the ties for money that it creates; ``opens``: these ties open decided
    places again; ``unclaimed``: the prizes that no place earns; ``counted``: the tables whose two counts then
    agree (T18).
    """

    lines: tuple[Moved, ...]
    stage: Round | None
    decided: bool
    decides: bool
    begun: tuple[TieGroup, ...]
    opens: bool
    unclaimed: Unclaimed | None
    counted: tuple[int, ...]


@dataclass(frozen=True)
class Disqualification:
    """A disqualification worked out: its fact, and the event before and after."""

    entry: Entry
    fact: Disqualified
    before: Course
    after: Course


def disqualification_of(entry: Entry) -> Disqualification:
    """Work a disqualification out, with the tables of the entry locked; writes nothing.

    Raises Refused what ``why_not_disqualify`` and ``may_leave`` say, ``journal_not_whole`` (409) and
    ``cannot_follow`` (409).
    """
    refuse(why_not_disqualify(entry))
    may_leave(entry)
    before = course_standing(entry.event)
    fact = Disqualified(entry.code, place_held(before.state, entry.code))
    return Disqualification(entry, fact, before, course_after(entry.event, before, [fact]))


def _requested(request: Request) -> Disqualification:
    return disqualification_of(find(Entry, request.body["entry"], "entry"))


@handler(DISQUALIFY, check=_requested)
def _disqualify(cmd: Command, request: Request) -> Json:
    """Disqualify: the stack leaves play, the place is last of the round, no prize, no refund (T26).

    The journal keeps the changes as the confirming person saw them.
    """
    found = _requested(request)
    cmd.note(effects=_noted(_effects(found)))
    cmd.write(found.fact)
    course_write(cmd, found.before, found.after)
    return {"entry": found.entry.pk, "code": found.entry.code}


# What it would change -------------------------------------------------------------------------------------


def _effects(found: Disqualification) -> Effects:
    event = found.entry.event
    round_, boxes = current_round(event), boxes_for_all(event)
    before, after = found.before.state, found.after.state
    key = key_of(round_) if round_ else None
    stage_before, stage_after = (stage_of(state, key) if key else None for state in (before, after))
    lines = _lines(found.entry, stood(before, stage_before, boxes), stood(after, stage_after, boxes))
    known = {code for group in ties_for_money(before) for code in group.entries}
    begun = [group for group in ties_for_money(after) if not known & set(group.entries)]
    counted_before = _counted(stage_before)
    return Effects(
        lines,
        round_,
        after.status == FINISHED,
        after.status == FINISHED and before.status != FINISHED,
        tuple(begun),
        bool(begun) and before.status == FINISHED,
        prizes_now(after).unclaimed,
        tuple(table for table in _counted(stage_after) if table not in counted_before),
    )


def _counted(stage: Stage | None) -> list[int]:
    """Return the numbers of the tables that are counted."""
    return [each.table for each in stage.tables if each.status == COUNTED] if stage else []


def _lines(gone: Entry, before: Mapping[str, Stood], after: Mapping[str, Stood]) -> tuple[Moved, ...]:
    paid = paid_of(gone.event)
    made = [
        Moved(each, before[each.code], after[each.code], paid.get(each.code, 0))
        for each in gone.event.entries.select_related("player").order_by("number")
    ]
    noticed = [each for each in made if each.changed or each.entry.pk == gone.pk]
    return tuple(sorted(noticed, key=lambda each: (each.entry.pk != gone.pk, *_order(each))))


def _order(line: Moved) -> tuple[int, int]:
    first = line.before.place.number or line.before.rank.number or 0
    return first, line.entry.number


def disqualification_preview(request: Request) -> Effects | Refused:
    """Return what approving the request would change now, or why it would be refused; changes nothing."""
    found: Effects | Refused = foreseen(request, _effects)
    return found


def _noted(effects: Effects) -> Json:
    """Return the changed places and prizes by code, as the entries' histories read them."""
    return {
        "lines": [
            {
                "entry": each.entry.code,
                "place": [astuple(each.before.place), astuple(each.after.place)],
                "prize_cents": [each.before.prize_cents, each.after.prize_cents],
            }
            for each in effects.lines
        ]
    }
