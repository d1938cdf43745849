"""Prizes: what each place pays is posted, and handed over.

| fact                | clause   | step                 |
|---------------------|----------|----------------------|
| ``Posted``          | T31, T33 | ``posted``           |
| ``Paid``            | T35      | ``paid``             |
| ``PaymentReversed`` | T26      | ``payment_reversed`` |

The whole prize of an entry: ``prizes_now``.
"""

from __future__ import annotations

from dataclasses import replace

from tournament.engine.facts import Paid, PaymentReversed, Posted
from tournament.engine.prizes import Prizes, prizes_of
from tournament.engine.stages import DISQUALIFIED, FINISHED, PAID
from tournament.engine.state import (
    DESK,
    FURTHER,
    HOUSE,
    POOL,
    PRIZE,
    TAKEN,
    Differs,
    Money,
    Move,
    State,
    Steps,
)

from . import ties
from .money import of_entry, with_rest
from .places import places_redecided, places_settled


def posted(state: State, fact: Posted) -> State:
    """Post what each place pays, which decides the ties that are for money (T31, T33).

    Tied players play for the new prizes, also where an earlier structure had decided the places.
    """
    after = replace(state, prizes_cents=fact.prizes_cents, moves=(), differs=())
    return places_settled(places_redecided(ties.priced(after), only_with_ties=True))


def prizes_now(state: State) -> Prizes:
    """Return every prize by the current places, structure and payments (T35, T26)."""
    ranked = [replace(each, out_of_play=state.entries[each.entry] == DISQUALIFIED) for each in state.places]
    paid_cents = {entry: state.money.paid_cents(entry) for entry in state.money.paid}
    return prizes_of(state.status, ranked, state.prizes_cents or (), paid_cents)


def paid(state: State, fact: Paid) -> State:
    """Pay a prize, from the pool as far as it goes (T32); the last payment completes the event (T35)."""
    prizes, money = prizes_now(state), state.money
    from_pool_cents = min(fact.cents, max(0, money.pool_cents))
    payments = (*money.paid.get(fact.entry, ()), (fact.cents, from_pool_cents))
    after = Money(money.spent, {**money.paid, fact.entry: payments}, money.pool_cents - from_pool_cents)
    prize = prizes.of(fact.entry)
    differs = () if fact.cents == prize.left_cents else (Differs("cents", fact.cents, prize.whole_cents),)
    over = all(after.paid_cents(entry) >= cents for entry, cents in prizes.whole.items())
    status = PAID if over and state.status == FINISHED else state.status
    kind = FURTHER if fact.entry in money.paid else PRIZE
    legs = with_rest((DESK, -fact.cents), (POOL, from_pool_cents), rest=HOUSE)
    return replace(
        state,
        money=after,
        status=status,
        moves=(Move(kind, of_entry(fact.entry), legs),),
        differs=differs,
    )


def payment_reversed(state: State, fact: PaymentReversed) -> State:
    """Reverse every standing payment of the entry, the last one first (T26)."""
    money, moves = state.money, list[Move]()
    payments = money.paid.get(fact.entry, ())
    for cents, from_pool_cents in reversed(payments):
        legs = with_rest((DESK, cents), (POOL, -from_pool_cents), rest=HOUSE)
        moves.append(Move(TAKEN, of_entry(fact.entry), legs))
    pool_cents = money.pool_cents + sum(from_pool for _cents, from_pool in payments)
    should = money.paid_cents(fact.entry)
    return replace(
        state,
        money=Money(money.spent, {**money.paid, fact.entry: ()}, pool_cents),
        status=FINISHED if state.status == PAID else state.status,
        moves=tuple(moves),
        differs=() if fact.cents == should else (Differs("cents", fact.cents, should),),
    )


STEPS: Steps = {
    Posted: posted,
    Paid: paid,
    PaymentReversed: payment_reversed,
}
