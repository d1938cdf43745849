"""The dealer's final hand against the figures that other programs worked out exactly."""

import pytest

from plan.blackjack.dealer import counts_of, dealer_results, without

PUBLISHED = {
    2: (0.35666, 0.13007, 0.13598, 0.13161, 0.12566, 0.12002, 0),
    3: (0.37696, 0.12590, 0.13193, 0.12666, 0.12218, 0.11637, 0),
    4: (0.39847, 0.12246, 0.12541, 0.12262, 0.11783, 0.11322, 0),
    5: (0.41963, 0.11809, 0.12304, 0.11822, 0.11243, 0.10859, 0),
    6: (0.43926, 0.11506, 0.11457, 0.11504, 0.11018, 0.10588, 0),
    7: (0.26194, 0.36921, 0.13793, 0.07843, 0.07868, 0.07382, 0),
    8: (0.24369, 0.12894, 0.35995, 0.12872, 0.06922, 0.06947, 0),
    9: (0.22924, 0.12031, 0.11735, 0.35185, 0.12037, 0.06088, 0),
    10: (0.21247, 0.11191, 0.11167, 0.11194, 0.34001, 0.03482, 0.07717),
    1: (0.13915, 0.05727, 0.14282, 0.14294, 0.14328, 0.06586, 0.30868),
}
"""Six decks, soft 17 hit, before the look: over 21, 17 to 21, natural; rounded to five places."""


@pytest.mark.parametrize("up", PUBLISHED)
def test_the_dealers_final_hand_is_the_published_one(up: int):
    found = dealer_results(without(counts_of(6), up), up, "hit")
    assert [round(chance, 5) for chance in found] == list(PUBLISHED[up])
    assert sum(found) == pytest.approx(1)
