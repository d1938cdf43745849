"""Tables, no-shows, alternates, replacements (T4, T6, T25)."""

from __future__ import annotations

import pytest

from tables.models import Table
from tables.selectors import alternates, seat_of, table_get
from tables.services import seating
from tests.cast.alternates import fill, no_show
from tests.cast.corrected import round_1
from tests.cast.empty_seat import entry_at as at
from tests.cast.empty_seat import fill as replace
from tests.cast.factories import EntryFactory, new_key
from tests.cast.floor import (
    close,
    draw_and_seat,
    event_make,
    hand,
    payouts_post,
    play_and_count,
    refusal,
    seated,
    shoe_of,
)
from tournament.models import Entry, Stack
from tournament.services.entries import entry_withdraw

pytestmark = pytest.mark.django_db


def change(table: Table, in_use: bool, *boxes_out: int) -> dict:
    return seating.table_change(
        table_id=table.pk, in_use=in_use, boxes_out=boxes_out, key=new_key(), actor=None
    )


def test_T4_enough_tables_are_put_out_for_all_who_entered():
    event = event_make(15)
    assert Table.objects.filter(event=event).count() == 3
    posted = event_make(3, tables_count=2, boxes_per_table=6)
    assert [table.boxes_out for table in Table.objects.filter(event=posted)] == [[7], [7]]


def test_T4_a_box_where_somebody_sits_stays_in_use():
    round_ = seated(2)
    table = table_get(round_.event, 1)
    with refusal("box_occupied", 409):
        change(table, True, 1)
    with refusal("box_occupied", 409):
        change(table, False)
    with refusal("bad_box"):
        change(table, True, 8)
    with refusal("no_such_table", 404):
        table_get(round_.event, 3)
    change(table, True, 7)
    table.refresh_from_db()
    assert table.boxes_out == [7]


def test_T6_a_no_show_frees_the_box_without_refund_and_the_chips_leave_play():
    round_ = seated(3)
    with refusal("reason_missing"):
        no_show(round_, 1, refund=True)
    assert no_show(round_, 1, refund=True, reason="no shuttle")["refunded_cents"] == 10_000
    seat = round_.seats.get(box=2)
    made = no_show(round_, 2)
    entry = Entry.objects.get(code=made["entry"])
    stack = Stack.objects.get(round=round_, entry=entry)
    assert (made["refunded_cents"], entry.status) == (0, "no_show")
    assert (stack.state, stack.chips, seat_of(round_, entry)) == ("no_show", 0, None)
    with refusal("seat_vacated", 409):
        seating.seat_no_show(seat_id=seat.pk, key=new_key(), actor=None)


def test_T6_alternates_take_free_seats_in_their_order_until_the_first_bet():
    event = event_make(7)
    first, second = EntryFactory(event=event), EntryFactory(event=event)
    round_ = draw_and_seat(event)
    assert alternates(event) == [first, second]
    with refusal("box_taken", 409):
        fill(round_, 3)
    no_show(round_, 3), no_show(round_, 4)
    with refusal("not_next_alternate"):
        fill(round_, 3, second)
    assert fill(round_, 3)["entry"] == first.code
    first.refresh_from_db()
    stack = Stack.objects.get(round=round_, entry=first)
    assert (first.status, stack.chips, stack.start_chips) == ("live", 5_000, 5_000)
    with refusal("already_seated", 409):
        fill(round_, 4, first)
    change(table_get(event, 1), True, 4)
    with refusal("box_out_of_use"):
        fill(round_, 4)
    change(table_get(event, 1), True)
    assert fill(round_, 4)["entry"] == second.code
    no_show(round_, 5)
    with refusal("no_alternate"):
        fill(round_, 5)
    EntryFactory(event=event)
    hand(shoe_of(round_), {1: 200}, b1="win")
    with refusal("first_bet_called", 409):
        no_show(round_, 2)
    with refusal("first_bet_called", 409):
        fill(round_, 5)


# In ``round_1`` boxes 1 and 2 are in, 3 is next, then 4.


def test_T25_after_the_draw_the_replacement_takes_the_same_box():
    round_, _deal = round_1()
    event = round_.event
    with refusal("not_qualified"):
        replace(at(round_, 4))
    second = draw_and_seat(event)
    leaving = at(round_, 1)
    seat = seat_of(second, leaving)
    with refusal("qualified", 409):
        entry_withdraw(entry_id=leaving.pk, reason="ill", refund=False, key=new_key(), actor=None)
    with refusal("reason_missing"):
        replace(leaving, reason="")
    assert replace(leaving)["in"] == at(round_, 3).code
    coming = at(round_, 3)
    taken = seat_of(second, coming)
    assert (taken.table_id, taken.box) == (seat.table_id, seat.box)
    assert Stack.objects.get(round=second, entry=coming).chips == 4_800
    gone = Stack.objects.get(round=second, entry=leaving)
    assert (gone.chips, gone.state) == (0, "withdrawn")
    payouts_post(event)
    hand(shoe_of(second), {1: 200}, b1="win")
    with refusal("first_bet_called", 409):
        replace(at(round_, 2))


@pytest.mark.parametrize(("stacks", "chips"), [("carried", {5_200, 4_800}), ("reset", {5_000})])
def test_T25_a_replacement_before_the_draw_plays_with_the_posted_stack(stacks, chips):
    round_, _deal = round_1(stacks=stacks)
    replace(at(round_, 1))
    second = draw_and_seat(round_.event)
    assert {stack.entry_id for stack in second.stacks.all()} == {at(round_, 2).pk, at(round_, 3).pk}
    assert set(second.stacks.values_list("chips", flat=True)) == chips


def test_T25_with_several_tied_for_the_seat_the_director_names_one():
    round_ = seated(4, cut_after_round_1=2, cut_after_round_2=2)
    hand(shoe_of(round_), {1: 400, 2: 400}, b1="win", b2="win")
    play_and_count(round_)
    close(round_)
    with refusal("tie_choose"):
        replace(at(round_, 1))
    with refusal("not_a_replacement"):
        replace(at(round_, 1), by=at(round_, 2))
    assert replace(at(round_, 1), by=at(round_, 4))["in"] == at(round_, 4).code


def test_T25_with_nobody_left_the_seat_stays_empty():
    round_, _deal = round_1()
    event = round_.event
    for box in (1, 2, 3):
        replace(at(round_, box))
    with refusal("not_qualified"):
        replace(at(round_, 3))
    made = replace(at(round_, 4))
    assert made["in"] is None
    assert not Stack.objects.filter(round__event=event, chips__gt=0).exists()
