"""Heads of the journal that leave the house: what a posted result was the end of, sealed (faults, threats).

A head is a line of ``HEADS_FILE``: time, event, number and hash of a journal entry, and a seal, which is an
HMAC over them by ``HEADS_KEY``. The key is in no database, so nobody who can write to the tables can seal a
journal that was cut or written anew.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from tournament.models import Event, JournalEntry, Payment, Posting

GRACE = timedelta(seconds=30)
"""How long a head may be on its way to the file: the task, and if that is lost the sweep."""
CODE_SIGNS = 16
"""How much of a seal is printed: 64 bits, for people to compare."""


@dataclass(frozen=True)
class Head:
    """The end of an event's journal at a moment: the entry with this number had this hash."""

    at: datetime
    event: str
    seq: int
    hash: str

    @property
    def said(self) -> str:
        """What is sealed: everything that the line has before its seal."""
        at = self.at.astimezone(UTC).isoformat(timespec="microseconds")
        return f"{at} {self.event} {self.seq} {self.hash}"

    @property
    def seal(self) -> str:
        """The HMAC of the head, in hexadecimal."""
        return hmac.digest(settings.HEADS_KEY.encode(), self.said.encode(), "sha256").hex()

    @property
    def line(self) -> str:
        """The head as the file has it."""
        return f"{self.said} {self.seal}"

    @property
    def code(self) -> str:
        """The head as it is printed: ``41-8F2C91AB5D77E0C3``."""
        return f"{self.seq}-{self.seal[:CODE_SIGNS].upper()}"


def heads_of(event: Event, times: Iterable[datetime]) -> list[Head]:
    """Return the heads that an event's journal had at these times, in their order; none without a key."""
    if not settings.HEADS_KEY:
        return []
    entries = JournalEntry.objects.filter(event=event, at__in=list(times)).order_by("seq")
    return [Head(at, event.slug, seq, hash_) for at, seq, hash_ in entries.values_list("at", "seq", "hash")]


def heads_posted(event: Event) -> list[Head]:
    """Return the head of every posting and payment of an event: what the file should have of it."""
    return heads_of(event, _times(event))


def _times(event: Event) -> set[datetime]:
    """Return when something was posted or paid."""
    posted = Posting.objects.filter(event=event).values_list("at", flat=True)
    return {*posted, *Payment.objects.filter(event=event).values_list("at", flat=True)}


def heads_kept() -> bool:
    """Whether heads leave this house: there is a file for them and a key."""
    return bool(settings.HEADS_FILE and settings.HEADS_KEY)


def heads_behind(event: Event) -> bool:
    """Whether the file still lacks a head that should have been in it for a while: what the staff is told."""
    return heads_missing(event, before=timezone.now() - GRACE)


def heads_missing(event: Event, before: datetime | None = None) -> bool:
    """Whether the file lacks a head of an event, one from before that moment, or cannot be read."""
    if not heads_kept() or event.kind == Event.Kind.SIMULATION:
        return False
    times = {at for at in _times(event) if before is None or at < before}
    if not times:
        return False
    try:
        file = Path(settings.HEADS_FILE)
        now = file.stat()
        return not times <= _times_in(file, now.st_size, now.st_mtime_ns).get(event.slug, frozenset())
    except OSError:
        return True


@lru_cache(maxsize=2)
def _times_in(file: Path, size: int, changed: int) -> dict[str, frozenset[datetime]]:
    """Return event → the times of its heads in a file, read once for each state of it."""
    found: dict[str, set[datetime]] = {}
    for head, _seal in filter(None, lines_of(file.read_text(errors="replace"))):
        found.setdefault(head.event, set()).add(head.at)
    return {event: frozenset(times) for event, times in found.items()}


def lines_of(text: str) -> Iterator[tuple[Head, str] | None]:
    """Give the head and the seal of every line; None for a line that is no head."""
    for line in text.splitlines():
        try:
            at, event, seq, hash_, seal = line.split(" ")
            yield Head(datetime.fromisoformat(at), event, int(seq), hash_), seal
        except ValueError:
            yield None
