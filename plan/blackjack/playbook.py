"""A player's action with every hand: a small table, so that further ones can be added."""

from __future__ import annotations

from enum import IntEnum
from typing import Protocol

VALUES = range(1, 11)
"""Points of a card, an ace as 1."""
UPS = VALUES
"""Points of the dealer's first card."""


class Act(IntEnum):
    """Wishes with two cards, as bits; they are tried from the highest down."""

    STAND = 0
    HIT = 1
    DOUBLE = 2
    SPLIT = 4
    SURRENDER = 8
    NATURAL = 16
    BY_ITSELF = 32
    """The hand stands without a decision: 21 by row 21, a split ace with its card (row 17)."""


class Insures(IntEnum):
    """The offers that a player takes, as bits."""

    NOTHING = 0
    INSURANCE = 1
    EVEN_MONEY = 2


class Playbook(Protocol):
    """Wishes; those that the sheet, the chips or the hands on the box do not allow are skipped.

    ``first`` and ``after`` return the wishes with the first two cards and with two cards of a split hand, as
    bits of ``Act``: to surrender, else to split, else to double, else to hit, else to stand. ``later``:
    whether a hand in that state (``plan.blackjack.states``) hits.
    """

    def first(self, up: int, one: int, two: int) -> int: ...
    def after(self, up: int, one: int, two: int) -> int: ...
    def later(self, up: int, state: int) -> bool: ...
