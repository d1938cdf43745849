"""Readers of the standings for `polls.py`, and a watch on the database."""

from __future__ import annotations

import contextlib
import http.client
import random
import ssl
import threading
import time
from collections.abc import Callable
from pathlib import Path

HEADERS = {"Accept-Encoding": "gzip", "X-Requested-With": "fetch"}
LONGEST = 60
"""Seconds after which a waiting bench gives up."""


def until(condition: Callable[[], bool]) -> None:
    """Wait until the condition holds."""
    end = time.monotonic() + LONGEST
    while not condition():
        assert time.monotonic() < end, "what was waited for did not come"
        time.sleep(0.1)


def gunicorn_of(pid: int) -> list[int]:
    """Return the ids of the process and its children."""
    return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


class Reader:
    """A browser's connection that is kept open; ``watch`` makes it a phone that polls."""

    def __init__(self, port: int, host: str = "127.0.0.1", secure: bool = False) -> None:
        self.host, self.faults = host, 0
        self.answers_at: list[tuple[float, str]] = []
        self._first: dict[str, float] = {}
        self.line: http.client.HTTPConnection
        if secure:
            trusting = ssl._create_unverified_context()  # noqa: S323 - the certificate is the bench's own
            self.line = http.client.HTTPSConnection("127.0.0.1", port, timeout=LONGEST, context=trusting)
        else:
            self.line = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST)

    def ask(self, path: str, tag: str = "") -> tuple[int, str, bytes]:
        """Return status, tag and body; a connection that was closed meanwhile is opened once more."""
        headers = {**HEADERS, "Host": self.host, **({"If-None-Match": tag} if tag else {})}
        try:
            self.line.request("GET", path, headers=headers)
            answer = self.line.getresponse()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self.line.close()
            self.line.request("GET", path, headers=headers)
            answer = self.line.getresponse()
        return answer.status, answer.headers.get("ETag", ""), answer.read()

    def answers(self, path: str) -> bool:
        """Whether a server answers at this path."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self.ask(path)[0] in (200, 304)
        return False

    def watch(self, path: str, every: float, over: threading.Event) -> Reader:
        """Poll every so many seconds, plus or minus ten percent, until ``over`` is set; in a thread."""
        threading.Thread(target=self._watch, args=(path, every, over), daemon=True).start()
        return self

    def _watch(self, path: str, every: float, over: threading.Event) -> None:
        tag = ""
        while not over.wait(every * random.uniform(0.9, 1.1)):
            try:
                status, tag, _body = self.ask(path, tag)
            except (OSError, http.client.HTTPException):
                self.faults += 1
                self.line.close()
                continue
            self.faults += status not in (200, 304)
            # The tag starts with the standings; then follow whether they are behind, and the language.
            now, plain = time.time(), tag.removeprefix("W/").strip('"').partition("-")[0]
            self.answers_at.append((now, plain))
            self._first.setdefault(plain, now)

    def seen(self, tag: str) -> float:
        """Wait for a tag; return the time at which it came first."""
        end = time.monotonic() + LONGEST
        while tag not in self._first:
            assert time.monotonic() < end, f"{tag} never came"
            time.sleep(0.005)
        return self._first[tag]


class Watch:
    """Watches the snapshot in the database, and afterwards computes the age of an answer."""

    def __init__(self, slug: str, over: threading.Event) -> None:
        self.slug, self.position = slug, dict[str, int]()
        self._thread = threading.Thread(target=self._watch, args=(over,), daemon=True)
        self._thread.start()

    def _watch(self, over: threading.Event) -> None:
        from django.db import connection

        from tournament.models import StandingsSnapshot

        found = StandingsSnapshot.objects.filter(event__slug=self.slug).values_list("etag", "position")
        while not over.wait(0.05):
            tag, position = found.get()
            self.position[tag] = position
        connection.close()

    def ages(self, reader: Reader) -> tuple[list[float], int]:
        """Return the age of each answer in seconds, and the number of answers without a date.

        An answer is as old as the first command of the journal that is not in it; 0 if there was none yet.
        """
        from tournament.models import JournalEntry

        self._thread.join(LONGEST)
        rows = JournalEntry.objects.filter(event__slug=self.slug).values_list("seq", "at")
        at = {seq: when.timestamp() for seq, when in rows}
        dated = [(now, self.position[tag]) for now, tag in reader.answers_at if tag in self.position]
        ages = [max(0.0, now - at.get(position + 1, now)) for now, position in dated]
        return ages, len(reader.answers_at) - len(dated)
