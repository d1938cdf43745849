"""T8: an event that is called off stops everything: nobody gives up a seat, takes one or is ruled absent."""

from __future__ import annotations

import pytest

from tables.selectors.play_begun import play_press
from tables.services import seating
from tables.services.dealing import round_play
from tables.services.seen import seats_seen
from tests.cast.at_desk import Somebody, staff
from tests.cast.factories import EntryFactory, new_key
from tests.cast.floor import refusal, seated, shoe_of, stack_at
from tournament.models import ChipEntry, Event, MoneyTransaction, Round
from tournament.services.events import event_call_off

pytestmark = pytest.mark.django_db


def called_off(**settings: object) -> Round:
    """Round 1 is seated at one table, one alternate waits, and the event is called off."""
    round_ = seated(4, tables_count=1, **settings)
    EntryFactory(event=round_.event)
    event_call_off(event_id=round_.event_id, reason="the lights went out", key=new_key(), actor=None)
    return Round.objects.get(pk=round_.pk)


def no_show(round_: Round) -> None:
    seat = round_.seats.get(box=1)
    seating.seat_no_show(seat_id=seat.pk, refund=True, reason="ill", key=new_key(), actor=None)


def fill(round_: Round) -> None:
    table = round_.shoes.get().table_id
    seating.seat_fill(round_id=round_.pk, table_id=table, box=5, key=new_key(), actor=None)


def absent(round_: Round) -> None:
    stack = stack_at(round_, 1)
    seating.stack_absent(stack_id=stack.pk, absent=True, reason="gone", key=new_key(), actor=None)


def seen(round_: Round) -> None:
    seats_seen(shoe_id=shoe_of(round_).pk, boxes=[1], key=new_key(), actor=None)


def begin(round_: Round) -> None:
    round_play(round_id=round_.pk, key=new_key(), actor=None)


@pytest.mark.parametrize("command", [no_show, fill, absent, seen, begin])
def test_T8_no_seat_moves_once_the_event_is_called_off(command):
    round_ = called_off()
    before = [MoneyTransaction.objects.count(), ChipEntry.objects.count()]
    with refusal("event_not_running", 409):
        command(round_)
    assert [MoneyTransaction.objects.count(), ChipEntry.objects.count()] == before


def test_T8_play_begins_on_no_page_once_the_event_is_called_off():
    round_ = called_off(record_mode="counts")
    assert round_.event.status == Event.Status.CALLED_OFF and round_.status == Round.Status.SEATED
    assert play_press(round_) == ""
    page = Somebody("director").get(staff(round_.event, f"rounds/{round_.pk}/begin/")).content.decode()
    assert 'name="key"' not in page


@pytest.mark.parametrize("tail", ["no-show/", "box/"])
def test_T8_the_pages_of_a_seat_offer_nothing_once_the_event_is_called_off(tail):
    round_ = called_off()
    seat = f"seating/{round_.seats.get(box=1).pk}/no-show/"
    path = seat if tail == "no-show/" else f"seating/{round_.pk}/1/5/"
    page = Somebody("director").get(staff(round_.event, path))
    assert page.status_code == 200 and 'name="key"' not in page.content.decode()
