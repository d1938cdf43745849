"""Blackjack sheets for the plan."""

from __future__ import annotations

from games.blackjack.rules import HouseRules
from games.blackjack.shoe import CUT_FROM_END_CARDS
from games.protocol import Rules
from games.registry import game_of_sheet
from ground.refused import Refused
from ground.words import shown

__all__ = ["CUT_FROM_END_CARDS", "flat_bet", "sheet_make"]


def sheet_make(name: object, *, decks: object = None, options: object = None) -> HouseRules:
    """Return a sheet with these choices. Raises Refused as ``rules_make``, ``not_planned`` for another
    game's."""
    rules: Rules = game_of_sheet(name).rules_make(name, decks=decks, options=options)
    if not isinstance(rules, HouseRules):
        raise Refused("not_planned", "Only blackjack is simulated, not %(name)s.", name=shown(name))
    return rules


def flat_bet(rules: HouseRules) -> int:
    """Return the smallest bet in chips whose halves, and natural, are paid in whole chips (A7, row 23)."""
    over, under = rules.natural_pays
    unit = 2 * under * rules.chip_chips
    bet = rules.min_chips
    while bet % unit and (bet * over % (under * rules.chip_chips) or bet % (2 * rules.chip_chips)):
        bet += rules.step_chips
    return bet
