"""Closing a round: its ranking, its cut, and who keeps the chips.

| rule                                              | clause   | where              |
|---------------------------------------------------|----------|--------------------|
| most chips first, ties share the lower number     | T1, T20  | ``ranking.rank``   |
| who goes on                                       | F10–F17  | ``advance.advance``|
| no hand of the round played: out of it            | T15      | ``without_hand``   |
| chips of who is out are handed in                 | T20      | ``closed``         |
| who advances keeps them only where carried        | T22      | ``closed``         |
| the close is compared with what was written       | T17      | ``_differs``       |
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from tournament.engine.advance import Finish, WentOut, advance
from tournament.engine.facts import Closed
from tournament.engine.ranking import Ranked, Standing, rank
from tournament.engine.stages import CLOSED
from tournament.engine.state import (
    Differs,
    Result,
    Stage,
    State,
    Steps,
    seats_of,
    stage_of,
    with_stage,
)

from .chips import handed_in, of_stage
from .places import ADVANCED, places_settled, without_hand

CUT, ONLY_RANKED = "cut", "ranked"


def closed(state: State, fact: Closed) -> State:
    """The ranking and the cut are fixed, and the chips of who is out are handed in (T19, T20)."""
    plan, stage = state.posted, stage_of(state, fact.stage)
    number = fact.stage[0]
    unplayed = without_hand(state, stage)
    through, differs = _through(state, stage, unplayed, fact)
    cuts = stage.frame.cut_to is not None
    results = {
        each.entry: Result(
            (ADVANCED if each.entry in through else CUT) if cuts else ONLY_RANKED,
            each.place,
            each.tied,
            each.chips,
        )
        for each in ranking(stage, unplayed)
    }
    keeps = set(through) if plan.format.is_carried_into(number + 1) else set()
    shut = replace(stage, status=CLOSED, results=results)
    shut, moves = handed_in(shut, results.keys() - keeps, of_stage(fact.stage))
    return places_settled(with_stage(state, shut, moves, differs))


def ranking(stage: Stage, unplayed: Collection[str]) -> list[Ranked]:
    """Return the places of everybody who is ranked in a round, best first (T20)."""
    return rank(
        Standing(entry, table.chips[index], no_hand=entry in unplayed)
        for entry, (table, index) in seats_of(stage).items()
    )


def _through(
    state: State, stage: Stage, unplayed: Collection[str], fact: Closed
) -> tuple[tuple[str, ...], tuple[Differs, ...]]:
    """Return who goes on, and where that is not what was written (F10–F17, T20)."""
    plan, number = state.posted, fact.stage[0]
    rule = plan.format.rounds[number - 1].advance
    if rule is None:
        return (), _differs(fact, ())
    found = advance(rule, [_session(stage, unplayed)], plan.format.least_to_advance(number))
    through = tuple(each.entry for each in found.through)
    return through, _differs(fact, through)


def _session(stage: Stage, unplayed: Collection[str]) -> dict[int, list[Finish]]:
    """Return the tables of a round with how everybody ended; without a hand one is out of it (T15)."""
    tables: dict[int, list[Finish]] = {}
    for entry, (table, index) in seats_of(stage).items():
        chips = table.chips[index]
        out = WentOut(0, chips) if entry in unplayed else None
        tables.setdefault(table.table, []).append(Finish(entry, chips, out))
    return tables


def _differs(fact: Closed, through: Collection[str]) -> tuple[Differs, ...]:
    said, should = sorted(fact.through), sorted(through)
    return () if said == should else (Differs("through", said, should),)


STEPS: Steps = {Closed: closed}
