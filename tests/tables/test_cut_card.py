"""The end of a shoe: the cut card in a hand, a shoe ended by mistake, cards that are used up (T11)."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Deal, Shoe
from tables.services import corrections, dealing
from tables.services.shoes import shoe_end, shoe_last_hand, shoe_reopen
from tables.services.take_back import deal_take_back
from tests.cast.amending import tapped
from tests.cast.corrected import books_agree
from tests.cast.counting import enter, recount
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import (
    by_results,
    chips_at,
    hand,
    only,
    opened,
    record,
    recorded,
    refusal,
    result,
    seated,
    shoe_of,
    shoe_over,
)

pytestmark = pytest.mark.django_db
PUSHES = {1: result("push"), 2: result("push")}


@pytest.fixture
def shoe(db: None) -> Shoe:
    return shoe_of(seated(2))


def cut_out(shoe: Shoe, reason: str = "a short shoe", **given: Any) -> dict[str, Any]:
    return shoe_last_hand(shoe_id=shoe.pk, reason=reason, **{"key": new_key(), "actor": None, **given})


def reopened(shoe: Shoe, reason: str = "the wrong button") -> dict[str, Any]:
    return shoe_reopen(shoe_id=shoe.pk, reason=reason, key=new_key(), actor=UserFactory())


def now(shoe: Shoe) -> Shoe:
    shoe.refresh_from_db()
    return shoe


def test_T11_the_hand_in_which_the_cut_card_comes_is_finished_and_with_it_the_shoe_is_over(shoe):
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
    assert (chips_at(shoe.round, 1), chips_at(shoe.round, 2)) == (5200, 4600)
    with refusal("shoe_over", 409):
        hand(shoe, {1: 200}, b1="win")
    with refusal("shoe_over", 409):
        shoe_over(shoe)
    assert books_agree(shoe.round.event)


def test_T11_a_void_last_hand_and_none_end_the_shoe_as_well(shoe):
    deal = opened(shoe, {1: 200, 2: 400})
    cut_out(shoe)
    dealing.deal_void(deal_id=deal.pk, reason="dealt past the cut card", key=new_key(), actor=None)
    assert now(shoe).status == "over"
    reopened(shoe)
    cut_out(now(shoe))
    shoe_end(shoe_id=shoe.pk, key=new_key(), actor=None)
    assert (now(shoe).status, shoe.ended_reason) == ("over", "a short shoe")
    with refusal("shoe_over", 409):
        cut_out(shoe)


def test_T17_the_last_hand_of_a_shoe_can_be_taken_back_and_ends_it_again(shoe):
    clerk = UserFactory()
    cut_out(shoe)
    with only(shoe, [1, 2]):
        bets = {"shoe_id": shoe.pk, "bets": {1: 200, 2: 200}, "outcomes": PUSHES}
        made = dealing.deal_record_results(**bets, key=new_key(), actor=clerk)
    assert now(shoe).status == "over"
    again = deal_take_back(deal_id=made["deal"], key=new_key(), actor=clerk)["deal"]
    assert (now(shoe).status, shoe.last_hand) == ("dealing", True)
    won = {1: result("win"), 2: result("push")}
    dealing.deal_settle(deal_id=again, outcomes=won, key=new_key(), actor=clerk)
    assert (now(shoe).status, chips_at(shoe.round, 1)) == ("over", 5200)
    assert books_agree(shoe.round.event)
    enter(shoe, {1: 5200, 2: 5000})
    with refusal("shoe_over", 409):
        deal_take_back(deal_id=again, key=new_key(), actor=clerk)


def test_T11_T18_a_shoe_ended_by_mistake_is_opened_again_while_no_count_is_in(shoe):
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
    entry = shoe.round.event.journal.get(kind="shoe.reopen")
    assert entry.body["noted"]["ended_reason"] == "fire drill"
    assert books_agree(shoe.round.event)
    shoe_over(shoe)
    for _ in range(2):
        enter(shoe, {1: 5400, 2: 4600})
        with refusal("counts_in", 409):
            reopened(shoe)
    assert now(shoe).status == "counted"
    recount(shoe)
    reopened(shoe)
    assert now(shoe).status == "dealing"


def nines(*, hearts: int = 1) -> dict[str, Any]:
    """A hand with the nine of hearts once or twice."""
    cards = ["9h", "9c", "9d" if hearts == 1 else "9h", "Td"]  # box 18 against 19
    return record({1: 200}, cards, {"seat": 1, "action": "stand"})


@pytest.fixture
def used(db: None) -> Shoe:
    """A shoe that two nines of hearts, of six, are left in."""
    found = shoe_of(seated(2))
    recorded(found, nines(hearts=2))
    recorded(found, nines(hearts=2))
    return found


def test_T11_the_last_nine_of_hearts_and_no_other(used: Shoe) -> None:
    """A card of a void hand has left the shoe as well, and one that is used up is refused as it is tapped."""
    recorded(used, nines())
    deal = tapped(opened(used, {1: 200}), "9h")
    dealing.deal_void(deal_id=deal.pk, reason="misdeal", key=new_key(), actor=None)
    with refusal("card_used_up"):
        recorded(used, nines())
    deal = opened(used, {1: 200})
    with refusal("card_used_up"):
        tapped(deal, "9h")
    assert len(tapped(deal, "9s").taps) == 1


def test_T11_a_corrected_hand_counts_as_it_was_corrected(used: Shoe) -> None:
    deal = recorded(used, nines(hearts=2))
    with refusal("card_used_up"):
        recorded(used, nines())
    others = record({1: 200}, ["Kh", "8c", "7s", "Ts"], {"seat": 1, "action": "stand"})
    about = {"reason": "misread", "actor": None}
    again = corrections.deal_correct(deal_id=deal.pk, record=others, key=new_key(), **about)
    last = recorded(used, nines(hearts=2))
    with refusal("card_used_up"):
        corrections.deal_correct(deal_id=again["deal"], record=nines(), key=new_key(), **about)
    corrections.deal_correct(deal_id=last.pk, record=nines(hearts=2), key=new_key(), **about)


def test_T11_a_shoe_that_ends_after_a_hand_needs_a_reason() -> None:
    shoe = shoe_of(seated(2))
    about = {"shoe_id": shoe.pk, "key": new_key(), "actor": None}
    with refusal("cut_card_not_out"):
        shoe_end(**about)
    recorded(shoe, nines())
    with refusal("cut_card_not_out"):
        shoe_end(**about)
    assert shoe_of(shoe.round).status == "dealing"
    shoe_end(**about, reason="shoe fell")
    assert shoe_of(shoe.round).ended_reason == "shoe fell"


def test_T11_after_as_many_hands_as_the_cut_card_needs_it_ends_without() -> None:
    shoe, boxes = shoe_of(seated(7)), range(1, 8)
    for number in range(6):
        if number == 5:
            with refusal("cut_card_not_out"):
                shoe_end(shoe_id=shoe.pk, key=new_key(), actor=None)
        by_results(shoe, dict.fromkeys(boxes, 200), dict.fromkeys(boxes, result("push")))
    shoe_end(shoe_id=shoe.pk, key=new_key(), actor=None)
    assert shoe_of(shoe.round).status == "over"
