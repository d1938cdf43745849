"""The facts of a command, by what it asked for, noted and came to, and as the journal keeps them.

They are worked out while the command is carried out (``facts_of``), and kept with its entry in the journal
(``facts_kept``); the audit works them out again. Rows are read for names alone, which never change. A command
that no step knows yet ends the reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from django.db.models import JSONField
from django.db.models.expressions import RawSQL

from tables.selectors.names import Names
from tournament.engine.facts import (
    Began,
    Hand,
    HandKey,
    HandVoid,
    ShoeEnded,
    Written,
    boxes,
)
from tournament.engine.facts_json import fact_of_json
from tournament.models import Event, JournalEntry

Json: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """An entry of the journal, without hashes; of a hand's record its bets and button alone."""

    seq: int
    kind: str
    at: datetime
    asked: Json
    noted: Json
    result: Json
    bets: Mapping[str, int]
    button: int | None
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
    """Where the reading has ended: at an entry that no step knows yet, or that cannot be (``amiss``)."""

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


class NotYet(Exception):
    """Raised for an entry that no step knows yet; says why."""


WITHOUT_RECORDS = RawSQL("body #- '{asked,record}' #- '{noted,record}'", (), output_field=JSONField())
"""The body of an entry without the records of its hand, which are most of a journal."""


def journal_lines(event: Event) -> Iterable[Line]:
    """Give the entries of an event's journal in order."""
    rows = JournalEntry.objects.filter(event=event).order_by("seq")
    record = "body__noted__record__"
    columns = ("result", f"{record}bets", f"{record}button", "actor", "facts")
    for seq, kind, at, body, *others in rows.values_list(
        "seq", "kind", "at", WITHOUT_RECORDS, *columns
    ).iterator():
        yield Line(seq, kind, at, body["asked"], body.get("noted", {}), *others)


def facts_of(lines: Iterable[Line], names: Names) -> Read:
    """Return the facts that commands come to, up to the first one that no step knows yet."""
    return _read(lines, lambda line: _facts(line, names))


def facts_kept(lines: Iterable[Line], names: Names) -> Read:
    """Return the facts that the journal keeps, up to the first entry without any."""
    return _read(lines, lambda line: _kept(line, names))


def _read(lines: Iterable[Line], facts: Callable[[Line], list[Written]]) -> Read:
    found, seq = list[tuple[int, Written]](), 0
    for line in lines:
        try:
            found += [(line.seq, fact) for fact in facts(line)]
        except NotYet as why:
            return Read(tuple(found), seq, Stop(line.seq, line.kind, line.at, str(why)))
        except KeyError as lacking:
            why_not = f"it names a row that is not there: {lacking}"
            return Read(tuple(found), seq, Stop(line.seq, line.kind, line.at, why_not, amiss=True))
        except ValueError as no:
            return Read(tuple(found), seq, Stop(line.seq, line.kind, line.at, str(no), amiss=True))
        seq = line.seq
    return Read(tuple(found), seq, None)


def _kept(line: Line, names: Names) -> list[Written]:
    if line.facts is None:
        raise NotYet("its facts were not kept")
    return [fact_of_json(each) for each in line.facts]


def _facts(line: Line, names: Names) -> list[Written]:
    read = FACTS.get(line.kind)
    return [] if read is None else read(line, names)


# -- Tables ----------------------------------------------------------------------------------------------


def _around(line: Line, names: Names, facts: list[Written]) -> list[Written]:
    """Return the facts with those that the command noted beside them: a first bet, a shoe that is over."""
    began, over = line.noted.get("round_played"), line.noted.get("shoe_over")
    before: list[Written] = [Began(names.stages[began])] if began else []
    after: list[Written] = [ShoeEnded(*names.shoes[over][:2])] if over else []
    return before + facts + after


def _began(line: Line, names: Names) -> list[Written]:
    return _around(line, names, [])


def _hand(line: Line, names: Names) -> list[Written]:
    hand = hand_of(names.hand(line.noted["deal"]), line.bets, line.noted, line.button)
    return _around(line, names, [hand])


def hand_of(key: HandKey, bets: Mapping[str, int], noted: Json, button: int | None) -> Hand:
    """Return a hand as a fact. ``noted``: its result by box and who sat it out, as the journal has them."""
    net, put_up, line_chip = (boxes(noted[name]) for name in ("net", "put_up", "line_chip"))
    return Hand(*key, boxes(bets), net, put_up, line_chip, tuple(noted["sits_out"]), button)


def _void(line: Line, names: Names) -> list[Written]:
    return _around(line, names, [HandVoid(*names.hand(line.asked["deal"]), boxes(line.noted["bets"]))])


def _shoe_ended(line: Line, names: Names) -> list[Written]:
    return _around(line, names, [ShoeEnded(*names.shoes[line.asked["shoe"]][:2])])


FACTS: Mapping[str, Callable[[Line, Names], list[Written]]] = {
    "round.play": _began,
    "deal.record": _hand,
    "deal.settle": _hand,
    "deal.void": _void,
    "shoe.end": _shoe_ended,
}
"""Kinds of command that do not write their facts themselves yet → their facts."""
