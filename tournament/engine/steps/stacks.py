"""The stack that a stage is played with.

| rule                                     | clause        | where            |
|------------------------------------------|---------------|------------------|
| carried from round to round              | T22           | ``is_carried``   |
| the equal stack of a round, or of a tie  | F4, T23, T33  | ``stage_chips``  |
"""

from __future__ import annotations

from tournament.engine.facts import PLAY_OFF, ROUND, SUDDEN_DEATH, StageKey
from tournament.engine.plan import Plan


def is_carried(plan: Plan, key: StageKey) -> bool:
    """Whether the players of a stage bring their chips along (T22)."""
    number, kind, _nth = key
    return kind == ROUND and plan.format.is_carried_into(number)


def stage_chips(plan: Plan, key: StageKey) -> int:
    """Return the equal stack that a stage is played with (F4, T23, T33)."""
    if key[1] == PLAY_OFF:
        return plan.settings.play_off_chips
    if key[1] == SUDDEN_DEATH:
        return plan.settings.sudden_death_chips
    chips = plan.format.of(key[0]).stack_chips
    assert chips is not None, "where stacks are carried nobody gets an equal one"
    return chips
