"""What each player of a round can still reach: through, out or open, and the chips needed now.

A claim is of the stacks that are settled and of every course of the hands to come (``chances``). In the last
round, where nobody is cut, it is about the places that are paid. How many hands are left at a table is read
from its shoe, which is no part of the state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.protocol import Rules
from tournament.engine.chances import Chance, Reach, chances, needs_chips, reach
from tournament.engine.ranking import Gap, Standing, gap_to_cut
from tournament.engine.settings import HANDS, OUT, round_rules
from tournament.engine.stages import PLAYING, SEATED
from tournament.engine.standing import Ranking, Row, Side
from tournament.engine.state import Stage, State, seats_of

HandsMost = Mapping[str, int | None]
"""Entry → the most hands that its player can still play in the round; None, or no entry: nobody knows."""


@dataclass(frozen=True)
class Need:
    """The chance of one player for the ``seats`` of the round, and the chips needed now, None above them.

    ``prizes``: the seats are paid places (T33), not seats of the next round.
    """

    chance: Chance
    needs_chips: int | None
    seats: int
    gap: Gap | None = None
    prizes: bool = False


def needs(state: State, stage: Stage, ranking: Ranking[Any], hands: HandsMost) -> dict[str, Need]:
    """Return what every player of an open round needs, by entry code; nothing where nothing is played for.

    ``ranking`` is the standing of the stage.
    """
    prizes, rows = ranking.cut_to is None, ranking.rows
    seats = paid_places(state.prizes_cents or ()) if ranking.cut_to is None else ranking.cut_to
    if not seats:
        return {}
    gaps: Mapping[str, Gap | None] = {row.code: row.gap for row in rows}
    if prizes:
        standings = (Standing(row.code, row.chips, row.state.gone, row.no_hand) for row in rows)
        gaps = gap_to_cut(standings, seats)
    rules = round_rules(state.posted.settings, stage.frame.key[0])
    found = _chances(state, stage, ranking, rules, hands, seats)
    made = {}
    for row in rows:
        # T15: a player behind all who have played may still get a prize, so nothing is claimed.
        chance = Chance.ALIVE if prizes and row.no_hand else found[row.code]
        gap = gaps.get(row.code)
        wins = chance == Chance.ALIVE and _may_win(row, stage.status, rules, gap, hands)
        lacks = needs_chips(gap, rules.chip_chips) if wins else None
        made[row.code] = Need(chance, lacks, seats, gap, prizes)
    return made


def _may_win(row: Row, status: str, rules: Rules, gap: Gap | None, hands: HandsMost) -> bool:
    """Whether a player can win what is needed: not with the shoe over, nor below the smallest bet (T13).

    Before the first hand all who start level are tied, which says nothing of anybody.
    """
    if status == SEATED:
        return gap is not None and gap.side == "out"
    return status == PLAYING and row.chips >= rules.min_chips and hands.get(row.code) != 0


def paid_places(prizes_cents: Sequence[int]) -> int:
    """How many places are paid, 0 where a place without a prize lies between them."""
    paid = sum(1 for prize in prizes_cents if prize)
    return paid if all(prizes_cents[:paid]) else 0


def _chances(
    state: State, stage: Stage, ranking: Ranking[Any], rules: Rules, hands: HandsMost, seats: int
) -> dict[str, Chance]:
    if stage.status == SEATED:
        # T6: until the first bet others may still be seated.
        return {row.code: Chance.OUT if row.state.gone else Chance.ALIVE for row in ranking.rows}
    playing, settings = stage.status == PLAYING, state.posted.settings
    if not playing and ranking.cut_to is not None:
        return {row.code: side_chance(row.state) for row in ranking.rows}
    least_chips = state.posted.format.least_to_advance(stage.frame.key[0])
    # T15: once all is counted the ranking itself knows who has played no hand.
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
    """Return the entries that have surely played a hand of the round: a hand has moved their stack (T15)."""
    return frozenset(
        code
        for code, (table, at) in seats_of(stage).items()
        if table.last[at] or table.chips[at] != table.start[at]
    )


def side_chance(side: Side) -> Chance:
    """The chance of a player by the side of the cut in the ranking, a tie that is played off included."""
    if side == Side.ADVANCES:
        return Chance.CLINCHED
    return Chance.OUT if side.under else Chance.ALIVE
