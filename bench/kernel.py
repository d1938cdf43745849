"""How fast the kernel plays, and whether it settles as the plain engine does.

    python bench/kernel.py speed [--hands 10000000] [--repeats 5]
    python bench/kernel.py equal [--rounds 1000000] [--processes 2]

``speed`` gives hands a second of processor time and of the clock on one core, best of all repeats, one box,
flat bets, basic strategy; beside it, in the same run, words of the generator alone, to compare machines by.
``equal`` settles rounds by chance with the plain engine and names the first that differ.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games.blackjack.rules import SHEETS
from plan.blackjack.sheets import flat_bet
from plan.kernel.chance import GOLDEN, mixed
from plan.kernel.flat import flat_make
from plan.kernel.jit import jit
from tests.plan.kernel.playing import compare

SEEDS = 20
WORDS = 100_000_000


@jit
def words_draw(words):  # type: ignore[no-untyped-def]  # compiled
    """So many words of the generator, mixed into one."""
    found, word = np.uint64(0), np.uint64(1)
    for _ in range(words):
        found ^= mixed(word)
        word += GOLDEN
    return found


def rate(many: int, play: Callable[[], object]) -> tuple[float, float]:
    """Things a second, in millions: by the clock, and of processor time."""
    clock, cpu = time.perf_counter(), time.process_time()
    play()
    return many / (time.perf_counter() - clock) / 1e6, many / (time.process_time() - cpu) / 1e6


def speed(hands: int, repeats: int) -> None:
    """One line a sheet and one of the generator: best by the clock and of processor time."""
    words_draw(10)
    for name, rules in SHEETS.items():
        flat = flat_make(rules, [flat_bet(rules)])
        flat.play(1000, 1, 0)
        found = [rate(hands, lambda flat=flat, n=n: flat.play(hands, 1, n)) for n in range(repeats)]
        print(f"{name:10} {max(each[0] for each in found):6.1f} M hands/s by the clock,", end=" ")
        print(f"{max(each[1] for each in found):6.1f} of processor time")
    found = [rate(WORDS, lambda: words_draw(WORDS)) for _ in range(repeats)]
    print(f"{'words':10} {max(each[0] for each in found):6.0f} M by the clock,", end=" ")
    print(f"{max(each[1] for each in found):6.0f} of processor time")


def block_equal(first: int) -> tuple[int, list[str]]:
    """Some seeds: rounds, and differences."""
    seen = compare(range(first, first + SEEDS))
    return seen.rounds, seen.differences


def equal(rounds: int, processes: int) -> int:
    """Compare until so many rounds are settled; 1 if any differed."""
    done, started, differences = 0, time.perf_counter(), []
    with get_context("spawn").Pool(processes) as pool:
        for played, found in pool.imap_unordered(block_equal, range(10**7, 10**9, SEEDS)):
            done += played
            differences += found
            if done >= rounds:
                break
        pool.terminate()
    print(f"{done:,} rounds, {len(differences)} differences, {time.perf_counter() - started:.0f} s")
    for each in differences[:3]:
        print(each)
    return 1 if differences else 0


def main() -> int:
    """What is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["speed", "equal"])
    parser.add_argument("--hands", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    if args.what == "equal":
        return equal(args.rounds, args.processes)
    speed(args.hands, args.repeats)
    return 0


if __name__ == "__main__":
    sys.exit(main())
