"""Whether a player is through, out or still in it while a round is played.

| rule                                                  | clause   | where           |
|-------------------------------------------------------|----------|-----------------|
| a hand changes a stack by its bets, doubled and split | T12, T16 | ``reach``       |
| a stack below the smallest bet plays no more hands    | T13      | ``reach``       |
| through: fewer than the cut can end level or ahead    | T20, T23 | ``chances``     |
| out: as many as the cut end ahead whatever happens    | T20      | ``chances``     |
| a stack below the next round's smallest bet is out    | T20      | ``chances``     |
| a player without a hand is behind all who played      | T15      | ``Reach``       |
| the chips that would be enough now                    | T20, T23 | ``needs_chips`` |

A claim holds for every course that the hands can take from here. Rulings are outside it: corrections, chips
given or taken as a penalty, players who leave. Nobody is called through or out who could only be assumed so.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from games.protocol import Rules
from games.registry import game_of
from tournament.engine.ranking import Gap

HANDS_CLOSE = 9
"""With more hands to come the most of a stack is taken from the largest win of a hand alone."""
BETS_TRIED = 60
"""With more bets than this to choose from, the largest win is taken as if the stack covered everything."""


class Chance(StrEnum):
    """What a player's chance of a place above the cut is."""

    CLINCHED = "clinched"
    ALIVE = "alive"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Reach:
    """The stacks that an entry can still end a round with, in chips; ``most_chips`` None: without a bound.

    ``counts``: the chips certainly count at the cut. ``may_count``: they can count, which those of a
    disqualified player (T26), or of one who can play no hand any more (T15), cannot.
    """

    entry: str
    least_chips: int
    most_chips: int | None
    counts: bool = True
    may_count: bool = True


def reach(rules: Rules, chips: int, hands: int | None) -> tuple[int, int | None]:
    """The least and the most that a stack can be after at most ``hands`` further hands.

    ``hands`` None: nobody knows how many there are, or what has been played, so there is no bound.
    """
    if hands is None:
        return 0, None
    if not hands or chips < rules.min_chips:
        return chips, chips
    least, most = game_of(rules).net_bounds(rules, rules.max_chips)
    return max(0, chips + hands * least), _most(rules, chips, hands, most)


def _most(rules: Rules, chips: int, hands: int, most: int) -> int:
    """A small stack covers few doubles and splits: it cannot win at once what a large one can."""
    while 0 < hands <= HANDS_CLOSE:
        won = _won_at_once(rules, chips)
        if won >= most:
            break
        chips, hands = chips + won, hands - 1
    return chips + hands * most


@lru_cache(maxsize=4096)
def _won_at_once(rules: Rules, chips: int) -> int:
    """The most that a stack can win in one hand, over all bets that it covers."""
    bounds, largest = game_of(rules).net_bounds, min(rules.max_chips, chips)
    bets = range(rules.min_chips, largest + 1, rules.step_chips)
    if len(bets) > BETS_TRIED:
        return bounds(rules, largest)[1]
    return max(bounds(rules, bet, chips)[1] for bet in bets)


def chances(entries: Iterable[Reach], seats: int, minimum_chips: int | None = None) -> dict[str, Chance]:
    """The chance of every entry, by its code, where the ``seats`` largest stacks are through.

    ``minimum_chips``: the stack below which nobody goes on (T20), None where nobody is held back. A place
    level with the last seat is not through: a tie is played off (T23).
    """
    field = list(entries)
    most = sorted(_upper(each) for each in field if each.may_count)
    least = sorted(each.least_chips for each in field if each.counts)

    def chance(each: Reach) -> Chance:
        upper, lower = _upper(each), each.least_chips
        level_or_ahead = len(most) - bisect_left(most, lower) - each.may_count
        ahead = len(least) - bisect_right(least, upper)
        enough = minimum_chips is None or lower >= minimum_chips
        if not each.may_count or (minimum_chips is not None and upper < minimum_chips) or ahead >= seats:
            return Chance.OUT
        return Chance.CLINCHED if each.counts and enough and level_or_ahead < seats else Chance.ALIVE

    return {each.entry: chance(each) for each in field}


def _upper(each: Reach) -> float:
    return math.inf if each.most_chips is None else each.most_chips


def needs_chips(gap: Gap | None, chip_chips: int) -> int | None:
    """How many chips more would put a player above the cut as it stands; None above it.

    One chip more than the place at the cut has: level with it, the tie would be played off (T23). Where
    nobody is cut but those below the smallest bet, what lacks to that bet (T20).
    """
    if gap is None or gap.side == "in":
        return None
    return gap.gap_chips + (chip_chips if gap.against_place is not None else 0)
