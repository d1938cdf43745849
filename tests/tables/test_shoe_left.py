"""No card leaves a shoe more often than it is in it, over all its hands; the end of a shoe (T11)."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Deal, Shoe
from tables.services import (
    corrections,
    dealing,
)
from tests.cast.at_tables import Clerk, code, dealer_at
from tests.cast.factories import new_key
from tests.cast.floor import hand, opened, record, recorded, refusal, result, seated, shoe_of
from tournament.models import Round

pytestmark = pytest.mark.django_db

NINES = ["9h", "9c", "9d", "Td"]  # box 18 against 19


def nines(*, hearts: int = 1) -> dict[str, Any]:
    """A hand with the nine of hearts once or twice."""
    cards = list(NINES) if hearts == 1 else ["9h", "9c", "9h", "Td"]
    return record({1: 200}, cards, {"seat": 1, "action": "stand"})


def others() -> dict[str, Any]:
    return record({1: 200}, ["Kh", "8c", "7s", "Ts"], {"seat": 1, "action": "stand"})


@pytest.fixture
def shoe(db) -> Shoe:
    """A shoe that two nines of hearts, of six, are left in."""
    found = shoe_of(seated(2))
    recorded(found, nines(hearts=2)), recorded(found, nines(hearts=2))
    return found


def test_T11_the_last_nine_of_hearts_and_no_other(shoe: Shoe) -> None:
    recorded(shoe, nines()), recorded(shoe, nines())
    with refusal("card_used_up"):
        recorded(shoe, nines())
    assert Deal.objects.count() == 4


def test_T11_a_card_is_refused_as_it_is_tapped(shoe: Shoe) -> None:
    recorded(shoe, nines()), recorded(shoe, nines())
    clerk = Clerk(dealer_at(shoe), shoe)
    clerk.press("bets", bet_1=200)
    clerk.cards("8s")
    answer = clerk.in_hand("tap", card="9h")
    assert (answer.status_code, code(answer)) == (422, "card_used_up")
    assert len(clerk.deal.taps) == 1
    clerk.cards("9s")


def test_T11_cards_of_a_void_hand_have_left_the_shoe(shoe: Shoe) -> None:
    deal = opened(shoe, {1: 200})
    for n in range(2):
        op = {"op": "card", "card": "9h"}
        dealing.deal_tap(deal_id=deal.pk, seen=n, nonce=f"n{n}", op=op)
    dealing.deal_void(deal_id=deal.pk, reason="misdeal", key=new_key(), actor=None)
    with refusal("card_used_up"):
        recorded(shoe, nines())


def test_T11_a_corrected_hand_counts_as_it_was_corrected(shoe: Shoe) -> None:
    deal = recorded(shoe, nines(hearts=2))
    with refusal("card_used_up"):
        recorded(shoe, nines())
    corrections.deal_correct(deal_id=deal.pk, record=others(), reason="misread", key=new_key(), actor=None)
    last = recorded(shoe, nines(hearts=2))
    with refusal("card_used_up"):
        again = Deal.objects.get(corrects=deal)
        corrections.deal_correct(
            deal_id=again.pk, record=nines(), reason="misread", key=new_key(), actor=None
        )
    corrections.deal_correct(
        deal_id=last.pk, record=nines(hearts=2), reason="the same", key=new_key(), actor=None
    )


# -- The end of a shoe ---------------------------------------------------------------------------------


def ended(round_: Round, reason: str = "") -> None:
    dealing.shoe_end(shoe_id=shoe_of(round_).pk, reason=reason, key=new_key(), actor=None)


@pytest.mark.parametrize("by", ["nothing", "cards", "results"])
def test_T11_a_shoe_that_ends_after_a_hand_needs_a_reason(by: str) -> None:
    round_ = seated(2)
    if by == "cards":
        recorded(shoe_of(round_), nines())
    elif by == "results":
        hand(shoe_of(round_), {1: 200, 2: 200}, b1="push", b2="push")
    with refusal("cut_card_not_out"):
        ended(round_)
    assert shoe_of(round_).status == "dealing"
    ended(round_, "shoe fell")
    assert shoe_of(round_).ended_reason == "shoe fell"


def test_T11_after_as_many_hands_as_the_cut_card_needs_it_ends_without() -> None:
    round_ = seated(7)
    whole = {box: result("push") for box in range(1, 8)}
    for number in range(6):
        if number == 5:
            with refusal("cut_card_not_out"):
                ended(round_)
        dealing.deal_record_results(
            shoe_id=shoe_of(round_).pk,
            bets=dict.fromkeys(whole, 200),
            outcomes=whole,
            key=new_key(),
            actor=None,
        )
    ended(round_)
    assert shoe_of(round_).status == "over"


def test_T11_the_page_asks_for_the_reason_where_it_is_early() -> None:
    shoe = shoe_of(seated(2))
    clerk = Clerk(dealer_at(shoe), shoe)
    answer = clerk.press("cut")
    assert (answer.status_code, code(answer)) == (422, "cut_card_not_out")
    answer = clerk.press("cut", reason="shoe fell")
    assert answer.status_code == 200
