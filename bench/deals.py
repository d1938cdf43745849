"""Whole deals recorded per second through the service, as a ratio to ``pgbench -N`` on the same server.

    python bench/deals.py [--seconds 8] [--repeats 3] [--eager] [--short]

A deal is a hand record of seven boxes that goes into ``tables.services.dealing.deal_record``: checked,
settled by the engine, posted, journalled and committed, one transaction each. The records are dealt
beforehand by simulated players, so that no dealing is timed. All clients work on one event, each at its own
tables, as on a night. pgbench runs right before each measurement, on the same server with as many clients.

Tasks after a commit are not run: they go to an in-memory queue that nobody reads, as if the worker were
elsewhere. ``--eager`` recomputes the standings in the caller instead, as ``make run`` does.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from scratch import django_begin, scratch_database

TABLES, BOXES = 6, 7
SHOES = 25
CLIENTS = (1, 2)
TARGET = 0.05
STACK_CHIPS = 1_000_000
HANDS_A_SHOE = 8


# The clients ------------------------------------------------------------------------------------------


def records_deal() -> list[list[dict[str, Any]]]:
    """Deal the hands of several shoes: hand records of seven boxes, in order (T11).

    The records name no stacks; those of the table count.
    """
    from games.blackjack.bots import decider_make, play_out
    from games.blackjack.event_rules import rules_make
    from games.blackjack.shoe import shoe_make

    rules = rules_make("wonder", decks=6)
    players = dict.fromkeys(range(1, BOXES + 1), decider_make(rules, insures=False))
    bets = {box: 200 * (1 + box % 5) for box in players}
    dealt_from = []
    for n in range(SHOES):
        shoe, dealt, hands = shoe_make(n.to_bytes(32, "big"), 6), 1, []
        for _ in range(HANDS_A_SHOE):
            hands.append(play_out(rules, bets, None, shoe, players, dealt=dealt))
            dealt += len(hands[-1]["cards"])
        dealt_from.append([{name: hand[name] for name in ("bets", "cards", "decisions")} for hand in hands])
    return dealt_from


def work(shoes: list[int], name: str, seconds: float) -> None:
    """Record hands at these shoes, as one client, until the time is over; print their number."""
    from tables.services.dealing import deal_record

    records, tables = records_deal(), len(shoes)

    def record(n: int) -> None:
        """Record the ``n``-th hand of this client: one hand at each table, then the next of each."""
        hand, at = divmod(n, tables)
        dealt_from = (hand // HANDS_A_SHOE * tables + at) % SHOES
        each = records[dealt_from][hand % HANDS_A_SHOE]
        deal_record(shoe_id=shoes[at], record=each, key=f"{name}:{n}", actor=None)

    shoes = [shoe_fresh(shoe) for shoe in shoes]
    warm = tables * HANDS_A_SHOE
    for n in range(warm):
        record(n)
    print("ready", flush=True)
    sys.stdin.readline()
    done, aside = 0, 0.0
    started = time.perf_counter()
    while time.perf_counter() - started - aside < seconds:
        if done % (tables * HANDS_A_SHOE) == 0:
            shuffling = time.perf_counter()
            shoes = [shoe_fresh(shoe) for shoe in shoes]
            aside += time.perf_counter() - shuffling
        record(warm + done)
        done += 1
    print(json.dumps({"deals": done, "seconds": time.perf_counter() - started - aside}), flush=True)


def shoe_fresh(shoe_id: int) -> int:
    """Bring a fresh shoe to the table of this one, numbered after the table's last shoe. Not timed."""
    from tables.models import Shoe

    here = Shoe.objects.get(pk=shoe_id)
    old = Shoe.objects.filter(round_id=here.round_id, table_id=here.table_id).latest("number")
    Shoe.objects.filter(pk=old.pk).update(status=Shoe.Status.OVER)
    new = Shoe.objects.create(
        round_id=old.round_id,
        table_id=old.table_id,
        flight=old.flight,
        number=old.number + 1,
        decks=old.decks,
        cards_dealt=1,
        button_box=old.button_box,
    )
    return new.pk


def eager(on: bool) -> None:
    """Run tasks in the caller, or leave them in a queue in memory."""
    from config.celery import app

    app.conf.task_always_eager = on


# The measurement --------------------------------------------------------------------------------------


def event_seat(tables: int = TABLES) -> list[int]:
    """Seat an event of so many full tables for round 1; return the ids of its shoes."""
    from tables.models import Shoe
    from tables.services.nights import night_buy_in, night_draw, night_open

    settings = {"starting_chips": STACK_CHIPS, "public_input": False}
    night = night_open(name="Bench", code="BENCH", kind="simulation", luck="bench", settings=settings)
    night_buy_in(night, tables * BOXES)
    round_ = night_draw(night)
    return list(Shoe.objects.filter(round=round_).order_by("table__number").values_list("pk", flat=True))


def deals_per_second(database: str, shoes: list[int], clients: int, args: argparse.Namespace) -> float:
    """Start ``clients`` processes together and return the sum of their deals per second."""
    command = [sys.executable, __file__, "--seconds", str(args.seconds), "--database", database]
    command += ["--eager"] if args.eager else []
    running = [
        subprocess.Popen(
            [*command, "--work", ",".join(map(str, shoes[n::clients])), "--name", f"{time.time_ns()}-{n}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(clients)
    ]
    for each in running:
        assert each.stdout is not None
        assert each.stdout.readline().strip() == "ready"
    for each in running:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    answers = [json.loads(each.communicate()[0]) for each in running]
    return sum(answer["deals"] / answer["seconds"] for answer in answers)


def pgbench(database: str, clients: int, seconds: float, *more: str) -> str:
    """Run the server's own pgbench, through its socket."""
    from config.launch.embedded import ensure

    server = ensure()
    program = [str(server.bin_dir / "pgbench"), "-h", str(server.socket_dir), "-U", server.user]
    times = [] if more else ["-N", "-n", "-c", str(clients), "-j", str(clients), "-T", str(round(seconds))]
    done = subprocess.run([*program, *times, *more, database], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"pgbench does not run: {done.stderr.strip()}")
    return done.stdout


def pgbench_per_second(database: str, clients: int, seconds: float) -> float:
    """Return the transactions per second of ``pgbench -N``."""
    found = re.search(r"tps = ([\d.]+)", pgbench(database, clients, seconds))
    assert found is not None
    return float(found[1])


def measure(args: argparse.Namespace) -> None:
    """Print each run and the median of the ratios."""
    with scratch_database() as database:
        eager(False)
        shoes = event_seat()
        pgbench(database, 1, 0, "-i", "-q", "-s", "10")
        print(f"{os.cpu_count()} cores, standings {'in the caller' if args.eager else 'left to a worker'}")
        for clients in CLIENTS:
            ratios = []
            for _ in range(args.repeats):
                base = pgbench_per_second(database, clients, args.seconds)
                rate = deals_per_second(database, shoes, clients, args)
                ratios.append(rate / base)
                print(
                    f"{clients} clients: {rate:.0f} deals/s, pgbench -N {base:.0f}/s, ratio {ratios[-1]:.4f}"
                )
            median = statistics.median(ratios)
            verdict = "reached" if median >= TARGET else "not reached"
            print(f"{clients} clients: median ratio {median:.4f}, {TARGET} {verdict}")


def main() -> None:
    """Run the measurement, or one of its clients."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--eager", action="store_true")
    parser.add_argument("--short", action="store_true", help="one run of a second")
    for hidden in ("--work", "--database", "--name"):
        parser.add_argument(hidden, default="", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.short:
        args.seconds, args.repeats = 1.0, 1
    if args.work:
        django_begin(args.database)
        eager(args.eager)
        work([int(shoe) for shoe in args.work.split(",")], args.name, args.seconds)
    else:
        measure(args)


if __name__ == "__main__":
    main()
