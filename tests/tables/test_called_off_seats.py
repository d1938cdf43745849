"""T8: nothing goes on once an event is called off; and 'Play has begun' on counts alone (T6, T18, T19)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tables.selectors.seating_closes import begin_check, may_begin
from tables.services import dealing, seating
from tables.services.seating import seats_seen
from tests.cast.alternates import alone, begin, fill, no_show, status, told
from tests.cast.at_desk import Somebody, staff
from tests.cast.factories import EntryFactory, new_key
from tests.cast.floor import opened, refusal, seated, shoe_of, stack_at
from tournament.models import ChipEntry, Event, MoneyTransaction, Round
from tournament.services.events import event_call_off

pytestmark = pytest.mark.django_db


def called_off(**settings: object) -> Round:
    """Round 1 is seated at one table, one alternate waits, and the event is called off."""
    round_ = seated(4, tables_count=1, **settings)
    EntryFactory(event=round_.event)
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


def test_T8_play_does_not_begin_once_the_event_is_called_off():
    round_ = called_off(record_mode="counts")
    assert round_.event.status == Event.Status.CALLED_OFF and round_.status == Round.Status.SEATED
    assert not may_begin(round_)
    director = Somebody("director")
    seat = f"seating/{round_.seats.get(box=1).pk}/no-show/"
    for path in (f"rounds/{round_.pk}/begin/", seat, f"seating/{round_.pk}/1/5/"):
        page = director.get(staff(round_.event, path))
        assert page.status_code == 200 and 'name="key"' not in page.content.decode(), path


def may(round_: Round) -> bool:
    return may_begin(Round.objects.select_related("event").get(pk=round_.pk))


def test_T6_play_begins_by_a_press_on_counts_alone():
    hands = seated(3)
    with refusal("not_counts_alone"):
        begin_check(hands)
    round_ = alone(tables_count=1, boxes_per_table=2)
    assert not may(hands) and told(round_.event) == [("open", 0)]
    with refusal("counts_only"):
        opened(shoe_of(round_), {1: 200})
    assert (may(round_), status(round_)) == (True, "seated")
    begin(round_)
    assert (may(round_), status(round_), told(round_.event)) == (False, "playing", [("closed", 0)])
    with refusal("first_bet_called", 409):
        no_show(round_, 1)
    with refusal("round_not_seated", 409):
        begin(round_)
