"""T8: nothing goes on once an event is called off; and 'Play has begun' on counts alone (T6, T18, T19)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tables.selectors.play_begun import begin_check, play_press, undo_check
from tables.services import dealing, seating
from tables.services.play_begun import round_play_undo
from tables.services.seen import seats_seen
from tests.cast.alternates import alone, begin, fill, no_show, status, told
from tests.cast.at_desk import Somebody, staff
from tests.cast.counting import enter, recount
from tests.cast.factories import EntryFactory, new_key
from tests.cast.floor import opened, refusal, seated, shoe_of, shoe_over, stack_at
from tournament.models import ChipEntry, Event, MoneyTransaction, Round
from tournament.services.events import event_call_off

pytestmark = pytest.mark.django_db


def called_off(begun: bool = False, **settings: object) -> Round:
    """Round 1 is seated at one table, one alternate waits, and the event is called off."""
    round_ = seated(4, tables_count=1, **settings)
    EntryFactory(event=round_.event)
    if begun:
        begin(round_)
    event_call_off(event_id=round_.event_id, reason="the lights went out", key=new_key(), actor=None)
    return Round.objects.get(pk=round_.pk)


COMMANDS: dict[str, Callable[[Round], Any]] = {
    "no-show": lambda round_: no_show(round_, 1, refund=True, reason="ill"),
    "fill": lambda round_: fill(round_, 5),
    "absent": lambda round_: seating.stack_absent(
        stack_id=stack_at(round_, 1).pk, absent=True, reason="gone", key=new_key(), actor=None
    ),
    "seen": lambda round_: seats_seen(shoe_id=shoe_of(round_).pk, boxes=[1], key=new_key(), actor=None),
    "begin": begin,
    "bet": lambda round_: dealing.deal_open(
        shoe_id=shoe_of(round_).pk, bets=dict.fromkeys((1, 2, 3, 4), 200), actor=None
    ),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_T8_no_seat_moves_once_the_event_is_called_off(command: str):
    round_ = called_off()
    before = [MoneyTransaction.objects.count(), ChipEntry.objects.count()]
    with refusal("event_not_running", 409):
        COMMANDS[command](round_)
    assert [MoneyTransaction.objects.count(), ChipEntry.objects.count()] == before


def test_T8_play_neither_begins_nor_is_undone_once_the_event_is_called_off():
    round_ = called_off(record_mode="counts")
    assert round_.event.status == Event.Status.CALLED_OFF and round_.status == Round.Status.SEATED
    assert play_press(round_) == ""
    director = Somebody("director")
    seat = f"seating/{round_.seats.get(box=1).pk}/no-show/"
    for path in (f"rounds/{round_.pk}/begin/", seat, f"seating/{round_.pk}/1/5/"):
        page = director.get(staff(round_.event, path))
        assert page.status_code == 200 and 'name="key"' not in page.content.decode(), path
    begun = called_off(begun=True, record_mode="counts")
    with refusal("event_not_running", 409):
        round_play_undo(round_id=begun.pk, key=new_key(), actor=None)


def undo(round_: Round) -> None:
    round_play_undo(round_id=round_.pk, key=new_key(), actor=None)


def press(round_: Round) -> str:
    return play_press(Round.objects.select_related("event").get(pk=round_.pk))


def test_T6_play_begins_by_a_press_on_counts_alone_and_is_undone_until_the_first_count():
    hands = seated(3)
    for check in (begin_check, undo_check):
        with refusal("not_counts_alone"):
            check(hands)
    round_ = alone(tables_count=1, boxes_per_table=2)
    assert press(hands) == "" and told(round_.event) == [("open", 0)]
    with refusal("counts_only"):
        opened(shoe_of(round_), {1: 200})
    with refusal("round_not_playing", 409):
        undo(round_)
    for _ in range(2):
        assert (press(round_), status(round_)) == ("begin", "seated")
        begin(round_)
        assert (press(round_), status(round_), told(round_.event)) == ("undo", "playing", [("closed", 0)])
        with refusal("first_bet_called", 409):
            no_show(round_, 1)
        with refusal("round_not_seated", 409):
            begin(round_)
        undo(round_)
    no_show(round_, 1)
    fill(round_, 1)
    assert told(round_.event) == []


def test_T6_after_the_first_count_play_has_begun_for_good():
    round_ = alone(8)
    shoe = shoe_of(round_, 2)
    begin(round_)
    shoe_over(shoe)
    with refusal("shoe_over", 409):
        undo(round_)
    assert press(round_) == ""
    enter(shoe, {seat.box: 5_000 for seat in round_.seats.filter(table=shoe.table_id)})
    with refusal("counted_already", 409):
        undo(round_)
    recount(shoe)
    with refusal("counted_already", 409):
        undo(round_)
    assert status(round_) == "playing"
