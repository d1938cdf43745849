"""The speed of the kernel, and a comparison of its settlements with those of the plain engine.

    python bench/kernel.py speed [--hands 10000000] [--repeats 5] [--short]
    python bench/kernel.py equal [--rounds 1000000] [--processes 2] [--short]

``speed`` prints player-hands a second on one core, flat bets, basic strategy: the best of all repeats, and
the best slice of 40,000, which a shared machine disturbs less; beside them, from the same run, words of the
generator alone, to compare machines.
``equal`` settles random rounds with the plain engine and prints the first that differ.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games.blackjack.rules import SHEETS
from plan.blackjack.sheets import flat_bet
from plan.kernel.chance import GOLDEN, mixed
from plan.kernel.flat import flat_make
from plan.kernel.jit import jit
from tests.plan.kernel.playing import compare

SEEDS = 20
SLICE = 40_000


@jit
def words_draw(words: int) -> Any:
    """Return ``words`` words of the generator, mixed into one."""
    found, word = np.uint64(0), np.uint64(1)
    for _ in range(words):
        found ^= mixed(word)
        word += GOLDEN
    return found


def rates(slices: int, many: int, play: Callable[[int], object]) -> list[float]:
    """Return the millions a second in each of some slices of ``many``."""
    found = []
    for at in range(slices):
        started = time.perf_counter()
        play(at)
        found.append(many / (time.perf_counter() - started) / 1e6)
    return found


def tell(words: str, many: int, slices: int, repeats: int, play: Callable[[int], object]) -> None:
    """Print the best of all repeats, and the best slice, which shows the core undisturbed."""
    runs = [rates(slices, many, play) for _ in range(repeats)]
    whole = max(slices / sum(1 / each for each in run) for run in runs)
    best = max(max(run) for run in runs)
    print(f"{words:16} {whole:7.1f} M/s best of {repeats}, {best:7.1f} best slice", flush=True)


def speed(hands: int, repeats: int) -> None:
    """Print one line a sheet, one of seven boxes, one of the generator."""
    slices = max(hands // SLICE, 1)
    for name, rules in SHEETS.items():
        for boxes in (1, 7) if name == "wonder" else (1,):
            flat = flat_make(rules, [flat_bet(rules)] * boxes)
            flat.play(1000, 1, 0)
            rounds = SLICE // boxes
            words = f"{name}, {boxes} box{'es' if boxes > 1 else ''}"
            tell(words, rounds * boxes, slices, repeats, lambda at, f=flat, n=rounds: f.play(n, 1, at))
    words_draw(10)
    tell("words", 1_000_000, slices, repeats, lambda _: words_draw(1_000_000))


def block_equal(first: int) -> tuple[int, list[str]]:
    """Compare some seeds; return rounds and differences."""
    seen = compare(range(first, first + SEEDS))
    return seen.rounds, seen.differences


def equal(rounds: int, processes: int) -> int:
    """Compare until so many rounds are settled; return 1 if any differed."""
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
    """Run the requested part."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["speed", "equal"])
    parser.add_argument("--hands", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--short", action="store_true", help="400,000 hands once, or 2,000 rounds")
    args = parser.parse_args()
    if args.short:
        args.hands, args.repeats, args.rounds = 400_000, 1, 2_000
    if args.what == "equal":
        return equal(args.rounds, args.processes)
    speed(args.hands, args.repeats)
    return 0


if __name__ == "__main__":
    sys.exit(main())
