"""The seat of a qualifier who is disqualified before the next round begins (T25, T26)."""

from __future__ import annotations

import pytest

from tables.models import Seat
from tables.selectors import seat_of
from tables.services import seating
from tables.services.draws import draw_lock, round_seat
from tests.cast.corrected import books_agree
from tests.cast.empty_seat import codes, entry_at, fill, gone_and_filled, three_of_five
from tests.cast.factories import new_key
from tests.cast.floor import draw_and_seat, hand, refusal, shoe_of
from tests.cast.leaving import disqualify
from tests.cast.tied import code_at
from tournament.models import Event, Round, Stack
from tournament.selectors.stage_ranking import stage_ranking
from tournament.selectors.stages import next_stage, places_so_far

pytestmark = pytest.mark.django_db


def drawn(event: Event) -> list[str]:
    stage = next_stage(event)
    return sorted(entry.code for entry in stage.entries) if stage else []


def test_T25_T26_the_seat_of_a_disqualified_qualifier_goes_to_the_next_ranked():
    round_, _deal = three_of_five()
    gone = entry_at(round_, 1)
    disqualify(round_, gone.code)
    assert drawn(round_.event) == codes(round_, 2, 3)
    with refusal("reason_missing"):
        fill(gone, reason=" ")
    done = fill(gone)
    assert (done["out"], done["in"]) == (gone.code, code_at(round_, 4))
    gone.refresh_from_db()
    assert gone.status == "disqualified"
    out = entry_at(round_, 5)
    disqualify(round_, out.code)
    with refusal("not_qualified"):
        fill(out)
    second = draw_and_seat(round_.event)
    with refusal("seat_given", 409):
        fill(gone)
    stacks = dict(second.stacks.values_list("entry__code", "chips"))
    # With the stack that round 1 was closed with, newly issued: that of the disqualified has left play.
    assert stacks == {code_at(round_, 2): 5_200, code_at(round_, 3): 5_600, code_at(round_, 4): 4_800}
    assert books_agree(round_.event)


def test_T25_T26_left_alone_the_seat_stays_empty_from_the_lock_of_the_roster_on():
    round_, _deal = three_of_five()
    gone = entry_at(round_, 1)
    disqualify(round_, gone.code)
    locked = draw_lock(event_id=round_.event_id, key=new_key(), actor=None)
    with refusal("seat_not_drawn", 409):
        fill(gone)
    second = Round.objects.get(pk=round_seat(draw_id=locked["draw"])["round"])
    assert sorted(s.entry.code for s in second.stacks.select_related("entry")) == codes(round_, 2, 3)
    with refusal("seat_not_drawn", 409):
        fill(gone)
    assert books_agree(round_.event)


def test_T25_T26_two_seats_go_to_the_next_two_and_with_nobody_left_it_is_said():
    round_, _deal = three_of_five()
    gone_and_filled(round_, 1)
    replaced = entry_at(round_, 2)
    fill(replaced, reason="did not qualify: the count was wrong")
    disqualify(round_, replaced.code)
    with refusal("seat_given", 409):
        fill(replaced)
    assert drawn(round_.event) == codes(round_, 3, 4, 5)
    last = entry_at(round_, 3)
    disqualify(round_, last.code)
    with refusal("nobody_next", 409):
        fill(last)
    assert drawn(round_.event) == codes(round_, 4, 5)


def test_T25_T26_after_the_draw_the_next_ranked_takes_the_same_box():
    round_, _deal = three_of_five()
    second = draw_and_seat(round_.event)
    gone = entry_at(round_, 1)
    seat = seat_of(second, gone)
    disqualify(round_, gone.code)
    about = {"table_id": seat.table_id, "in_use": True, "actor": None}
    seating.table_change(**about, boxes_out=[seat.box], key=new_key())
    with refusal("box_out_of_use"):
        fill(gone)
    seating.table_change(**about, boxes_out=[], key=new_key())
    fill(gone)
    taken = seat_of(second, entry_at(round_, 4))
    assert (taken.table_id, taken.box) == (seat.table_id, seat.box)
    assert Stack.objects.get(round=second, entry__code=code_at(round_, 4)).chips == 4_800
    with refusal("seat_given", 409):
        fill(gone)
    assert Seat.objects.filter(round=second, vacated_at=None).count() == 3
    assert books_agree(round_.event)
    late = entry_at(round_, 2)
    disqualify(round_, late.code)
    hand(shoe_of(second), {taken.box: 200}, **{f"b{taken.box}": "win"})
    with refusal("first_bet_called", 409):
        fill(late)


def test_T26_whose_seat_somebody_else_plays_is_the_last_of_the_round_before():
    """Three go on and three play: who is disqualified is none of them, and holds no place among them."""
    round_, _deal = three_of_five()
    second = draw_and_seat(round_.event)
    gone = gone_and_filled(round_)
    first, next_ = stage_ranking(round_), stage_ranking(second)
    assert [row.code for row in first.above] == [code_at(round_, box) for box in (3, 2, 4)]
    assert first.line == 3 and first.rows[-1].code == gone.code
    assert sorted(row.code for row in next_.rows) == codes(round_, 2, 3, 4)
    assert [(row.code, str(row.state)) for row in next_.not_ranked] == [(gone.code, "disqualified")]
    assert [each.entry for each in places_so_far(round_.event)][-1] == gone.code
