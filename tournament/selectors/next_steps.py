"""The next possible steps of an event, from its state (``tournament.engine.next_steps``)."""

from __future__ import annotations

from tournament.engine.next_steps import Do, NextStep, next_steps
from tournament.engine.state import State
from tournament.models import Event
from tournament.selectors.prizes import money_state
from tournament.selectors.stages import boxes_for_all, state_of


def state_now(event: Event) -> State:
    """Return the state that decides the next steps: its stages while play goes on, its money after that."""
    return money_state(event) if event.is_over else state_of(event)


def steps_of(event: Event, state: State | None = None) -> tuple[NextStep, ...]:
    """Return the next possible steps in an event; ``state``: its ``state_now``, if it has been read."""
    return next_steps(state or state_now(event), boxes_for_all(event))


def seat_due(event: Event, state: State | None = None) -> NextStep | None:
    """Return the stage to seat next: a round, a play-off inside one, sudden death; None while one is
    played."""
    return next((step for step in steps_of(event, state) if step.do == Do.SEAT), None)
