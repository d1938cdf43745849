"""Cards in the notation of the hand record: rank and suit in two characters (clauses A2, A8).

A card is a plain string such as ``"Ah"`` or ``"Td"``; ``"JK"`` is the joker of a sheet that has one.
"""

from collections.abc import Iterable, Sequence

RANKS = "A23456789TJQK"
SUITS = "shdc"
JOKER = "JK"
HIDDEN = "??"
"""A hole card that lies face down: nobody at the table knows it yet."""

DECK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARDS = frozenset(DECK)

VALUE: dict[str, int] = {card: min(RANKS.index(card[0]) + 1, 10) for card in DECK}
"""Card → points, an ace counted as 1 (A2)."""


def hard_total(cards: Iterable[str]) -> int:
    """Return the points of ``cards`` with every ace as 1."""
    return sum(VALUE[card] for card in cards)


def is_soft(cards: Sequence[str]) -> bool:
    """Whether an ace among ``cards`` counts as 11 in the best total (A2)."""
    return hard_total(cards) <= 11 and any(card[0] == "A" for card in cards)


def total(cards: Sequence[str]) -> int:
    """Return the best total up to 21, or the lowest one if every total is over 21 (A2)."""
    return hard_total(cards) + (10 if is_soft(cards) else 0)


def is_natural(cards: Sequence[str]) -> bool:
    """Whether ``cards`` are an ace and a ten-value card and nothing else (A2).

    The caller must know that the hand was not split.
    """
    return len(cards) == 2 and total(cards) == 21


def copies_refusal(cards: Sequence[str], decks: int) -> str | None:
    """Return the first card that appears more often than there are decks, or None (A8); there is one
    joker."""
    distinct = set(cards)
    # A card cannot appear more often than the surplus over one copy of each card allows.
    if len(cards) - len(distinct) < decks and JOKER not in distinct:
        return None
    for card in cards:
        if cards.count(card) > (1 if card == JOKER else decks):
            return card
    return None
