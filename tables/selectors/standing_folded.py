"""Place, rank and prize of every entry in a folded state; a preview compares two of them.

| what                                                       | clause   | where               |
|------------------------------------------------------------|----------|---------------------|
| the place of an entry that is out or has finished          | T20, T26 | ``_places``         |
| a rank and a side of the cut in the stage that is played   | T20, T23 | ``standing``        |
| the prize of a place, as decided or as it stands           | T35      | ``prizes_standing`` |
| prizes of a round as if it were closed now                 | T20, T23 | ``closed_now``      |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournament.engine.ranking import Ranked
from tournament.engine.stages import ADVANCED, CLOSED, CUT, FINISHED, LIVE, PAID
from tournament.engine.standing import standing
from tournament.engine.state import Result, Stage, State, seats_of, with_stage
from tournament.engine.steps.places import (
    disqualified_in,
    money_ties_open,
    places_so_far,
    play_is_over,
    rounds_of,
)
from tournament.engine.steps.prizes import prizes_now
from tournament.engine.ties import TieGroup, prizes_by_entry


@dataclass(frozen=True)
class Place:
    """A place in the event, or a rank in the stage that is played; None where there is none yet."""

    number: int | None
    tied: bool = False
    word: str = ""


NOWHERE = Place(None)


@dataclass(frozen=True)
class Stood:
    """The place, rank and prize of an entry at one moment.

    ``prize_cents`` is None where there is no prize: nothing posted, or the player still plays.
    """

    place: Place = NOWHERE
    rank: Place = NOWHERE
    prize_cents: int | None = None


def stood(state: State, stage: Stage | None = None, boxes: int | None = None) -> dict[str, Stood]:
    """Return place, rank and prize of every entry, by code; the ranks are those of the stage.

    ``boxes``: the number of boxes of the next round; all tied players advance only if each has one (T23).
    """
    rows = standing(state, stage, boxes).rows if stage else ()
    places = {each.entry: Place(each.place, each.tied) for each in _places(state)}
    ranks = {row.code: Place(row.place, row.tied, row.state) for row in rows}
    prizes = prizes_standing(state, ties_for_money(state))
    return {
        code: Stood(places.get(code, NOWHERE), ranks.get(code, NOWHERE), prizes.get(code))
        for code in state.entries
    }


def ties_for_money(state: State) -> Sequence[TieGroup]:
    """Return the ties for money that are open once the last round is over."""
    return money_ties_open(state) if play_is_over(state) else ()


def _places(state: State) -> Sequence[Ranked]:
    """Return the decided places; before that, the places of the players who are out."""
    places = state.places or places_so_far(state)
    if state.places or play_is_over(state):
        return places
    cut = {code for stage in state.stages for code, each in stage.results.items() if each.outcome == CUT}
    in_it = {code for code, status in state.entries.items() if status == LIVE and code not in cut}
    for stage in rounds_of(state):
        if stage.status != CLOSED:
            in_it |= seats_of(stage).keys() | disqualified_in(stage)
    return [each for each in places if each.entry not in in_it]


def prizes_standing(state: State, ties: Sequence[TieGroup] = ()) -> dict[str, int]:
    """Return prizes in cents by code: as decided; before that, what the place of an entry that is out pays.

    Entries in one of ``ties`` are left out: they still play for their prizes.
    """
    if state.status in (FINISHED, PAID):
        return prizes_now(state).whole
    if state.prizes_cents is None:
        return {}
    playing = {code for group in ties for code in group.entries}
    by_place = prizes_by_entry(_places(state), state.prizes_cents)
    return {code: cents for code, cents in by_place.items() if code not in playing}


def closed_now(state: State, stage: Stage, boxes: int | None) -> State:
    """Return the state as if an open round were closed now, counting a tie at its cut as advanced."""
    results = {
        row.code: Result(CUT if row.state.under else ADVANCED, row.place, row.tied, row.chips)
        for row in standing(state, stage, boxes).rows
    }
    return with_stage(state, replace(stage, status=CLOSED, results=results))
