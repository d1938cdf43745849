"""Basic strategy, computed for any sheet and its options; no chart is written down here.

For each card of the dealer and each two first cards, the dealer's chances are computed from the shoe without
those three; from them follow the values of standing, hitting, doubling, splitting and surrendering, in first
bets. A cell of the strategy is a total: the best action on average over the pairs of cards with that total.

Neglected effects change a value by less than 0.001 of a bet: the change of the dealer's chances by the third
and later cards of a hand, the addition of the effects of removed cards, and the cards of other hands of a
split box.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from games.blackjack.rules import HouseRules
from plan.blackjack.dealer import NATURAL, OVER, Counts, Results, counts_of, dealer_results, without
from plan.blackjack.playbook import UPS, VALUES, Act
from plan.blackjack.states import is_soft, state_after, worth

NEVER = -9.0
"""The value of an action that the sheet does not allow."""
MANY_HANDS = 4
"""The number of splits that are looked ahead if a sheet sets no limit."""


@dataclass(frozen=True, slots=True)
class Worth:
    """The values of two cards against the dealer's card, in first bets, by action."""

    stand: float
    hit: float
    double: float
    surrender: float
    split: float = NEVER

    @property
    def best(self) -> float:
        """The value of the best action."""
        return max(self.stand, self.hit, self.double, self.surrender, self.split)

    def wish(self) -> int:
        """The wishes in the order in which a playbook's are tried."""
        found = int(Act.HIT) if self.hit > self.stand else int(Act.STAND)
        rest = max(self.hit, self.stand)
        if self.double > rest:
            found |= Act.DOUBLE
        if self.split > max(rest, self.double):
            found |= Act.SPLIT
        if self.surrender > max(rest, self.double, self.split):
            found |= Act.SURRENDER
        return found


# -- the dealer's chances --------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _effects(decks: int, up: int, soft17: str) -> tuple[Results, tuple[Results, ...]]:
    """Return the dealer's chances, and their change by each removed card."""
    counts = without(counts_of(decks), up)
    plain = dealer_results(counts, up, soft17)
    gone = (dealer_results(without(counts, points), up, soft17) for points in VALUES)
    return plain, tuple(tuple(a - b for a, b in zip(each, plain, strict=True)) for each in gone)


def dealer_chances(rules: HouseRules, up: int, *gone: int) -> Results:
    """Return the dealer's chances with these cards gone besides ``up``; after the dealer's check, if there is
    one."""
    plain, effects = _effects(rules.decks, up, rules.soft17)
    found = [each + sum(effects[points - 1][at] for points in gone) for at, each in enumerate(plain)]
    if not looks(rules, up):
        return tuple(found)
    none = 1 - found[NATURAL]
    return (*(each / none for each in found[:NATURAL]), 0.0)


def looks(rules: HouseRules, up: int) -> bool:
    """Whether the dealer checks for a natural before play (row 4)."""
    return (up == 1 and "A" in rules.looks_under) or (up == 10 and "T" in rules.looks_under)


def card_chances(rules: HouseRules, counts: Counts, up: int) -> list[float]:
    """Return the chances of the next card; a check without a natural says what the hole card is not."""
    left = sum(counts)
    if not looks(rules, up):
        return [count / left for count in counts]
    barred = counts[(10 if up == 1 else 1) - 1]
    others = (left - 1 - barred) / ((left - 1) * (left - barred))
    return [
        count / (left - 1) if points + up == 11 else count * others for points, count in enumerate(counts, 1)
    ]


# -- one hand --------------------------------------------------------------------------------------------


class Hand:
    """The values of hands that begin with certain cards against ``up``; ``gone``: cards known to be out."""

    def __init__(self, rules: HouseRules, up: int, *gone: int) -> None:
        self.rules = rules
        self.results = dealer_chances(rules, up, *gone)
        self.next = card_chances(rules, without(counts_of(rules.decks), up, *gone), up)
        self.original = rules.late_natural == "original"
        self._stand = [self._stood(total) for total in range(22)]
        self._drawn: dict[int, float] = {}

    def _stood(self, total: int) -> float:
        """Return the value of a bet that stands, without the loss to a dealer's natural."""
        chances = self.results
        less = chances[OVER] + sum(chances[at] for at in range(1, 6) if at + 16 < total)
        return less - sum(chances[at] for at in range(1, 6) if at + 16 > total)

    def stand(self, state: int, bets: float = 1.0, at_risk: float = 1.0) -> float:
        """Return the value of standing. ``at_risk``: bets that a natural found after play takes (row 22)."""
        total = worth(state)
        return bets * self._stand[total] - at_risk * self.results[NATURAL] if total else -bets

    def hit(self, state: int) -> float:
        """Return the value of drawing a card and playing on optimally."""
        if state not in self._drawn:
            self._drawn[state] = sum(
                chance * self.go_on(state_after(state, points)) for points, chance in enumerate(self.next, 1)
            )
        return self._drawn[state]

    def go_on(self, state: int) -> float:
        """Return the value of the better of standing and hitting."""
        total = worth(state)
        stood = self.stand(state)
        return stood if total == 0 or total == 21 else max(stood, self.hit(state))

    def double(self, state: int) -> float:
        """Return the value of doubling: two bets and one card."""
        at_risk = 1.0 if self.original else 2.0
        return sum(
            chance * self.stand(state_after(state, points), 2.0, at_risk)
            for points, chance in enumerate(self.next, 1)
        )


def doubles(rules: HouseRules, one: int, two: int) -> bool:
    """Whether two such cards may be doubled (row 12)."""
    state = state_of(one, two)
    return rules.double == "any" or 9 <= (state & 31 if rules.double_soft_low else worth(state)) <= 11


def gives_up(rules: HouseRules, up: int) -> bool:
    """Whether a hand may be surrendered against ``up`` (row 20)."""
    return rules.surrender == "late" or (rules.surrender == "not_against_ace" and up != 1)


def state_of(*cards: int) -> int:
    """Return the state of some cards."""
    state = 0
    for points in cards:
        state = state_after(state, points)
    return state


def _worth(rules: HouseRules, up: int, one: int, two: int) -> Worth:
    """Return the values of two first cards, without splits."""
    hand, state = Hand(rules, up, one, two), state_of(one, two)
    return Worth(
        stand=hand.stand(state),
        hit=hand.hit(state),
        double=hand.double(state) if doubles(rules, one, two) else NEVER,
        surrender=-0.5 if gives_up(rules, up) else NEVER,
    )


# -- splits ----------------------------------------------------------------------------------------------


def split_worth(rules: HouseRules, up: int, points: int) -> float:
    """Return the value of splitting two such cards, with resplits (rows 14 to 19)."""
    hand = Hand(rules, up, points, points)
    begun = {card: _split_hand(rules, hand, up, points, card) for card in VALUES}
    again = hand.next[points - 1]
    others = sum(hand.next[card - 1] * begun[card] for card in VALUES if card != points)
    more = min(rules.max_hands or MANY_HANDS, MANY_HANDS) - 2
    if points == 1 and not rules.resplit_aces:
        more = 0

    @cache
    def value(hands: int, splits: int) -> float:
        if hands == 0:
            return 0.0
        kept = others + (1 - again) * value(hands - 1, splits)
        pair = begun[points] + value(hands - 1, splits)
        return kept + again * (max(pair, value(hands + 1, splits - 1)) if splits else pair)

    # In hands after a split a late natural may take only the one bet.
    return value(2, more) - (hand.results[NATURAL] if hand.original else 0.0)


def _split_hand(rules: HouseRules, hand: Hand, up: int, points: int, card: int) -> float:
    """Return the value of a split hand after its second card, not split again."""
    state = state_of(points, card)
    back = hand.results[NATURAL] if hand.original else 0.0
    if {points, card} == {1, 10} and rules.split_natural:
        over, under = rules.natural_pays
        return over / under * (1 - hand.results[NATURAL])
    if points == 1 and rules.split_aces == "one_card":
        return hand.stand(state) + back
    found = [hand.stand(state), hand.hit(state)]
    if rules.double_after_split and doubles(rules, points, card):
        found.append(hand.double(state))
    if rules.surrender_after_split and points != 1 and gives_up(rules, up):
        found.append(-0.5)
    return max(found) + back


# -- the strategy ----------------------------------------------------------------------------------------


class Basic:
    """The best strategy by totals for a sheet: a ``Playbook``. ``worths``: by dealer's card and two cards."""

    def __init__(self, rules: HouseRules) -> None:
        self.rules = rules
        self.pairs = {(up, points): _pair_worth(rules, up, points) for up in UPS for points in VALUES}
        self.totals = {(up, key): _mean(rules, up, cards) for up in UPS for key, cards in _makings().items()}

    def worth_of(self, up: int, one: int, two: int) -> Worth:
        """Return the values of two cards: a pair's own, else those of its total."""
        if one == two:
            return self.pairs[up, one]
        state = state_of(one, two)
        return self.totals[up, (is_soft(state), worth(state))]

    def first(self, up: int, one: int, two: int) -> int:
        """Return the wishes with the first two cards."""
        return 0 if {one, two} == {1, 10} else self.worth_of(up, one, two).wish()

    def after(self, up: int, one: int, two: int) -> int:
        """Return the wishes with two cards of a split hand."""
        found = self.worth_of(up, one, two)
        if {one, two} == {1, 10}:
            return Act.STAND
        may_double = self.rules.double_after_split
        may_give_up = self.rules.surrender_after_split and one != 1
        return Worth(
            found.stand,
            found.hit,
            found.double if may_double else NEVER,
            found.surrender if may_give_up else NEVER,
            found.split,
        ).wish()

    def later(self, up: int, state: int) -> bool:
        """Whether a hand of three cards or more hits."""
        total = worth(state)
        if total >= 20 and not is_soft(state):
            return False
        found = self.totals.get((up, (is_soft(state), total)))
        return found is not None and found.hit > found.stand


Total = tuple[bool, int]
"""Soft or hard, and the points."""


@lru_cache(maxsize=1)
def _makings() -> dict[Total, list[tuple[int, int]]]:
    """Return the two cards that make each total; pairs only if nothing else does."""
    found: dict[Total, list[tuple[int, int]]] = {}
    for pairs in (False, True):
        for one in VALUES:
            for two in range(one, 11):
                state = state_of(one, two)
                key = (is_soft(state), worth(state))
                if (one == two) == pairs and not (pairs and key in found):
                    found.setdefault(key, []).append((one, two))
    return found


def _mean(rules: HouseRules, up: int, cards: list[tuple[int, int]]) -> Worth:
    """Return the average values of a total over the cards that make it."""
    counts = without(counts_of(rules.decks), up)
    weights = [counts[one - 1] * counts[two - 1] for one, two in cards]
    worths = [_worth(rules, up, one, two) for one, two in cards]

    def mean(name: str) -> float:
        rows = zip(weights, worths, strict=True)
        return sum(weight * float(getattr(each, name)) for weight, each in rows) / sum(weights)

    return Worth(mean("stand"), mean("hit"), mean("double"), mean("surrender"))


def _pair_worth(rules: HouseRules, up: int, points: int) -> Worth:
    found = _worth(rules, up, points, points)
    split = split_worth(rules, up, points)
    return Worth(found.stand, found.hit, found.double, found.surrender, split)


@lru_cache(maxsize=32)
def basic_strategy(rules: HouseRules) -> Basic:
    """Return the strategy for the rules of an event, from a cache."""
    return Basic(rules)
