"""The journal, and rows beside what they should be: what all parts of the audit are made of."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, wraps
from string import Formatter
from typing import Any, TypeAlias, TypeVar

from django.db.models import JSONField, Model
from django.db.models.expressions import RawSQL

from tables.selectors.names import Names
from tournament.engine.facts import StageKey, Written
from tournament.engine.state import State
from tournament.models import Event, JournalEntry

Row: TypeAlias = str
Columns: TypeAlias = Mapping[str, Any]
Json: TypeAlias = Mapping[str, Any]
Rows: TypeAlias = Mapping[Row, Columns]
Said: TypeAlias = Iterable[tuple[Row, Columns]]
Key = TypeVar("Key")

ROW = "row"
MISSING, THERE = "missing", "there"


@dataclass(frozen=True, slots=True)
class Difference:
    """A column of a row that is not what the journal comes to; ``ROW`` where a row is too many or missing."""

    row: str
    column: str
    is_: Any
    should: Any


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


@dataclass(frozen=True)
class Told:
    """An event with its whole journal, what the ids in it mean, and the state that it comes to.

    ``facts``: each with the entry of the journal that it is from.
    """

    event: Event
    names: Names
    lines: tuple[Line, ...]
    facts: Sequence[tuple[Line, Written]]
    state: State

    @cached_property
    def requests(self) -> Mapping[int, Line]:
        """The entries that ask a second person for something, by the id of the request."""
        asking = (line for line in self.lines if "request" in line.result and line.kind != "request.decide")
        return {line.result["request"]: line for line in asking}

    def asking(self, line: Line) -> Line:
        """Return the entry that asks for what an entry did: itself, or of a confirmed request the asker's."""
        return self.requests[line.asked["request"]] if line.kind == "request.decide" else line

    def reason(self, line: Line) -> str:
        """Return the reason that was given for what an entry did, as it is kept."""
        return as_kept(self.asking(line).asked["reason"])


Part: TypeAlias = Callable[[Told], Iterable[Difference]]
"""A part of the audit: it gives the rows of its kind that differ."""


WITHOUT_RECORDS = RawSQL("body #- '{asked,record}' #- '{noted,record}'", (), output_field=JSONField())
"""The body of an entry without the records of its hand, which are most of a journal."""


def journal_lines(event: Event) -> Iterable[Line]:
    """Give the entries of an event's journal in order."""
    rows = JournalEntry.objects.filter(event=event).order_by("seq")
    columns = ("seq", "kind", "at", WITHOUT_RECORDS, "result", "actor", "facts")
    for seq, kind, at, body, *others in rows.values_list(*columns).iterator():
        yield Line(seq, kind, at, body["asked"], body.get("noted", {}), *others)


def stage_name(key: StageKey) -> str:
    """Return what a difference calls a stage."""
    number, kind, nth = key
    return f"{kind.replace('_', ' ')} {number}" + (f", {nth}" if nth > 1 else "")


def hand_name(stage: StageKey, table: int, shoe: int, number: int) -> str:
    """Return what a difference calls a hand."""
    return f"hand {number}, {stage_name(stage)}, table {table}, shoe {shoe}"


def stack_name(key: tuple[StageKey, str]) -> str:
    """Return what a difference calls a stack."""
    stage, entry = key
    return f"stack {entry}, {stage_name(stage)}"


def as_kept(text: str) -> str:
    """Return a reason that was asked with as it is kept: composed, without outer spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def compared(
    rows: Mapping[Key, Columns], said: Mapping[Key, Columns], name: Callable[[Key], Row] = str
) -> Iterator[Difference]:
    """Give every column that differs, and every row that is missing or too many; ``name`` is of a key."""
    are, should = ({name(key): columns for key, columns in side.items()} for side in (rows, said))
    for row in sorted(are.keys() | should.keys()):
        if row not in are or row not in should:
            there = MISSING if row not in are else THERE
            yield Difference(row, ROW, there, THERE if row in should else MISSING)
            continue
        for column, value in should[row].items():
            if are[row].get(column) != value:
                yield Difference(row, column, are[row].get(column), value)


def beside(model: type[Model], name: str, of: str = "event") -> Callable[[Callable[[Told], Said]], Part]:
    """Compare rows with what a function says of them, in their order: the name of each, and its columns.

    ``name`` is made of columns of the row, ``draw {number}``; ``of`` leads from the row to its event.
    """
    parts = [column for _text, column, *_format in Formatter().parse(name) if column]

    def part_of(said: Callable[[Told], Said]) -> Part:
        @wraps(said)
        def part(told: Told) -> Iterator[Difference]:
            should = each_named(said(told))
            columns = {column for each in should.values() for column in each}
            rows = model._default_manager.filter(**{of: told.event}).order_by("pk").values(*parts, *columns)
            yield from compared(each_named((name.format_map(row), row) for row in rows), should)

        return part

    return part_of


def each_named(rows: Said) -> Rows:
    """Return rows by their names, several of one name numbered in their order."""
    found, seen = dict[Row, Columns](), Counter[str]()
    for name, columns in rows:
        seen[name] += 1
        found[f"{name} ({seen[name]})" if seen[name] > 1 else name] = columns
    return found
