"""What the ids in the journal of an event mean; none of it ever changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from django.db.models import Model

from tables.models import Deal, Table
from tournament import sql
from tournament.engine.facts import HandKey, PenaltyKey, StageKey
from tournament.models import Entry, Event, Penalty, Stack

GONE: Final = "that is gone"
"""What an entry is called whose row is not there."""
ShoeName: TypeAlias = tuple[StageKey, int, int]
"""The stage of a shoe, the number of its table, and which shoe it is there."""


@dataclass(frozen=True)
class Names:
    """What the ids in the journal of an event mean."""

    stages: Mapping[int, StageKey]
    shoes: Mapping[int, ShoeName]
    deals: Mapping[int, tuple[int, int]]
    entries: Mapping[int, str]
    stacks: Mapping[int, tuple[StageKey, str]]
    tables: Mapping[int, int]
    penalties: Mapping[int, PenaltyKey]

    def hand(self, deal: int) -> HandKey:
        """Return stage, table, shoe and number of a hand."""
        shoe, number = self.deals[deal]
        return (*self.shoes[shoe], number)

    def deals_of(self, hands: Container[object]) -> list[int]:
        """Return the ids of all that was recorded under the names of these hands."""
        return [deal for deal in self.deals if self.hand(deal) in hands]


class _Kind(Mapping[int, Any]):
    """The names of one kind of row: each is read when somebody asks, all by a look through."""

    def __init__(self, read: Callable[..., Mapping[int, Any]]) -> None:
        self.known: dict[int, Any] = {}
        self._read, self._whole = read, False

    def __getitem__(self, pk: int) -> Any:
        if pk not in self.known and not self._whole:
            self.known.update(self._read(pk=pk))
        return self.known[pk]

    def __iter__(self) -> Iterator[int]:
        return iter(self.all())

    def __len__(self) -> int:
        return len(self.all())

    def all(self) -> dict[int, Any]:
        """Read all that there are."""
        if not self._whole:
            self.known, self._whole = dict(self._read()), True
        return self.known


def names_of(event: Event) -> Names:
    """Return what all ids of an event mean."""
    return Names(*(kind.all() for kind in _kinds(event)))


def names_asked(event: Event) -> Names:
    """Return the same, each name read when it is asked for."""
    return Names(*_kinds(event))


_STAGES = "SELECT id, number, kind, sequence FROM tournament_round WHERE event_id = %s ORDER BY id"
_SHOES = """
    SELECT s.id, s.round_id, t.number, s.number FROM tables_shoe s
    JOIN tables_table t ON t.id = s.table_id JOIN tournament_round r ON r.id = s.round_id
    WHERE r.event_id = %s AND (%s::bigint IS NULL OR s.id = %s) ORDER BY s.id
"""


def _kinds(event: Event) -> tuple[_Kind, ...]:
    """Return the names of each kind of row, in the order of ``Names``.

    The few stages and penalties are always read together: a penalty is named by those before it.
    """

    def rows(model: type[Model], of: str, *columns: str, **which: object) -> Iterable[Any]:
        found = model._default_manager.filter(**{of: event}, **which)
        return found.order_by("pk").values_list("pk", *columns)

    def of_entries(model: type[Model], **which: object) -> list[tuple[int, StageKey, str]]:
        found = rows(model, "round__event", "round", "entry", **which)
        codes: Mapping[int, str] = entries if "pk" in which else entries.all()
        return [(pk, stages[round_], codes.get(entry, GONE)) for pk, round_, entry in found]

    def of_stages(**_which: object) -> Mapping[int, StageKey]:
        return {pk: tuple(key) for pk, *key in sql.rows(_STAGES, event.pk)}

    def of_shoes(pk: int | None = None) -> Mapping[int, ShoeName]:
        found = sql.rows(_SHOES, event.pk, pk, pk)
        return {shoe: (stages[round_], table, number) for shoe, round_, table, number in found}

    def of_deals(**which: object) -> Mapping[int, tuple[int, int]]:
        found = rows(Deal, "shoe__round__event", "shoe", "number", **which)
        return {pk: (shoe, number) for pk, shoe, number in found}

    def of_stacks(**which: object) -> Mapping[int, tuple[StageKey, str]]:
        return {pk: (stage, entry) for pk, stage, entry in of_entries(Stack, **which)}

    def of_penalties(**_which: object) -> Mapping[int, PenaltyKey]:
        found, seen = dict[int, PenaltyKey](), Counter[tuple[StageKey, str]]()
        for pk, stage, entry in of_entries(Penalty, kind=Penalty.Kind.CHIPS):
            seen[stage, entry] += 1
            found[pk] = (stage, entry, seen[stage, entry])
        return found

    stages, shoes, deals = _Kind(of_stages), _Kind(of_shoes), _Kind(of_deals)
    entries = _Kind(lambda **which: dict(rows(Entry, "event", "code", **which)))
    tables = _Kind(lambda **which: dict(rows(Table, "event", "number", **which)))
    return (stages, shoes, deals, entries, _Kind(of_stacks), tables, _Kind(of_penalties))
