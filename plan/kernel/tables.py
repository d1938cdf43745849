"""A sheet and the strategies of its players, compiled once into the tables that ``rounds`` reads.

table = table_make(rules, [playbook])
felt = felt_make(bets=[200])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from games.blackjack.rules import HouseRules
from games.blackjack.shoe import CUT_FROM_END_CARDS
from plan.blackjack.dealer import dealer_after, dealer_draws
from plan.blackjack.playbook import UPS, VALUES, Act, Playbook
from plan.blackjack.states import STATES, state_after, worth
from plan.kernel.layout import DRAWS, FELT, FOUND, MOST_HANDS, PAD, PAYS, TABLE, TRACE, Array, Record, Rule

LINE_PUSHES = {"stays": 0, "player": 1, "house": 2}
PAIRS = [(one, two) for one in VALUES for two in VALUES]
MUCH = 1 << 40
"""The chips of a box with an unlimited stack."""


# -- rules -----------------------------------------------------------------------------------------------


def rule_vector(rules: HouseRules, cut_from_end: int = CUT_FROM_END_CARDS) -> Array:
    """Return the switches and amounts of a sheet at the indices of ``Rule``; amounts in chips, cards
    counted."""
    size, half = 52 * rules.decks + rules.joker, rules.insurance == "half"
    places = {
        Rule.DECKS: rules.decks,
        Rule.JOKER: rules.joker,
        Rule.HOLE: rules.hole_card,
        Rule.NATURAL_OVER: rules.natural_pays[0],
        Rule.NATURAL_UNDER: rules.natural_pays[1],
        Rule.INSURES_HALF: half,
        Rule.INSURES_LEAST: 1 if half else rules.insurance_range(rules.max_chips)[0],
        Rule.NATURAL_INSURES: rules.natural_may_insure,
        Rule.EVEN_MONEY: rules.even_money,
        Rule.RETURNS_INSURANCE: rules.even_money_returns_insurance,
        Rule.DOUBLES_LESS: rules.double_amount == "up_to",
        Rule.BY_RANK: rules.split == "rank",
        Rule.MOST_HANDS: hands_at_most(rules),
        Rule.ACES_STAND: rules.split_aces == "one_card",
        Rule.BOTH_AT_ONCE: rules.split_cards == "both",
        Rule.DRAWS_ON_21: rules.draw_on_21,
        Rule.ORIGINAL_ONLY: rules.late_natural == "original",
        Rule.LINE: rules.line_chip,
        Rule.LINE_PUSH: LINE_PUSHES[rules.line_chip_push],
        Rule.CHIP: rules.chip_chips,
        Rule.SIZE: size,
        Rule.CUT: size - cut_from_end,
    }
    return np.array([places[place] for place in Rule], np.int64)


def look_table(rules: HouseRules) -> Array:
    """Return the results of the check, by 16 · first card + hole card, which is 0 if there is none (rows 4
    and 7)."""
    found = np.zeros(256, np.uint8)
    low, high = rules.paid_at_once
    for up in UPS:
        looked = (up == 1 and "A" in rules.looks_under) or (up == 10 and "T" in rules.looks_under)
        pays = rules.natural_paid == "at_once" and (looked or low <= up <= high)
        for hole in (0, *VALUES):
            found[up * 16 + hole] = (FOUND if looked and up + hole == 11 else 0) | (PAYS if pays else 0)
    return found


def hands_at_most(rules: HouseRules) -> int:
    """Return the most hands of a box in the kernel (row 16)."""
    return min(rules.max_hands or MOST_HANDS, MOST_HANDS)


def cards_fresh(rules: HouseRules) -> Array:
    """Return the cards of a shoe in order, the joker (0) last, followed by cards that settle no round."""
    deck = [rank * 16 + min(rank + 1, 10) for rank in range(13)]
    behind = [deck[9 - at % 3] for at in range(PAD)]
    return np.array([*deck * 4 * rules.decks, *([0] if rules.joker else []), *behind], np.uint8)


# -- states ----------------------------------------------------------------------------------------------


def dealer_state(soft17: str, state: int, points: int) -> int:
    """Return the dealer's state after a card, with ``DRAWS`` if another one follows."""
    after = dealer_after(soft17, state, points)
    return after | (DRAWS if dealer_draws(soft17, after) else 0)


@cache
def dealer_tables(soft17: str) -> tuple[Array, Array]:
    """Return the state of two cards, by 16 · first + second; and the next one, by 16 · state + card."""
    opening, following = np.zeros(256, np.uint8), np.zeros(128 * 16, np.uint8)
    for points in VALUES:
        for first in VALUES:
            start = state_after(0, first)
            opening[first * 16 + points] = dealer_state(soft17, start, points)
        for state in range(128):
            following[state * 16 + points] = dealer_state(soft17, state, points)
    return opening, following


# -- plays -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Allowed:
    """The wishes with two cards that the sheet allows; ``settled`` if the hand has no decision."""

    wishes: int
    settled: int | None = None

    def of(self, wish: int, up: int, ace_bars: int) -> int:
        """Return the allowed part of the wish against the dealer's card; ``ace_bars`` is not allowed against
        an ace."""
        if self.settled is not None:
            return self.settled
        return wish & self.wishes & ~(ace_bars if up == 1 else 0)


EVERYTHING = Act.HIT | Act.DOUBLE | Act.SPLIT | Act.SURRENDER


def allowed_first(rules: HouseRules, one: int, two: int) -> Allowed:
    """Return the allowed wishes with the first two cards (rows 12, 15, 20)."""
    if one + two == 11 and 1 in (one, two):
        return Allowed(0, Act.NATURAL)
    return Allowed(_allowed(rules, one, two))


def allowed_after(rules: HouseRules, one: int, two: int) -> Allowed:
    """Return the allowed wishes with two cards of a split hand (rows 12 to 21)."""
    twenty_one = one + two == 11 and 1 in (one, two)
    if twenty_one and rules.split_natural:
        return Allowed(0, Act.NATURAL)
    if twenty_one and not rules.draw_on_21:
        return Allowed(0, Act.BY_ITSELF)
    wishes = _allowed(rules, one, two)
    if not rules.surrender_after_split or one == 1:
        wishes &= ~Act.SURRENDER
    if not rules.double_after_split:
        wishes &= ~Act.DOUBLE
    if one == 1 and not rules.resplit_aces:
        wishes &= ~Act.SPLIT
    if one == 1 and rules.split_aces == "one_card":
        again = two == 1 and rules.resplit_aces
        return Allowed(Act.SPLIT if again else 0, None if again else Act.BY_ITSELF)
    return Allowed(wishes)


def _allowed(rules: HouseRules, one: int, two: int) -> int:
    """Return the wishes allowed for two such cards, split or not."""
    state = state_after(state_after(0, one), two)
    counted = state & 31 if rules.double_soft_low else worth(state)
    wishes = EVERYTHING
    if rules.double == "9-11" and not 9 <= counted <= 11:
        wishes &= ~Act.DOUBLE
    if one != two:
        wishes &= ~Act.SPLIT
    return wishes & ~Act.SURRENDER if rules.surrender == "none" else wishes


def hits(rules: HouseRules, book: Playbook, up: int, state: int) -> bool:
    """Whether a hand of three cards or more hits."""
    total = worth(state)
    if state & 31 < 3 or total == 0 or (total == 21 and not rules.draw_on_21):
        return False
    return book.later(up, state)


def _plays(rules: HouseRules, books: Sequence[Playbook]) -> tuple[Array, Array, Array]:
    first, after = (np.zeros(len(books) * 11 * 256, np.uint8) for _ in range(2))
    later = np.zeros(len(books) * 11 * STATES, np.uint8)
    ace_bars = Act.SURRENDER if rules.surrender == "not_against_ace" else 0
    pairs = [(one, two, allowed_first(rules, one, two), allowed_after(rules, one, two)) for one, two in PAIRS]
    for at, book in enumerate(books):
        for up in UPS:
            row = (at * 11 + up) * 256
            for one, two, at_first, at_split in pairs:
                place = row + one * 16 + two
                first[place] = at_first.of(book.first(up, one, two), up, ace_bars)
                after[place] = at_split.of(book.after(up, one, two), up, ace_bars)
            start = (at * 11 + up) * STATES
            later[start : start + STATES] = [hits(rules, book, up, state) for state in range(STATES)]
    return first, after, later


def table_make(
    rules: HouseRules, books: Sequence[Playbook], cut_from_end: int = CUT_FROM_END_CARDS
) -> Record:
    """Return compiled rules and strategies. A box of the felt names its strategy by its index in
    ``books``."""
    table = _record(TABLE)
    opening, dealer = dealer_tables(rules.soft17)
    first, after, later = _plays(rules, books)
    cards = cards_fresh(rules)
    table.rule[:] = rule_vector(rules, cut_from_end)
    table.first[: len(first)], table.after[: len(after)], table.later[: len(later)] = first, after, later
    table.look[:], table.opening[:], table.dealer[:] = look_table(rules), opening, dealer
    table.score[:] = [worth(state) for state in range(STATES)]
    table.fresh[: len(cards)] = cards
    return table


def _record(layout: np.dtype[Any]) -> Record:
    return np.zeros(1, layout).view(np.recarray)[0]


# -- the felt --------------------------------------------------------------------------------------------


def felt_make(
    bets: Sequence[int],
    stacks: Sequence[int] | None = None,
    *,
    plays: Sequence[int] | None = None,
    insures: Sequence[int] | None = None,
    lines: Sequence[int] | None = None,
) -> Record:
    """Return a felt with bets, and stacks if they are limited, in chips; strategies by index, ``Insures`` by
    box."""
    felt = _record(FELT)
    given = {"bet": bets, "stack": stacks or [MUCH] * len(bets), "play": plays, "insures": insures}
    for name, values in {**given, "line": lines}.items():
        if values is not None:
            getattr(felt, name)[: len(values)] = values
    return felt


def trace_make() -> Record:
    """Return an empty trace."""
    return _record(TRACE)
