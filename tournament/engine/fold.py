"""Compute the state of an event from its facts: state = fold(facts).

| result                         | where      |
|--------------------------------|------------|
| every state, one after another | ``states`` |
| the last state                 | ``fold``   |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ground.refused import Refused
from tournament.engine.facts import Fact
from tournament.engine.state import START, State, Steps
from tournament.engine.steps import (
    closing,
    counts,
    desk,
    leaving,
    prizes,
    replacing,
    rulings,
    seats,
    table,
    ties,
)

STEPS: Steps = {
    **desk.STEPS,
    **leaving.STEPS,
    **seats.STEPS,
    **replacing.STEPS,
    **table.STEPS,
    **ties.STEPS,
    **counts.STEPS,
    **rulings.STEPS,
    **closing.STEPS,
    **prizes.STEPS,
}

CANNOT_FOLLOW = (ValueError, KeyError, IndexError, AssertionError, Refused)
"""The exceptions that a step raises for a fact that cannot follow its state."""


def states(facts: Iterable[Fact], state: State = START) -> Iterator[tuple[Fact, State, State]]:
    """Yield each fact with the state before it and the one after it; every written fact is accepted."""
    for fact in facts:
        before, state = state, STEPS[type(fact)](state, fact)
        yield fact, before, state


def fold(facts: Iterable[Fact], state: State = START) -> State:
    """Return the state of the event after these facts."""
    steps = STEPS
    for fact in facts:
        state = steps[type(fact)](state, fact)
    return state
