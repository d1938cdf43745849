"""Seats, and the chips with which a stage begins.

| fact          | clause       | step             |
|---------------|--------------|------------------|
| ``Seated``    | T4, T21, T22 | ``seated``       |
| drawn anew    | T4, T14      | ``_seated_anew`` |
| ``SeatGiven`` | T6           | ``seat_given``   |

A play-off or a sudden death is opened for the ties of that moment (T23, T33): ``ties.opened``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from tournament.engine.facts import BOXES, PLAY_OFF, ROUND, Seated, SeatGiven, StageKey
from tournament.engine.plan import Plan
from tournament.engine.stages import COUNTED, DEALING, LIVE, PLAYING_OFF, RUNNING, SEATED
from tournament.engine.state import (
    CARRY,
    EMPTY,
    NO_COUNTS,
    NO_HAND,
    NOBODY,
    NOTHING,
    STACK,
    Differs,
    Frame,
    Move,
    Stage,
    State,
    Steps,
    TableState,
    seats_of,
    stage_of,
    table_of,
    with_stage,
    with_table,
)

from .chips import emptied, is_carried, issued, of_stage, stage_chips, with_player
from .desk import with_entries
from .places import qualified
from .ties import opened, parent_of, seated_for


def seated(state: State, fact: Seated) -> State:
    """Open a stage: each entry gets a stack, issued or carried from the round before (T22)."""
    plan, key = state.posted, fact.stage
    if key in state.at:
        return _seated_anew(state, fact)
    entries = [entry for entry, _table, _box in fact.seats]
    before, moves, chips = state, tuple[Move, ...](), dict[str, int]()
    if is_carried(plan, key):
        old = stage_of(state, (key[0] - 1, ROUND, 1))
        chips = {entry: table.chips[index] for entry, (table, index) in seats_of(old).items()}
        left, taken = emptied(old, set(entries))
        before = with_stage(state, left)
        put = tuple((STACK, key, entry, chips[entry]) for entry in entries if chips[entry])
        moves = (Move(CARRY, of_stage(key), taken + put),) if put else ()
    else:
        chips = dict.fromkeys(entries, stage_chips(plan, key))
        moves = issued(key, entries, stage_chips(plan, key))
    stage = _stage(plan, fact, chips)
    if key[1] != ROUND:
        stage = replace(stage, tie=opened(before, fact))
    if key[1] == PLAY_OFF:
        before = with_stage(before, replace(stage_of(before, parent_of(key)), status=PLAYING_OFF))
    return replace(
        before,
        status=RUNNING,
        stages=(*before.stages, stage),
        at={**before.at, key: len(before.stages)},
        moves=moves,
        differs=_differs(state, key, entries),
    )


def _seated_anew(state: State, fact: Seated) -> State:
    """Redraw before the first bet: stacks stay, and shoes that are not needed are counted (T4, T14)."""
    stage = stage_of(state, fact.stage)
    buttons, at_table, seats = dict(fact.buttons), _by_table(fact), seats_of(stage)
    chips = {entry: table.chips[index] for entry, (table, index) in seats.items()}
    start = {entry: table.start[index] for entry, (table, index) in seats.items()}
    old = {table.table: table for table in stage.tables}
    tables = []
    for number in sorted(old.keys() | at_table.keys()):
        before, by_box = old.get(number), at_table.get(number, {})
        table = _table(number, by_box, chips, start, buttons.get(number))
        if before is not None:
            shoe = before.shoe + (before.status != DEALING and bool(by_box))
            table = replace(table, shoe=shoe, status=DEALING if by_box else COUNTED)
        tables.append(table)
    at = {table.table: index for index, table in enumerate(tables)}
    anew = replace(stage, frame=replace(stage.frame, at=at), tables=tuple(tables))
    recorded, should = sorted(entry for entry, _table, _box in fact.seats), sorted(seats)
    return with_stage(state, anew, (), () if recorded == should else (Differs("seats", recorded, should),))


def _by_table(fact: Seated) -> dict[int, dict[int, str]]:
    """Return table → box → entry."""
    found: dict[int, dict[int, str]] = defaultdict(dict)
    for entry, table, box in fact.seats:
        found[table][box] = entry
    return found


def _differs(state: State, key: StageKey, entries: list[str]) -> tuple[Differs, ...]:
    """Return the difference if the fold would seat other entries; round 1 may seat anybody (T20, T21)."""

    number, kind, _nth = key
    if kind == ROUND and number == 1:
        return ()
    if kind == ROUND:
        should = sorted(qualified(state, stage_of(state, (number - 1, ROUND, 1))))
    else:
        should = sorted(seated_for(state, key))
    return () if should == sorted(entries) else (Differs("seats", sorted(entries), should),)


def _stage(plan: Plan, fact: Seated, chips: dict[str, int]) -> Stage:
    number, kind, _nth = fact.stage
    at_table = _by_table(fact)
    buttons = dict(fact.buttons)
    tables = tuple(_table(table, at_table[table], chips, chips, buttons[table]) for table in sorted(at_table))
    frame = Frame(
        fact.stage,
        plan.format.of(number).bets.min_chips,
        {table.table: index for index, table in enumerate(tables)},
        plan.format.seats_after(number) if kind == ROUND else None,
    )
    return Stage(frame, SEATED, tables, frozenset(), (), {})


def _table(
    number: int, by_box: dict[int, str], chips: dict[str, int], start: dict[str, int], button: int | None
) -> TableState:
    """Return a table before its first hand; an entry without a stack has 0 chips.

    ``by_box``: box → entry. ``chips``, ``start``: the current stacks, and those at the start of the stage.
    """
    entries = tuple(by_box.get(box, EMPTY) for box in range(1, BOXES + 1))
    stacks = tuple(chips.get(entry, 0) for entry in entries)
    began_with = tuple(start.get(entry, 0) for entry in entries)
    return TableState(number, entries, stacks, began_with, NO_HAND, 1, DEALING, 0, 0, button, NO_COUNTS)


def seat_given(state: State, fact: SeatGiven) -> State:
    """Give a box and a stack to an alternate, a late entrant or a no-show who came after all (T6)."""
    stage, chips = stage_of(state, fact.stage), stage_chips(state.posted, fact.stage)
    sat = with_player(table_of(stage, fact.table), fact.box - 1, fact.entry, chips)
    live = with_entries(state, {fact.entry: LIVE})
    # A no-show who comes after all gets back the stack that was given up.
    here = replace(stage, gone=tuple(each for each in stage.gone if each.entry != fact.entry))
    return with_stage(live, with_table(here, sat), issued(fact.stage, [fact.entry], chips))


def unseated(before: State, after: State, stages: Collection[StageKey]) -> State:
    """Return ``before`` with these stages as they are in ``after``, but without seats (T4)."""
    bare: dict[str, Any] = {"entries": NOBODY, "chips": NOTHING, "start": NOTHING, "last": NO_HAND}

    def was(stage: Stage) -> Stage:
        if stage.frame.key not in stages:
            return stage_of(before, stage.frame.key)
        return replace(stage, tables=tuple(replace(table, **bare) for table in stage.tables))

    return replace(before, stages=tuple(map(was, after.stages)), at=after.at)


STEPS: Steps = {Seated: seated, SeatGiven: seat_given}
