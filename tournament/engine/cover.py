"""Check that later facts are possible with the corrected stacks (T17).

| rule                                                          | clause   | where                |
|---------------------------------------------------------------|----------|----------------------|
| every box had what it put up; a bet below the least is all-in | T13, T17 | ``is_covered``       |
| a later hand of a round is no longer covered                  | T17      | ``cover_check``      |
| a later hand decided the chip on a line                       | T17      | ``line_check``       |
| a penalty or a count took chips that are no longer there      | T18, T26 | ``below_zero_check`` |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from ground.refused import Refused
from tournament.engine.facts import BOXES, Boxes, Counted, CountReopened, CountRuled, Fact, Hand, Penalty
from tournament.engine.state import State, TableState, stage_of, table_of

Taking: TypeAlias = Hand | Penalty | Counted | CountRuled | CountReopened
TAKING: Final = (Hand, Penalty, Counted, CountRuled, CountReopened)
"""The facts that take chips from a stack."""


def is_covered(fact: Hand, chips: Boxes, least: int) -> bool:
    """Whether every box had the chips that it put up; a bet below ``least`` must be the whole stack (T13)."""
    return all(_box_covered(fact, at, chips, least) for at in range(BOXES))


def _box_covered(fact: Hand, at: int, chips: Boxes, least: int) -> bool:
    bet, there = fact.bets[at], chips[at]
    return not bet or (fact.put_up[at] <= there and (bet >= least or bet == there))


def cover_check(fact: Hand, there: TableState, now: TableState, least: int) -> None:
    """Refuse ``later_bet_not_covered`` if the corrected stacks do not cover a bet of this hand (T17)."""
    for index in range(BOXES):
        moved = there.chips[index] != now.chips[index]
        if moved and not _box_covered(fact, index, now.chips, least):
            raise Refused(
                "later_bet_not_covered",
                "After this correction %(entry)s would have had %(chips)s chips before hand %(number)s at"
                " table %(table)s of round %(round)s, and had put up %(put_up)s. Correct or void that"
                " hand first.",
                entry=there.entries[index],
                chips=f"{now.chips[index]:,}",
                number=fact.number,
                table=fact.table,
                round=fact.stage[0],
                put_up=f"{fact.put_up[index]:,}",
            )


def line_check(fact: Hand, was: Sequence[Fact], now: Sequence[Fact]) -> None:
    """Refuse ``line_chip_decided`` if this hand decided another chip than the corrected one on the line
    (T17).

    ``was`` and ``now``: the facts before the hand, without and with the correction.
    """
    for box in (at for at in range(BOXES) if fact.bets[at]):
        if _on_line(was, fact, box) != _on_line(now, fact, box):
            raise Refused(
                "line_chip_decided",
                "After this correction another chip lies on the line of box %(box)s, which hand"
                " %(number)s has decided. Void hand %(number)s first.",
                box=box + 1,
                number=fact.number,
            )


def _on_line(log: Sequence[Fact], hand: Hand, box: int) -> int:
    """Return the chip on the line of a box before a hand: the one that its last hand with a bet left
    there."""
    for each in reversed(log):
        # Most hands belong to other tables: compare tables before making the key of each.
        if not isinstance(each, Hand) or each.table != hand.table:
            continue
        if each.bets[box] and each.key[:3] == hand.key[:3]:
            return each.line_chip[box]
    return 0


def below_zero_check(state: State, fact: Taking) -> None:
    """Refuse ``later_bet_not_covered`` if this fact took chips that are no longer in the stack."""
    stage = stage_of(state, fact.stage)
    tables = stage.tables if isinstance(fact, Penalty) else (table_of(stage, fact.table),)
    for table in tables:
        for entry, chips in zip(table.entries, table.chips, strict=True):
            if chips < 0:
                raise Refused(
                    "later_bet_not_covered",
                    "After this correction %(entry)s would be %(chips)s chips short in round %(round)s,"
                    " because of a penalty or a count. Cancel the penalty, or take the count back, first."
                    " Once the round is closed neither is possible, and the hand stands.",
                    entry=entry,
                    chips=f"{-chips:,}",
                    round=fact.stage[0],
                )
