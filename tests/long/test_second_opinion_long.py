"""At least 200,000 rounds against the second opinion, on all cores (CUTLINE_LONG_ROUNDS sets how many)."""

import os
from multiprocessing import get_context

import pytest

from tests.games.blackjack.opinions import Live, check_round

ROUNDS = int(os.environ.get("CUTLINE_LONG_ROUNDS", "200000"))
FIRST_SEED = int(os.environ.get("CUTLINE_LONG_SEED", "1000000"))
BLOCK = 1000
LIVE_EVERY = 100


def block_play(first: int) -> list[str]:
    """The differences in one block of rounds; every so many of them is played at a table as well."""
    found = []
    for seed in range(first, min(first + BLOCK, FIRST_SEED + ROUNDS)):
        try:
            check_round(seed)
            if seed % LIVE_EVERY == 0:
                Live(seed).check()
        except Exception as difference:
            found.append(f"seed {seed}: {type(difference).__name__} {difference}"[:600])
    return found


@pytest.mark.long
def test_rounds_without_a_difference_to_the_second_opinion() -> None:
    blocks = range(FIRST_SEED, FIRST_SEED + ROUNDS, BLOCK)
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        differences = [each for found in pool.imap_unordered(block_play, blocks) for each in found]
    assert not differences, f"{len(differences)} of {ROUNDS}: {differences[:5]}"
