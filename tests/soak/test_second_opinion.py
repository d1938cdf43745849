"""Rounds against the second opinion, on all cores: other ones with every seed.

CUTLINE_SOAK_ROUNDS sets how many, CUTLINE_SOAK_SEED where they begin; a difference names its seed.
"""

import os
from multiprocessing import get_context

import pytest

from tests.games.blackjack.opinions import Live, check_round
from tests.seed import run_seed

ROUNDS = int(os.environ.get("CUTLINE_SOAK_ROUNDS", "40000"))
FIRST_SEED = int(os.environ.get("CUTLINE_SOAK_SEED", str(1_000_000 + run_seed() * ROUNDS)))
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


@pytest.mark.soak
def test_rounds_without_a_difference_to_the_second_opinion() -> None:
    blocks = range(FIRST_SEED, FIRST_SEED + ROUNDS, BLOCK)
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        differences = [each for found in pool.imap_unordered(block_play, blocks) for each in found]
    assert not differences, f"{len(differences)} of {ROUNDS}: {differences[:5]}"
