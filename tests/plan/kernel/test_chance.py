"""The kernel's generator: the same as in plain Python, and no order of cards likelier than another."""

import numpy as np
import pytest

from plan.blackjack import plain
from plan.kernel import chance
from plan.kernel.layout import SHOE

pytestmark = [pytest.mark.soak, pytest.mark.usefixtures("compiled")]


def test_the_generator_is_splitmix64():
    # The first words of SplitMix64 from 1234567, as its authors give them.
    key, words = np.uint64(1234567), []
    for n in range(1, 4):
        with np.errstate(over="ignore"):
            words.append(int(chance.mixed(key + np.uint64(n) * chance.GOLDEN)))
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_every_card_comes_to_every_place_equally_often():
    cards, size, shoes = np.zeros(SHOE, np.uint8), 52, 40_000
    found = np.zeros((size, size), np.int64)
    for number in range(shoes):
        cards[:size] = np.arange(size)
        chance.shuffle(cards, 0, size, size, np.uint64(plain.key_make(1, 0, number)))
        found[np.arange(size), cards[:size]] += 1
    expected = shoes / size
    # (52 − 1)² degrees of freedom: mean 2601, standard deviation 72.
    chi_square = float(((found - expected) ** 2 / expected).sum())
    assert abs(chi_square - 2601) < 5 * 72


def test_outcomes_that_would_come_once_too_often_are_drawn_again():
    """Of 2^54 remainders that many are too many for a whole number of each outcome."""
    for ways in (3, 312 * 311 * 310 * 309, (1 << 54) - 1, 1 << 53):
        assert int(chance.likelier(np.uint64(ways))) == (1 << 54) % ways
