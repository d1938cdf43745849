"""The entries of a journal, and the facts that each of them keeps (ADR 25)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from django.db.models import JSONField
from django.db.models.expressions import RawSQL

from tournament.engine.facts import Written
from tournament.engine.facts_json import fact_of_json
from tournament.models import Event, JournalEntry

Json: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """An entry of the journal, without hashes and the record of a hand."""

    seq: int
    kind: str
    at: datetime
    asked: Json
    noted: Json
    result: Json
    actor: int | None
    facts: Sequence[Json] | None = None

    @property
    def act(self) -> str:
        """The kind of the command, or of the request that two persons confirmed by it."""
        confirmed = self.kind == "request.decide" and "done" in self.result
        return str(self.noted["kind"]) if confirmed else self.kind

    @property
    def done(self) -> Json:
        """What the command came to, or the request that two persons confirmed by it."""
        found: Json = self.result.get("done", self.result)
        return found


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the reading has ended: at an entry that keeps no facts, or that cannot be (``amiss``)."""

    seq: int
    kind: str
    at: datetime
    why: str
    amiss: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """The facts of a journal, each with the entry that it is from, and where the reading ended early."""

    facts: tuple[tuple[int, Written], ...]
    entries: int
    stop: Stop | None


WITHOUT_RECORDS = RawSQL("body #- '{asked,record}' #- '{noted,record}'", (), output_field=JSONField())
"""The body of an entry without the records of its hand, which are most of a journal."""


def journal_lines(event: Event) -> Iterable[Line]:
    """Give the entries of an event's journal in order."""
    rows = JournalEntry.objects.filter(event=event).order_by("seq")
    columns = ("seq", "kind", "at", WITHOUT_RECORDS, "result", "actor", "facts")
    for seq, kind, at, body, *others in rows.values_list(*columns).iterator():
        yield Line(seq, kind, at, body["asked"], body.get("noted", {}), *others)


def facts_kept(lines: Iterable[Line]) -> Read:
    """Return the facts that the journal keeps, up to the first entry without any."""
    found, seq = list[tuple[int, Written]](), 0
    for line in lines:
        if line.facts is None:
            return Read(tuple(found), seq, Stop(line.seq, line.kind, line.at, "its facts were not kept"))
        try:
            found += [(line.seq, fact_of_json(each)) for each in line.facts]
        except ValueError as no:
            return Read(tuple(found), seq, Stop(line.seq, line.kind, line.at, str(no), amiss=True))
        seq = line.seq
    return Read(tuple(found), seq, None)
