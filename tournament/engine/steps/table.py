"""Play at the tables: hands, and the end of a shoe.

| fact             | clause  | step              |
|------------------|---------|-------------------|
| ``Began``        | T6, T19 | ``began``         |
| ``Hand``         | T12–T14 | ``hand``          |
| ``HandVoid``     | T17     | ``hand_void``     |
| ``ShoeEnded``    | T11     | ``shoe_ended``    |
| ``ShoeReopened`` | T11     | ``shoe_reopened`` |
| ``Absent``       | T15     | ``absent``        |

An event has thousands of hands, so the step of a hand never ranks or adds up the whole field.
"""

from __future__ import annotations

from dataclasses import replace
from operator import add

from ground.button import button_here
from tournament.engine.facts import BOXES, ROUND, Absent, Began, Hand, HandVoid, ShoeEnded, ShoeReopened
from tournament.engine.stages import DEALING, LIVE, NO_SHOW, OVER, PLAYING, SEATED
from tournament.engine.state import (
    BANK,
    DEAL,
    STACK,
    Differs,
    Leg,
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

from .desk import with_entries
from .ties import after_hand

_AROUND = tuple(range(BOXES))
_CLOCKWISE: dict[int | None, tuple[int, ...]] = {
    None: _AROUND,
    **{box: (*_AROUND[box:], *_AROUND[:box]) for box in range(1, BOXES + 1)},
}
"""Box → the indices of all boxes, clockwise from the next one, its own last."""


def began(state: State, fact: Began) -> State:
    """Fix the seats; in round 1 an entrant without a seat is a no-show (T6, T19)."""
    stage = stage_of(state, fact.stage)
    if stage.status != SEATED:
        return with_stage(state, stage)
    playing = replace(stage, status=PLAYING)
    late = dict[str, str]()
    if fact.stage[:2] == (1, ROUND):
        seats = seats_of(stage)
        late = {e: NO_SHOW for e, status in state.entries.items() if status == LIVE and e not in seats}
    return with_stage(with_entries(state, late), playing)


def hand(state: State, fact: Hand) -> State:
    """Move every stack by its net against the bank of the table; the button moves on (T14)."""
    key = fact.stage
    stage = state.stages[state.at[key]]
    table = stage.tables[stage.frame.at[fact.table]]
    bets, nets, entries = fact.bets, fact.nets, table.entries
    chips = tuple(map(add, table.chips, nets))
    last: tuple[int | None, ...] = nets
    if 0 in bets:
        each = zip(bets, nets, table.last, strict=True)
        last = tuple([net if bet else before for bet, net, before in each])
    legs: list[Leg] = [(STACK, key, entry, net) for entry, net in zip(entries, nets, strict=True) if net]
    moves: tuple[Move, ...] = ()
    if legs:
        rest = sum(nets)
        if rest:
            legs.append((BANK, None, "", -rest))
        moves = (Move(DEAL, ("hand", key, fact.table, fact.shoe, fact.number), tuple(legs)),)
    button = fact.button
    after = TableState(
        fact.table,
        entries,
        chips,
        table.start,
        last,
        fact.shoe,
        table.status,
        fact.number,
        table.hands + 1,
        _moved_on(button, chips, entries, stage.frame.min_chips),
        table.counts,
    )
    differs = () if button == table.button else _button(stage, table, button)
    played = with_stage(state, with_table(stage, after), moves, differs)
    return played if stage.tie is None else after_hand(played, key)


def _moved_on(
    button: int | None, chips: tuple[int, ...], entries: tuple[str, ...], min_chips: int
) -> int | None:
    """Return ``button.button_next`` among the players who cover the smallest bet, without building a list
    (T14)."""
    for at in _CLOCKWISE[button]:
        if chips[at] >= min_chips and entries[at]:
            return at + 1
    return None


def _button(stage: Stage, table: TableState, recorded: int | None) -> tuple[Differs, ...]:
    """Return the difference if the recorded button is not where the previous hand left it (T14)."""
    here = [
        at
        for at, (entry, chips) in enumerate(zip(table.entries, table.chips, strict=True), 1)
        if entry and chips >= stage.frame.min_chips
    ]
    should = button_here(table.button, here)
    return () if recorded == should else (Differs("button", recorded, should),)


def hand_void(state: State, fact: HandVoid) -> State:
    """Give the bets back; the number stays used, and the button stays where it is (T17)."""
    stage = stage_of(state, fact.stage)
    table = replace(table_of(stage, fact.table), shoe=fact.shoe, number=fact.number)
    if fact.button is not None:
        moved_on = _moved_on(fact.button, table.chips, table.entries, stage.frame.min_chips)
        table = replace(table, button=moved_on)
    return with_stage(state, with_table(stage, table))


def shoe_ended(state: State, fact: ShoeEnded) -> State:
    """End the shoe; its chips are counted next (T11)."""
    stage = stage_of(state, fact.stage)
    return with_stage(state, with_table(stage, replace(table_of(stage, fact.table), status=OVER)))


def shoe_reopened(state: State, fact: ShoeReopened) -> State:
    """Continue the hands of the shoe (T11)."""
    stage = stage_of(state, fact.stage)
    return with_stage(state, with_table(stage, replace(table_of(stage, fact.table), status=DEALING)))


def absent(state: State, fact: Absent) -> State:
    """Mark the player absent, or back; the stack stays on the table (T15)."""
    stage = stage_of(state, fact.stage)
    away = stage.away | {fact.entry} if fact.on else stage.away - {fact.entry}
    return with_stage(state, replace(stage, away=away))


STEPS: Steps = {
    Began: began,
    Hand: hand,
    HandVoid: hand_void,
    ShoeEnded: shoe_ended,
    ShoeReopened: shoe_reopened,
    Absent: absent,
}
