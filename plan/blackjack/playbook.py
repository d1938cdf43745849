"""What a player does with every hand: a small table, so that one can be added."""

from __future__ import annotations

from enum import IntEnum
from typing import Protocol

VALUES = range(1, 11)
"""Points of a card, an ace as 1."""
UPS = VALUES
"""Points of the dealer's first card."""


class Act(IntEnum):
    """What is wished for with two cards, as bits; the wishes are tried from the highest down."""

    STAND = 0
    HIT = 1
    DOUBLE = 2
    SPLIT = 4
    SURRENDER = 8
    NATURAL = 16
    BY_ITSELF = 32
    """The hand stands and nobody is asked: 21 where row 21 says so, a split ace with its card (row 17)."""


class Insures(IntEnum):
    """What a player takes where it is offered, as bits."""

    NOTHING = 0
    INSURANCE = 1
    EVEN_MONEY = 2


class Playbook(Protocol):
    """Wishes; what the sheet, the chips or the hands on the box do not allow is passed over.

    ``first`` and ``after`` give the wishes with the first two cards and with two cards of a split hand, as
    bits of ``Act``: to surrender, else to split, else to double, else to hit, else to
    stand. ``later`` says whether a hand in that state (``plan.blackjack.states``) draws on.
    """

    def first(self, up: int, one: int, two: int) -> int: ...
    def after(self, up: int, one: int, two: int) -> int: ...
    def later(self, up: int, state: int) -> bool: ...
