"""The kernel beside the plain engine, which is the authority: both settle the same rounds alike.

What the kernel plays is written down as hand records. CUTLINE_SOAK_KERNEL sets how many rounds the long test
compares, other ones with every seed; ``bench/kernel.py equal`` a million.
"""

import os
from multiprocessing import get_context

import pytest

from tests.plan.kernel.playing import EVERY, Compared, compare
from tests.seed import run_seed

pytestmark = [pytest.mark.soak, pytest.mark.usefixtures("compiled")]

LONG_ROUNDS = int(os.environ.get("CUTLINE_SOAK_KERNEL", "50000"))
ROUNDS_A_SEED = 230
"""At least, on an average."""
BLOCK = 10
ACTIONS = {"stand", "hit", "double", "split", "surrender", "insurance", "even_money"}


def block_compare(first: int) -> Compared:
    """One block of the long comparison."""
    return compare(range(first, first + BLOCK))


def test_fifty_thousand_rounds_of_every_sheet_and_option_are_settled_alike():
    seeds = max(LONG_ROUNDS // ROUNDS_A_SEED, len(EVERY))
    first = 1000 + run_seed() * seeds
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        found = pool.map(block_compare, range(first, first + seeds, BLOCK))
    assert [each for seen in found for each in seen.differences] == []
    assert sum(seen.rounds for seen in found) >= LONG_ROUNDS
    assert set().union(*(seen.actions for seen in found)) == ACTIONS
    assert set(EVERY) - set().union(*(seen.options for seen in found)) == set()
