"""Money taken and paid at the desk: the legs of a transaction, in cents (T2, T7, T35)."""

from __future__ import annotations

from dataclasses import replace

from tournament.engine.state import DESK, FEE, POOL, REFUND, Differs, Leg, Money, Move, State


def of_entry(entry: str) -> tuple[object, ...]:
    """Return the source of money that an entry pays or gets."""
    return ("entry", entry)


def with_rest(*legs: tuple[str, int], rest: str) -> tuple[Leg, ...]:
    """Return these legs, (account, cents), with a balancing leg on the account ``rest``."""
    found = {account: cents for account, cents in legs if cents}
    left = -sum(found.values())
    return tuple((account, None, "", cents) for account, cents in {**found, rest: left}.items() if cents)


def given_back(state: State, entry: str, cents: int) -> State:
    """Return the state with the buy-in of an entry refunded, including the fee (T2, T7)."""
    fee_cents, money = state.posted.settings.fee_cents, state.money
    should = money.spent.get(entry, 0)
    differs = () if cents == should else (Differs("cents", cents, should),)
    legs = with_rest((DESK, -cents), (FEE, fee_cents), rest=POOL)
    left = {each: spent for each, spent in money.spent.items() if each != entry}
    return replace(
        state,
        money=Money(left, money.paid, money.pool_cents - cents + fee_cents),
        moves=(*state.moves, Move(REFUND, of_entry(entry), legs)),
        differs=(*state.differs, *differs),
    )
