"""The desk: the rules are posted, entries are sold, the roster is locked.

| fact             | clause | step              |
|------------------|--------|-------------------|
| ``Opened``       | T2     | ``opened``        |
| ``SetUpAgain``   | T2     | ``set_up_again``  |
| ``Sold``         | T2, T6 | ``sold``          |
| ``MovedUp``      | T6     | ``moved_up``      |
| ``HandedOut``    | T8     | ``handed_out``    |
| ``RosterLocked`` | T4, T6 | ``roster_locked`` |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tournament.engine.facts import HandedOut, MovedUp, Opened, RosterLocked, SetUpAgain, Sold
from tournament.engine.stages import LIVE, OPEN, WAITING
from tournament.engine.state import BUY_IN, DESK, FEE, POOL, START, Money, Move, State, Steps

from .money import given_back, of_entry, with_rest


def opened(state: State, fact: Opened) -> State:
    """Post the rules. If they are posted again before any sale, the event starts again."""
    return replace(START, plan=fact.plan, status=OPEN)


def set_up_again(state: State, fact: SetUpAgain) -> State:
    """Start the event again; nothing was sold."""
    return START


def sold(state: State, fact: Sold) -> State:
    """Add an entry, or an alternate who waits for a box (T6); the buy-in goes to the pool and the fee
    (T2)."""
    fee_cents, money = state.posted.settings.fee_cents, state.money
    legs = with_rest((DESK, fact.cents), (FEE, -fee_cents), rest=POOL)
    spent = {**money.spent, fact.entry: fact.cents}
    return replace(
        with_entries(state, {fact.entry: WAITING if fact.waits else LIVE}),
        money=Money(spent, money.paid, money.pool_cents + fact.cents - fee_cents),
        moves=(Move(BUY_IN, of_entry(fact.entry), legs),),
    )


def moved_up(state: State, fact: MovedUp) -> State:
    """Give free boxes to the first alternates (T6)."""
    return with_entries(state, dict.fromkeys(fact.entries, LIVE))


def handed_out(state: State, fact: HandedOut) -> State:
    """Refund the buy-in of an entry of a called-off event (T8)."""
    return given_back(with_entries(state, {}), fact.entry, fact.cents)


def roster_locked(state: State, fact: RosterLocked) -> State:
    """Lock the roster: its players get a box in the draw, the others become alternates (T4, T6)."""
    if state.stages:
        return with_entries(state, {})
    return with_entries(state, dict.fromkeys(fact.roster, LIVE) | dict.fromkeys(fact.waiting, WAITING))


def with_entries(state: State, changed: Mapping[str, str]) -> State:
    """Return the state with new statuses of some entries, and without the moves of the step before."""
    return replace(state, entries={**state.entries, **changed}, moves=(), differs=())


STEPS: Steps = {
    Opened: opened,
    SetUpAgain: set_up_again,
    Sold: sold,
    MovedUp: moved_up,
    HandedOut: handed_out,
    RosterLocked: roster_locked,
}
