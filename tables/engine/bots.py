"""Simulated players: how they bet, how they play, and a whole deal played by them.

    shoe = shoe_make(seed, decks=6)
    record = play_out(rules, bets, stacks, shoe, {1: strategy, 2: strategy}, dealt=1)
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tables.engine.rules import HouseRules
from tables.engine.shoe import Shoe
from tournament.engine.draw import Stream


@dataclass(frozen=True, slots=True)
class Sight:
    """What a player sees when asked: the own hand, the dealer's first card, what is allowed."""

    seat: int
    cards: tuple[str, ...]
    total: int
    soft: bool
    dealer: str
    bet_chips: int
    actions: tuple[str, ...]


Decider = Callable[[Sight], str]
"""Gives one of ``Sight.actions``."""


@dataclass(frozen=True, slots=True)
class BetSight:
    """What a player sees before betting. ``target_chips``: the stack at the rank that has to be reached over
    the whole field; ``rival_chips``: the nearest rival's stack; ``rival_bet_chips``: the rival's bet if it
    lies already; ``hands_left``: None if nobody knows."""

    stack_chips: int
    target_chips: int
    rival_chips: int
    rival_bet_chips: int | None = None
    hands_left: int | None = None


BetPolicy = Callable[[HouseRules, BetSight, Stream], int]
"""Gives a legal bet in whole chips, or 0 if the stack does not cover the minimum."""


def decider_make(rules: HouseRules) -> Decider:
    """Basic strategy for these rules."""
    raise NotImplementedError


def bet_policy(name: str) -> BetPolicy:
    """"minimum", "maximum", "ten_percent", "catch_up", "protect_lead", "last_hand" or "mixed"."""
    raise NotImplementedError


BET_POLICIES = ("minimum", "maximum", "ten_percent", "catch_up", "protect_lead", "last_hand", "mixed")


def play_out(
    rules: HouseRules,
    bets: Mapping[int, int],
    stacks: Mapping[int, int] | None,
    shoe: Shoe,
    deciders: Mapping[int, Decider],
    *,
    dealt: int,
) -> dict[str, Any]:
    """The hand record of one deal from ``shoe``, whose first ``dealt`` cards are gone (the burned one counts).

    Afterwards ``dealt + len(record["cards"])`` cards are gone.
    """
    raise NotImplementedError
