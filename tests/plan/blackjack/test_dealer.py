"""The dealer's final hand against the figures that other programs worked out exactly."""

import pytest

from plan.blackjack.dealer import counts_of, dealer_results, without
from tests.plan.blackjack.published import PUBLISHED


@pytest.mark.parametrize("up", PUBLISHED)
def test_the_dealers_final_hand_is_the_published_one(up: int):
    found = dealer_results(without(counts_of(6), up), up, "hit")
    assert [round(chance, 5) for chance in found] == list(PUBLISHED[up])
    assert sum(found) == pytest.approx(1)
