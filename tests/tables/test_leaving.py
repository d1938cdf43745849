"""An entry leaves during a hand, after a count or before the next round (T6, T7, T18, T25, T26)."""

from __future__ import annotations

import pytest

from tables.models import Seat, Shoe
from tables.selectors import seat_of
from tables.services import dealing, seating
from tables.services.draws import draw_lock, round_seat
from tests.cast.alternates import fill as take_seat
from tests.cast.corrected import books_agree
from tests.cast.counting import enter
from tests.cast.empty_seat import codes, entry_at, fill, gone_and_filled, three_of_five
from tests.cast.factories import EntryFactory, UserFactory, new_key
from tests.cast.floor import (
    chips_at,
    close,
    confirm,
    disqualify,
    draw_and_seat,
    hand,
    opened,
    payouts_post,
    play_and_count,
    refusal,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
)
from tests.cast.tied import code_at
from tournament.models import Event, Round, Stack
from tournament.selectors.stage_ranking import stage_ranking
from tournament.selectors.stages import places_so_far, seat_due
from tournament.services import entries
from tournament.services.penalties import penalty_add
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("box", [1, 3])
def test_T26_who_sits_at_an_open_hand_is_ruled_on_when_it_is_over(box):
    round_ = seated()
    entry, other = stack_at(round_, box).entry, stack_at(round_, 2).entry
    deal = opened(shoe_of(round_), {1: 200, 2: 200}, "results")
    given = {"entry_id": other.pk, "kind": "chips", "chips": 300, "reason": "slow play", "actor": None}
    chips = penalty_add(**given, key=new_key())
    about = {"entry_id": entry.pk, "reason": "marked a card", "actor": UserFactory()}
    out = entries.entry_disqualify_request(**about, key=new_key())
    for asked in (chips, out):
        with refusal("hand_open", 409):
            confirm(asked)
    dealing.deal_void(deal_id=deal.pk, reason="a card fell", key=new_key(), actor=None)
    confirm(chips), confirm(out)
    assert chips_at(round_, 2) == 4_700
    assert Seat.objects.get(entry=entry).vacated_at is not None
    play_and_count(round_)
    close(round_)
    last = places_so_far(round_.event)[-1]
    assert (last.entry, last.place, last.out_of_play) == (entry.code, 4, True)
    payouts_post(round_.event, 300_00, 100_00)
    disqualify(round_, other.code)
    assert {each.entry for each in places_so_far(round_.event)[2:]} == {other.code, entry.code}
    assert reconcile(round_.event) == []


def test_T6_box_of_who_withdraws_before_the_first_bet_goes_to_an_alternate():
    round_ = seated(4)
    leaving = stack_at(round_, 2).entry
    alternate = EntryFactory(event=round_.event)
    entries.entry_withdraw(entry_id=leaving.pk, reason="taken ill", key=new_key(), actor=None)
    take_seat(round_, 2)
    assert stack_at(round_, 2).entry == alternate
    assert Stack.objects.get(entry=leaving).state == Stack.State.WITHDRAWN
    assert reconcile(round_.event) == []


def test_T7_T18_on_counts_alone_a_withdrawal_makes_the_count_that_agrees_the_stacks():
    shoe = shoe_of(seated(3, record_mode="counts"))
    shoe_over(shoe)
    enter(shoe, {1: 5400, 2: 4800, 3: 5000}), enter(shoe, {1: 5400, 2: 4600, 3: 5000})
    about = {"entry_id": stack_at(shoe.round, 2).entry_id, "reason": "taken ill", "refund": False}
    entries.entry_withdraw(**about, key=new_key(), actor=UserFactory())
    shoe.refresh_from_db()
    assert (shoe.status, chips_at(shoe.round, 1)) == (Shoe.Status.COUNTED, 5400)
    assert reconcile(shoe.round.event) == []


def drawn(event: Event) -> list[str]:
    due = seat_due(event)
    return sorted(due.entries) if due else []


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
