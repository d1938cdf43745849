"""The next hand at a table: why it cannot be dealt yet, and which boxes bet in it.

A hand can be opened if ``next_hand`` does not refuse. It checks in this order:

| code                     | while                                                    | clause   |
|--------------------------|----------------------------------------------------------|----------|
| ``shoe_over``            | the shoe of the table is over                            | T11      |
| ``event_not_running``    | the event is not played                                  | T8       |
| ``round_not_playing``    | the round is counted, closed, or waits for its play-off  | T19      |
| ``redraw_waits``         | a second person is asked to draw the seats anew          | T21      |
| ``payouts_not_posted``   | round 1 is over and no payout structure is posted        | T31      |
| ``counts_only``          | no hands are recorded in this event                      | T18      |
| ``deal_open``            | a hand lies on the table                                 | T17      |
| ``correction_waits``     | a correction takes effect before the next hand           | T17      |
| ``journal_not_whole``    | the result of a hand of a tie cannot be worked out       | T23, T33 |
| ``wait_for_other_table`` | the other table of a tie has played a hand less          | T23, T33 |
| ``chips_due``            | the chips on the felt are not those of the record        | T17, T26 |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ground.refused import Conflict, Refused, refuse
from tables.models import Seat, Shoe, Table
from tables.selectors.corrections_later import waiting_beside
from tables.selectors.floor import stage_play
from tournament import sql
from tournament.engine.facts import key_of
from tournament.engine.state import stage_of
from tournament.engine.steps.ties import waits
from tournament.models import Entry, Event, Penalty, Request, Round, Stack
from tournament.selectors.facts_standing import course_standing
from tournament.selectors.stages import IN_PLAY

REDRAW = "redraw"
"""The kind of the request to draw the seats of a stage again, before its first bet."""

# The oldest unserved penalty of each entry; after a void hand the penalty waits for the next hand.
_SIT_OUT = """
    SELECT p.entry_id AS entry, min(p.id) AS penalty
    FROM tournament_penalty p JOIN tournament_entry e ON e.id = p.entry_id
    WHERE e.event_id = %s AND p.kind = 'sit_out' AND p.cancelled_at IS NULL AND NOT EXISTS (
        SELECT 1 FROM tables_deal d JOIN tables_shoe s ON s.id = d.shoe_id
        JOIN tournament_round r ON r.id = s.round_id, jsonb_each_text(d.sits_out) served
        WHERE r.event_id = e.event_id AND d.status IN ('open', 'settled') AND served.value::bigint = p.id)
    GROUP BY p.entry_id
"""
_NEXT = f"""
    SELECT max(d.number), bool_or(d.status = 'open'),
        (SELECT array_agg(ARRAY[held.entry, held.penalty]) FROM ({_SIT_OUT}) held),
        (SELECT status FROM tournament_event WHERE id = %s)
    FROM tables_deal d WHERE d.shoe_id = %s
"""  # noqa: S608 - our own columns


@dataclass(frozen=True)
class NextHand:
    """The number of the next hand, and the boxes that sit it out: box → penalty id (T26)."""

    number: int
    sits_out: dict[int, int]


def next_hand(shoe: Shoe, stacks: Mapping[int, Stack], bet_min_chips: int) -> NextHand:
    """Return the next hand of a locked shoe. Raises Refused with the codes of the table above."""
    round_ = shoe.round
    if shoe.status != Shoe.Status.DEALING:
        raise Conflict("shoe_over", "The shoe at %(table)s is over; no more hands.", table=shoe.table)
    play_check(round_)
    if stage_play(round_).counts_alone:
        raise Refused("counts_only", "This event runs on counts alone; hands are not recorded.")
    found = sql.row(_NEXT, round_.event_id, round_.event_id, shoe.pk)
    assert found is not None
    # Whoever called the event off held the shoe until then, so what was read with its lock is older (T8).
    last_number, is_open, waiting, round_.event.status = found
    refuse(why_not_running(round_.event))
    if is_open:
        raise hand_open(shoe.table)
    if shoe.to_correct or round_.kind != Round.Kind.ROUND:
        refuse(why_not_corrected(shoe))
    if round_.kind != Round.Kind.ROUND:
        refuse(why_not_level(shoe))
    if due_by_box(round_, stacks):
        raise Conflict(
            "chips_due",
            "Chips are due at table %(table)s. Move them as the page of the table shows, confirm it "
            "there, and then call the bets.",
            table=shoe.table.number,
        )
    return NextHand((last_number or 0) + 1, _held(dict(waiting or ()), stacks, bet_min_chips))


def hand_open(table: Table) -> Refused:
    """Return ``deal_open`` (409): a hand lies on the table (T17)."""
    return Conflict("deal_open", "A hand is open at %(table)s. Finish it, or void it.", table=table)


# The round ------------------------------------------------------------------------------------------


def play_check(round_: Round) -> None:
    """Refuse unless hands may be dealt, or counts taken, in this round now.

    Raises Refused ``event_not_running`` (409), ``round_not_playing`` (409), ``redraw_waits`` (409),
    ``payouts_not_posted`` (T31).
    """
    refuse(why_not_running(round_.event))
    if round_.status not in (Round.Status.SEATED, Round.Status.PLAYING):
        raise Conflict(
            "round_not_playing",
            "%(round)s is %(state)s: nothing is dealt.",
            round=round_,
            state=round_.get_status_display(),
        )
    refuse(why_redraw_waits(round_))
    if payouts_missing(round_):
        raise Refused(
            "payouts_not_posted", "After round 1 no hand is dealt until the payout structure is posted."
        )


def redraw_asked(round_: Round) -> Request | None:
    """Return the open request for a redraw of a round; None once its first bet is called."""
    if round_.status != Round.Status.SEATED:
        return None
    asked = Request.objects.filter(event=round_.event_id, kind=REDRAW, status=Request.Status.OPEN)
    return asked.filter(body__draw=round_.draw_id).first()


def why_redraw_waits(round_: Round) -> Refused | None:
    """Return ``redraw_waits`` (409): the first bet would make the requested redraw impossible."""
    if redraw_asked(round_) is None:
        return None
    return Conflict(
        "redraw_waits",
        "A second person has been asked to confirm a redraw of %(round)s. No bet can be called until "
        "it is confirmed or refused.",
        round=round_,
    )


def why_not_running(event: Event) -> Refused | None:
    """Return ``event_not_running`` (409) if play has not begun or is over (T8)."""
    if event.status == Event.Status.RUNNING:
        return None
    return Conflict(
        "event_not_running",
        "%(event)s is %(state)s: nothing is played.",
        event=event,
        state=event.get_status_display(),
    )


_POSTED = "SELECT 1 FROM tournament_payoutstructure WHERE event_id = %s AND status = 'live'"


def payouts_missing(round_: Round) -> bool:
    """Whether a hand needs a payout structure that is not posted: after round 1 and its play-offs (T31)."""
    return round_.number >= 2 and sql.row(_POSTED, round_.event_id) is None


# What must come first -------------------------------------------------------------------------------


def why_not_corrected(shoe: Shoe) -> Refused | None:
    """Return ``correction_waits`` (409) while a correction must be made before the next hand."""
    found = waiting_beside(shoe)
    if not found:
        return None
    return Conflict(
        "correction_waits",
        "A correction of hand %(hand)s at %(table)s comes first. Deal once it has taken effect.",
        hand=found[0].hand,
        table=found[0].shoe.table,
    )


def why_not_level(shoe: Shoe) -> Refused | None:
    """Return ``wait_for_other_table`` (409): in a tie at two tables, neither may be a hand ahead (T23, T33).

    ``journal_not_whole`` (409) if the result of a hand cannot be worked out.
    """
    try:
        course = course_standing(shoe.round.event)
    except Refused as why:
        return why
    if not waits(stage_of(course.state, key_of(shoe.round)), shoe.table.number):
        return None
    return Conflict(
        "wait_for_other_table",
        "%(table)s waits until the other tables have played this hand.",
        table=shoe.table,
    )


@dataclass(frozen=True)
class BoxDue:
    """Chips due at one box: above 0 to give, below 0 to take. Afterwards it has ``has_chips``."""

    box: int
    entry: Entry
    chips: int
    has_chips: int

    @property
    def taken(self) -> bool:
        """Whether the chips are taken from the box, not given to it."""
        return self.chips < 0

    @property
    def amount_chips(self) -> int:
        """The number of chips to move."""
        return abs(self.chips)


def due_by_box(round_: Round, stacks: Mapping[int, Stack]) -> tuple[BoxDue, ...]:
    """Return the chips by box that a ruling has moved, but that were not moved on the felt yet.

    Nothing is due before the first bet.
    """
    if round_.status != Round.Status.PLAYING:
        return ()
    return tuple(
        BoxDue(box, stack.entry, stack.due_chips, stack.chips)
        for box, stack in stacks.items()
        if stack.due_chips and stack.state in IN_PLAY
    )


def due_by_table(round_: Round) -> dict[int, tuple[BoxDue, ...]]:
    """Map table numbers to the chips due there; tables without are left out."""
    moved = Stack.objects.filter(round=round_, state__in=IN_PLAY).exclude(due_chips=0)
    stacks = {stack.entry_id: stack for stack in moved.select_related("entry")}
    if not stacks:
        return {}
    seats = Seat.objects.filter(round=round_, entry__in=stacks, vacated_at__isnull=True)
    found: dict[int, dict[int, Stack]] = {}
    for table, box, entry in seats.order_by("box").values_list("table__number", "box", "entry"):
        found.setdefault(table, {})[box] = stacks[entry]
    return {number: due for number, at in sorted(found.items()) if (due := due_by_box(round_, at))}


# Boxes that bet -------------------------------------------------------------------------------------


def bet_blocked(stack: Stack, bet_min_chips: int) -> str:
    """Return why a stack cannot bet: absent (T15), short of chips (T13), decided or out; empty if it can."""
    if stack.state == Stack.State.ABSENT:
        return "absent"
    if stack.state != Stack.State.PLAYING:
        return str(stack.get_state_display())
    return "" if stack.chips >= bet_min_chips else "cannot cover the minimum"


def sitting_out(event_id: int, stacks: Mapping[int, Stack], bet_min_chips: int) -> dict[int, int]:
    """Map boxes to the penalty by which they sit the next hand out; only a box that could bet serves one.

    If nobody else at the table could bet, there would be no hand, so the penalty waits.
    """
    return _held(dict(sql.rows(_SIT_OUT, event_id)), stacks, bet_min_chips)


def _held(waiting: Mapping[int, int], stacks: Mapping[int, Stack], bet_min_chips: int) -> dict[int, int]:
    if not waiting:
        return {}
    able = {box: stack for box, stack in stacks.items() if not bet_blocked(stack, bet_min_chips)}
    held = {box: waiting[stack.entry_id] for box, stack in able.items() if stack.entry_id in waiting}
    return held if len(held) < len(able) else {}


def still_held(sits_out: Mapping[int, int]) -> dict[int, int]:
    """Return the boxes that sit an open hand out, if their penalty still stands."""
    if not sits_out:
        return {}
    standing = Penalty.objects.filter(pk__in=sits_out.values(), cancelled_at__isnull=True)
    kept = set(standing.values_list("pk", flat=True))
    return {box: penalty for box, penalty in sits_out.items() if penalty in kept}
