"""Simulated players: how they bet, how they play, and a whole deal played by them.

    shoe = shoe_make(seed, decks=6)
    basic = decider_make(rules)
    record = play_out(rules, bets, stacks, shoe, {1: basic, 2: basic}, dealt=1)

Every choice depends only on what the player sees and on a stream of chance, which is an argument.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import length_hint
from typing import Any

from games.blackjack.cards import VALUE
from games.blackjack.event_rules import rules_record
from games.blackjack.legal import hand_legal, insurance_legal
from games.blackjack.play import Decided, Play
from games.blackjack.record import boxes_of
from games.blackjack.rules import HouseRules
from games.blackjack.shoe import Shoe
from games.blackjack.sources import RecordSource
from games.protocol import BetSight
from ground.chance import Stream
from ground.refused import Refused

DECLINE = "decline"
"""The answer that declines an offer of insurance or even money; it is not recorded."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a player sees at a decision: the own hand, the dealer's first card, the legal actions.

    ``after_split``: the hand is one of several.
    """

    seat: int
    cards: tuple[str, ...]
    total: int
    soft: bool
    dealer: str
    bet_chips: int
    actions: tuple[str, ...]
    after_split: bool = False


Decider = Callable[[Sight], str]
"""A function that returns one of ``Sight.actions``."""


# -- basic strategy ----------------------------------------------------------------------------------

UPS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
"""The dealer's first card as points, in the order of the charts below; an ace is 1."""

# One letter per dealer's card 2 … 10, ace. H hit, S stand, D double (else hit), T double (else stand). The
# charts assume a dealer who stands on soft 17 and checks for a natural, and doubles after splits.
HARD = {
    9: "HDDDDHHHHH",
    10: "DDDDDDDDHH",
    11: "DDDDDDDDDH",
    12: "HHSSSHHHHH",
    13: "SSSSSHHHHH",
    14: "SSSSSHHHHH",
    15: "SSSSSHHHHH",
    16: "SSSSSHHHHH",
}
SOFT = {
    12: "HHHHHHHHHH",
    13: "HHHDDHHHHH",
    14: "HHHDDHHHHH",
    15: "HHDDDHHHHH",
    16: "HHDDDHHHHH",
    17: "HDDDDHHHHH",
    18: "STTTTSSHHH",
    19: "SSSSSSSSSS",
}
# P split, - not; the second chart is for rules without doubles after splits.
PAIRS = {
    1: ("PPPPPPPPPP", "PPPPPPPPPP"),
    2: ("PPPPPP----", "--PPPP----"),
    3: ("PPPPPP----", "--PPPP----"),
    4: ("---PP-----", "----------"),
    6: ("PPPPP-----", "-PPPP-----"),
    7: ("PPPPPP----", "PPPPPP----"),
    8: ("PPPPPPPPPP", "PPPPPPPPPP"),
    9: ("PPPPP-PP--", "PPPPP-PP--"),
}
LETTERS = {"H": ("hit",), "S": ("stand",), "D": ("double", "hit"), "T": ("double", "stand")}


@lru_cache(maxsize=64)
def _chart(rules: HouseRules) -> dict[tuple[str, int, int], tuple[str, ...]]:
    """Return the actions in order of preference by kind of hand ("hard", "soft", "pair"), total and dealer's
    points."""
    chart: dict[tuple[str, int, int], tuple[str, ...]] = {}
    for column, up in enumerate(UPS):
        for points in range(4, 22):
            letter = HARD[points][column] if points in HARD else "H" if points < 9 else "S"
            chart["hard", points, up] = (*_given_up(rules, points, up), *_hard(rules, points, up, letter))
        for points in range(12, 22):
            letter = SOFT[points][column] if points in SOFT else "S"
            chart["soft", points, up] = LETTERS[_soft17_soft(rules, points, up, letter)]
        for value, (doubling, without) in PAIRS.items():
            splits = (doubling if rules.double_after_split else without)[column] == "P"
            if splits and not _natural_kills(rules, value, up):
                chart["pair", value, up] = (*_pair_given_up(rules, value, up), "split")
    return chart


def _late_natural(rules: HouseRules, up: int) -> bool:
    """Whether a dealer's natural under ``up`` is only revealed after the doubles and splits (row 22)."""
    return up in (1, 10) and ("A" if up == 1 else "T") not in rules.looks_under


def _hard(rules: HouseRules, points: int, up: int, letter: str) -> tuple[str, ...]:
    if points == 11 and up in (1, 10) and _late_natural(rules, up):
        letter = "H"
    elif points == 11 and up == 1 and rules.soft17 != "stand":
        letter = "D"
    return LETTERS[letter]


def _soft17_soft(rules: HouseRules, points: int, up: int, letter: str) -> str:
    """Return the letter of a soft total if the dealer hits soft 17, which makes two more doubles
    worthwhile."""
    return "T" if rules.soft17 != "stand" and (points, up) in ((18, 2), (19, 6)) else letter


def _natural_kills(rules: HouseRules, value: int, up: int) -> bool:
    """Whether a pair is not split because the dealer may still have a natural: eights against a ten or an
    ace, aces against an ace."""
    return _late_natural(rules, up) and (value == 8 or (value == 1 and up == 1))


def _given_up(rules: HouseRules, points: int, up: int) -> tuple[str, ...]:
    """Return the action "surrender" if this hard total is surrendered against ``up``, else nothing."""
    gives_up = (points == 16 and up in (9, 10, 1)) or (points == 15 and up == 10)
    if rules.soft17 != "stand" and up == 1:
        gives_up = gives_up or points in (15, 17)
    if _late_natural(rules, up) and up == 10:
        # Surrender also saves half the bet from the natural, so one more total is surrendered.
        gives_up = gives_up or points == 14
    return ("surrender",) if gives_up else ()


def _pair_given_up(rules: HouseRules, value: int, up: int) -> tuple[str, ...]:
    return ("surrender",) if value == 8 and up == 1 and rules.soft17 != "stand" else ()


def decider_make(rules: HouseRules, *, insures: bool = False) -> Decider:
    """Return basic strategy for these rules; with ``insures`` it also takes every even money and
    insurance."""
    chart = _chart(rules)

    def decide(sight: Sight) -> str:
        actions = sight.actions
        if DECLINE in actions:
            return actions[-1] if insures else DECLINE
        up = VALUE[sight.dealer]
        for action in _preferences(chart, sight, up):
            if action in actions:
                return action
        return "stand"

    return decide


def _preferences(
    chart: Mapping[tuple[str, int, int], tuple[str, ...]], sight: Sight, up: int
) -> tuple[str, ...]:
    cards = sight.cards
    wishes = chart["soft" if sight.soft else "hard", sight.total, up]
    if len(cards) == 2 and VALUE[cards[0]] == VALUE[cards[1]]:
        return chart.get(("pair", VALUE[cards[0]], up), ()) + wishes
    return wishes


# -- bets --------------------------------------------------------------------------------------------


BetPolicy = Callable[[HouseRules, BetSight, Stream], int]
"""A function that returns a legal bet in whole chips, or 0 if the stack does not cover the minimum (T13)."""

LAST_HANDS = 3


def bet_fit(rules: HouseRules, stack_chips: int, wish_chips: int) -> int:
    """Return the largest legal bet up to ``wish_chips``, at least the minimum; 0 if the stack is below
    that."""
    if stack_chips < rules.min_chips:
        return 0
    most = min(rules.max_chips, stack_chips)
    return max(rules.min_chips, min(wish_chips, most) // rules.step_chips * rules.step_chips)


def _minimum(rules: HouseRules, sight: BetSight, stream: Stream) -> int:
    return bet_fit(rules, sight.stack_chips, rules.min_chips)


def _maximum(rules: HouseRules, sight: BetSight, stream: Stream) -> int:
    return bet_fit(rules, sight.stack_chips, rules.max_chips)


def _ten_percent(rules: HouseRules, sight: BetSight, stream: Stream) -> int:
    return bet_fit(rules, sight.stack_chips, sight.stack_chips // 10)


def _catch_up(rules: HouseRules, sight: BetSight, stream: Stream) -> int:
    """Bet the minimum until three hands are left, then the gap to the target and one step."""
    late = sight.hands_left is not None and sight.hands_left <= LAST_HANDS
    gap = sight.target_chips - sight.stack_chips
    wish = gap + rules.step_chips if late and gap >= 0 else rules.min_chips
    return bet_fit(rules, sight.stack_chips, _up_to_step(rules, wish))


def _protect_lead(rules: HouseRules, sight: BetSight, stream: Stream) -> int:
    """As leader, cover what the nearest rival can win. Behind, copy the leader's bet when betting after
    them."""
    if sight.stack_chips <= sight.rival_chips:
        return bet_fit(rules, sight.stack_chips, sight.rival_bet_chips or rules.min_chips)
    rival_win = sight.rival_bet_chips
    if rival_win is None:
        rival_win = bet_fit(rules, sight.rival_chips, rules.max_chips)
    behind = sight.rival_chips + rival_win - sight.stack_chips
    return bet_fit(rules, sight.stack_chips, _up_to_step(rules, behind + rules.step_chips))


def _last_hand(rules: HouseRules, sight: BetSight, stream: Stream) -> int:
    """On the last hand bet to pass the target if possible; otherwise keep enough chips to win if the rival
    loses."""
    if sight.hands_left != 1:
        return _minimum(rules, sight, stream)
    needed = _up_to_step(rules, sight.target_chips - sight.stack_chips + rules.step_chips)
    if needed <= min(rules.max_chips, sight.stack_chips):
        return bet_fit(rules, sight.stack_chips, needed)
    rival_bet = sight.rival_bet_chips
    if rival_bet is None:
        rival_bet = bet_fit(rules, sight.rival_chips, rules.max_chips)
    rival_low = sight.rival_chips - rival_bet
    return bet_fit(rules, sight.stack_chips, sight.stack_chips - rival_low - rules.step_chips)


def _mixed(rules: HouseRules, sight: BetSight, stream: Stream) -> int:
    """Use one of the other policies, chosen anew for each bet."""
    names = [name for name in BET_POLICIES if name != "mixed"]
    return _POLICIES[names[stream.below(len(names))]](rules, sight, stream)


def _up_to_step(rules: HouseRules, chips: int) -> int:
    return -(-chips // rules.step_chips) * rules.step_chips


_POLICIES: dict[str, BetPolicy] = {
    "minimum": _minimum,
    "maximum": _maximum,
    "ten_percent": _ten_percent,
    "catch_up": _catch_up,
    "protect_lead": _protect_lead,
    "last_hand": _last_hand,
    "mixed": _mixed,
}
BET_POLICIES = tuple(_POLICIES)


def bet_policy(name: str) -> BetPolicy:
    """Return one of ``BET_POLICIES``. Raises Refused ``unknown_policy``."""
    if name not in _POLICIES:
        raise Refused(
            "unknown_policy",
            "There is no betting policy %(name)s; choose %(bet_policies)s.",
            name=f"{name!r}",
            bet_policies=", ".join(BET_POLICIES),
        )
    return _POLICIES[name]


# -- characters --------------------------------------------------------------------------------------

INSURES_ONE_IN = 8
"""One player in this many takes every insurance and even money."""


@dataclass(frozen=True, slots=True)
class Player:
    """A simulated player: how they bet, and whether they take insurance and even money."""

    policy: str
    insures: bool


def player_make(stream: Stream) -> Player:
    """Return a player with randomly chosen habits."""
    policy = BET_POLICIES[stream.below(len(BET_POLICIES))]
    return Player(policy, stream.below(INSURES_ONE_IN) == 0)


@lru_cache(maxsize=8)
def decider_of(rules: HouseRules, insures: bool) -> Decider:
    """Return the cached decider of a player."""
    return decider_make(rules, insures=insures)


# -- a whole deal ------------------------------------------------------------------------------------


class _ShoeSource(RecordSource):
    """Cards from a shoe and decisions from players, recorded as they come."""

    __slots__ = ("_left", "deciders", "offers")

    def __init__(self, shoe: Shoe, dealt: int, deciders: Mapping[int, Decider]) -> None:
        left = iter(shoe.cards[dealt:])
        super().__init__(left, [])
        self._left = left
        self.deciders = deciders
        self.offers: list[int] | None = None

    def left(self) -> int:
        """The number of cards left in the shoe."""
        return length_hint(self._left)

    def insurance(self, play: Play) -> Decided | None:
        """Ask every box that may insure or take even money, once each."""
        if self.offers is None:
            self.offers = [box.seat for box in play.boxes] if play.dealer[0][0] == "A" else []
        while self.offers:
            box = play.box_of(self.offers.pop(0))
            offered = {offer.action: offer.max_chips for offer in insurance_legal(play, box)}
            if offered:
                word = self._ask(play, box.seat, 0, (DECLINE, *offered))
                if word != DECLINE:
                    return self._written(box.seat, word, offered[word])
        return None

    def decision(self, play: Play) -> Decided:
        """Ask the box whose turn it is."""
        box = play.box
        assert box is not None
        offered = {offer.action: offer for offer in hand_legal(play, box, box.hands[play.hand_at])}
        action = self._ask(play, box.seat, play.hand_at, tuple(offered))
        most = offered[action].max_chips if action == "double" else None
        return self._written(box.seat, action, most if most != box.bet else None)

    def _ask(self, play: Play, seat: int, hand_at: int, actions: tuple[str, ...]) -> str:
        box = play.box_of(seat)
        hand = box.hands[hand_at]
        sight = Sight(
            seat, tuple(hand.cards), hand.total, hand.soft, play.dealer[0], box.bet, actions, hand.split
        )
        action = self.deciders[seat](sight)
        if action not in actions:
            raise Refused(
                "unknown_action",
                "The player in box %(seat)s chose %(action)s out of %(actions)s.",
                seat=seat,
                action=f"{action!r}",
                actions=actions,
            )
        return action

    def _written(self, seat: int, action: str, amount: int | None) -> Decided:
        decision: dict[str, Any] = {"seat": seat, "action": action}
        if amount is not None:
            decision["amount"] = amount
        self.decisions.append(decision)
        self.at += 1
        return seat, action, amount, None, None


def play_out(
    rules: HouseRules,
    bets: Mapping[int, int],
    stacks: Mapping[int, int] | None,
    shoe: Shoe,
    deciders: Mapping[int, Decider],
    *,
    dealt: int,
) -> dict[str, Any]:
    """Return the hand record of one deal from ``shoe``; ``dealt`` cards, including the burned one, are gone
    already.

    Afterwards ``dealt + len(record["cards"])`` cards are gone. Raises Refused as ``deal_start`` does, and
    ``shoe_empty`` if the cards run out.
    """
    opening: dict[str, Any] = {"bets": {str(seat): chips for seat, chips in sorted(bets.items())}}
    if stacks is not None:
        opening["stacks"] = {str(seat): chips for seat, chips in sorted(stacks.items())}
    source = _ShoeSource(shoe, dealt, deciders)
    try:
        Play(rules, boxes_of(opening, rules), source).run()
    except StopIteration:
        raise Refused("shoe_empty", "The shoe has no cards left for this deal; shuffle a new one.") from None
    used = len(shoe.cards) - dealt - source.left()
    return {
        **rules_record(rules),
        **opening,
        "cards": list(shoe.cards[dealt : dealt + used]),
        "decisions": source.decisions,
    }
