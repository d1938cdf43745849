"""A counted round, and the presses that close it."""

from __future__ import annotations

from tests.cast.factories import new_key
from tests.cast.floor import hand, play_and_count, seated, shoe_of
from tests.cast.worlds import kept
from tournament.engine.facts import key_of
from tournament.engine.state import stage_of
from tournament.models import Round
from tournament.selectors.stages import state_of

CUTS = {"cut_after_round_1": 3, "cut_after_round_2": 2}


def address(round_, tail: str = "") -> str:
    return f"/staff/{round_.event.slug}/rounds/{round_.pk}/{tail}"


def ended_with(round_: Round) -> dict[str, int]:
    """Entry → the chips that it has ended a stage with."""
    ended = stage_of(state_of(round_.event), key_of(round_)).results
    return {code: each.chips for code, each in ended.items()}


def press(client, round_, do, **fields):
    return client.post(address(round_), {"do": do, "key": new_key(), **fields})


@kept
def counted(entrants: int = 5, *, tied: bool = False, **settings) -> Round:
    """Round 1 at one table, counted: three of five advance; ``tied``: three are tied for two of the seats."""
    round_ = seated(entrants, **{**CUTS, **settings})
    bets = {1: 800, 2: 400, 3: 400, 4: 400, 5: 200} if tied else {1: 1000, 2: 800, 3: 600, 4: 400, 5: 200}
    hand(shoe_of(round_), bets, **{f"b{box}": "win" for box in bets})
    play_and_count(round_)
    return round_
