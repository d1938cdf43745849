"""Find a game's part of the table's page; the default is the plain part."""

from __future__ import annotations

from games.protocol import Rules
from games.registry import game_of
from pages.dealer.games import blackjack, plain
from pages.dealer.games.part import Part
from tables.models import Deal

PARTS: dict[str, Part] = {"blackjack": blackjack}


def part_of(rules: Rules) -> Part:
    """Return the part for the game of these rules."""
    return PARTS.get(rules.game, plain)


def fields_of(rules: Rules, deal: Deal) -> dict[str, str]:
    """Return a recorded hand as fields of the results form: ``bet-3``, ``out-3`` and those of the game.

    For a hand entered card by card, the results come from its answer.
    """
    bets = {f"bet-{box}": str(chips) for box, chips in deal.bets.items()}
    came = deal.outcomes
    if not came:
        came = game_of(rules).outcomes_of(deal.bets, deal.record or {}, deal.answer or {})
    return bets | part_of(rules).fields(rules, came)
