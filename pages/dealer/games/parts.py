"""Find a game's part of the table's page: the plain part, if the game has none of its own."""

from __future__ import annotations

from games.protocol import Rules
from games.registry import game_of
from pages.dealer.games import blackjack, plain
from pages.dealer.games.part import Part
from tables.models import Deal

PARTS: dict[str, Part] = {"blackjack": blackjack}


def part_of(rules: Rules) -> Part:
    """The part of the game of these rules."""
    return PARTS.get(rules.game, plain)


def fields_of(rules: Rules, deal: Deal) -> dict[str, str]:
    """A recorded hand as the fields of the results form: ``bet-3``, ``out-3`` and the game's own.

    Of a hand that was entered card by card the results are read from its answer.
    """
    bets = {f"bet-{box}": str(chips) for box, chips in deal.bets.items()}
    came = deal.outcomes
    if not came:
        came = game_of(rules).outcomes_of(deal.bets, deal.record or {}, deal.answer or {})
    return bets | part_of(rules).fields(rules, came)
