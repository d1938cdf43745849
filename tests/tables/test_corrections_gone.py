"""A hand of somebody who has left is put right: what was handed in follows, nobody gone goes on (T17)."""

from __future__ import annotations

import pytest

from tables.models import Deal
from tables.services import corrections, seating
from tests.cast.corrected import ask, books_agree, post, put_right, round_1, withdraw, words
from tests.cast.corrected_ties import correct, outcomes
from tests.cast.factories import new_key
from tests.cast.floor import (
    chips_at,
    close,
    confirm,
    draw_and_seat,
    hand,
    play_and_count,
    refusal,
    seated,
    shoe_of,
    stack_at,
)
from tests.cast.leaving import disqualify
from tests.cast.tied import code_at
from tournament.models import Round, Stack
from tournament.services.penalties import penalty_add, penalty_cancel
from tournament.services.reconcile import chip_accounts

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def leave(how: str, round_: Round, code: str) -> None:
    withdraw(round_, code) if how == "withdrawn" else disqualify(round_, code)


def stack_of(round_: Round, code: str) -> Stack:
    return Stack.objects.get(round=round_, entry__code=code)


def handed_in(round_: Round) -> int:
    """The chips that have been handed in over all, less what was taken back."""
    return chip_accounts(round_.event)["returned"]


# In the round that is played ---------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["withdrawn", "disqualified"])
@pytest.mark.parametrize(("word", "moved"), [("lose", -400), ("natural", 100)])
def test_T17_T26_the_chips_that_were_handed_in_follow_the_hand_of_who_has_left(
    how: str, word: str, moved: int
):
    round_ = seated(3)
    old = hand(shoe_of(round_), {1: 200, 2: 200}, b1="win", b2="win")
    one = code_at(round_, 1)
    leave(how, round_, one)
    before = handed_in(round_)
    anew = words(b1=word, b2="win")
    seen = corrections.correction_preview(deal_id=old.pk, outcomes=anew)
    assert seen.handed_in == ((one, 5_200, 5_200 + moved),)
    assert seen.changed == ()
    assert correct(old, outcomes=anew)["changes"] == {one: moved}
    assert (stack_of(round_, one).chips, handed_in(round_)) == (0, before + moved)
    assert books_agree(round_.event)
    # And back again.
    made = Deal.objects.get(corrects=old)
    assert corrections.correction_preview(deal_id=made.pk, void=True).handed_in == (
        (one, 5_200 + moved, 5_000),
    )
    correct(made, outcomes=words(b1="win", b2="win"))
    assert handed_in(round_) == before
    assert books_agree(round_.event)


def test_T17_T26_who_has_left_cannot_have_handed_in_less_than_nothing():
    round_ = seated(3, starting_chips=400)
    old = hand(shoe_of(round_), {1: 400, 2: 200}, b1="win", b2="win")
    hand(shoe_of(round_), {1: 800, 2: 200}, b1="lose", b2="win")
    disqualify(round_, code_at(round_, 1))
    with refusal("later_bet_not_covered"):
        correct(old, outcomes=words(b1="push", b2="win"))


@pytest.mark.parametrize("forgiven", [False, True])
def test_T17_T26_a_box_that_sat_out_has_the_stack_from_before_its_penalty(forgiven: bool):
    """5,000 lay there when the hand was dealt; 400 were taken after it."""
    round_ = seated(2)
    old = hand(shoe_of(round_), {1: 200}, b1="win")
    entry = stack_at(round_, 2).entry
    given = {"entry_id": entry.pk, "kind": "chips", "chips": 400, "reason": "late"}
    made = confirm(penalty_add(**given, key=new_key(), actor=None))
    if forgiven:
        about = {"penalty_id": made["penalty"], "reason": "was not"}
        confirm(penalty_cancel(**about, key=new_key(), actor=None))
    correct(old, bets={1: 200, 2: 200}, outcomes=words(b1="win", b2="win"))
    assert Deal.objects.get(corrects=old).stacks == {"1": 5_000, "2": 5_000}
    assert chips_at(round_, 2) == (5_200 if forgiven else 4_800)
    assert books_agree(round_.event)


# A closed round, nothing seated after it -------------------------------------------------------------------


def test_T17_T26_who_was_cut_and_disqualified_since_goes_on_by_no_correction():
    """In truth box 3 was better than box 2; it was disqualified after the close, so box 4 goes on."""
    round_, old = round_1()
    two, three, four = (code_at(round_, box) for box in (2, 3, 4))
    disqualify(round_, three)
    anew = words(b1="win", b2="lose", b3="win", b4="push")
    seen = {line.entry: line for line in corrections.correction_preview(deal_id=old.pk, outcomes=anew).lines}
    assert (seen[three].cut_before, seen[three].cut_after) == ("disqualified", "disqualified")
    assert (seen[two].cut_after, seen[four].cut_after) == ("out", "advances")
    put_right(old, outcomes=anew)
    assert {code: outcomes(round_)[code] for code in (two, three, four)} == {
        two: "cut",
        three: "cut",
        four: "advanced",
    }
    assert stack_of(round_, three).place == 4
    assert books_agree(round_.event)


def test_T17_T25_who_was_cut_and_withdrew_since_would_go_on():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    three = code_at(round_, 3)
    withdraw(round_, three)
    anew = words(b1="win", b2="lose", b3="win", b4="lose")
    with refusal("entry_left", 409):
        ask(old, outcomes=anew)
    draw_and_seat(round_.event)
    put_right(old, outcomes=anew)
    assert outcomes(round_)[three] == "cut"
    assert stack_of(round_, three).closed_chips == 5_200
    assert books_agree(round_.event)


# A closed round, and a later one seated --------------------------------------------------------------------


@pytest.mark.parametrize("how", ["withdrawn", "disqualified"])
@pytest.mark.parametrize("over", [False, True])
def test_T17_T26_who_left_in_the_next_round_has_handed_in_what_they_should_have_had(how: str, over: bool):
    round_, old = round_1()
    post(round_.event, 30_000, 20_000, 10_000)
    one = code_at(round_, 1)
    second = draw_and_seat(round_.event)
    hand(shoe_of(second), {1: 200, 2: 200}, b1="win", b2="win")
    leave(how, second, one)
    if over:
        play_and_count(second), close(second)
    before = handed_in(round_)
    put_right(old, outcomes=words(b1="push", b2="win", b3="lose", b4="lose"))
    assert stack_of(second, one).chips == 0
    assert stack_of(second, one).start_chips == 5_000
    assert (stack_of(round_, one).chips, stack_of(round_, one).closed_chips) == (0, 5_000)
    assert handed_in(round_) == before - 400
    assert books_agree(round_.event)


def test_T17_T25_the_chips_of_a_replaced_qualifier_and_of_the_replacement_follow():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    one, three = code_at(round_, 1), code_at(round_, 3)
    second = draw_and_seat(round_.event)
    entry = round_.event.entries.get(code=one)
    seating.entry_replace(entry_id=entry.pk, reason="ill", key=new_key(), actor=None)
    assert stack_of(second, three).chips == 4_800
    before = handed_in(round_)
    put_right(old, outcomes=words(b1="push", b2="win", b3="push", b4="lose"))
    assert (stack_of(second, one).chips, stack_of(second, three).chips) == (0, 5_000)
    assert handed_in(round_) == before - 400
    assert books_agree(round_.event)
