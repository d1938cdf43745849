"""What a correction or a penalty moves is due at the table until it is moved there (T17, T18, T26)."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Deal, Shoe
from tables.selectors.next_hand import due_by_table
from tables.services import dealing, seating, simulation
from tables.services.chips_due import chips_due_confirm
from tables.services.take_back import deal_take_back
from tests.cast.calls import at_once, codes
from tests.cast.corrected import correct, post, put_right, round_1, words
from tests.cast.counting import enter
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import (
    chips_at,
    count_both,
    draw_and_seat,
    hand,
    one_box_win,
    person,
    refusal,
    result,
    seated,
    shoe_of,
    shoe_over,
    stack_at,
    take_chips,
)
from tests.cast.leaving import forgive, penalise
from tests.cast.tied import code_at, play_off
from tests.cast.worlds import kept
from tournament.models import Event, JournalEntry, Round, Stack

pytestmark = pytest.mark.django_db
BETS = {1: 200, 2: 200}


@kept
def played(**settings: Any) -> Round:
    """A table of two that has played one hand: box 1 won, box 2 lost."""
    round_ = seated(2, **settings)
    hand(shoe_of(round_), BETS, b1="win", b2="lose")
    round_.refresh_from_db()
    return round_


def due(round_: Round, table: int = 1) -> dict[int, int]:
    found = due_by_table(Round.objects.get(pk=round_.pk))
    return {each.box: each.chips for each in found.get(table, ())}


def confirm(round_: Round, table: int = 1) -> dict[str, Any]:
    return chips_due_confirm(shoe_id=shoe_of(round_, table).pk, key=new_key(), actor=None)


def test_T17_what_a_correction_moves_is_due_at_each_box_until_it_is_confirmed():
    round_ = played()
    correct(Deal.objects.get(), b1="lose", b2="win")
    assert due(round_) == {1: -400, 2: 400}
    assert confirm(round_) == {"shoe": shoe_of(round_).pk, "due": {"1": -400, "2": 400}}
    assert due(round_) == {}
    dealing.deal_open(shoe_id=shoe_of(round_).pk, bets=BETS, actor=None)
    assert (chips_at(round_, 1), chips_at(round_, 2)) == (4_800, 5_200)


def test_T26_no_hand_is_begun_or_entered_while_a_penalty_lies_on_the_felt():
    round_, outcomes = played(), {1: result("win"), 2: result("win")}
    penalise(round_, 1, 800)
    about = {"shoe_id": shoe_of(round_).pk, "key": new_key(), "actor": None}
    for way in (
        lambda: dealing.deal_open(shoe_id=shoe_of(round_).pk, bets=BETS, actor=None),
        lambda: dealing.deal_begin(bets=BETS, op={"card": "Ts"}, nonce="n", **about),
        lambda: dealing.deal_record_results(bets=BETS, outcomes=outcomes, **about),
        lambda: dealing.deal_record(record=one_box_win(1, 200), **about),
    ):
        with refusal("chips_due", 409) as no:
            way()
        assert no.value.message.figures["table"] == 1
    assert Deal.objects.count() == 1


def test_T26_chips_that_are_taken_and_given_back_leave_nothing_due():
    round_ = played()
    penalty = penalise(round_, 1, 800)
    correct(Deal.objects.get(), b1="lose", b2="lose")
    assert due(round_) == {1: -1_200}
    correct(Deal.objects.get(status="settled"), b1="win", b2="lose")
    forgive(penalty)
    assert due(round_) == {}
    dealing.deal_open(shoe_id=shoe_of(round_).pk, bets=BETS, actor=None)
    with refusal("no_chips_due", 409):
        confirm(round_)


def test_T17_hands_and_hands_taken_back_leave_nothing_due():
    round_, clerk = played(), UserFactory()
    outcomes = {1: result("win"), 2: result("win")}
    given = {"shoe_id": shoe_of(round_).pk, "bets": BETS, "outcomes": outcomes, "key": new_key()}
    made = dealing.deal_record_results(**given, actor=clerk)
    assert due(round_) == {}
    deal_take_back(deal_id=made["deal"], key=new_key(), actor=clerk)
    assert (due(round_), chips_at(round_, 2)) == ({}, 4_800)


def test_T26_before_the_first_bet_nothing_is_due_and_after_it_there_is():
    round_ = seated(2)
    first = penalise(round_, 1, 800)
    assert due(round_) == {}
    with refusal("no_chips_due", 409):
        confirm(round_)
    hand(shoe_of(round_), BETS, b1="push", b2="push")
    assert due(round_) == {}
    forgive(first)
    assert due(round_) == {1: 800}


@pytest.mark.parametrize("begun", [False, True])
def test_T17_chips_that_a_correction_of_an_earlier_round_carries_are_due_once_play_has_begun(begun: bool):
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    second = draw_and_seat(round_.event)
    box = next(box for box in (1, 2) if code_at(second, box) == code_at(round_, 2))
    if begun:
        hand(shoe_of(second), {1: 200, 2: 200}, b1="win", b2="win")
    put_right(old, outcomes=words(b1="win", b2="lose", b3="win", b4="lose"))
    assert due(second) == ({box: -400} if begun else {})
    assert not Stack.objects.filter(round=round_).exclude(due_chips=0).exists()


def test_T17_T23_a_play_off_that_goes_on_gives_stacks_back_and_one_that_is_decided_has_nothing_due():
    """Boxes 2 and 3 were decided, and their chips handed in; box 1 stays decided."""
    bets, stage = dict.fromkeys((1, 2, 3), 200), play_off()
    correct(hand(shoe_of(stage), bets, b1="win", b2="win", b3="lose"), b1="win", b2="push", b3="push")
    assert due(stage) == {2: 5_000, 3: 5_000}
    stage = play_off()
    correct(hand(shoe_of(stage), bets, b1="push", b2="push", b3="push"), b1="win", b2="win", b3="lose")
    stage.refresh_from_db()
    assert (stage.status, due(stage)) == ("counted", {})
    assert not stage.stacks.exclude(due_chips=0).exists()


def test_T15_T18_the_second_count_clears_what_is_due_also_to_an_absent_player():
    round_ = played()
    away = {"stack_id": stack_at(round_, 1).pk, "absent": True, "reason": "telephone"}
    seating.stack_absent(**away, key=new_key(), actor=None)
    penalise(round_, 1, 800)
    shoe_over(shoe_of(round_))
    assert due(round_) == {1: -800}
    count_both(shoe_of(round_))
    assert not round_.stacks.exclude(due_chips=0).exists()
    correct(Deal.objects.get(), b1="lose", b2="lose")
    assert due(round_) == {1: -400}
    count_both(shoe_of(round_))
    assert not round_.stacks.exclude(due_chips=0).exists()


def test_T17_T18_where_a_correction_makes_two_counts_agree_they_say_what_lies_there():
    round_ = seated(4, boxes_per_table=2)
    old, shoe = hand(shoe_of(round_), BETS, b1="win", b2="lose"), shoe_of(round_)
    shoe_over(shoe)
    for _person in range(2):
        enter(shoe, {1: 5_400, 2: 4_600})
    correct(old, bets={1: 400, 2: 400}, outcomes=words(b1="win", b2="lose"))
    assert (shoe_of(round_).status, due(round_)) == ("counted", {})


@pytest.mark.django_db(transaction=True)
def test_T26_of_two_tablets_that_confirm_at_once_one_is_told_that_nothing_is_due():
    round_ = played()
    penalise(round_, 1, 800)
    answers = at_once(*[lambda: confirm(round_)] * 2)
    assert codes(answers) == ["no_chips_due"]
    assert JournalEntry.objects.filter(kind="chips.due").count() == 1
    assert due(round_) == {}


def test_T26_simulated_players_put_the_chips_right_themselves():
    round_ = seated(2, kind=Event.Kind.REHEARSAL)
    shoe: Shoe = shoe_of(round_)
    simulation.shoe_play_on(shoe_id=shoe.pk, key=new_key(), actor=person("floor"))
    take_chips(stack_at(round_, 1).entry, 800)
    assert due(round_) == {1: -800}
    done = simulation.shoe_play_on(shoe_id=shoe.pk, key=new_key(), actor=person("floor"))
    assert (done["hands"], due(round_)) == (1, {})


def test_T26_a_press_sent_again_does_not_confirm_chips_that_have_become_due_since():
    round_ = seated(2, kind=Event.Kind.REHEARSAL)
    shoe, key = shoe_of(round_), new_key()
    simulation.shoe_seed(shoe_id=shoe.pk, seed=bytes(32), key=new_key(), actor=None)
    simulation.hand_play(shoe_id=shoe.pk, key=new_key(), actor=None)
    penalise(round_, 1, 800)
    # The press was lost after its first half.
    chips_due_confirm(shoe_id=shoe.pk, key=f"{key}:due", actor=None)
    penalise(round_, 1, 400)
    with refusal("chips_due", 409):
        simulation.hand_play(shoe_id=shoe.pk, key=key, actor=None)
    assert due(round_) == {1: -400}
