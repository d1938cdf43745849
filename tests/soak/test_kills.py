"""Connections and processes are killed while clients press: no answer says what the database does not hold.

Three kinds of blows at random moments: a connection is ended by the database (``pg_terminate_backend``), a
process of the pages is killed (kill -9), a session is deleted under its owner. After every answer the journal
is asked for the key of the press. CUTLINE_SOAK_KILLS sets how many of the first two kinds there are;
other ones with every seed.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.cast.factories import EntryFactory, EventFactory, UserFactory
from tests.cast.hostile import forms_of
from tests.cast.serving import TOKEN, Server, cookies_of
from tests.seed import chance_of
from tournament.models import Event, JournalEntry

KILLS = int(os.environ.get("CUTLINE_SOAK_KILLS", "70"))
CLIENTS = 6
TITLE = re.compile(r"<h1>\s*(.*?)\s*</h1>", re.DOTALL)
SAVED, PERHAPS, NOT, REFUSED, NONE = "saved", "perhaps", "not saved", "refused", "no answer"


def claim_of(status: int, text: str) -> str:
    """What an answer to a press says of it."""
    title = (TITLE.search(text) or [None, ""])[1]
    if status == 0:
        return NONE
    if status == 303 or (status == 200 and title == "Saved"):
        return SAVED
    if status == 503:
        return {"Perhaps not saved": PERHAPS, "Not saved": NOT}[title]
    if status == 302 or 400 <= status <= 500:
        return REFUSED
    raise AssertionError(f"{status} {title!r}: an answer that says nothing of the press")


def told_truly(claim: str, held: bool) -> bool:
    """Whether the database holds what was said."""
    return {SAVED: held, NOT: not held, REFUSED: not held}.get(claim, True)


class Hands:
    """Somebody who presses again and again, each press with the form that the page gave."""

    def __init__(self, server: Server, event: Event, user: User, place: str, seed: int) -> None:
        self.server, self.place, self.user = server, place, user
        self.page = reverse("tournament:entry", kwargs={"slug": event.slug, "code": f"E{seed:03}"})
        self.action = f"{self.page}penalty/"
        self.claims: Counter[str] = Counter()
        self.false: list[str] = []
        self.again = 0
        self.log_in()

    def log_in(self) -> None:
        client = Client()
        client.force_login(self.user)
        self.session, self.cookies = client.cookies["sessionid"].value, cookies_of(client)

    def press_until(self, ended: threading.Event) -> None:
        """Until told to end; a page that cannot be had is asked for again."""
        try:
            with psycopg.connect(self.place, autocommit=True) as journal:
                while not ended.is_set():
                    self._press(journal)
        except Exception as error:  # in a thread: told at the end
            self.false.append(f"{type(error).__name__}: {error}")
        finally:
            connection.close()

    def _press(self, journal: psycopg.Connection) -> None:
        status, text = self.server.send("GET", self.page, cookies=self.cookies)
        if status == 302:
            self._log_in_if_possible()
        forms = forms_of(self.page, text)
        form = next((each for each in forms if each.action == self.action), None)
        if form is None:
            time.sleep(0.02)
            return
        fields = {**form.fields, "kind": "warning", "reason": "late", "csrfmiddlewaretoken": TOKEN}
        claim = self._send(journal, fields)
        if claim in (PERHAPS, NONE):  # as the page says: the same form again, until it is known
            self.again += 1
            for _ in range(50):
                if self._send(journal, fields) in (SAVED, REFUSED):
                    return
                time.sleep(0.05)

    def _log_in_if_possible(self) -> None:
        try:
            self.log_in()
        except Exception:  # the blow has hit this connection too
            connection.close()

    def _send(self, journal: psycopg.Connection, fields: dict[str, str]) -> str:
        status, text = self.server.send("POST", self.action, urlencode(fields), self.cookies)
        claim = claim_of(status, text)
        found = journal.execute("SELECT 1 FROM tournament_journalentry WHERE key = %s", [fields["key"]])
        held = found.fetchone() is not None
        self.claims[claim] += 1
        # "Log in" says nothing of a press that was sent before without an answer.
        if status != 302 and not told_truly(claim, held):
            self.false.append(f"{status}, {claim}, but in the journal: {held}; {TITLE.findall(text)}")
        return claim


class Blows:
    def __init__(self, server: Server, place: str, hands: list[Hands]) -> None:
        self.server, self.hands, self.chance = server, hands, chance_of("blows")
        self.database = psycopg.connect(place, autocommit=True)
        self.dealt: Counter[str] = Counter()

    def deal(self) -> None:
        """Blow after blow, until there were enough."""
        while self.dealt["connection"] + self.dealt["process"] < KILLS:
            self._until_they_press_again()
            time.sleep(self.chance.uniform(0, 0.1))
            kind = self.chance.choice(("connection", "connection", "connection", "process", "session"))
            self.dealt[kind] += getattr(self, kind)()
        self.database.close()

    def _until_they_press_again(self) -> None:
        answers = self._answers() + 2
        for _ in range(500):
            if self._answers() >= answers:
                return
            time.sleep(0.02)

    def _answers(self) -> int:
        return sum(each.claims.total() for each in self.hands)

    def connection(self) -> int:
        """Ends a connection of the pages, one in the middle of something if there is one."""
        for _ in range(100):
            found = self.database.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                " AND application_name = 'pages' AND state <> 'idle' ORDER BY random() LIMIT 1"
            )
            if found.rowcount:
                return 1
        return 0

    def process(self) -> int:
        """Kills a process of the pages; the server makes another one."""
        shown = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.server.process.pid)], capture_output=True, text=True
        )
        workers = [int(pid) for pid in shown.stdout.split()]
        if not workers:
            return 0
        os.kill(self.chance.choice(workers), signal.SIGKILL)
        return 1

    def session(self) -> int:
        """Deletes a session while its owner presses."""
        key = self.chance.choice(self.hands).session
        return self.database.execute("DELETE FROM django_session WHERE session_key = %s", [key]).rowcount


@contextmanager
def pressing(hands: list[Hands]) -> Iterator[None]:
    """Everybody presses, each in a thread, while the block runs."""
    ended = threading.Event()
    threads = [threading.Thread(target=each.press_until, args=(ended,)) for each in hands]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join(60)


def where() -> str:
    """How to reach the tests' database beside Django."""
    info = connection.connection.info
    return psycopg.conninfo.make_conninfo(
        host=info.host, port=info.port, user=info.user, password=info.password, dbname=info.dbname
    )


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_faults_not_one_false_answer_while_connections_and_processes_are_killed(
    tmp_path: Path, settings: Any
) -> None:
    event, log = EventFactory(), tmp_path / "server.log"
    users = [UserFactory(roles=["director"]) for _ in range(CLIENTS)]
    for _ in users:
        EntryFactory(event=event)
    # What is loaded once is forked for each process that is killed: the next blow need not wait for it.
    more = {"SECRET_KEY": settings.SECRET_KEY, "PGAPPNAME": "pages", "LOG_LEVEL": "CRITICAL"}
    server = Server("--preload", log=log, **more)
    hands = [Hands(server, event, user, where(), n) for n, user in enumerate(users, start=1)]
    try:
        blows = Blows(server, where(), hands)
        with pressing(hands):
            blows.deal()
            time.sleep(3)  # and everybody goes on
    finally:
        server.stop()
    claims = sum((each.claims for each in hands), Counter[str]())
    print(dict(blows.dealt), dict(claims), "sent again:", sum(each.again for each in hands))
    assert [fault for each in hands for fault in each.false] == []
    assert claims[SAVED] > KILLS
    assert claims[NOT] and claims[NONE], "the blows have hit"
    assert JournalEntry.objects.filter(event=event, kind="penalty.add").count() <= claims[SAVED]
