"""The games that are played here. A sheet's name says its game; frozen rules name it, but for the first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from games.blackjack.game import BLACKJACK
from games.protocol import AnyGame, Rules
from ground.refused import Refused
from ground.words import gettext_noop as _
from ground.words import shown

GAMES: dict[str, AnyGame] = {BLACKJACK.name: BLACKJACK}
_FIRST: AnyGame = BLACKJACK
"""Whose rules and records those are that name no game: of before there was a second one."""


def game_of(rules: Rules) -> AnyGame:
    """The game of these rules."""
    return GAMES[rules.game]


def game_of_sheet(sheet: object) -> AnyGame:
    """The game that has a sheet of this name; for one that nobody has, the first, which refuses it."""
    return next((game for game in GAMES.values() if isinstance(sheet, str) and sheet in game.sheets), _FIRST)


def game_of_snapshot(snapshot: Mapping[str, Any]) -> AnyGame:
    """The game of frozen rules. Raises Refused ``unknown_game`` for one that is not played here."""
    name = snapshot.get("game", _FIRST.name)
    if name not in GAMES:
        raise Refused("unknown_game", _("The game %(name)s is not played here."), name=shown(name))
    return GAMES[name]


def game_of_record(record: object) -> AnyGame:
    """The game of a hand record, by its sheet; of what is no record, the first, which says so."""
    return game_of_sheet(record.get("rules") if isinstance(record, dict) else None)


def sheets() -> dict[str, Rules]:
    """Every sheet of every game by its name."""
    return {name: rules for game in GAMES.values() for name, rules in game.sheets.items()}


def sheet_title(name: object) -> str:
    """The proper name of a sheet: ``GGPoker``; the name itself of one that has no other, or is not here."""
    return str(getattr(sheets().get(str(name)), "title", name))


@contextmanager
def played(game: AnyGame) -> Iterator[None]:
    """While it lasts one more game is played here. Its sheets are named as no other's."""
    taken = sorted(set(game.sheets) & set(sheets()))
    if taken or game.name in GAMES:
        raise ValueError(f"Another game has {', '.join(taken) or game.name} already.")
    GAMES[game.name] = game
    try:
        yield
    finally:
        del GAMES[game.name]
