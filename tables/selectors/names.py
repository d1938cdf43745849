"""What the ids in the journal of an event mean; none of it ever changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from django.db.models import Model

from tables.models import Deal, Shoe, Table
from tournament.engine.facts import HandKey, PenaltyKey, StageKey
from tournament.models import Entry, Event, Penalty, Round, Stack

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


class _Kind(dict[int, Any]):
    """The names of one kind of row; all are read once somebody asks for one that is not known."""

    def __init__(self, read: Callable[[], Mapping[int, Any]]) -> None:
        super().__init__()
        self._read, self._whole = read, False

    def __missing__(self, pk: int) -> Any:
        if self._whole:
            raise KeyError(pk)
        return self.all()[pk]

    def all(self) -> _Kind:
        """Read all that there are."""
        self._whole = True
        self.update(self._read())
        return self


def names_of(event: Event) -> Names:
    """Return what all ids of an event mean."""
    return Names(*(kind.all() for kind in _kinds(event)))


def names_asked(event: Event, deals: Iterable[Deal]) -> Names:
    """Return the same, each kind of name read when it is asked for.

    ``deals`` are at hand, with their shoe, table and round: nothing is read for them.
    """
    stages, shoes, hands, *others = _kinds(event)
    for deal in deals:
        shoe, round_ = deal.shoe, deal.shoe.round
        stages[round_.pk] = (round_.number, str(round_.kind), round_.sequence)
        shoes[shoe.pk] = (stages[round_.pk], shoe.table.number, shoe.number)
        hands[deal.pk] = (shoe.pk, deal.number)
    return Names(stages, shoes, hands, *others)


def _kinds(event: Event) -> tuple[_Kind, ...]:
    """Return the names of each kind of row, in the order of ``Names``."""

    def rows(model: type[Model], of: str, *columns: str, **which: object) -> Iterable[Any]:
        found = model._default_manager.filter(**{of: event}, **which)
        return found.order_by("pk").values_list("pk", *columns)

    def of_entries(model: type[Model], **which: object) -> list[tuple[int, StageKey, str]]:
        found, codes = rows(model, "round__event", "round", "entry", **which), entries.all()
        return [(pk, stages[round_], codes.get(entry, GONE)) for pk, round_, entry in found]

    def of_penalties() -> Mapping[int, PenaltyKey]:
        found, seen = dict[int, PenaltyKey](), Counter[tuple[StageKey, str]]()
        for pk, stage, entry in of_entries(Penalty, kind=Penalty.Kind.CHIPS):
            seen[stage, entry] += 1
            found[pk] = (stage, entry, seen[stage, entry])
        return found

    stages = _Kind(
        lambda: {pk: tuple(key) for pk, *key in rows(Round, "event", "number", "kind", "sequence")}
    )
    shoes = _Kind(
        lambda: {
            pk: (stages[round_], table, number)
            for pk, round_, table, number in rows(Shoe, "round__event", "round", "table__number", "number")
        }
    )
    deals = _Kind(
        lambda: {pk: (of, number) for pk, of, number in rows(Deal, "shoe__round__event", "shoe", "number")}
    )
    entries = _Kind(lambda: dict(rows(Entry, "event", "code")))
    stacks = _Kind(lambda: {pk: (stage, entry) for pk, stage, entry in of_entries(Stack)})
    tables = _Kind(lambda: dict(rows(Table, "event", "number")))
    return (stages, shoes, deals, entries, stacks, tables, _Kind(of_penalties))
