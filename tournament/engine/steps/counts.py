"""The chips of every box of a table, counted twice (T18).

| rule                                                   | where              |
|--------------------------------------------------------|--------------------|
| two counts that agree with each other and the hands    | ``_agreed``        |
| without hands the ledger follows the count             | ``_compared``      |
| boxes counted again by one of the two people           | ``counted``        |
| two counts that differed may agree without a box       | ``compare_again``  |
| a ruling sets the chips of a box                       | ``count_ruled``    |
| reopened counts: the ledger follows the hands again    | ``count_reopened`` |
| with the last table counted the round is counted (T19) | ``_round_too``     |
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from operator import add

from tournament.engine.facts import ROUND, Boxes, Counted, CountReopened, CountRuled, StageKey
from tournament.engine.stages import COUNTED, OVER, PLAYING
from tournament.engine.state import (
    BANK,
    COUNT,
    NO_COUNTS,
    REVERSAL,
    STACK,
    Stage,
    State,
    Steps,
    TableState,
    put,
    stage_of,
    table_of,
    with_more,
    with_stage,
    with_table,
)

from .chips import transaction


def counted(state: State, fact: Counted) -> State:
    """Record the first count; a second count without differences counts the table.

    A repeated count keeps its place in the order. If the round was closed with these counts they stand, and
    are not compared any more (T17).
    """
    stage = stage_of(state, fact.stage)
    table = table_of(stage, fact.table)
    sheets, counts = table.counts.sheets, table.counts
    if fact.again:
        counts = replace(counts, sheets=put(sheets, fact.again - 1, fact.chips))
    else:
        counts = replace(counts, sheets=(*sheets, fact.chips), hands=_in_front(table))
    table = replace(table, counts=counts)
    after = with_stage(state, with_table(stage, table))
    if fact.again:
        return compare_again(after, fact.stage, fact.table)
    return _compared(after, fact.stage, table, fact.moved)


def compare_again(state: State, key: StageKey, number: int) -> State:
    """Compare two differing counts again: a player has left, or a hand was corrected."""
    table = table_of(stage_of(state, key), number)
    return _compared(state, key, table) if key[1] == ROUND and table.status == OVER else state


def count_ruled(state: State, fact: CountRuled) -> State:
    """Put the chips of the ruling on the table, and count the table."""
    stage = stage_of(state, fact.stage)
    table = table_of(stage, fact.table)
    lies = tuple(map(add, table.chips, fact.moved))
    return _with_counted(with_stage(state, stage), fact.stage, table, lies)


def count_reopened(state: State, fact: CountReopened) -> State:
    """Reopen the counts of the table; chips that a count or a ruling had moved go back."""
    stage = stage_of(state, fact.stage)
    table = table_of(stage, fact.table)
    # A player who has left since has handed in the counted chips.
    moved = {entry: chips for entry, chips in table.counts.moved if entry in table.entries}
    legs = ((STACK, fact.stage, entry, -chips) for entry, chips in moved.items())
    moves = transaction(REVERSAL, _source(fact.stage, table), BANK, legs)
    chips = tuple(
        chips - moved.get(entry, 0) for entry, chips in zip(table.entries, table.chips, strict=True)
    )
    status = OVER if table.status == COUNTED else table.status
    again = with_table(stage, replace(table, chips=chips, status=status, counts=NO_COUNTS))
    if again.status == COUNTED:
        again = replace(again, status=PLAYING)
    return with_stage(state, again, moves)


def _compared(state: State, key: StageKey, table: TableState, moved: Boxes | None = None) -> State:
    if moved is not None:
        return _with_counted(state, key, table, tuple(map(add, table.chips, moved)))
    if _agreed(table):
        if table.hands:
            return _with_counted(state, key, table, table.chips)
        return _with_counted(state, key, table, table.counts.sheets[0])
    return state


def _agreed(table: TableState) -> bool:
    """Whether both counts agree with each other and with the hands in every occupied box."""
    if len(table.counts.sheets) < 2:
        return False
    boxes = zip(table.entries, *table.counts.sheets, table.counts.hands, strict=True)
    return all(
        one == two and (not table.hands or one == by_hands) for entry, one, two, by_hands in boxes if entry
    )


def _in_front(table: TableState) -> Boxes:
    return tuple(chips if entry else 0 for entry, chips in zip(table.entries, table.chips, strict=True))


def _with_counted(state: State, key: StageKey, table: TableState, lies: Boxes) -> State:
    """Return the state with a table counted, with these chips in its boxes."""
    boxes = list(zip(table.entries, lies, table.chips, strict=True))
    chips = tuple(now if entry else before for entry, now, before in boxes)
    moved = {entry: now - before for entry, now, before in boxes if entry and now != before}
    moves = transaction(COUNT, _source(key, table), BANK, ((STACK, key, *each) for each in moved.items()))
    in_all = Counter(dict(table.counts.moved))
    in_all.update(moved)
    counts = replace(table.counts, moved=tuple(in_all.items()))
    done = replace(table, chips=chips, status=COUNTED, counts=counts)
    return with_more(state, _round_too(with_table(stage_of(state, key), done)), moves)


def _round_too(stage: Stage) -> Stage:
    if all(each.status == COUNTED for each in stage.tables):
        return replace(stage, status=COUNTED)
    return stage


def _source(key: StageKey, table: TableState) -> tuple[object, ...]:
    return ("count", key, table.table, table.shoe)


STEPS: Steps = {
    Counted: counted,
    CountRuled: count_ruled,
    CountReopened: count_reopened,
}
