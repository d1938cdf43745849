"""The cost of a hall of phones, and the delay of a settled hand there: polls of the standings, in one run.

    python bench/polls.py [--seconds 8] [--repeats 3] [--hands 60] [--minutes 5] [--short]
    python bench/polls.py --fresh [--hands 60]     # only the delay, without nginx, in a minute

An event of 20 full tables in round 1, gunicorn as ``make run`` starts it (two processes), and nginx with
``deploy/nginx.conf`` before it. The bench measures

- 304 polls a second, and per second of the servers' processor time; polls that the framework answers (with a
  session's cookie they bypass the cache), and a trivial application under the same gunicorn;
- polls behind nginx, beside a static file of the same size there;
- the time from a settled hand (committed, its standings still to be made) to its standings at a reader who
  polls all the time, and at phones that poll as the page's script does;
- at half of the measured rate, for minutes while all 20 tables record hands: errors, and the age of answers.

Needs Linux, wrk and nginx (Debian: apt install wrk nginx-light).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from deals import HANDS_A_SHOE, SHOES, eager, event_seat, records_deal, shoe_fresh
from front import HOUSE, Front, free_port, nginx_find
from phones import Reader, Watch, gunicorn_of, until
from scratch import ROOT, django_begin, scratch_database

TABLES = 20
CONNECTIONS = 64
POLL_SECONDS = 0.5  # data-every-live of templates/public/leaderboard.html
HAND_SECONDS = 10  # each table records a hand as often: five times as fast as a table deals
PACKED = "Accept-Encoding: gzip"
# A request with it is answered by the framework, as all polls were before the cache.
PAST_MEMORY = "Cookie: sessionid=none"
KEY = "a key of the bench, long enough to be taken for one"
TICKS = os.sysconf("SC_CLK_TCK")
PAUSE = """
local pause = tonumber(os.getenv("PAUSE_MS"))
function delay() return math.floor(pause * (0.9 + math.random() * 0.2)) end
"""
PLAN = {"rate": 3_000, "share": 0.5, "fresh": 1.0, "age": 5.0}


# Servers ----------------------------------------------------------------------------------------------


@contextmanager
def pages(folder: Path, application: str = "config.wsgi") -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Serve the scratch database by gunicorn; yields its process and its port."""
    from django.db import connection

    connection.ensure_connection()
    info, port = connection.connection.info, free_port()
    env = {
        **os.environ,
        "DATABASE_URL": f"postgres:///{info.dbname}",
        "PGHOST": info.host,
        "PGPORT": str(info.port),
        "PGUSER": info.user,
        "BROKER_URL": "",
        "SECRET_KEY": KEY,
        "ALLOWED_HOSTS": f"127.0.0.1,{HOUSE}",
        "HTTPS": "0",
    }
    command = [sys.executable, "-m", "gunicorn", application, "-b", f"127.0.0.1:{port}"]
    with (folder / "pages.log").open("wb") as out:
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=out, stderr=out)
    try:
        until(lambda: Reader(port).answers("/healthz"))
        yield process, port
    finally:
        process.terminate()
        process.wait(60)


def processor_seconds(process: subprocess.Popen[bytes]) -> float:
    """Return the processor time of gunicorn and its workers until now."""
    used = 0.0
    for pid in gunicorn_of(process.pid):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        used += (int(fields[11]) + int(fields[12])) / TICKS
    return used


# Rates ------------------------------------------------------------------------------------------------


def wrk(url: str, seconds: float, *headers: str, connections: int = CONNECTIONS, pause: float = 0) -> Any:
    """Request one address again and again; with a pause (seconds) each connection waits before it asks."""
    command = [
        "wrk",
        "-t1",
        f"-c{connections}",
        f"-d{max(1, round(seconds))}s",
        "--timeout",
        "10s",
        "--latency",
    ]
    command += [word for each in headers for word in ("-H", each)]
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(PAUSE)
        script.flush()
        command += ["-s", script.name] if pause else []
        env = {**os.environ, "PAUSE_MS": str(pause * 1000)}
        done = subprocess.run([*command, url], env=env, capture_output=True, text=True, check=True)
    return done.stdout


def rate_of(output: str) -> float:
    """Return the requests a second of a run without failures."""
    assert faults_of(output) == 0, output
    return figure(output, r"Requests/sec:\s+([\d.]+)")


def figure(output: str, pattern: str) -> float:
    """Return the first figure after a pattern; 0 if it is missing."""
    found = re.search(pattern, output)
    return float(found[1]) if found else 0.0


def faults_of(output: str) -> int:
    """Return the number of answers other than 2xx and 3xx, and of failed connections."""
    lines = re.findall(r"(?:Non-2xx or 3xx responses:|Socket errors:)(.*)", output)
    return sum(int(each) for line in lines for each in re.findall(r"\d+", line))


def measure_ceiling(folder: Path, args: argparse.Namespace) -> None:
    """Print the polls per second and core of an application that does nothing."""
    with pages(folder, "bench.nothing:application") as (process, port):
        used, began = processor_seconds(process), time.monotonic()
        rate = rate_of(wrk(f"http://127.0.0.1:{port}/", args.seconds))
        cores = (processor_seconds(process) - used) / (time.monotonic() - began)
    print(
        f"gunicorn with nothing behind it: {rate:,.0f}/s, {rate / cores:,.0f} a second and core", flush=True
    )


def measure_rates(process: Any, port: int, front: Front, slug: str, args: argparse.Namespace) -> float:
    """Print polls a second with and without the cache, and behind nginx; returns the rate with it."""
    address = f"/e/{slug}/standings"
    near, far = Reader(port), Reader(front.secure, HOUSE, secure=True)
    tag = near.ask(address)[1]
    same = far.ask("/same")[1]
    plain, tls = f"http://127.0.0.1:{port}{address}", f"https://127.0.0.1:{front.secure}"
    known, known_same, host = f"If-None-Match: {tag}", f"If-None-Match: {same}", f"Host: {HOUSE}"
    assert near.ask(address, tag)[0] == far.ask(address, tag)[0] == far.ask("/same", same)[0] == 304
    rows: dict[str, list[float]] = {}
    for _ in range(args.repeats):
        before = rate_of(wrk(plain, args.seconds, known, PACKED, PAST_MEMORY))
        used, began = processor_seconds(process), time.monotonic()
        now = rate_of(wrk(plain, args.seconds, known, PACKED))
        cores = (processor_seconds(process) - used) / (time.monotonic() - began)
        polls = rate_of(wrk(tls + address, args.seconds, host, PACKED, known))
        static = rate_of(wrk(tls + "/same", args.seconds, host, PACKED, known_same))
        whole = rate_of(wrk(tls + address, args.seconds, host, PACKED))
        file = rate_of(wrk(tls + "/same", args.seconds, host, PACKED))
        row = {
            "framework, polls/s": before,
            "memory, polls/s": now,
            "memory, cores used": cores,
            "memory, polls/s and core": now / cores,
            "times the framework": now / before,
            "nginx, polls/s": polls,
            "nginx, static 304/s": static,
            "nginx, share of 304": polls / static,
            "nginx, share of 200": whole / file,
        }
        for name, value in row.items():
            rows.setdefault(name, []).append(value)
    for name, values in rows.items():
        print(f"{name:28} {'  '.join(f'{value:10,.2f}' for value in values)}")
    middle = {name: statistics.median(values) for name, values in rows.items()}
    verdict("polls a second and core", middle["memory, polls/s and core"], PLAN["rate"], least=True)
    verdict("share of a static 304", middle["nginx, share of 304"], PLAN["share"], least=True)
    verdict("share of a static 200", middle["nginx, share of 200"], PLAN["share"], least=True)
    return middle["memory, polls/s"]


def verdict(name: str, value: float, wanted: float, *, least: bool) -> None:
    """Print a figure and whether it reaches its target."""
    good = value >= wanted if least else value <= wanted
    sign = "at least" if least else "at most"
    print(f"== {name}: {value:,.3f}, {sign} {wanted:,}: {'reached' if good else 'NOT REACHED'}", flush=True)


# Delay ------------------------------------------------------------------------------------------------


class Tables:
    """Records hands at 20 tables, one after the other, as an intelligent shoe would."""

    def __init__(self, shoes: list[int], name: str) -> None:
        self.shoes, self.name, self.count = shoes, name, 0
        self.records = records_deal()

    def record(self) -> None:
        """Record the next table's next hand; the caller makes its standings, as ``make run`` does."""
        from tables.services.dealing import deal_record

        hand, at = divmod(self.count, len(self.shoes))
        if hand and hand % HANDS_A_SHOE == 0:
            self.shoes[at] = shoe_fresh(self.shoes[at])
        shoe = (hand // HANDS_A_SHOE * len(self.shoes) + at) % SHOES
        record = self.records[shoe][hand % HANDS_A_SHOE]
        deal_record(shoe_id=self.shoes[at], record=record, key=f"{self.name}:{self.count}", actor=None)
        self.count += 1


def measure_freshness(
    tables: Tables, event_id: int, port: int, front: Front | None, slug: str, args: argparse.Namespace
) -> None:
    """Print the time from a settled hand to its standings, at the address and at phones."""
    from tournament.models import StandingsSnapshot
    from tournament.services.standings import standings_recompute

    address, over = f"/e/{slug}/standings", threading.Event()
    near = (port, "127.0.0.1", False)
    groups = {
        "at the address": [Reader(*near).watch(address, 0.02, over)],
        "at a phone": [Reader(*near).watch(address, POLL_SECONDS, over) for _ in range(10)],
    }
    if front is not None:
        far = (front.secure, HOUSE, True)
        phones = [Reader(*far).watch(address, POLL_SECONDS, over) for _ in range(10)]
        groups["at the address of nginx"] = [Reader(*far).watch(address, 0.02, over)]
        groups["at a phone behind nginx"] = phones
    waits: dict[str, list[float]] = {name: [] for name in groups}
    waits |= {"made in the database": [], "made, processor time": []}
    eager(False)  # the standings are made below, as `make run` makes them after the commit
    for _ in range(args.hands):
        tables.record()
        settled, used = time.time(), time.process_time()
        standings_recompute(event_id=event_id)
        waits["made, processor time"].append(time.process_time() - used)
        waits["made in the database"].append(time.time() - settled)
        tag = StandingsSnapshot.objects.values_list("etag", flat=True).get(event=event_id)
        for name, readers in groups.items():
            for each in readers:
                waits[name].append(each.seen(tag) - settled)
        time.sleep(random.uniform(0, POLL_SECONDS))
    over.set()
    for name, found in waits.items():
        p95 = statistics.quantiles(found, n=20, method="inclusive")[-1]
        print(f"{name:28} mean {statistics.mean(found):.2f} s, p95 {p95:.2f} s, most {max(found):.2f} s")
        if name == "at a phone":
            verdict("settled hand to new standings at the poll, p95 in s", p95, PLAN["fresh"], least=False)


# Sustained load ---------------------------------------------------------------------------------------


def measure_minutes(
    shoes: list[int], database: str, port: int, front: Front, slug: str, rate: float, args: Any
) -> None:
    """Poll at half of the rate while 20 tables record hands; print errors and the age of the answers."""
    address, seconds, over = f"/e/{slug}/standings", args.minutes * 60, threading.Event()
    command = [sys.executable, __file__, "--database", database, "--minutes", str(args.minutes)]
    tables = subprocess.Popen(
        [*command, "--work", ",".join(map(str, shoes))], stdout=subprocess.PIPE, text=True
    )
    watch = Watch(slug, over)
    near = Reader(port).watch(address, 0.1, over)
    far = Reader(front.secure, HOUSE, secure=True).watch(address, 0.1, over)
    connections = 200
    tag = Reader(port).ask(address)[1]
    url, pause = f"http://127.0.0.1:{port}{address}", connections / (rate / 2)
    output = wrk(url, seconds, f"If-None-Match: {tag}", PACKED, connections=connections, pause=pause)
    hands = json.loads(tables.communicate()[0])
    over.set()
    reached = figure(output, r"Requests/sec:\s+([\d.]+)")
    print(f"{reached:,.0f} polls/s ({rate / 2:,.0f} wanted), {hands['hands']} hands in {seconds:.0f} s")
    latency = re.search(r"99%\s+(\S+)", output)
    print(f"99 % of the polls were answered within {latency[1] if latency else '?'}")
    verdict("failed polls", faults_of(output) + near.faults + far.faults, 0, least=False)
    verdict("hands refused", hands["failed"], 0, least=False)
    for name, reader in (("of the pages", near), ("of nginx", far)):
        ages, unknown = watch.ages(reader)
        print(f"{len(ages)} answers {name}, {unknown} of them with a tag that stood too short to be dated")
        verdict(f"age of the oldest answer {name} in s", max(ages), PLAN["age"], least=False)


def work(shoes: list[int], seconds: float) -> None:
    """Record a hand at each table every ten seconds; print how many were recorded, and how many failed."""
    tables, failed, began = Tables(shoes, f"minutes-{time.time_ns()}"), 0, time.monotonic()
    while (gone := time.monotonic() - began) < seconds:
        due = tables.count * HAND_SECONDS / len(shoes)
        if due > gone:
            time.sleep(min(due - gone, seconds - gone))
            continue
        try:
            tables.record()
        except Exception as error:
            print(repr(error), file=sys.stderr)
            failed, tables.count = failed + 1, tables.count + 1
    print(json.dumps({"hands": tables.count - failed, "failed": failed}))


# Main -------------------------------------------------------------------------------------------------


def measure(args: argparse.Namespace) -> None:
    """Measure everything, in one run."""
    program = nginx_find()
    if not args.fresh and (program is None or shutil.which("wrk") is None):
        raise SystemExit("This bench needs wrk and nginx (Debian: apt install wrk nginx-light).")
    with scratch_database() as database, tempfile.TemporaryDirectory() as name:
        from tournament.models import Event

        folder = Path(name)
        shoes = event_seat(TABLES)
        tables = Tables(shoes, "fresh")
        tables.record()
        event_id, slug = Event.objects.values_list("pk", "slug").get()
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {TABLES} tables", flush=True)
        if args.fresh:
            with pages(folder) as (_process, port):
                measure_freshness(tables, event_id, port, None, slug, args)
            return
        assert program is not None
        measure_ceiling(folder, args)
        with pages(folder) as (process, port):
            (folder / "same").write_bytes(Reader(port).ask(f"/e/{slug}/standings")[2])
            front = Front(program, folder, port, f"    location = /same {{ root {folder}; }}\n")
            try:
                until(lambda: Reader(front.secure, HOUSE, secure=True).answers("/healthz"))
                rate = measure_rates(process, port, front, slug, args)
                measure_freshness(tables, event_id, port, front, slug, args)
                fresh = [shoe_fresh(shoe) for shoe in tables.shoes]
                measure_minutes(fresh, database, port, front, slug, rate, args)
            finally:
                front.stop()
        print(f"load {os.getloadavg()[0]:.1f} at the end")


def main() -> None:
    """Run the measurement, or the tables of its last part."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=8.0, help="of each rate")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--hands", type=int, default=60)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--fresh", action="store_true", help="only how soon a settled hand is seen")
    parser.add_argument("--short", action="store_true", help="once, a second each")
    for hidden in ("--work", "--database"):
        parser.add_argument(hidden, default="", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.short:
        args.seconds, args.repeats, args.hands, args.minutes = 1.0, 1, 3, 0.1
    if args.work:
        django_begin(args.database)
        work([int(shoe) for shoe in args.work.split(",")], args.minutes * 60)
    else:
        measure(args)


if __name__ == "__main__":
    main()
