"""The chance of each player in a round, through, out or open, and the chips needed now.

| rule                                                  | clause   | where           |
|-------------------------------------------------------|----------|-----------------|
| a hand changes a stack by its bets, doubled and split | T12, T16 | ``reach``       |
| a stack below the smallest bet plays no more hands    | T13      | ``reach``       |
| through: fewer than the cut can end level or ahead    | T20, T23 | ``chances``     |
| out: as many as the cut end ahead whatever happens    | T20      | ``chances``     |
| a stack below the next round's smallest bet is out    | T20      | ``chances``     |
| a player without a hand is behind all who played      | T15      | ``Reach``       |
| the chips that would be enough now                    | T20, T23 | ``needs_chips`` |

A claim is based on settled stacks and holds for every possible course of the remaining hands.
It does not cover rulings: corrections, penalties in chips, players who leave. No player is called through
or out on an assumption. In the last round, where nobody is cut, a claim is about the paid places. The number
of hands left at a table comes from its shoe, which is not part of the state.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from games.protocol import Rules
from games.registry import game_of
from tournament.engine.advance import Finish, WentOut
from tournament.engine.ranking import Gap, gap_to_cut
from tournament.engine.settings import HANDS, OUT, round_rules
from tournament.engine.stages import PLAYING, SEATED
from tournament.engine.standing import Ranking, Row, Side
from tournament.engine.state import Stage, State, seats_of

HANDS_CLOSE = 9
"""With more hands than this to come, the largest possible stack is computed from the largest win of one
hand."""
BETS_TRIED = 60
"""With more bets than this to choose from, the largest win is computed as if the stack covered every bet."""
HandsMost = Mapping[str, int | None]
"""Entry → the most hands that its player can still play in the round; unknown if None or missing."""


@dataclass(frozen=True)
class Need:
    """The chance of one player to get one of the ``seats``, and the chips needed now; None above the line.

    ``prizes``: the seats are paid places (T33), not seats of the next round.
    """

    chance: Chance
    needs_chips: int | None
    seats: int
    gap: Gap | None = None
    prizes: bool = False


def needs(state: State, stage: Stage, ranking: Ranking[Any], hands: HandsMost) -> dict[str, Need]:
    """Return the need of every player of an open round, by entry code; empty if nothing is at stake.

    ``ranking`` is the standing of the stage.
    """
    prizes, rows = ranking.cut_to is None, ranking.rows
    seats = len(state.prizes_cents or ()) if ranking.cut_to is None else ranking.cut_to
    if not seats:
        return {}
    gaps: Mapping[str, Gap | None] = {row.code: row.gap for row in rows}
    if prizes:
        out = {row.code: WentOut(0, row.chips) for row in rows if row.no_hand}
        ended = (Finish(row.code, row.chips, out.get(row.code), row.state.gone) for row in rows)
        gaps = gap_to_cut(ended, seats)
    rules = round_rules(state.posted.settings, stage.frame.key[0])
    found = _chances(state, stage, ranking, rules, hands, seats)
    made = {}
    for row in rows:
        # T15: a player without a hand may still get a prize, so nothing is claimed about the chance.
        chance = Chance.ALIVE if prizes and row.no_hand else found[row.code]
        gap = gaps.get(row.code)
        wins = chance == Chance.ALIVE and _may_win(row, stage.status, rules, gap, hands)
        lacks = needs_chips(gap, rules.chip_chips) if wins else None
        made[row.code] = Need(chance, lacks, seats, gap, prizes)
    return made


def _may_win(row: Row, status: str, rules: Rules, gap: Gap | None, hands: HandsMost) -> bool:
    """Whether a player can win the needed chips: not if the shoe is over, nor below the smallest bet (T13).

    Before the first hand all players who start level are tied, so nothing is said about them.
    """
    if status == SEATED:
        return gap is not None and gap.side == "out"
    return status == PLAYING and row.chips >= rules.min_chips and hands.get(row.code) != 0


def _chances(
    state: State, stage: Stage, ranking: Ranking[Any], rules: Rules, hands: HandsMost, seats: int
) -> dict[str, Chance]:
    if stage.status == SEATED:
        # T6: until the first bet more players may be seated.
        return {row.code: Chance.OUT if row.state.gone else Chance.ALIVE for row in ranking.rows}
    playing, settings = stage.status == PLAYING, state.posted.settings
    if not playing and ranking.cut_to is not None:
        return {row.code: side_chance(row.state) for row in ranking.rows}
    least_chips = state.posted.format.least_to_advance(stage.frame.key[0])
    # T15: once every table is counted the ranking itself knows the players without a hand.
    unsure = playing and settings.record_mode == HANDS and settings.no_hand == OUT
    played, field = _moved(stage) if unsure else frozenset[str](), []
    for row in ranking.rows:
        left = hands.get(row.code) if playing else 0
        ranked = not row.state.gone and not row.no_hand
        counts = ranked and (not unsure or row.code in played)
        may_count = not row.state.gone and (not row.no_hand or left != 0)
        field.append(Reach(row.code, *reach(rules, row.chips, left), counts, may_count))
    return chances(field, seats, None if ranking.cut_to is None else least_chips)


def _moved(stage: Stage) -> frozenset[str]:
    """Return the entries that have certainly played a hand of the round: a hand has changed their stack
    (T15)."""
    return frozenset(
        code
        for code, (table, at) in seats_of(stage).items()
        if table.last[at] or table.chips[at] != table.start[at]
    )


def side_chance(side: Side) -> Chance:
    """Return the chance of a player by the side of the cut in the ranking; a tie that is played off counts
    too."""
    if side == Side.ADVANCES:
        return Chance.CLINCHED
    return Chance.OUT if side.under else Chance.ALIVE


# The chances of a field of stacks --------------------------------------------------------------------


class Chance(StrEnum):
    """The chance of a player to end above the cut."""

    CLINCHED = "clinched"
    ALIVE = "alive"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Reach:
    """The possible stacks of an entry at the end of the round, in chips; ``most_chips`` None: unlimited.

    ``counts``: the chips certainly count at the cut. ``may_count``: they can count; the chips of a
    disqualified player (T26), or of a player who can play no more hands (T15), cannot.
    """

    entry: str
    least_chips: int
    most_chips: int | None
    counts: bool = True
    may_count: bool = True


def reach(rules: Rules, chips: int, hands: int | None) -> tuple[int, int | None]:
    """Return the smallest and the largest possible stack after at most ``hands`` further hands.

    ``hands`` None: the number of hands to come, or played, is unknown, so there is no limit.
    """
    if hands is None:
        return 0, None
    if not hands or chips < rules.min_chips:
        return chips, chips
    least, most = game_of(rules).net_bounds(rules, rules.max_chips)
    return max(0, chips + hands * least), _most(rules, chips, hands, most)


def _most(rules: Rules, chips: int, hands: int, most: int) -> int:
    """Return the largest possible stack: a small stack covers few doubles and splits, so it cannot win as
    much at once."""
    while 0 < hands <= HANDS_CLOSE:
        won = _won_at_once(rules, chips)
        if won >= most:
            break
        chips, hands = chips + won, hands - 1
    return chips + hands * most


@lru_cache(maxsize=4096)
def _won_at_once(rules: Rules, chips: int) -> int:
    """Return the most that a stack can win in one hand, over all bets that it covers."""
    bounds, largest = game_of(rules).net_bounds, min(rules.max_chips, chips)
    bets = range(rules.min_chips, largest + 1, rules.step_chips)
    if len(bets) > BETS_TRIED:
        return bounds(rules, largest)[1]
    return max(bounds(rules, bet, chips)[1] for bet in bets)


def chances(entries: Iterable[Reach], seats: int, minimum_chips: int | None = None) -> dict[str, Chance]:
    """Return the chance of every entry, by its code, if the ``seats`` largest stacks advance.

    ``minimum_chips``: the minimum stack for advancing (T20), None if there is none. A place level with the
    last seat has not advanced: a tie is played off (T23).
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
    """Return how many chips more would put a player above the cut as it stands; None above it.

    One chip more than the place at the cut: a tie would be played off (T23). If only players below the
    smallest bet are cut: the chips missing to that bet (T20).
    """
    if gap is None or gap.side == "in":
        return None
    return gap.gap_chips + (chip_chips if gap.against_place is not None else 0)
