"""Names of an event's rows that never change, by id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from tables.models import Deal, Shoe, Table
from tournament.engine.facts import HandKey, PenaltyKey, StageKey, key_of
from tournament.models import Event, Penalty, Stack

GONE: Final = "that is gone"
"""The name of an entry whose row is missing."""
ShoeName: TypeAlias = tuple[StageKey, int, int]
"""The stage of a shoe, its table's number, and its own number there."""


@dataclass(frozen=True)
class Names:
    """The names of the ids in an event's journal."""

    stages: Mapping[int, StageKey]
    shoes: Mapping[int, ShoeName]
    hands: Mapping[int, HandKey]
    entries: Mapping[int, str]
    stacks: Mapping[int, tuple[StageKey, str]]
    tables: Mapping[int, int]
    penalties: Mapping[int, PenaltyKey]


def names_of(event: Event) -> Names:
    """Return the names of all ids of an event."""
    stages = {each.pk: key_of(each) for each in event.rounds.all()}
    shoes = Shoe.objects.filter(round__event=event).values_list("pk", "round", "table__number", "number")
    entries = dict(event.entries.values_list("pk", "code"))
    # The usual order joins the entries, which would leave out the stacks of an entry that is gone.
    stacks = Stack.objects.filter(round__event=event).order_by().values_list("pk", "round", "entry")
    return Names(
        stages,
        {pk: (stages[round_], table, number) for pk, round_, table, number in shoes},
        hand_keys(event),
        entries,
        {pk: (stages[round_], entries.get(entry, GONE)) for pk, round_, entry in stacks},
        dict(Table.objects.filter(event=event).values_list("pk", "number")),
        penalty_keys(event),
    )


_STAGE = ("round__number", "round__kind", "round__sequence")


def hand_key(deal: Deal) -> HandKey:
    """Return the stage, table, shoe and number of a hand."""
    return (key_of(deal.shoe.round), deal.shoe.table.number, deal.shoe.number, deal.number)


def hand_keys(event: Event) -> dict[int, HandKey]:
    """Map the ids of all recorded hands of an event to their keys."""
    stage = (f"shoe__{column}" for column in _STAGE)
    rows = Deal.objects.filter(shoe__round__event=event).order_by("pk")
    found = rows.values_list("pk", "shoe__table__number", "shoe__number", "number", *stage)
    return {pk: (tuple(key), table, shoe, number) for pk, table, shoe, number, *key in found}


def penalty_keys(event: Event) -> dict[int, PenaltyKey]:
    """Map the ids of an event's penalties in chips to their keys: the entry's first, second, …"""
    rows = Penalty.objects.filter(round__event=event, kind=Penalty.Kind.CHIPS).order_by("pk")
    found, seen = dict[int, PenaltyKey](), Counter[tuple[StageKey, str]]()
    for pk, code, *key in rows.values_list("pk", "entry__code", *_STAGE):
        stage: StageKey = tuple(key)
        seen[stage, code] += 1
        found[pk] = (stage, code, seen[stage, code])
    return found
