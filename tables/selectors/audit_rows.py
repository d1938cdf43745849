"""Rows beside what they should be: what all parts of the audit say a difference with."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from tables.selectors.journal_facts import Line
from tables.selectors.names import Names
from tournament.engine.facts import StageKey
from tournament.engine.state import State
from tournament.models import Event

Row: TypeAlias = str
Columns: TypeAlias = Mapping[str, Any]
Rows: TypeAlias = Mapping[Row, Columns]
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
class Told:
    """An event with its whole journal, what the ids in it mean, and the state that it comes to."""

    event: Event
    names: Names
    lines: tuple[Line, ...]
    state: State


Part: TypeAlias = Callable[[Told], Iterable[Difference]]
"""A part of the audit: it gives the rows of its kind that differ."""


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


def named(name: str, rows: Iterable[Columns]) -> Rows:
    """Return rows of the database by a name that is made of their own columns, ``draw {number}``."""
    return {name.format_map(row): row for row in rows}


def each_named(rows: Iterable[tuple[Row, Columns]]) -> Rows:
    """Return rows by their names, several of one name numbered in their order."""
    listed = list(rows)
    names = numbered((at, name) for at, (name, _columns) in enumerate(listed))
    return {names[at]: columns for at, (_name, columns) in enumerate(listed)}


def numbered(named: Iterable[tuple[int, Row]]) -> dict[int, Row]:
    """Return what each row is called, and which one of that name it is where there are several."""
    found, seen = dict[int, Row](), Counter[str]()
    for at, name in named:
        seen[name] += 1
        found[at] = f"{name} ({seen[name]})" if seen[name] > 1 else name
    return found
