"""Corrections: reversal, stacks after it, preview (T17)."""

from __future__ import annotations

from itertools import chain

import pytest
from django.db import transaction

from tables.models import Deal
from tables.selectors.audit import audit
from tables.selectors.facts_standing import SHELF, Course, course_standing
from tables.services import corrections
from tests.cast.corrected import ask, books_agree, correct_now, outcomes, post, put_right, round_1, words
from tests.cast.floor import (
    chips_at,
    close,
    draw_and_seat,
    hand,
    one_box_win,
    play_and_count,
    record,
    recorded,
    refusal,
    result,
    seated,
    shoe_of,
    stack_at,
)
from tests.cast.tied import code_at
from tournament.engine.facts_json import fact_of_json
from tournament.models import ChipTransaction

pytestmark = pytest.mark.django_db


def test_T17_a_correction_reverses_and_records_anew_with_the_same_number():
    round_ = seated(2)
    old = hand(shoe_of(round_), {1: 200, 2: 200}, b1="win", b2="lose")
    made = correct_now(old, outcomes={1: result("lose"), 2: result("win")})
    assert (chips_at(round_, 1), chips_at(round_, 2)) == (4_800, 5_200)
    old.refresh_from_db()
    again = Deal.objects.get(pk=made["deal"])
    assert (old.status, again.status, again.number, again.corrects) == ("reversed", "settled", 1, old)
    assert again.reason == "the camera"
    first = ChipTransaction.objects.get(source=f"deal:{old.pk}", kind="deal")
    assert first.reversed_by.kind == "reversal"
    assert books_agree(round_.event)


def test_T17_boxes_that_move_in_opposite_ways_never_pass_below_zero():
    round_ = seated(2, starting_chips=400)
    shoe = shoe_of(round_)
    old = hand(shoe, {1: 400, 2: 400}, b1="win", b2="lose")
    later = hand(shoe, {1: 800}, b1="lose")
    # Reversing first would take box 1 from 0 to −400; posting first would take box 2 to −200.
    correct_now(old, bets={1: 400, 2: 200}, outcomes={1: result("natural"), 2: result("lose")})
    assert (chips_at(round_, 1), chips_at(round_, 2)) == (200, 200)
    later.refresh_from_db()
    assert later.stacks == {"1": 1_000}
    assert books_agree(round_.event)


def test_T17_facts_are_kept_by_the_head_and_a_hand_rolled_back_is_in_no_others():
    round_ = seated(2)
    event, shoe = round_.event, shoe_of(round_)
    old = hand(shoe, {1: 200, 2: 200}, b1="win", b2="lose")
    one = course_standing(event)[1]
    with transaction.atomic():
        hand(shoe, {1: 200, 2: 200}, b1="win", b2="win")
        assert course_standing(event)[1].log[-1].nets[:2] == (200, 200)
        transaction.set_rollback(True)
    assert course_standing(event)[1] is one
    hand(shoe, {1: 200, 2: 200}, b1="lose", b2="push")
    two = course_standing(event)[1]
    assert (two.log[-2] is one.log[-1], two.log[-1].nets[:2]) == (True, (-200, 0))
    correct_now(old, outcomes={1: result("lose"), 2: result("push")})
    kept, three = SHELF.of(event.pk)[0], course_standing(event)[1]
    assert (three.log[-2].nets[:2], three.log[-1] is two.log[-1]) == ((-200, 0), True)
    facts = chain(*event.journal.order_by("seq").values_list("facts", flat=True))
    assert kept.course is three and three == Course.of(map(fact_of_json, facts))


def test_T17_a_reason_and_something_to_record_are_needed_and_no_open_hand():
    old = hand(shoe_of(seated(2)), {1: 200}, b1="win")
    with refusal("reason_missing"):
        correct_now(old, reason="", void=True)
    with refusal("nothing_given"):
        correct_now(old)
    with refusal("box_empty"):
        correct_now(old, bets={6: 200}, outcomes={6: result("win")})
    with refusal("double_amount"):
        correct_now(old, outcomes={1: result("lose", doubled=300)})


def test_T17_a_hand_of_a_closed_round_needs_two_persons():
    round_ = seated(2)
    old = hand(shoe_of(round_), {1: 200}, b1="win")
    with refusal("round_not_closed"):
        ask(old, void=True)
    play_and_count(round_)
    close(round_)
    with refusal("round_closed", 409):
        correct_now(old, void=True)
    assert corrections.correction_preview(deal_id=old.pk, void=True).changed


def test_T10_a_correction_puts_the_cards_of_the_shoe_right():
    round_ = seated(2)
    shoe = shoe_of(round_)
    made = recorded(shoe, one_box_win(1, 200))
    hit_first = ({"seat": 1, "action": "hit"}, {"seat": 1, "action": "stand"})
    longer = record({1: 200}, ["5h", "9c", "6s", "Td", "9s"], *hit_first)
    correct_now(made, record=longer)
    assert shoe_of(round_).cards_dealt == 1 + 5


def test_T17_a_refusal_names_the_box_that_it_is_about():
    round_ = seated(3, starting_chips=1_000)
    shoe = shoe_of(round_)
    old = hand(shoe, {1: 200, 2: 1_000}, b1="win", b2="win")
    later = hand(shoe, {1: 200, 2: 1_000}, b1="win", b2="win")
    with refusal("later_bet_not_covered") as no:
        correct_now(old, outcomes={1: result("lose"), 2: result("lose")})
    faulty, other = stack_at(round_, 2).entry.code, stack_at(round_, 1).entry.code
    assert faulty in no.value.message and other not in no.value.message
    assert f"hand {later.number}" in no.value.message


def test_T14_T17_the_button_goes_to_a_box_that_can_bet_after_all():
    round_ = seated(2, starting_chips=400)
    at = shoe_of(round_).button_box
    other = 3 - at
    old = hand(shoe_of(round_), {at: 200, other: 400}, **{f"b{at}": "win", f"b{other}": "lose"})
    assert shoe_of(round_).button_box == at
    correct_now(old, outcomes={at: result("win"), other: result("win")})
    assert shoe_of(round_).button_box == other
    assert audit(round_.event).differences == ()


@pytest.mark.parametrize("bet", [False, True])
def test_T17_the_seats_stand_and_carried_chips_follow(bet):
    """In truth 3 and not 2 should have gone on: nobody is reseated, 2 plays on with 400 less."""
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    two, three = code_at(round_, 2), code_at(round_, 3)
    second = draw_and_seat(round_.event)
    box = next(box for box in (1, 2) if code_at(second, box) == two)
    if bet:
        later = hand(shoe_of(second), {box: 200}, **{f"b{box}": "win"})
    anew = words(b1="win", b2="lose", b3="win", b4="lose")
    seen = corrections.correction_preview(deal_id=old.pk, outcomes=anew)
    assert seen.seats_stand
    # What it does is said, and beside it who should have gone on.
    assert {line.entry: (line.before.cut, line.after.cut) for line in seen.changed} == {
        two: ("advances", "advances"),
        three: ("out", "out"),
    }
    assert seen.differs is not None
    assert (seen.differs.missed, seen.differs.extra) == ((three,), (two,))
    put_right(old, outcomes=anew)
    assert (outcomes(round_)[two], outcomes(round_)[three]) == ("advanced", "cut")
    assert chips_at(second, box) == (5000 if bet else 4800)
    assert stack_at(second, box).start_chips == 4800
    if bet:
        later.refresh_from_db()
        assert later.stacks == {str(box): 4800}
    assert (stack_at(round_, 2).place, stack_at(round_, 3).place) == (3, 2)
    assert books_agree(round_.event)
    play_and_count(second)
    close(second)
    assert books_agree(round_.event)
