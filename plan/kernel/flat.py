"""Flat bets: blocks of rounds with equal bets and strategies, added up in whole chips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from games.blackjack.rules import HouseRules
from games.blackjack.shoe import CUT_FROM_END_CARDS
from plan.blackjack.basic import basic_strategy
from plan.blackjack.playbook import UPS, Playbook
from plan.kernel.layout import BOXES, Array, Record, Rule
from plan.kernel.rounds import DEALER_NATURAL, DEALERS, PAID, PUSHED
from plan.kernel.shoes import CARDS, CROSS, NETS, ROUNDS, SHOES, SQUARES, flat_play
from plan.kernel.tables import felt_make, table_make

WORD = (1 << 64) - 1
NO_END = 1 << 40
BEHIND_CARDS = 24
"""Cards behind the cut card for which a shoe of one box is shuffled at first."""
FRESH_CARDS = 40
"""Cards shuffled at first if every round has its own shoe."""


@dataclass(frozen=True, slots=True)
class Sums:
    """The result of some rounds: nets and squares by box in chips, ``cross`` the products of the first
    two."""

    rounds: int = 0
    shoes: int = 0
    cards: int = 0
    cross: int = 0
    nets: tuple[int, ...] = (0,) * BOXES
    squares: tuple[int, ...] = (0,) * BOXES

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.rounds + other.rounds,
            self.shoes + other.shoes,
            self.cards + other.cards,
            self.cross + other.cross,
            tuple(a + b for a, b in zip(self.nets, other.nets, strict=True)),
            tuple(a + b for a, b in zip(self.squares, other.squares, strict=True)),
        )


@dataclass(frozen=True)
class Flat:
    """A table of flat bets. ``per_shoe``: rounds after which it is shuffled even before the cut card is
    out."""

    table: Record
    bets: tuple[int, ...]
    per_shoe: int = NO_END
    counts: Array | None = field(default=None)

    def play(self, rounds: int, seed: int, block: int) -> Sums:
        """Play ``rounds`` rounds of one block; existing ``counts`` are added to."""
        sums = np.zeros(SQUARES + BOXES, np.int64)
        felt = felt_make(self.bets)
        at = np.uint64(seed & WORD), np.uint64(block)
        boxes = len(self.bets)
        flat_play(self.table, felt, boxes, rounds, self.per_shoe, self._ready(), *at, sums, self.counts)
        found = sums.tolist()
        return Sums(
            found[ROUNDS],
            found[SHOES],
            found[CARDS],
            found[CROSS],
            tuple(found[NETS : NETS + BOXES]),
            tuple(found[SQUARES : SQUARES + BOXES]),
        )

    def _ready(self) -> int:
        rule = self.table.rule
        size = int(rule[Rule.SIZE])
        whole = size - size % 4
        if rule[Rule.JOKER] or self.counts is not None or len(self.bets) > 1:
            return whole
        wanted = FRESH_CARDS if self.per_shoe == 1 else int(rule[Rule.CUT]) + BEHIND_CARDS
        return min(wanted - wanted % 4, whole)


def flat_make(
    rules: HouseRules,
    bets: Sequence[int],
    book: Playbook | None = None,
    *,
    cut_from_end: int = CUT_FROM_END_CARDS,
    per_shoe: int = NO_END,
    counted: bool = False,
) -> Flat:
    """Return a table of flat bets in chips, at boxes 1, 2, …; with basic strategy unless ``book`` is
    given."""
    table = table_make(rules, [book or basic_strategy(rules)], cut_from_end)
    return Flat(table, tuple(bets), per_shoe, np.zeros(DEALERS * 11, np.int64) if counted else None)


@lru_cache(maxsize=4)
def flat_once(rules: HouseRules, bet_chips: int, cut_from_end: int, per_shoe: int) -> Flat:
    """Return the table of one box, made once per process."""
    return flat_make(rules, [bet_chips], cut_from_end=cut_from_end, per_shoe=per_shoe)


def first_actions(counts: Array) -> dict[str, int]:
    """Return how often a box began with each action, and had a natural that was paid or pushed."""
    names = {0: "stand", 1: "hit", 2: "double", 4: "split", 8: "surrender", PAID: "paid", PUSHED: "pushed"}
    return {name: int(counts[place]) for place, name in names.items()}


def dealer_hands(counts: Array) -> dict[int, tuple[int, ...]]:
    """Return by the dealer's first card how often the hand was bust, 17, 18, 19, 20, 21 and a natural."""
    places = (0, 17, 18, 19, 20, 21, DEALER_NATURAL)
    return {up: tuple(int(counts[DEALERS * up + place]) for place in places) for up in UPS}
