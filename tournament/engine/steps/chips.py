"""Chips given to entries and taken back, for several steps (Standing orders).

| rule                                    | clause   | where           |
|-----------------------------------------|----------|-----------------|
| everybody gets the same stack           | T3, T22  | ``issued``      |
| chips are handed in                     | T20, T23 | ``handed_in``   |
| every transaction adds up to zero       | orders   | ``transaction`` |
| carried from round to round             | T22      | ``is_carried``  |
| the equal stack of a round, or of a tie | F4, T23  | ``stage_chips`` |
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from tournament.engine.facts import PLAY_OFF, ROUND, SUDDEN_DEATH, StageKey
from tournament.engine.plan import Plan
from tournament.engine.state import (
    ISSUE,
    ISSUED,
    RETURN,
    RETURNED,
    STACK,
    Leg,
    Move,
    Stage,
    State,
    TableState,
    put,
    seats_of,
)


def of_stage(key: StageKey) -> tuple[object, ...]:
    """Return the source of moves that open or close a stage."""
    return ("stage", key)


def transaction(kind: str, source: tuple[object, ...], account: str, legs: Iterable[Leg]) -> tuple[Move, ...]:
    """Return the transaction of these legs, balanced on an account; nothing if no chips move."""
    kept = tuple(leg for leg in legs if leg[3])
    rest = -sum(leg[3] for leg in kept)
    whole = (*kept, (account, None, "", rest)) if rest else kept
    return (Move(kind, source, whole),) if whole else ()


def issued(key: StageKey, entries: Iterable[str], chips: int) -> tuple[Move, ...]:
    """Return the transaction that gives each of these entries a new stack."""
    return transaction(ISSUE, of_stage(key), ISSUED, ((STACK, key, entry, chips) for entry in entries))


def with_player(table: TableState, index: int, entry: str, chips: int) -> TableState:
    """Return the table with this entry at a free box, with a stack that has not been played."""
    return replace(
        table,
        entries=put(table.entries, index, entry),
        chips=put(table.chips, index, chips),
        start=put(table.start, index, chips),
        last=put(table.last, index, None),
    )


def handed_in(
    stage: Stage, entries: Collection[str], source: tuple[object, ...]
) -> tuple[Stage, tuple[Move, ...]]:
    """Return the stage without the chips of these entries, and the transaction that takes them."""
    left, legs = emptied(stage, entries)
    return left, transaction(RETURN, source, RETURNED, legs)


def all_handed_in(
    state: State, source: tuple[object, ...], entries: Collection[str] | None = None
) -> tuple[tuple[Stage, ...], tuple[Move, ...]]:
    """Return all stages without the chips of these entries (None: all), and the transaction that takes
    them."""
    stages, legs = list[Stage](), list[Leg]()
    for stage in state.stages:
        left, taken = emptied(stage, seats_of(stage) if entries is None else entries)
        stages.append(left)
        legs += taken
    return tuple(stages), transaction(RETURN, source, RETURNED, legs)


def emptied(stage: Stage, entries: Collection[str]) -> tuple[Stage, tuple[Leg, ...]]:
    """Return the stage without the chips of these entries, and the legs that take them."""
    tables, legs = list[TableState](), list[Leg]()
    for table in stage.tables:
        out = [at for at, entry in enumerate(table.entries) if entry in entries and table.chips[at]]
        legs += [(STACK, stage.frame.key, table.entries[at], -table.chips[at]) for at in out]
        kept = tuple(0 if at in out else chips for at, chips in enumerate(table.chips))
        tables.append(replace(table, chips=kept) if out else table)
    return replace(stage, tables=tuple(tables)), tuple(legs)


def is_carried(plan: Plan, key: StageKey) -> bool:
    """Whether the players of a stage keep their chips from the stage before (T22)."""
    number, kind, _nth = key
    return kind == ROUND and plan.format.is_carried_into(number)


def stage_chips(plan: Plan, key: StageKey) -> int:
    """Return the equal stack of a stage, in chips (F4, T23, T33)."""
    if key[1] == PLAY_OFF:
        return plan.settings.play_off_chips
    if key[1] == SUDDEN_DEATH:
        return plan.settings.sudden_death_chips
    chips = plan.format.of(key[0]).stack_chips
    assert chips is not None, "where stacks are carried nobody gets an equal one"
    return chips
