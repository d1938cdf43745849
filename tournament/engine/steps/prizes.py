"""Prizes: what each place pays is posted, and handed over.

| fact       | clause   | step       |
|------------|----------|------------|
| ``Posted`` | T31, T33 | ``posted`` |
| ``Paid``   | T35      | ``paid``   |
"""

from __future__ import annotations

from dataclasses import replace

from tournament.engine.facts import Paid, Posted
from tournament.engine.stages import FINISHED, PAID
from tournament.engine.state import DESK, FURTHER, HOUSE, POOL, PRIZE, Differs, Money, Move, State, Steps
from tournament.engine.ties import prizes_by_entry

from .money import of_entry, with_rest
from .places import places_settled


def posted(state: State, fact: Posted) -> State:
    """What each place pays is known, and with it which ties are for money (T31, T33)."""
    return places_settled(replace(state, prizes_cents=fact.prizes_cents, moves=(), differs=()))


def paid(state: State, fact: Paid) -> State:
    """A prize is paid, from the pool as far as it goes (T32); with the last one the event is (T35)."""
    prizes = prizes_by_entry(state.places, state.prizes_cents or ())
    money = state.money
    paid_cents = {**money.paid, fact.entry: money.paid.get(fact.entry, 0) + fact.cents}
    should = prizes.get(fact.entry, 0)
    differs = () if paid_cents[fact.entry] == should else (Differs("cents", fact.cents, should),)
    over = all(paid_cents.get(entry, 0) >= cents for entry, cents in prizes.items())
    status = PAID if over and state.status == FINISHED else state.status
    from_pool_cents = min(fact.cents, money.pool_cents)
    kind = FURTHER if fact.entry in money.paid else PRIZE
    legs = with_rest((DESK, -fact.cents), (POOL, from_pool_cents), rest=HOUSE)
    return replace(
        state,
        money=Money(money.spent, paid_cents, money.pool_cents - from_pool_cents),
        status=status,
        moves=(Move(kind, of_entry(fact.entry), legs),),
        differs=differs,
    )


STEPS: Steps = {Posted: posted, Paid: paid}
