"""The chips of every box of a table, counted twice (T18).

| rule                                                   | where         |
|--------------------------------------------------------|---------------|
| two counts that agree with each other and the hands    | ``_agreed``   |
| without hands the ledger says what was counted         | ``_adopted``  |
| with the last table counted the round is counted (T19) | ``_looked_at`` |
"""

from __future__ import annotations

from dataclasses import replace

from tournament.engine.facts import Boxes, Counted, CountedAgain, StageKey
from tournament.engine.stages import COUNTED
from tournament.engine.state import (
    BANK,
    COUNT,
    STACK,
    Move,
    State,
    Steps,
    TableState,
    stage_of,
    table_of,
    with_stage,
    with_table,
)

from .chips import against


def counted(state: State, fact: Counted) -> State:
    """The first count is kept; the second counts the table where nothing differs."""
    stage = stage_of(state, fact.stage)
    table = table_of(stage, fact.table)
    return _looked_at(state, fact.stage, replace(table, counts=(*table.counts, fact.chips)))


def counted_again(state: State, fact: CountedAgain) -> State:
    """The new figures take the place of those in the person's own count."""
    table = table_of(stage_of(state, fact.stage), fact.table)
    counts, new = list(table.counts), dict(fact.by_box)
    own = counts[fact.which - 1]
    counts[fact.which - 1] = tuple(new.get(box, chips) for box, chips in enumerate(own, start=1))
    return _looked_at(state, fact.stage, replace(table, counts=tuple(counts)))


def _looked_at(state: State, key: StageKey, table: TableState) -> State:
    stage, moves = stage_of(state, key), tuple[Move, ...]()
    if _agreed(table):
        table, moves = _adopted(key, table)
    stage = with_table(stage, table)
    if all(each.status == COUNTED for each in stage.tables):
        stage = replace(stage, status=COUNTED)
    return with_stage(state, stage, moves)


def _agreed(table: TableState) -> bool:
    if len(table.counts) < 2:
        return False
    first, second = table.counts
    return first == second and (not table.hands or first == _in_front(table))


def _in_front(table: TableState) -> Boxes:
    return tuple(chips if entry else 0 for entry, chips in zip(table.entries, table.chips, strict=True))


def _adopted(key: StageKey, table: TableState) -> tuple[TableState, tuple[Move, ...]]:
    """Return the table as it was counted; where hands were recorded that moves nothing."""
    chips = table.counts[0]
    nets = zip(table.entries, chips, table.chips, strict=True)
    legs = against(BANK, ((STACK, key, entry, now - before) for entry, now, before in nets))
    source = ("count", key, table.table, table.shoe)
    moves = (Move(COUNT, source, legs),) if legs else ()
    return replace(table, chips=chips, status=COUNTED), moves


STEPS: Steps = {Counted: counted, CountedAgain: counted_again}
