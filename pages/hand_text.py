"""What a game says of its rules, spoken: translated, and its figures written as the house writes them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.protocol import Rules
from games.registry import game_of
from games.said import Chips, Said, Several
from tournament.figures import chips

Row = tuple[str, str]
"""(row or clause, sentence)."""


def hand_rows(rules: Rules) -> list[Row]:
    """Every rule of the hand in the order of play: ``("row 5", "The dealer …")``."""
    return [(said.where, spoken(said)) for said in game_of(rules).posted(rules)]


def spoken(said: object) -> str:
    """A sentence with its figures, several side by side, an amount of chips, or a marked word."""
    if isinstance(said, Said):
        return _(said.text) % {name: spoken(each) for name, each in said.figures.items()}
    if isinstance(said, Several):
        return _several(said)
    if isinstance(said, Chips):
        return chips(said.amount)
    return _(said) if isinstance(said, str) and said else str(said)


def _several(said: Several) -> str:
    parts = [spoken(each) for each in said.parts]
    if not said.last or len(parts) < 2:
        return said.between.join(parts)
    return _(said.last) % {"some": said.between.join(parts[:-1]), "last": parts[-1]}
