"""Prizes: what each place pays is posted, and handed over.

| fact                | clause   | step               |
|---------------------|----------|--------------------|
| ``Posted``          | T31, T33 | ``posted``         |
| ``Paid``            | T35      | ``paid``           |
| ``PaymentReversed`` | T26      | ``payment_reversed``|
| ``PrizeShared``     | T26      | ``prize_shared``   |

What an entry is to be paid in all: ``prizes_now``.
"""

from __future__ import annotations

from dataclasses import replace

from tournament.engine.facts import Paid, PaymentReversed, Posted, PrizeShared
from tournament.engine.ranking import Ranked
from tournament.engine.stages import CALLED_OFF, DISQUALIFIED, FINISHED, PAID
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
    Sharing,
    State,
    Steps,
)
from tournament.engine.ties import places_unheld, prizes_whole

from . import ties
from .money import of_entry, with_rest
from .places import places_again, places_settled


def posted(state: State, fact: Posted) -> State:
    """Post what each place pays, which decides the ties that are for money (T31, T33).

    Tied players play for the new prizes, also where an earlier structure had decided the places.
    """
    anew = state.prizes_cents is not None
    after = replace(state, prizes_cents=fact.prizes_cents, sharing=None, moves=(), differs=())
    if anew:
        after = places_again(ties.priced(after), only_with_ties=True)
    return places_settled(after)


def prizes_now(state: State) -> dict[str, int]:
    """Return the whole prize of every placed entry in cents, by its place and the structure (T35, T26)."""
    if state.prizes_cents is None or not state.places or state.status == CALLED_OFF:
        return {}
    ranked, prizes_cents = _ranked(state), state.prizes_cents
    paid_cents = {each.entry: state.money.paid_cents(each.entry) for each in ranked}
    return prizes_whole(ranked, prizes_cents, paid_cents, _ruled(state, ranked))


def _ranked(state: State) -> list[Ranked]:
    return [replace(each, out_of_play=state.entries[each.entry] == DISQUALIFIED) for each in state.places]


def unheld_now(state: State) -> tuple[tuple[int, ...], Sharing | None]:
    """Return the paid places that nobody is paid for, and the ruling on them that is in force (T26)."""
    ranked = _ranked(state)
    places = places_unheld(ranked, state.prizes_cents or ()) if ranked else ()
    return places, state.sharing if _ruled(state, ranked) else None


def _ruled(state: State, ranked: list[Ranked]) -> dict[str, int]:
    """Return what the last ruling gives, while the places that it is about are unheld still (T26)."""
    sharing = state.sharing
    if sharing is None or not set(sharing.places) <= set(places_unheld(ranked, state.prizes_cents or ())):
        return {}
    there = {each.entry for each in ranked if not each.out_of_play}
    return dict(sharing.shares_cents) if there.issuperset(sharing.shares_cents) else {}


def paid(state: State, fact: Paid) -> State:
    """A prize is paid, from the pool as far as it goes (T32); with the last one the event is (T35)."""
    prizes, money = prizes_now(state), state.money
    from_pool_cents = min(fact.cents, max(0, money.pool_cents))
    payments = (*money.paid.get(fact.entry, ()), (fact.cents, from_pool_cents))
    after = Money(money.spent, {**money.paid, fact.entry: payments}, money.pool_cents - from_pool_cents)
    should = prizes.get(fact.entry, 0)
    differs = () if after.paid_cents(fact.entry) == should else (Differs("cents", fact.cents, should),)
    over = all(after.paid_cents(entry) >= cents for entry, cents in prizes.items())
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
    """Every payment of the entry that stands is turned round, the last one first (T26)."""
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


def prize_shared(state: State, fact: PrizeShared) -> State:
    """The ruling is about the places that nobody holds now, and takes the place of one before it (T26)."""
    places = places_unheld(_ranked(state), state.prizes_cents or ())
    return replace(state, sharing=Sharing(places, dict(fact.shares)), moves=(), differs=())


STEPS: Steps = {
    Posted: posted,
    Paid: paid,
    PaymentReversed: payment_reversed,
    PrizeShared: prize_shared,
}
