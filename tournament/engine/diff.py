"""What differs between two states of an event, for whom: a preview of whatever leads from one to the other.

| what                                                   | clause   | row                 |
|--------------------------------------------------------|----------|---------------------|
| a stack, or what it ended a closed stage with          | T17, T20 | ``STACK``           |
| a rank in a round, or a place in a tie that is decided | T20, T33 | ``RANK``            |
| a side of the cut                                      | T20, T23 | ``SIDE``            |
| a place in the event                                   | T33      | ``PLACE``           |
| a prize in cents                                       | T35      | ``PRIZE``           |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from tournament.engine.facts import ROUND, StageKey
from tournament.engine.stages import CLOSED
from tournament.engine.state import Stage, State, stacks_of
from tournament.engine.steps.closing import ranking
from tournament.engine.steps.cut import cut_of
from tournament.engine.steps.prizes import prizes_now

STACK, RANK, SIDE, PLACE, PRIZE = "stack", "rank", "side", "place", "prize"
IN, LEVEL, OUT = "in", "level", "out"
"""Sides of the cut of a round that is open; of a closed one they are its outcomes."""

Value: TypeAlias = int | str | None
What: TypeAlias = tuple[str, StageKey | None, str]
"""What a figure is, its stage if it belongs to one, and the entry."""

ROWS: Final = (STACK, RANK, SIDE, PLACE, PRIZE)


@dataclass(frozen=True, slots=True)
class Change:
    """A figure of an entry that differs; None where there is none on that side."""

    what: str
    stage: StageKey | None
    entry: str
    before: Value
    after: Value


def diff(before: State, after: State) -> tuple[Change, ...]:
    """Return every figure that differs between two states, stage by stage and entry by entry."""
    was, now = figures(before), figures(after)
    changed = [what for what in was.keys() | now.keys() if was.get(what) != now.get(what)]
    return tuple(Change(*what, was.get(what), now.get(what)) for what in sorted(changed, key=_order))


def _order(what: What) -> tuple[StageKey, int, str]:
    row, stage, entry = what
    return (stage or (0, "", 0), ROWS.index(row), entry)


def figures(state: State) -> Mapping[What, Value]:
    """Return all figures of a state."""
    found = dict[What, Value]()
    for (stage, entry), stack in stacks_of(state).items():
        found[STACK, stage, entry] = stack.chips if stack.closed_chips is None else stack.closed_chips
    for each in state.stages:
        found |= _ended(each) if each.status == CLOSED or each.tie else _open(state, each)
    for ranked in state.places:
        found[PLACE, None, ranked.entry] = ranked.place
    for entry, cents in prizes_now(state).whole.items():
        found[PRIZE, None, entry] = cents
    return found


def _ended(stage: Stage) -> Mapping[What, Value]:
    """Return rank and side of those for whom a stage is decided."""
    found = dict[What, Value]()
    for entry, result in stage.results.items():
        found[RANK, stage.frame.key, entry] = result.place
        found[SIDE, stage.frame.key, entry] = result.outcome
    return found


def _open(state: State, stage: Stage) -> Mapping[What, Value]:
    """Return rank and side in a round as they would be, were it closed now."""
    key, found = stage.frame.key, dict[What, Value]()
    if key[1] != ROUND:
        return found
    cut = cut_of(state, stage)
    sides = dict.fromkeys((each.entry for each in cut.through), IN)
    sides |= dict.fromkeys((entry for tie in cut.ties for entry in tie.entries), LEVEL)
    for ranked in ranking(state, stage):
        found[RANK, key, ranked.entry] = ranked.place
        if stage.frame.cut_to is not None:
            found[SIDE, key, ranked.entry] = sides.get(ranked.entry, OUT)
    return found
