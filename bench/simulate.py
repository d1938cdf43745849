"""The cost of simulated events, from the first buy-in to the last prize, in processor time.

    python bench/simulate.py [--entrants 42 200 1000] [--seed 7] [--short]

Runs ``event_simulate`` on a database of its own, standings made in the caller; prints each run. Processor
time is that of this process and of its server process, so that other programs count less than by the clock.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from scratch import scratch_database

LIMIT_SECONDS = 60
"""The limit for a 42-entrant event, by the clock."""
PROCESSOR_SECONDS = {42: 3.0, 200: 6.5, 1000: 31.0}
"""The targets, in processor time of both processes: half of the time before the target was set."""


def server_seconds() -> float:
    """Return the processor time of the server process of this connection until now."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    used = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print one line per event, and its verdicts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--entrants", type=int, nargs="+", default=[42, 200, 1000])
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--short", action="store_true", help="one event of eight")
    args = parser.parse_args()
    with scratch_database():
        from tables.services.nights import event_simulate

        for entrants in [8] if args.short else args.entrants:
            began, here, there = time.perf_counter(), time.process_time(), server_seconds()
            result = event_simulate(entrants=entrants, seed=args.seed)
            here, there = time.process_time() - here, server_seconds() - there
            taken = time.perf_counter() - began
            deals = sum(round_["deals"] for round_ in result["rounds"])
            print(
                f"{entrants} entrants, {deals} deals, {result['journal']['entries']} commands: {taken:.1f} s"
            )
            limit = PROCESSOR_SECONDS.get(entrants)
            line = (
                f", at most {limit}: {'reached' if here + there <= limit else 'not reached'}" if limit else ""
            )
            print(
                f"  processor {here:.2f} s, of the server {there:.2f} s, load {os.getloadavg()[0]:.1f}{line}"
            )
            if entrants == 42:
                print(f"  {LIMIT_SECONDS} s {'reached' if taken <= LIMIT_SECONDS else 'not reached'}")


if __name__ == "__main__":
    main()
