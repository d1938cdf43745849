"""T6: before the first bet of round 1 it is asked which players have come to their boxes."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tables.models import Seat
from tables.selectors.unseen import Unseen, unseen_of
from tables.services import seating
from tables.services.seen import seats_seen
from tests.cast.factories import EntryFactory, new_key
from tests.cast.floor import close, draw_and_seat, hand, play_and_count, refusal, seated, shoe_of, stack_at
from tournament.models import Round

pytestmark = pytest.mark.django_db


def see(round_: Round, *boxes: int, table: int = 1, seen: bool = True) -> None:
    shoe = shoe_of(round_, table)
    seats_seen(shoe_id=shoe.pk, boxes=boxes, seen=seen, key=new_key(), actor=None)


def boxes(seats: Iterable[Seat]) -> list[tuple[int, int]]:
    return [(seat.table.number, seat.box) for seat in seats]


def test_T6_three_boxes_where_nobody_ever_sat_are_named_beside_the_alternate():
    round_ = seated(14)
    late = EntryFactory(event=round_.event)
    see(round_, 1, 2, 3, 4)
    see(round_, *range(1, 8), table=2)
    found = unseen_of(round_.event)
    assert boxes(found.seats) == [(1, 5), (1, 6), (1, 7)]
    assert (list(found.tables), found.free, found.waiting) == ([1], (), (late,))


def test_T6_a_no_show_frees_the_box_for_the_alternate_who_is_asked_about_next():
    round_ = seated(7)
    late = EntryFactory(event=round_.event)
    see(round_, 1, 2, 3, 4, 5, 6)
    seat = round_.seats.get(box=7)
    seating.seat_no_show(seat_id=seat.pk, key=new_key(), actor=None)
    found = unseen_of(round_.event)
    assert (found.seats, found.free, found.waiting) == ((), ((1, 7),), (late,))
    seating.seat_fill(round_id=round_.pk, table_id=seat.table_id, box=7, key=new_key(), actor=None)
    found = unseen_of(round_.event)
    assert ([seat.entry for seat in found.seats], found.free, found.waiting) == ([late], (), ())


def test_T6_a_tick_is_taken_back_and_an_absent_player_is_not_asked_about():
    round_ = seated(3)
    with refusal("box_empty"):
        see(round_, 3, 4)
    with refusal("no_box_named"):
        see(round_)
    assert len(unseen_of(round_.event).seats) == 3
    see(round_, 1, 2)
    stack = {"stack_id": stack_at(round_, 3).pk, "absent": True, "reason": "late train"}
    seating.stack_absent(**stack, key=new_key(), actor=None)
    assert unseen_of(round_.event).seats == ()
    see(round_, 2, seen=False)
    found = unseen_of(round_.event)
    assert (boxes(found.seats), boxes(found.seen)) == ([(1, 2)], [(1, 1)])


def test_T6_only_seats_of_round_1_are_asked_about_until_its_first_bet():
    round_ = seated(3)
    hand(shoe_of(round_), {1: 200, 2: 400, 3: 600}, b1="win", b2="win", b3="win")
    assert unseen_of(round_.event) == Unseen()
    with refusal("first_bet_called", 409):
        see(round_, 1)
    play_and_count(round_)
    close(round_)
    second = draw_and_seat(round_.event)
    assert unseen_of(round_.event) == Unseen()
    with refusal("not_round_1"):
        see(second, 1)
