"""How long a 42-entrant event takes, from the first buy-in to the last prize, with simulated players.

    python bench/simulate.py [--repeats 3] [--entrants 42] [--short]

Runs ``event_simulate`` on a database of its own, standings made in the caller; prints each run and the
median.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from scratch import scratch_database

LIMIT_SECONDS = 60


def main() -> None:
    """One line a run, and the verdict."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--entrants", type=int, default=42)
    parser.add_argument("--short", action="store_true", help="one event of eight")
    args = parser.parse_args()
    if args.short:
        args.repeats, args.entrants = 1, 8
    with scratch_database():
        from tables.services.nights import event_simulate

        taken = []
        for seed in range(7, 7 + args.repeats):
            started = time.perf_counter()
            result = event_simulate(entrants=args.entrants, seed=seed)
            taken.append(time.perf_counter() - started)
            deals = sum(round_["deals"] for round_ in result["rounds"])
            print(f"seed {seed}: {taken[-1]:.1f} s, {deals} deals, {result['journal']['entries']} commands")
        median = statistics.median(taken)
        verdict = "reached" if median <= LIMIT_SECONDS else "not reached"
        print(f"median {median:.1f} s, {LIMIT_SECONDS} s {verdict}")


if __name__ == "__main__":
    main()
