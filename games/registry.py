"""The installed games. A sheet's name identifies its game; frozen rules name it, except for the first
game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from games.blackjack.game import BLACKJACK
from games.protocol import AnyGame, Rules
from ground.refused import Refused
from ground.words import shown

GAMES: dict[str, AnyGame] = {BLACKJACK.name: BLACKJACK}
_FIRST: AnyGame = BLACKJACK
"""The game of rules and records that name none: they are older than the second game."""


def game_of(rules: Rules) -> AnyGame:
    """Return the game of these rules."""
    return GAMES[rules.game]


def game_of_sheet(sheet: object) -> AnyGame:
    """Return the game that has a sheet of this name; the first game if none has, which refuses it."""
    return next((game for game in GAMES.values() if isinstance(sheet, str) and sheet in game.sheets), _FIRST)


def game_of_snapshot(snapshot: Mapping[str, Any]) -> AnyGame:
    """Return the game of frozen rules. Raises Refused ``unknown_game`` for one that is not installed."""
    name = snapshot.get("game", _FIRST.name)
    if name not in GAMES:
        raise Refused("unknown_game", "The game %(name)s is not played here.", name=shown(name))
    return GAMES[name]


def game_of_record(record: object) -> AnyGame:
    """Return the game of a hand record, by its sheet; the first game for anything else, which refuses it."""
    return game_of_sheet(record.get("rules") if isinstance(record, dict) else None)


def sheets() -> dict[str, Rules]:
    """Return every sheet of every game by its name."""
    return {name: rules for game in GAMES.values() for name, rules in game.sheets.items()}


def sheet_title(name: object) -> str:
    """Return the title of a sheet: ``GGPoker``; its name if it has no title or is not installed."""
    return str(getattr(sheets().get(str(name)), "title", name))


@contextmanager
def played(game: AnyGame) -> Iterator[None]:
    """Install one more game during this block. Its sheets need names of their own."""
    taken = sorted(set(game.sheets) & set(sheets()))
    if taken or game.name in GAMES:
        raise ValueError(f"Another game has {', '.join(taken) or game.name} already.")
    GAMES[game.name] = game
    try:
        yield
    finally:
        del GAMES[game.name]
