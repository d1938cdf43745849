"""A qualifier is out; the next-ranked player gets the place, and the seat if it is drawn already (T25).

| rule                                                       | where           |
|------------------------------------------------------------|-----------------|
| the next of the frozen standings; any of several tied ones | ``next_ranked`` |
| the player who is out hands in the chips                   | ``replaced``    |
| the replacement gets back the stack from the round's end   | ``_with_chips`` |
| the seat in the next round goes with the place             | ``_seated_for`` |
| the seat of a disqualified qualifier stays empty (T26)     | ``replaced``    |
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tournament.engine.advance import best
from tournament.engine.facts import ROUND, Replaced, StageKey
from tournament.engine.stages import ADVANCED, CLOSED, LIVE, WITHDRAWN
from tournament.engine.state import (
    CARRY,
    ISSUE,
    ISSUED,
    STACK,
    Differs,
    Move,
    Stage,
    State,
    Steps,
    put,
    seats_of,
    stage_of,
    table_of,
    with_more,
    with_stage,
    with_table,
)

from .chips import emptied, handed_in, is_carried, issued, of_stage, stage_chips, transaction, with_player
from .desk import with_entries
from .leaving import vacated
from .places import places_settled, rounds_of, standings_of

REPLACE: Final = "replace"
"""The source of the chip moves when a qualifier leaves and a replacement comes in."""


def replaced(state: State, fact: Replaced) -> State:
    """Take the qualifier out, and let the next-ranked player advance instead."""
    out, by = fact.entry, fact.by
    if state.entries[out] != LIVE:
        raise ValueError(f"{out} is out already: the seat stays empty")
    key: StageKey = _last_closed(state).frame.key
    after: StageKey = (key[0] + 1, ROUND, 1)
    should = next_ranked(state)
    stands = by in should if should else by is None
    differs = () if stands else (Differs("replacement", by, should),)
    now = with_entries(state, {out: WITHDRAWN})
    seat = seats_of(stage_of(now, after)).get(out) if after in now.at else None
    if seat is not None:
        left, taken = handed_in(stage_of(now, after), {out}, (REPLACE, out))
        now = with_more(now, vacated(left, out, WITHDRAWN), taken)
    stage, taken = handed_in(stage_of(now, key), {out}, (REPLACE, out))
    result = replace(stage.results[out], by=by or "", level=frozenset(fact.level or should))
    now = with_more(now, replace(stage, results={**stage.results, out: result}), taken)
    if by is not None:
        now = _with_chips(now, key, by)
        if seat is not None:
            table, index = seat
            now = _seated_for(now, after, by, table.table, index)
    return places_settled(replace(now, differs=differs))


def _last_closed(state: State) -> Stage:
    return [stage for stage in rounds_of(state) if stage.status == CLOSED][-1]


def next_ranked(state: State) -> list[str]:
    """Return the next entry in the standings of the last closed round, or several if they are tied."""
    stage = _last_closed(state)
    passed = {entry for entry, each in stage.results.items() if each.outcome == ADVANCED}
    left = (
        each
        for each in standings_of(state, stage)
        if each.entry not in passed and state.entries[each.entry] == LIVE
    )
    found = best(left, 1, state.posted.format.least_to_advance(stage.frame.key[0]))
    return list(found.level or found.entries)


def _with_chips(state: State, key: StageKey, entry: str) -> State:
    """Return the state with this entry advanced from a closed round, with its stack if that is carried."""
    stage, moves = stage_of(state, key), tuple[Move, ...]()
    result = stage.results[entry]
    stage = replace(stage, results={**stage.results, entry: replace(result, outcome=ADVANCED)})
    if state.posted.format.is_carried_into(key[0] + 1) and result.chips:
        table, index = seats_of(stage)[entry]
        stage = with_table(stage, replace(table, chips=put(table.chips, index, result.chips)))
        moves = transaction(ISSUE, (REPLACE, entry), ISSUED, [(STACK, key, entry, result.chips)])
    return with_more(state, stage, moves)


def _seated_for(state: State, key: StageKey, entry: str, number: int, index: int) -> State:
    """Return the state with this entry in a seat of the next round, which has not begun."""
    chips, moves = 0, tuple[Move, ...]()
    if is_carried(state.posted, key):
        old = stage_of(state, (key[0] - 1, ROUND, 1))
        table, at = seats_of(old)[entry]
        chips = table.chips[at]
        left, taken = emptied(old, {entry})
        state = with_stage(state, left, state.moves)
        moves = (Move(CARRY, of_stage(key), (*taken, (STACK, key, entry, chips))),) if chips else ()
    else:
        chips = stage_chips(state.posted, key)
        moves = issued(key, [entry], chips)
    stage = stage_of(state, key)
    return with_more(
        state, with_table(stage, with_player(table_of(stage, number), index, entry, chips)), moves
    )


STEPS: Steps = {Replaced: replaced}
