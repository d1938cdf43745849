"""Rulings: chips of a penalty, and a tie at the cut that the director decides.

| fact                 | clause | step                  |
|----------------------|--------|-----------------------|
| ``Penalty``          | T26    | ``penalty``           |
| ``PenaltyCancelled`` | T26    | ``penalty_cancelled`` |
| ``TieRuled``         | T23    | ``tie_ruled``         |
| ``CutStands``        | T17    | ``cut_stands``        |

A warning and a skipped hand are not facts: they change nothing in the state, and each hand records which
boxes sat it out.
"""

from __future__ import annotations

from dataclasses import replace

from tournament.engine.advance import Decided
from tournament.engine.facts import CutStands, Penalty, PenaltyCancelled, TieRuled
from tournament.engine.stages import CLOSED
from tournament.engine.state import (
    BANK,
    PENALTY,
    REVERSAL,
    STACK,
    Differs,
    State,
    Steps,
    put,
    seats_of,
    stage_of,
    with_stage,
    with_table,
)

from . import ties
from .chips import transaction
from .cut import cut_differs, cut_of
from .places import play_offs_of


def penalty(state: State, fact: Penalty) -> State:
    """Move the chips from the stack to the bank of the table."""
    return _moved(state, PENALTY, fact, -fact.chips)


def penalty_cancelled(state: State, fact: PenaltyCancelled) -> State:
    """Return the chips to the stack."""
    return _moved(state, REVERSAL, fact, fact.chips)


def _moved(state: State, kind: str, fact: Penalty | PenaltyCancelled, chips: int) -> State:
    stage = stage_of(state, fact.stage)
    table, index = seats_of(stage)[fact.entry]
    stacks = put(table.chips, index, table.chips[index] + chips)
    source = ("penalty", fact.stage, fact.entry, fact.nth)
    moves = transaction(kind, source, BANK, [(STACK, fact.stage, fact.entry, chips)])
    return with_stage(state, with_table(stage, replace(table, chips=stacks)), moves)


def tie_ruled(state: State, fact: TieRuled) -> State:
    """Let these of the level players advance; the ruling ends an open play-off."""
    stage, winners = stage_of(state, fact.stage), frozenset(fact.advance)
    level = fact.level or cut_of(state, stage).level
    if not level:
        return with_stage(state, stage, (), (Differs("tie", sorted(winners), []),))
    ruling = Decided(frozenset(level), winners)
    ruled = with_stage(state, replace(stage, rulings=(ruling, *stage.rulings)))
    for each in play_offs_of(ruled, fact.stage[0]):
        if each.status != CLOSED:
            return ties.abandoned(ruled, each.frame.key, winners)
    return ruled


def cut_stands(state: State, fact: CutStands) -> State:
    """Let the cut stand, for exactly the entries that the corrected hands put on the other side of it."""
    should = cut_differs(state, fact.stage)
    differs = () if fact.differs == should else (Differs("cut", fact.differs.body(), should.body()),)
    return with_stage(state, replace(stage_of(state, fact.stage), stands=fact.differs), (), differs)


STEPS: Steps = {
    Penalty: penalty,
    PenaltyCancelled: penalty_cancelled,
    TieRuled: tie_ruled,
    CutStands: cut_stands,
}
