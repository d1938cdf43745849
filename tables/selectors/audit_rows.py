"""What all parts of the audit share: reading the journal, and comparing rows with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, wraps
from string import Formatter
from typing import Any, TypeAlias

from django.db.models import JSONField, Model
from django.db.models.expressions import Combinable, RawSQL

from ground.typed import text_composed
from tables.selectors.names import Names, ShoeName
from tournament.engine.facts import Corrected, StageKey, TakenBack, Written
from tournament.engine.state import MONEY, Differs, Move, State
from tournament.models import Event, JournalEntry
from tournament.selectors.facts_standing import NO_FACTS, Course

Row: TypeAlias = str
Columns: TypeAlias = Mapping[str, Any]
Json: TypeAlias = Mapping[str, Any]
Rows: TypeAlias = Mapping[Row, Columns]
ExpectedRows: TypeAlias = Iterable[tuple[Row, Columns]]

ROW = "row"
MISSING, THERE = "missing", "there"


@dataclass(frozen=True, slots=True)
class Difference:
    """A column that differs from the folded journal; ``ROW`` where a whole row is missing or too many."""

    row: str
    column: str
    is_: Any
    should: Any


@dataclass(frozen=True, slots=True)
class JournalLine:
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
        """The result of the command, or of the request that two persons confirmed by it."""
        found: Json = self.result.get("done", self.result)
        return found


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the fold stopped: at an entry without facts, with unknown or with impossible ones (``amiss``)."""

    line: JournalLine
    why: str
    amiss: bool = False


@dataclass
class FoldedEvent:
    """An event with its whole journal, the names of the ids in it, and the folded facts.

    ``entries``: the number of the last folded entry. ``facts``, ``money`` (its transactions) and ``evidence``
    each come with their entry. ``amended``: a hand was put right or taken back, so the ledgers hold reversed
    transactions too.
    """

    event: Event
    names: Names
    lines: tuple[JournalLine, ...]
    entries: int = 0
    facts: list[tuple[JournalLine, Written]] = field(default_factory=list)
    course: Course = NO_FACTS
    money: list[tuple[JournalLine, Move]] = field(default_factory=list)
    evidence: list[tuple[JournalLine, Differs]] = field(default_factory=list)
    stop: Stop | None = None
    amended: bool = False

    @property
    def state(self) -> State:
        """The last state."""
        return self.course.state

    def take(self, line: JournalLine, fact: Written) -> None:
        """Fold a fact of an entry; keep where its evidence differs from the fold."""
        differs: tuple[Differs, ...] = ()
        if isinstance(fact, Corrected):
            found = self.course.decided(fact.at, fact.by)
            self.course, differs = self.course.corrected(fact.at, found), found.differs(fact)
        else:
            self.course = self.course.then([fact])
        if isinstance(fact, Corrected | TakenBack):
            self.amended = True
        else:
            self.money += [(line, move) for move in self.state.moves if move.kind in MONEY]
            differs = self.state.differs
        self.evidence += [(line, each) for each in differs]
        self.facts.append((line, fact))

    def of(self, *kinds: str) -> Iterator[JournalLine]:
        """Yield the entries of some kinds in order."""
        return (line for line in self.lines if line.kind in kinds)

    @cached_property
    def requests(self) -> Mapping[int, JournalLine]:
        """The entries that request something of a second person, by the id of the request."""
        asking = (line for line in self.lines if "request" in line.result and line.kind != "request.decide")
        return {line.result["request"]: line for line in asking}

    def asking(self, line: JournalLine) -> JournalLine:
        """Return the entry that asked for this one's command: of a confirmed request the asker's, else
        itself."""
        return self.requests[line.asked["request"]] if line.kind == "request.decide" else line

    def reason(self, line: JournalLine) -> str:
        """Return the reason given for the command of an entry, as it is stored."""
        return text_composed(self.asking(line).asked["reason"])


Part: TypeAlias = Callable[[FoldedEvent], Iterable[Difference]]
"""A part of the audit: it yields the rows of its kind that differ."""


WITHOUT_RECORDS = RawSQL("body #- '{asked,record}' #- '{noted,record}'", (), output_field=JSONField())
"""The body of an entry without hand records, which are most of a journal."""


def journal_lines(event: Event) -> Iterable[JournalLine]:
    """Return the entries of an event's journal in order."""
    rows = JournalEntry.objects.filter(event=event).order_by("seq")
    columns = ("seq", "kind", "at", WITHOUT_RECORDS, "result", "actor", "facts")
    for seq, kind, at, body, *others in rows.values_list(*columns).iterator():
        yield JournalLine(seq, kind, at, body["asked"], body.get("noted", {}), *others)


def stage_name(key: StageKey) -> str:
    """Return the name of a stage in a difference."""
    number, kind, nth = key
    return f"{kind.replace('_', ' ')} {number}" + (f", {nth}" if nth > 1 else "")


def hand_name(stage: StageKey, table: int, shoe: int, number: int) -> str:
    """Return the name of a hand in a difference."""
    return f"hand {number}, {stage_name(stage)}, table {table}, shoe {shoe}"


def compared(are: Rows, should: Rows) -> Iterator[Difference]:
    """Yield every column that differs, and every row that is missing or too many."""
    for row in sorted(are.keys() | should.keys()):
        if row not in are or row not in should:
            there = MISSING if row not in are else THERE
            yield Difference(row, ROW, there, THERE if row in should else MISSING)
            continue
        for column, value in should[row].items():
            if are[row].get(column) != value:
                yield Difference(row, column, are[row].get(column), value)


def shoe_name(name: ShoeName) -> str:
    """Return the name of a shoe in a difference."""
    key, table, number = name
    return f"shoe {number}, {stage_name(key)}, table {table}"


def beside(
    model: type[Model], name: str, of: str = "event", **computed: Combinable
) -> Callable[[Callable[[FoldedEvent], ExpectedRows]], Part]:
    """Decorate a function that yields rows (name, columns) in order, to compare them with ``model``.

    ``name``: a format of the row's columns, such as ``draw {number}``; ``{round}`` and ``{shoe}`` give the
    names of stage and shoe. ``of``: the lookup of the row's event. ``computed``: columns that the database
    computes.
    """
    parts = [column for _text, column, *_format in Formatter().parse(name) if column]

    def part_of(expected: Callable[[FoldedEvent], ExpectedRows]) -> Part:
        @wraps(expected)
        def part(folded: FoldedEvent) -> Iterator[Difference]:
            should = each_named(expected(folded))
            columns = {*parts, *(column for each in should.values() for column in each)} - computed.keys()
            rows = model._default_manager.filter(**{of: folded.event}).order_by("pk")
            found = rows.values(*columns, **computed)
            yield from compared(
                each_named((name.format_map(_ids_named(folded.names, row)), row) for row in found), should
            )

        return part

    return part_of


def _ids_named(names: Names, row: Columns) -> Columns:
    """Return a row with the names of its stage and its shoe instead of their ids."""
    stage = {"round": stage_name(names.stages[row["round"]])} if "round" in row else {}
    shoe = {"shoe": shoe_name(names.shoes[row["shoe"]])} if "shoe" in row else {}
    return {**row, **stage, **shoe}


def each_named(rows: ExpectedRows) -> Rows:
    """Return rows by name; rows of the same name are numbered in their order."""
    found, seen = dict[Row, Columns](), Counter[str]()
    for name, columns in rows:
        seen[name] += 1
        found[f"{name} ({seen[name]})" if seen[name] > 1 else name] = columns
    return found
