"""Alternates: sold where the boxes end, moved up where boxes come, told how many boxes are free (T4, T6)."""

from __future__ import annotations

from typing import Any

import pytest

from tables.selectors import table_get
from tables.selectors.floor import boxes_free
from tables.selectors.seating_closes import seating_closes, why_ask_first
from tables.services import seating
from tests.cast.alternates import fill, full_of, no_show, table, told
from tests.cast.factories import EntryFactory, EventFactory, new_key
from tests.cast.floor import draw_and_seat, event_make, hand, refusal, seated, shoe_of
from tournament.models import Event, Round
from tournament.selectors.desk import event_boxes, why_new_entry_waits

pytestmark = pytest.mark.django_db


def waiting(event: Event) -> list[str]:
    return list(event.entries.filter(status="waiting").order_by("number").values_list("code", flat=True))


def out_of_use(event: Event, *boxes: int) -> None:
    first = {"table_id": table_get(event, 1).pk, "in_use": True, "boxes_out": boxes}
    seating.table_change(**first, key=new_key(), actor=None)


@pytest.mark.parametrize(
    ("settings", "out", "boxes"),
    [
        ({}, [4, 6, 7], 11),  # no number is posted, two tables are in use
        ({"tables_count": 2}, [4, 6, 7], 11),
        ({"tables_count": 2, "boxes_per_table": 6}, [7], 12),
        ({"tables_count": 3, "boxes_per_table": 5}, [], 15),  # one of three is not in use yet: as posted
    ],
)
def test_T4_the_desk_has_as_many_boxes_as_the_draw_will_have(settings: Any, out: list[int], boxes: int):
    event = EventFactory(settings=settings)
    table(event, *out)
    table(event)
    assert event_boxes(event) == boxes


@pytest.mark.parametrize(("entrants", "out", "tables"), [(15, [], 2), (14, [7], 3), (13, [7], 2)])
def test_T4_no_table_is_put_out_beyond_the_posted_number(entrants: int, out: list[int], tables: int):
    event = EventFactory(settings={"tables_count": 2})
    table(event, *out)
    for _ in range(entrants):
        EntryFactory(event=event)
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    # A box is out of use at table 1: with a third one the draw has two whole tables.
    assert event.tables.count() == tables


@pytest.mark.parametrize("settings", [{}, {"tables_count": 1}])
def test_T6_the_entry_after_the_last_box_is_sold_as_an_alternate(settings: Any):
    event = EventFactory(settings=settings)
    assert settings or (event_boxes(event), why_new_entry_waits(event)) == (None, None)
    table(event, 4, 5, 6, 7)
    sold = []
    for _ in range(3):
        assert not why_new_entry_waits(event)
        sold.append(EntryFactory(event=event).status)
    assert why_new_entry_waits(event)
    assert [*sold, EntryFactory(event=event).status] == ["live", "live", "live", "waiting"]


def test_T6_boxes_that_come_before_the_draw_go_to_the_first_alternates():
    event = EventFactory()
    table(event, 2, 3, 4, 5, 6, 7)
    for _ in range(4):
        EntryFactory(event=event)
    assert waiting(event) == ["E002", "E003", "E004"]
    out_of_use(event, 3, 4, 5, 6, 7)
    assert waiting(event) == ["E003", "E004"]
    table(event, 2, 3, 4, 5, 6, 7)
    assert waiting(event) == ["E004"]
    seating.tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    assert waiting(event) == []


def test_T6_the_free_boxes_of_a_round_are_those_that_somebody_can_be_seated_at():
    round_ = seated(5, boxes_per_table=3)
    free = [(2, 3)]
    assert boxes_free(round_) == free
    no_show(round_, 1, 1)
    assert boxes_free(round_) == [(1, 1), *free]
    out_of_use(round_.event, 1)
    assert boxes_free(round_) == free
    table(round_.event)
    assert boxes_free(round_) == free  # nobody plays this round at the third table
    with refusal("box_out_of_use"):
        fill(round_, 1, EntryFactory(event=round_.event), table=3)


def test_T6_phones_tell_alternates_how_many_boxes_are_free_and_whether_seating_is_open():
    event = event_make(5, tables_count=1, boxes_per_table=3)
    assert told(event) == [("not_drawn", None)]
    round_ = draw_and_seat(event)
    assert told(event) == [("open", 0)]
    no_show(round_, 1), no_show(round_, 2)
    assert told(event) == [("open", 2)]
    fill(round_, 1)
    assert told(event) == [("open", 1)]
    hand(shoe_of(round_), {1: 200}, b1="win")
    assert told(event) == [("closed", 1)]


def test_T6_with_every_box_taken_phones_say_that_none_was_free():
    round_ = full_of(2, 3)
    table(round_.event)
    assert waiting(round_.event) == ["E003"], "nobody moves up after the draw"
    hand(shoe_of(round_), {1: 200}, b1="win")
    assert told(round_.event) == [("closed", 0)]
    assert why_ask_first(Round.objects.get(pk=round_.pk), "") is None


def test_T6_the_first_bet_is_asked_about_while_an_alternate_waits():
    assert why_ask_first(seated(3), "") is None
    round_ = full_of(2, 4)
    first = why_ask_first(round_, "")
    assert first is not None and (first.code, first.status) == ("seating_closes", 409)
    closes = seating_closes(round_)
    assert closes is not None and (closes.alternates, closes.free) == (2, ())
    assert why_ask_first(round_, closes.mark) is None
    no_show(round_, 1)
    assert why_ask_first(round_, closes.mark) is not None  # a box has come free since
    again = seating_closes(round_)
    assert again is not None and again.free == ((1, 1),)
    assert why_ask_first(round_, again.mark) is None
