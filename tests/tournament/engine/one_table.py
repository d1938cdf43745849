"""Facts of an event at one table, for tests without a database."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tournament.engine.facts import (
    Closed,
    Counted,
    Fact,
    Hand,
    Opened,
    RosterLocked,
    Seated,
    ShoeEnded,
    Sold,
    boxes,
)
from tournament.engine.fold import fold
from tournament.engine.plan import plan_of
from tournament.engine.state import State, stacks_of, stage_of, table_of

ONE = (1, "round", 1)
TWO = (2, "round", 1)
PLAN = [{"stack": "reset", "advance": {"top": 2}}, {"stack": "carried", "advance": None}]


def opened(**settings: Any) -> Opened:
    return Opened(plan_of({"plan": PLAN, **settings}))


def codes(entrants: int) -> list[str]:
    return [f"E{number:03}" for number in range(1, entrants + 1)]


def seated(entrants: int = 4, **settings: Any) -> list[Fact]:
    """An event up to the seats of round 1, all at one table, the button at box 1."""
    seats = tuple((code, 1, box) for box, code in enumerate(codes(entrants), start=1))
    sold = [Sold(code, 10_000, waits=False) for code in codes(entrants)]
    return [
        opened(**settings),
        *sold,
        RosterLocked(tuple(codes(entrants)), ()),
        Seated(ONE, seats, ((1, 1),)),
    ]


def hand(nets: dict[int, int], number: int = 1, button: int = 1, stage: Any = ONE, **more: Any) -> Hand:
    """A hand at table 1 in which everybody named has bet 200."""
    bets = boxes(dict.fromkeys(nets, 200))
    made = Hand(stage, 1, 1, number, bets, boxes(nets), bets, boxes({}), (), button)
    return replace(made, **more)


def counted(state: State, stage: Any = ONE) -> list[Fact]:
    """The shoe ends, and two people count what is there."""
    chips = table_of(stage_of(state, stage), 1).chips
    return [ShoeEnded(stage, 1), Counted(stage, 1, chips), Counted(stage, 1, chips)]


def closed(facts: list[Fact], through: tuple[str, ...]) -> State:
    """The round of these facts, counted and closed."""
    before = fold(facts)
    return fold([*counted(before), Closed(ONE, through)], before)


def chips(state: State, stage: Any = ONE) -> dict[str, int]:
    return {entry: stack.chips for (key, entry), stack in stacks_of(state).items() if key == stage}
