"""A hand tapped faster than the network carries it: what arrives is what was tapped."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Deal, Shoe
from tests.cast.network import finger, saved, slow, taps_of
from tests.cast.tablets import opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Boxes 1 to 3 stand one after the other, 220 ms apart; the dealer turns 19.
HAND = "Ts 6h 9d 9c 9h Tc Th stand:1 stand:2 stand:3 Td"


def test_T17_what_is_tapped_faster_than_the_network_is_what_arrives(tablet: Any, shoe: Shoe) -> None:
    deal = opened(shoe, tablet)
    slow(tablet, 400)
    finger(tablet, f"{HAND} settle", 220)
    saved(tablet)
    assert taps_of(deal) == HAND.split()
    assert deal.status == Deal.Status.SETTLED
    assert deal.answer["net"] == {"1": 0, "2": -200, "3": 0}
    assert tablet.errors == []
