"""Heads of the journal for a file outside the house: the sealed end of the journal at a posting (faults,
threats).

A head is a line of ``HEADS_FILE``: time, event, number and hash of a journal entry, and a seal, which is an
HMAC over them by ``HEADS_KEY``. The key is in no database, so a person who can write to the tables still
cannot seal a journal that was cut or rewritten.
"""

import hmac
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.db.models.lookups import GreaterThan
from django.utils import timezone

from tournament.models import Event, HeadsKept, JournalEntry, Payment, Posting

GRACE = timedelta(seconds=30)
"""How long a head may be on its way to the file: by the task, or by the sweep if the task is lost."""
CODE_SIGNS = 16
"""How many digits of a seal are printed: 64 bits, for people to compare."""


@dataclass(frozen=True)
class Head:
    """The end of an event's journal at a moment: the number and hash of its last entry."""

    at: datetime
    event: str
    seq: int
    hash: str

    @property
    def sealed_text(self) -> str:
        """The sealed part of the line: everything before the seal."""
        at = self.at.astimezone(UTC).isoformat(timespec="microseconds")
        return f"{at} {self.event} {self.seq} {self.hash}"

    @property
    def seal(self) -> str:
        """The HMAC of the head, in hexadecimal."""
        return hmac.digest(settings.HEADS_KEY.encode(), self.sealed_text.encode(), "sha256").hex()

    @property
    def line(self) -> str:
        """The head as a line of the file."""
        return f"{self.sealed_text} {self.seal}"

    @property
    def code(self) -> str:
        """The head as it is printed: ``41-8F2C91AB5D77E0C3``."""
        return f"{self.seq}-{self.seal[:CODE_SIGNS].upper()}"


def heads_of(event: Event, times: Iterable[datetime]) -> list[Head]:
    """Return the heads of an event's journal at these times, in order; none without a key."""
    if not settings.HEADS_KEY:
        return []
    entries = JournalEntry.objects.filter(event=event, at__in=list(times)).order_by("seq")
    return [Head(at, event.slug, seq, hash_) for at, seq, hash_ in entries.values_list("at", "seq", "hash")]


def heads_posted(event: Event, before: datetime | None = None) -> list[Head]:
    """Return the head of every posting and payment of an event, all of which the file should have.

    ``before``: only those made before that moment.
    """
    posted = Posting.objects.filter(event=event).values_list("at", flat=True)
    times = {*posted, *Payment.objects.filter(event=event).values_list("at", flat=True)}
    return heads_of(event, [at for at in times if before is None or at < before])


def heads_enabled() -> bool:
    """Whether heads are written outside this house: there is a file for them and a key."""
    return bool(settings.HEADS_FILE and settings.HEADS_KEY)


def heads_late() -> datetime:
    """Return the moment before which every head should be in the file by now."""
    return timezone.now() - GRACE


def heads_due(event: Event) -> int:
    """Return how many postings and payments an event has."""
    return event.postings.count() + Payment.objects.filter(event=event).count()


def heads_behind(event: Event) -> bool:
    """Whether the file has lacked a head for too long; then the staff is warned.

    The number of written heads is in the database; a page never reads the file, whose disk may hang.
    """
    if not heads_enabled() or event.kind == Event.Kind.SIMULATION:
        return False
    return _behind(at__lt=heads_late()).filter(pk=event.pk).exists()


def events_behind() -> list[Event]:
    """Return the events with a head that may be missing in the file."""
    return list(_behind().exclude(kind=Event.Kind.SIMULATION).order_by("pk"))


def _behind(**made: datetime) -> QuerySet[Event]:
    """Return the events with more postings and payments, filtered by ``made``, than were written."""
    due = _count(Posting, made) + _count(Payment, made)
    written = HeadsKept.objects.filter(event=OuterRef("pk"), file=settings.HEADS_FILE).values("count")
    return Event.objects.filter(Q(GreaterThan(due, Coalesce(Subquery(written), 0))))


def _count(model: type[Posting] | type[Payment], made: Mapping[str, datetime]) -> Coalesce:
    rows = model._default_manager.filter(event=OuterRef("pk"), **made).order_by().values("event")
    return Coalesce(Subquery(rows.annotate(rows=Count("pk")).values("rows")), 0)


def lines_of(text: str) -> Iterator[tuple[Head, str] | None]:
    """Yield the head and the seal of every line; None for a line that is not a head."""
    for line in text.splitlines():
        try:
            at, event, seq, hash_, seal = line.split(" ")
            yield Head(datetime.fromisoformat(at), event, int(seq), hash_), seal
        except ValueError:
            yield None
