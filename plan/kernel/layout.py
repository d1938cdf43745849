"""The layout of rules, strategies and a table's felt in memory: small integer tables for the compiled code.

A card is a byte, ``rank · 16 + value``: rank 0 (ace) to 12 (king), value 1 to 10; suits decide nothing here.
Hands are states (``plan.blackjack.states``).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from plan.blackjack.states import STATES

Array = Any
"""A NumPy array."""
Record = Any
"""A record of one of the layouts below; numba passes it by its address and counts no references."""

BOXES = 7
MOST_HANDS = 16
"""Hands of one box if the sheet sets no limit: a player of the kernel splits no further."""

DRAWS = 128
"""A flag in a dealer's state: another card is drawn."""

TRACE_ROWS = 1024
FOUND, PAYS = 1, 2
"""Flags of a check: the dealer has a natural (row 4); a natural of a box is paid at once (row 7)."""

PAD = 128
"""Cards after the last one, so that a round that outruns the shoe ends; it is never settled."""


class Rule(IntEnum):
    """Indices of a compiled sheet's switches and amounts. The numbers in comments are rows."""

    DECKS = 0  # 1
    JOKER = 1  # 1
    HOLE = 2  # 3
    NATURAL_OVER = 3  # 6
    NATURAL_UNDER = 4  # 6
    INSURES_HALF = 5  # 8: exactly half
    INSURES_LEAST = 6  # 8: in chips
    NATURAL_INSURES = 7  # 9
    EVEN_MONEY = 8  # 11
    RETURNS_INSURANCE = 9  # 11
    DOUBLES_LESS = 10  # 13
    BY_RANK = 11  # 15
    MOST_HANDS = 12  # 16
    ACES_STAND = 13  # 17
    BOTH_AT_ONCE = 14  # 18
    DRAWS_ON_21 = 15  # 21
    ORIGINAL_ONLY = 16  # 22
    LINE = 17  # 23
    LINE_PUSH = 18  # 23: 0 stays, 1 the player's, 2 the house's
    CHIP = 19  # 2
    SIZE = 20  # cards of the shoe, the joker among them
    CUT = 21  # cards before the cut card


PLAYS = 8
"""The number of strategies of one table."""
SHOE = 8 * 52 + 1 + PAD

TABLE = np.dtype(
    [
        ("rule", np.int64, len(Rule)),
        ("first", np.uint8, PLAYS * 11 * 256),
        ("after", np.uint8, PLAYS * 11 * 256),
        ("later", np.uint8, PLAYS * 11 * STATES),
        ("look", np.uint8, 256),
        ("opening", np.uint8, 256),
        ("dealer", np.uint8, 128 * 16),
        ("score", np.int64, STATES),
        ("fresh", np.uint8, SHOE),
    ]
)
"""The compiled sheet and strategies. ``first`` and ``after`` are wishes by strategy, dealer's card and two
values, ``later`` by strategy, dealer's card and state: 1 to hit. ``look``: by the dealer's two cards (0 for a
missing hole card) whether the check finds a natural, and whether a natural of a box is paid at once.
``opening`` and ``dealer`` are the dealer's states, ``score`` the score of a state, 0 if over 21; ``fresh``
the cards of a shoe in order."""

FELT = np.dtype(
    [
        *((name, np.int64, BOXES) for name in ("bet", "stack", "free", "net", "play", "insures")),
        *((name, np.int64, BOXES) for name in ("insured", "even", "waits", "line", "newly")),
        ("hand", np.int64, BOXES * MOST_HANDS),
        ("stake", np.int64, BOXES * MOST_HANDS),
        ("left", np.uint8, MOST_HANDS + 1),
        ("right", np.uint8, MOST_HANDS + 1),
        ("shoe", np.uint8, SHOE),
    ]
)
"""The table in a round, by box from 0. ``free``: chips that a box may still put up (A6); ``waits``: naturals
that wait for the dealer; ``line`` and ``newly``: chips on the line before and after (row 23); ``hand`` and
``stake``: hands to be settled; ``left`` and ``right``: the cards of a split box."""

TRACE = np.dtype([("count", np.int64), ("rows", np.int64, (TRACE_ROWS, 3))])
"""The decisions in a round: ``count`` rows of box, action (``Action``) and amount."""


class Action(IntEnum):
    """Actions in a trace."""

    STAND = 0
    HIT = 1
    DOUBLE = 2
    SPLIT = 3
    SURRENDER = 4
    INSURANCE = 5
    EVEN_MONEY = 6
