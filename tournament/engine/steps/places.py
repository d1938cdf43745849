"""The places of an event, from its closed rounds.

| rule                                                       | clause   | where                |
|------------------------------------------------------------|----------|----------------------|
| a player without a hand of the round is out of it          | T15      | ``without_hand``     |
| play is over after the last round, or with one player left | T20      | ``play_is_over``     |
| placed by the last round that the player played            | T20      | ``places_so_far``    |
| disqualified: last of the round                            | T26      | ``_result_of``       |
| sudden deaths decide places inside their groups            | T34      | ``places_so_far``    |
| an absent group is still tied, its prizes are split        | T33      | ``money_ties_open``  |
| without an open tie for money every place is decided       | T33      | ``places_settled``   |
| decided places are decided again                           | T26, T31 | ``places_redecided`` |
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from tournament.engine.advance import Finish, WentOut
from tournament.engine.facts import PLAY_OFF, ROUND, SUDDEN_DEATH
from tournament.engine.ranking import Ranked, RoundResult, final_places
from tournament.engine.settings import HANDS, RANKED
from tournament.engine.stages import ADVANCED, CLOSED, DISQUALIFIED, FINISHED, LIVE, PLAYING, RUNNING, SEATED
from tournament.engine.state import Stage, State, seats_of
from tournament.engine.ties import TieGroup, TieResult, money_ties, places_after_ties

from .chips import all_handed_in


def without_hand(state: State, stage: Stage) -> frozenset[str]:
    """Return the players of a counted round who played no hand of it (T15).

    While the round is played, and at a table where no hand was dealt, only absent players are returned.
    Nobody is where hands are not recorded.
    """
    if state.posted.settings.record_mode != HANDS:
        return frozenset()
    over = stage.status not in (SEATED, PLAYING)
    return frozenset(
        entry
        for entry, (table, index) in seats_of(stage).items()
        if table.last[index] is None and (entry in stage.away or (over and table.hands))
    )


def chips_of(stage: Stage) -> dict[str, int]:
    """Return the stacks of the players of a round; of a closed round, those that they ended with."""
    return {
        entry: stage.results[entry].chips if entry in stage.results else table.chips[index]
        for entry, (table, index) in seats_of(stage).items()
    }


def standings_of(state: State, stage: Stage) -> list[Finish]:
    """Return the standings of a round; disqualified players are in it, marked out of play (T26).

    Players who played no hand are out of play too, unless the posted rules rank such a stack like every
    other (T15).
    """
    ranked = state.posted.settings.no_hand == RANKED
    unplayed = frozenset[str]() if ranked else without_hand(state, stage)
    there = [
        Finish(entry, chips, WentOut(0, chips) if entry in unplayed else None)
        for entry, chips in chips_of(stage).items()
    ]
    return [*there, *(Finish(each, 0, disqualified=True) for each in disqualified_in(stage))]


def rounds_of(state: State) -> list[Stage]:
    """Return the rounds of the plan that have been seated, in order."""
    return [stage for stage in state.stages if stage.frame.key[1] == ROUND]


def play_offs_of(state: State, number: int) -> list[Stage]:
    """Return the play-offs of a round that have been seated, in order."""
    return [stage for stage in state.stages if stage.frame.key[:2] == (number, PLAY_OFF)]


def qualified(state: State, stage: Stage) -> list[str]:
    """Return the players who went on from a closed round and are still in the event."""
    return [
        entry
        for entry, result in stage.results.items()
        if result.outcome == ADVANCED and state.entries[entry] == LIVE
    ]


def play_is_over(state: State) -> bool:
    """Whether no further round can be played: the last one is closed, or fewer than two are left in."""
    rounds = rounds_of(state)
    # Nobody goes on from the last round.
    return bool(rounds) and rounds[-1].status == CLOSED and len(qualified(state, rounds[-1])) < 2


def places_so_far(state: State) -> list[Ranked]:
    """Return everybody's place from the rounds that are closed, sudden deaths applied (T20, T34)."""
    return _places_after_ties(state)[0]


def places_of_rounds(state: State) -> list[Ranked]:
    """Return the places before any sudden death; players who tie for money share a place."""
    return final_places(_results(state))


def _places_after_ties(state: State) -> tuple[list[Ranked], list[tuple[Stage, frozenset[str]]]]:
    """Return the places, and every sudden death with the entries that were tied in it."""
    there = [stage for stage in state.stages if stage.frame.key[1] == SUDDEN_DEATH]
    places, about = places_after_ties(places_of_rounds(state), map(_tie_result, there))
    return places, list(zip(there, about, strict=True))


def _tie_result(stage: Stage) -> TieResult:
    placed = {entry: each.place for entry, each in stage.results.items() if each.place is not None}
    return TieResult(
        tuple(frozenset(group.entries) for group in stage.tie.opened) if stage.tie else (), placed
    )


def money_ties_open(state: State) -> list[TieGroup]:
    """Return the ties for money that are not decided yet (T33).

    A group that was absent from its sudden death is still tied, and its prizes are split.
    """
    away, (places, results) = set[str](), _places_after_ties(state)
    for stage, about in results:
        if stage.status == CLOSED and stage.tie:
            away |= stage.tie.absent & stage.results.keys() & about
    groups = money_ties(places, state.prizes_cents or ())
    return [group for group in groups if not away.issuperset(group.entries)]


def _results(state: State) -> list[RoundResult]:
    """Return the closed rounds in order, each with the players who went on from it."""
    results, played_on = list[RoundResult](), set[str]()
    for stage in reversed(rounds_of(state)):
        if stage.status == CLOSED:
            results.insert(0, _result_of(state, stage, played_on))
        played_on |= seats_of(stage).keys() | disqualified_in(stage)
    return results


def round_result(state: State, stage: Stage) -> RoundResult:
    """Return a closed round with the players who have gone on from it, as it stands now."""
    return _results(state)[stage.frame.key[0] - 1]


def _result_of(state: State, stage: Stage, played_on: Collection[str]) -> RoundResult:
    """Return a closed round; ``played_on``: the players who are ranked in a later one (T25, T26).

    A player who advanced counts only if still in the event or ranked later. A player who was
    disqualified between two rounds is last of the round before; during a round, last of that round.
    """
    out = {entry for entry in stage.results if state.entries[entry] == DISQUALIFIED}
    through = frozenset(
        entry
        for entry, each in stage.results.items()
        if each.outcome == ADVANCED and (state.entries[entry] == LIVE or entry in played_on)
    )
    gone = out.difference(played_on)
    ranked = (replace(s, disqualified=s.disqualified or s.entry in gone) for s in standings_of(state, stage))
    return RoundResult(tuple(ranked), through, through & out)


def disqualified_in(stage: Stage) -> set[str]:
    """Return the players disqualified while the stage was played; they are ranked last in it (T26)."""
    return {each.entry for each in stage.gone if each.state == DISQUALIFIED}


def places_redecided(state: State, *, only_with_ties: bool = False) -> State:
    """Decide the places of a finished event again (T26, T31).

    If players are now level over places that pay differently, they play for them, and nobody has a place
    until then (T33). ``only_with_ties``: change the places only in that case.
    """
    if state.status != FINISHED:
        return state
    if money_ties_open(state):
        return replace(state, status=RUNNING, places=())
    return state if only_with_ties else replace(state, places=tuple(places_so_far(state)))


def places_settled(state: State) -> State:
    """Return the state with every place written if play is over and no tie for money is open (T33)."""
    if state.status != RUNNING or state.prizes_cents is None or not play_is_over(state):
        return state
    if any(stage.status != CLOSED for stage in state.stages):
        return state
    if money_ties_open(state):
        return state
    # T20: the only player who advanced still has the carried chips.
    stages, moves = all_handed_in(state, ("settled",))
    return replace(
        state,
        status=FINISHED,
        stages=stages,
        places=tuple(places_so_far(state)),
        moves=(*state.moves, *moves),
    )
