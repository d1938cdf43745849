"""The cost of an answer to a tap, while 20 tables deal: bytes, queries, and milliseconds at the server.

    python bench/answers.py [--seconds 60] [--pace 2] [--answers] [--short]

A hand of seven boxes is played on each table's own page as its tablet does it: each tap is a request of its
own with its form, and the page polls every four seconds. The bench measures

- for one table, in this process: bytes of each answer without and with compression, queries of the database
  and milliseconds of processor time (``--answers`` measures nothing else);
- for 20 tables at once, each with a tap every ``--pace`` seconds, on gunicorn as ``make run`` starts it:
  the time from the last byte of a request to the last byte of its answer, for taps and for settled hands.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import json
import os
import random
import re
import statistics
import sys
import tempfile
import threading
import time
import uuid
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).resolve().parent))
from deals import event_seat
from polls import KEY, pages, processor_seconds, verdict
from scratch import scratch_database

TABLES, BET = 20, 200
POLL_SECONDS = 4  # the interval at which the page polls
TOKEN = "b" * 32  # the secret of the forms: that of the cookie
PLAN = {"tap": 40.0, "bytes": 4_096}
# Seven boxes, two cards each, and the dealer's six; then a split and a double, and the dealer's hand.
HAND = [
    *("Ts", "8s", "6h", "9c", "Jd", "5c", "Kc", "6d", "9d", "8d", "5h", "7s", "Qh", "7d", "8h"),
    *("stand:1", "split:2", "Th", "stand:2", "9h", "stand:2", "double:3", "9s", "hit:4", "2c", "stand:4"),
    *("stand:5", "hit:6", "Kh", "stand:7", "Tc", "5s"),
]


@dataclass
class Answer:
    """One answer: its request, its duration, its bytes as sent and uncompressed."""

    kind: str
    ms: float
    sent: int
    plain: int


@dataclass
class Tablet:
    """The tablet of one table: it stores the state of the page, and sends each tap as the page's script
    would."""

    path: str
    cookies: str
    ask: Any
    page: str = ""
    once: str = ""
    answers: list[Answer] = field(default_factory=list)

    def data(self, name: str) -> str:
        """Return a ``data-…`` attribute of the page's own part."""
        found = re.search(rf'<div id="table"[^>]*? data-{name}="([^"]*)"', self.page)
        return unescape(found[1]) if found else ""

    def field(self, name: str) -> str:
        """Return the value of a hidden field of the page's forms."""
        found = re.search(rf'name="{name}" value="([^"]*)"', self.page)
        return unescape(found[1]) if found else ""

    def load(self) -> None:
        """Load the whole page."""
        self._take("page", *self.ask("GET", self.path, {}, ""))
        self.once = " ".join(re.findall(r'id="([\w-]+)" data-once', self.page))

    def poll(self) -> None:
        """Poll for changes; the page stays as it is if there are none."""
        found = re.search(r'hx-get="([^"]*\?since=[^"]*)"', self.page)
        assert found is not None
        self._take("look", *self.ask("GET", unescape(found[1]), {"HX-Request": "true"}, ""))

    def press(self, kind: str, **fields: Any) -> None:
        """Send one form; raises if it was not saved."""
        press = {"key": str(uuid.uuid4()), "mode": "cards", "shoe": self.data("shoe"), **fields}
        form = {
            "csrfmiddlewaretoken": TOKEN,
            "whose": self.data("whose"),
            "once": self.once,
            "press": urlencode(press),
        }
        headers = {
            "HX-Request": "true",
            "HX-Target": "table",
            "Content-Type": "application/x-www-form-urlencoded",
            "X-CSRFToken": TOKEN,
        }
        status, told, body, ms = self.ask("POST", self.path, headers, urlencode(form))
        if status != 200 or told.get("Cutline-Saved") != "1":
            raise SystemExit(f"{kind}, {fields}: {status}, {told}, {body[:600]!r}")
        self._take(kind, status, told, body, ms)

    def _take(self, kind: str, status: int, told: dict[str, str], body: bytes, ms: float) -> None:
        assert status in (200, 204), (kind, status, body[:600])
        plain = gzip.decompress(body) if told.get("Content-Encoding") == "gzip" else body
        self.answers.append(Answer(kind, ms, len(body), len(plain)))
        if plain:
            self.page = plain.decode()

    def tap(self, word: str) -> None:
        """Tap one card or decision of the open hand; the first card opens it."""
        op = {"card": word} if ":" not in word else {"tap": word}
        if word.startswith("hit:"):
            return
        if not self.data("deal"):
            bets = {f"bet-{box}": BET for box in range(1, 8)}
            self.press("begin", do="bets", basis=self.field("basis"), **bets, **op)
            return
        seen, called = self.data("seen"), self.data("called")
        self.press("tap", do="tap", deal=self.data("deal"), seen=seen, called=called, **op)

    def settle(self) -> None:
        """Settle the finished hand."""
        self.press("settle", do="settle", deal=self.data("deal"), basis=self.field("basis"))


# One table, in this process -----------------------------------------------------------------------------


def client_asks(path: str, cookies: str) -> Any:
    """Return the framework's test client in this process as the connection of a tablet."""
    from django.test import Client

    client = Client(headers={"host": "127.0.0.1"})
    for each in cookies.split("; "):
        name, _, value = each.partition("=")
        client.cookies[name] = value

    def ask(method: str, where: str, headers: dict[str, str], body: str) -> Any:
        meta = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
        meta["HTTP_ACCEPT_ENCODING"] = "gzip"
        kind = "application/x-www-form-urlencoded"
        where = where if where.startswith("/") else path + where
        began = time.process_time()
        answer = client.generic(method, where, body, content_type=kind, **meta)
        return answer.status_code, dict(answer.items()), answer.content, (time.process_time() - began) * 1000

    return ask


def measure_answers(path: str, cookies: str) -> list[Answer]:
    """Play a hand with the framework's test client; prints each answer with its bytes, queries and time."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    asks = client_asks(path, cookies)
    counts: list[tuple[str, int]] = []

    def ask(method: str, where: str, headers: dict[str, str], body: str) -> Any:
        with CaptureQueriesContext(connection) as queries:
            answer = asks(method, where, headers, body)
        counts.append((body, len(queries)))
        if os.environ.get("SHOW_QUERIES") and body:
            print(*(f"    {each['time']} {each['sql'][:400]}" for each in queries), sep="\n")
        return answer

    tablet = Tablet(path, cookies, ask)
    tablet.load()
    for word in HAND:
        tablet.tap(word)
    tablet.poll()
    tablet.settle()
    if os.environ.get("KEEP_PAGES"):
        Path(os.environ["KEEP_PAGES"]).write_text(tablet.page)
    print(f"{'answer to':10} {'bytes sent':>10} {'plain':>8} {'queries':>8} {'ms':>6}")
    for answer, (_body, queries) in zip(tablet.answers, counts, strict=True):
        print(f"{answer.kind:10} {answer.sent:10,} {answer.plain:8,} {queries:8} {answer.ms:6.1f}")
    return tablet.answers


# Twenty tables --------------------------------------------------------------------------------------------


def over_the_wire(port: int, cookies: str) -> Any:
    """Return a connection that is kept open, as a browser keeps it."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(method: str, where: str, headers: dict[str, str], body: str) -> Any:
        told = {"Cookie": cookies, "Accept-Encoding": "gzip", **headers}
        for last in (False, True):
            try:
                began = time.perf_counter()
                line.request(method, where, body or None, told)
                answer = line.getresponse()
                read = answer.read()
                return answer.status, dict(answer.headers), read, (time.perf_counter() - began) * 1000
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                line.close()
                if last:
                    raise
        raise AssertionError

    return ask


def deal_on(tablet: Tablet, ready: threading.Barrier, over: threading.Event, pace: float, first: int) -> None:
    """Deal hands, with a tap every ``pace`` seconds, until ``over`` is set; polls in between.

    The ``first`` taps come before the measurement, so that no two tables are at the same point.
    """
    steps = [*(word for word in HAND if not word.startswith("hit:")), "settle"]
    for word in steps[:first]:
        tablet.tap(word)
    tablet.answers.clear()
    ready.wait()
    due, looks = time.monotonic() + random.uniform(0, pace), time.monotonic() + POLL_SECONDS
    left = steps[first:]
    while True:
        for word in left:
            if over.wait(max(0.0, due - time.monotonic())):
                return
            tablet.settle() if word == "settle" else tablet.tap(word)
            due = max(due + pace * random.uniform(0.8, 1.2), time.monotonic())
            if time.monotonic() >= looks and due - time.monotonic() > pace / 2:
                tablet.poll()
                looks = time.monotonic() + POLL_SECONDS
        left = steps


def measure_load(paths: list[str], cookies: list[str], seconds: float, pace: float) -> None:
    """Let all tables deal at once; prints the durations and sizes of taps and settled hands."""
    with tempfile.TemporaryDirectory() as name, pages(Path(name)) as (process, port):
        tablets = [
            Tablet(path, mine, over_the_wire(port, mine)) for path, mine in zip(paths, cookies, strict=True)
        ]
        for tablet in tablets:
            tablet.load()
        over, ready, apart = threading.Event(), threading.Barrier(len(tablets) + 1), len(HAND) / len(tablets)
        threads = [
            threading.Thread(target=deal_on, args=(each, ready, over, pace, int(at * apart)), daemon=True)
            for at, each in enumerate(tablets)
        ]
        for thread in threads:
            thread.start()
        ready.wait()
        load, used = os.getloadavg()[0], processor_seconds(process)
        time.sleep(seconds)
        over.set()
        for thread in threads:
            thread.join(60)
        used = processor_seconds(process) - used
    answers = [answer for tablet in tablets for answer in tablet.answers]
    taps = [answer for answer in answers if answer.kind == "tap"]
    rate = len(taps) / seconds
    print(f"{len(tablets)} tables, {rate:.1f} taps/s, load {load:.1f} to {os.getloadavg()[0]:.1f}")
    print(f"{'answer to':10} {'count':>6} {'median ms':>10} {'p95 ms':>8} {'most':>8} {'bytes p95':>10}")
    for kind in ("begin", "tap", "settle", "look"):
        found = [answer for answer in answers if answer.kind == kind]
        if len(found) < 2:
            continue
        times, sent = [answer.ms for answer in found], [answer.sent for answer in found]
        print(
            f"{kind:10} {len(found):6} {statistics.median(times):10.1f} {p95(times):8.1f}"
            f" {max(times):8.1f} {p95(sent):10,.0f}"
        )
    asked = sum(answer.kind != "page" for answer in answers)
    print(f"{used * 1000 / asked:.1f} ms of processor time of the pages for each request")
    verdict("tap at the server, p95 in ms", p95([answer.ms for answer in taps]), PLAN["tap"], least=False)
    settled = [answer.ms for answer in answers if answer.kind == "settle"]
    if len(settled) > 1:
        verdict("settled hand at the server, p95 in ms", p95(settled), PLAN["tap"], least=False)


def p95(values: list[Any]) -> float:
    """Return the 95th percentile."""
    return float(statistics.quantiles(values, n=20, method="inclusive")[-1])


# Main -----------------------------------------------------------------------------------------------------


def logged_in(name: str) -> str:
    """Return the cookies of a member of the floor staff who has just logged in."""
    from django.contrib.auth.models import Group, User
    from django.test import Client

    from tournament.roles import FLOOR

    user = User.objects.create_user(name)
    user.groups.add(Group.objects.get_or_create(name=FLOOR)[0])
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return f"sessionid={client.cookies['sessionid'].value}; csrftoken={TOKEN}"


def main() -> None:
    """Run the measurement."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="of 20 tables")
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between two taps of a table")
    parser.add_argument("--answers", action="store_true", help="only the answers of one table")
    parser.add_argument("--short", action="store_true", help="a few seconds")
    args = parser.parse_args()
    seconds = 6.0 if args.short else args.seconds
    # The pages of gunicorn must sign sessions with this key too.
    os.environ["SECRET_KEY"] = KEY
    os.environ["HTTPS"] = "0"
    with scratch_database():
        from tables.models import Shoe
        from tournament.models import Event

        shoes = event_seat(2 if args.answers else TABLES)
        Shoe.objects.update(button_box=1)
        slug = Event.objects.values_list("slug", flat=True).get()
        paths = [f"/staff/{slug}/tables/{number}/" for number in range(1, len(shoes) + 1)]
        cookies = [logged_in(f"clerk.{number}") for number in range(1, len(shoes) + 1)]
        answers = measure_answers(paths[0], cookies[0])
        taps = [answer for answer in answers if answer.kind == "tap"]
        print(json.dumps({"taps": len(taps), "bytes": max(answer.sent for answer in taps)}))
        verdict("bytes of an answer to a tap", max(each.sent for each in taps), PLAN["bytes"], least=False)
        verdict("the same uncompressed", max(each.plain for each in taps), PLAN["bytes"], least=False)
        if not args.answers:
            measure_load(paths[1:], cookies[1:], seconds, args.pace)


if __name__ == "__main__":
    main()
