"""The cut card in the middle of a hand, and a shoe that was ended by mistake (T11)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tables.models import Deal, Shoe
from tables.services import counts, dealing
from tables.services.cut_card import shoe_last_hand, shoe_reopen
from tables.services.take_back import deal_take_back
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import chips_at, hand, only, opened, refusal, result, seated, shoe_of, shoe_over
from tournament.models import Round
from tournament.services.journal import chain_verify
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db
PUSHES = {1: result("push"), 2: result("push")}


@pytest.fixture
def round_() -> Round:
    return seated(2)


@pytest.fixture
def shoe(round_: Round) -> Shoe:
    return shoe_of(round_)


def cut_out(shoe: Shoe, **given: Any) -> dict[str, Any]:
    return shoe_last_hand(
        shoe_id=shoe.pk, **{"reason": "a short shoe", "key": new_key(), "actor": None, **given}
    )


def reopened(shoe: Shoe, **given: Any) -> dict[str, Any]:
    return shoe_reopen(
        shoe_id=shoe.pk, **{"reason": "the wrong button", "key": new_key(), "actor": UserFactory(), **given}
    )


def now(shoe: Shoe) -> Shoe:
    shoe.refresh_from_db()
    return shoe


def books(round_: Round) -> None:
    assert reconcile(round_.event) == []
    assert chain_verify(round_.event).broken_at is None


# -- The hand is finished ------------------------------------------------------------------------------


def test_T11_the_hand_in_which_the_cut_card_comes_is_finished_and_with_it_the_shoe_is_over(round_, shoe):
    deal, key = opened(shoe, {1: 200, 2: 400}, mode="results"), new_key()
    with refusal("cut_card_not_out"):
        cut_out(shoe, reason="")
    assert not now(shoe).last_hand
    assert cut_out(shoe, key=key) == cut_out(shoe, key=key)
    with refusal("already_last", 409):
        cut_out(shoe)
    cut_out(shoe, out=False, reason="")
    assert (now(shoe).last_hand, shoe.ended_reason) == (False, "")
    with refusal("not_last", 409):
        cut_out(shoe, out=False)
    cut_out(shoe)
    assert now(shoe).status == "dealing"
    outcomes = {1: result("win"), 2: result("lose")}
    dealing.deal_settle(deal_id=deal.pk, outcomes=outcomes, key=new_key(), actor=None)
    assert (now(shoe).status, shoe.ended_reason) == ("over", "a short shoe")
    assert shoe.ended_at == Deal.objects.get().closed_at
    assert (chips_at(round_, 1), chips_at(round_, 2)) == (5200, 4600)
    with refusal("shoe_over", 409):
        hand(shoe, {1: 200}, b1="win")
    with refusal("shoe_over", 409):
        shoe_over(shoe)
    books(round_)


def test_T11_a_last_hand_that_is_void_ends_the_shoe_as_well(shoe):
    deal = opened(shoe, {1: 200, 2: 400})
    cut_out(shoe)
    dealing.deal_void(deal_id=deal.pk, reason="dealt past the cut card", key=new_key(), actor=None)
    assert now(shoe).status == "over"


def test_T11_where_no_hand_was_dealt_the_shoe_ends_with_the_reason_that_was_given(shoe):
    cut_out(shoe)
    dealing.shoe_end(shoe_id=shoe.pk, key=new_key(), actor=None)
    assert (now(shoe).status, shoe.ended_reason) == ("over", "a short shoe")
    with refusal("shoe_over", 409):
        cut_out(shoe)


def test_T17_the_last_hand_of_a_shoe_can_be_taken_back_and_ends_it_again(round_, shoe):
    clerk = UserFactory()
    cut_out(shoe)
    with only(shoe, [1, 2]):
        made = dealing.deal_record_results(
            shoe_id=shoe.pk, bets={1: 200, 2: 200}, outcomes=PUSHES, key=new_key(), actor=clerk
        )
    assert now(shoe).status == "over"
    again = deal_take_back(deal_id=made["deal"], key=new_key(), actor=clerk)["deal"]
    assert (now(shoe).status, shoe.last_hand) == ("dealing", True)
    won = {1: result("win"), 2: result("push")}
    dealing.deal_settle(deal_id=again, outcomes=won, key=new_key(), actor=clerk)
    assert (now(shoe).status, chips_at(round_, 1)) == ("over", 5200)
    books(round_)
    counts.count_enter(shoe_id=shoe.pk, chips={1: 5200, 2: 5000}, key=new_key(), actor=UserFactory())
    with refusal("shoe_over", 409):
        deal_take_back(deal_id=again, key=new_key(), actor=clerk)


# -- Ended by mistake ----------------------------------------------------------------------------------


def test_T11_a_shoe_ended_by_mistake_is_opened_again_and_goes_on_where_it_was(round_, shoe):
    with refusal("shoe_dealing", 409):
        reopened(shoe)
    cut_out(shoe, reason="fire drill")
    hand(shoe, {1: 200, 2: 200}, b1="win", b2="lose")
    before = (now(shoe).button_box, shoe.cards_dealt)
    assert shoe.status == "over"
    with refusal("reason_missing"):
        reopened(shoe, reason=" ")
    reopened(shoe)
    assert (now(shoe).status, shoe.ended_reason, shoe.ended_at) == ("dealing", "", None)
    assert (shoe.button_box, shoe.cards_dealt) == before
    assert hand(shoe, {1: 200, 2: 200}, b1="win", b2="lose").number == 2
    assert now(shoe).status == "dealing"
    entry = round_.event.journal.get(kind="shoe.reopen")
    assert entry.body["noted"]["ended_reason"] == "fire drill"
    books(round_)


def test_T18_once_chips_are_counted_the_counts_are_taken_back_first(shoe):
    shoe_over(shoe)
    people: list[User] = [UserFactory(), UserFactory()]
    for person in people:
        counts.count_enter(shoe_id=shoe.pk, chips={1: 5000, 2: 5000}, key=new_key(), actor=person)
        with refusal("counts_in", 409):
            reopened(shoe)
    assert now(shoe).status == "counted"
    counts.count_reopen(shoe_id=shoe.pk, reason="again", key=new_key(), actor=None)
    reopened(shoe)
    assert now(shoe).status == "dealing"
