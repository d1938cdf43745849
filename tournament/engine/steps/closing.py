"""Closing a stage: the ranking of a round, its cut, and who keeps the chips.

| rule                                          | clause  | where            |
|-----------------------------------------------|---------|------------------|
| most chips first, ties share the lower number | T1, T20 | ``ranking.rank`` |
| the entries that advance                      | F10–F17 | ``cut.cut_of``   |
| an entry that is out hands in its chips       | T20     | ``closed``       |
| an entry that advances keeps carried chips    | T22     | ``closed``       |
| the close is compared with the recorded one   | T17     | ``closed``       |
| a tie that was played                         | T19     | ``ties.closed``  |
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from tournament.engine.facts import ROUND, Closed
from tournament.engine.ranking import rank
from tournament.engine.stages import ADVANCED, CLOSED, CUT, DISQUALIFIED, ONLY_RANKED
from tournament.engine.state import Differs, Move, Result, Stage, State, Steps, seats_of, stage_of, with_stage

from . import ties
from .chips import handed_in, of_stage
from .cut import cut_of
from .desk import with_entries
from .leaving import vacated
from .places import chips_of, places_settled, standings_of


def closed(state: State, fact: Closed) -> State:
    """Fix the ranking and the cut. Players who are out hand in their chips (T19, T20)."""
    if fact.stage[1] != ROUND:
        return ties.closed(state, fact)
    stage, number = stage_of(state, fact.stage), fact.stage[0]
    had = chips_of(stage)
    state, stage, taken = without_disqualified(state, stage, fact.out)
    by_hands = frozenset(each.entry for each in cut_of(state, stage).through)
    through = sorted(fact.through if fact.pinned else by_hands)
    differs = () if sorted(fact.through) == through else (Differs("through", sorted(fact.through), through),)
    results = dict[str, Result]()
    for each in rank(standings_of(state, stage)):
        outcome = _outcome(stage, each.entry in through)
        results[each.entry] = Result(outcome, each.place, each.tied, had.get(each.entry, 0))
    keeps = set(through) if state.posted.format.is_carried_into(number + 1) else set()
    shut = replace(stage, status=CLOSED, results=results, by_hands=by_hands if fact.pinned else None)
    shut, moves = handed_in(shut, results.keys() - keeps, of_stage(fact.stage))
    return places_settled(with_stage(state, shut, taken + moves, differs))


def without_disqualified(
    state: State, stage: Stage, entries: Collection[str]
) -> tuple[State, Stage, tuple[Move, ...]]:
    """Return the state and a round without entries that were disqualified after it was first closed (T26)."""
    there = [entry for entry in entries if entry in seats_of(stage)]
    left, moves = handed_in(stage, there, of_stage(stage.frame.key))
    for entry in there:
        left = vacated(left, entry, DISQUALIFIED)
    gone = with_entries(state, dict.fromkeys(entries, DISQUALIFIED))
    return with_stage(gone, left), left, moves


def _outcome(stage: Stage, advances: bool) -> str:
    if stage.frame.cut_to is None:
        return ONLY_RANKED
    return ADVANCED if advances else CUT


STEPS: Steps = {Closed: closed}
