"""Money taken and handed over at the desk: the legs of a transaction, in cents (T2, T35)."""

from __future__ import annotations

from tournament.engine.state import Leg


def of_entry(entry: str) -> tuple[object, ...]:
    """Return the source of money that is taken from an entry, or paid to it."""
    return ("entry", entry)


def with_rest(*legs: tuple[str, int], rest: str) -> tuple[Leg, ...]:
    """Return these legs, accounts and cents, with what makes them add up to zero on the account ``rest``."""
    found = {account: cents for account, cents in legs if cents}
    left = -sum(found.values())
    return tuple((account, None, "", cents) for account, cents in {**found, rest: left}.items() if cents)
