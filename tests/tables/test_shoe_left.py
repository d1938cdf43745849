"""No card leaves a shoe more often than it is in it, over all its hands; the end of a shoe (T11)."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Shoe
from tables.services import corrections, dealing
from tests.cast.amending import tapped
from tests.cast.factories import new_key
from tests.cast.floor import by_results, opened, record, recorded, refusal, result, seated, shoe_of

pytestmark = pytest.mark.django_db

NINES = ["9h", "9c", "9d", "Td"]  # box 18 against 19


def nines(*, hearts: int = 1) -> dict[str, Any]:
    """A hand with the nine of hearts once or twice."""
    cards = list(NINES) if hearts == 1 else ["9h", "9c", "9h", "Td"]
    return record({1: 200}, cards, {"seat": 1, "action": "stand"})


@pytest.fixture
def shoe(db) -> Shoe:
    """A shoe that two nines of hearts, of six, are left in."""
    found = shoe_of(seated(2))
    recorded(found, nines(hearts=2)), recorded(found, nines(hearts=2))
    return found


def test_T11_the_last_nine_of_hearts_and_no_other(shoe: Shoe) -> None:
    """A card of a void hand has left the shoe as well, and one that is used up is refused as it is tapped."""
    recorded(shoe, nines())
    deal = tapped(opened(shoe, {1: 200}), "9h")
    dealing.deal_void(deal_id=deal.pk, reason="misdeal", key=new_key(), actor=None)
    with refusal("card_used_up"):
        recorded(shoe, nines())
    deal = opened(shoe, {1: 200})
    with refusal("card_used_up"):
        tapped(deal, "9h")
    assert len(tapped(deal, "9s").taps) == 1


def test_T11_a_corrected_hand_counts_as_it_was_corrected(shoe: Shoe) -> None:
    deal = recorded(shoe, nines(hearts=2))
    with refusal("card_used_up"):
        recorded(shoe, nines())
    others = record({1: 200}, ["Kh", "8c", "7s", "Ts"], {"seat": 1, "action": "stand"})
    about = {"reason": "misread", "actor": None}
    again = corrections.deal_correct(deal_id=deal.pk, record=others, key=new_key(), **about)
    last = recorded(shoe, nines(hearts=2))
    with refusal("card_used_up"):
        corrections.deal_correct(deal_id=again["deal"], record=nines(), key=new_key(), **about)
    corrections.deal_correct(deal_id=last.pk, record=nines(hearts=2), key=new_key(), **about)


def test_T11_a_shoe_that_ends_after_a_hand_needs_a_reason() -> None:
    shoe = shoe_of(seated(2))
    about = {"shoe_id": shoe.pk, "key": new_key(), "actor": None}
    with refusal("cut_card_not_out"):
        dealing.shoe_end(**about)
    recorded(shoe, nines())
    with refusal("cut_card_not_out"):
        dealing.shoe_end(**about)
    assert shoe_of(shoe.round).status == "dealing"
    dealing.shoe_end(**about, reason="shoe fell")
    assert shoe_of(shoe.round).ended_reason == "shoe fell"


def test_T11_after_as_many_hands_as_the_cut_card_needs_it_ends_without() -> None:
    shoe, boxes = shoe_of(seated(7)), range(1, 8)
    for number in range(6):
        if number == 5:
            with refusal("cut_card_not_out"):
                dealing.shoe_end(shoe_id=shoe.pk, key=new_key(), actor=None)
        by_results(shoe, dict.fromkeys(boxes, 200), dict.fromkeys(boxes, result("push")))
    dealing.shoe_end(shoe_id=shoe.pk, key=new_key(), actor=None)
    assert shoe_of(shoe.round).status == "over"
