"""A hand as a number, its *state*: ``hard``, the total with aces as 1, ``| 32`` if it has an ace (A2)."""

from __future__ import annotations

ACE = 32
STATES = 64


def state_after(state: int, points: int) -> int:
    """Return the state of a hand after a card; all states far over 21 are one."""
    hard = min((state & 31) + points, 31)
    return hard | (state & ACE) | (ACE if points == 1 else 0)


def worth(state: int) -> int:
    """Return the best total of a state, 0 if it is over 21 (A2, A4)."""
    hard = state & 31
    if hard > 21:
        return 0
    return hard + 10 if state & ACE and hard <= 11 else hard


def is_soft(state: int) -> bool:
    """Whether an ace counts 11 (A2)."""
    return bool(state & ACE) and (state & 31) <= 11
