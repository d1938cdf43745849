"""Where everybody stands by the facts: two of these, before and after, are what a preview shows.

| what                                                       | clause   | where               |
|------------------------------------------------------------|----------|---------------------|
| the place of who is out, or has finished                   | T20, T26 | ``_places``         |
| a rank and a side of the cut in a round                    | T20, T23 | ``_in_round``       |
| in a play-off the tied place of its round                  | T23      | ``_in_play_off``    |
| in a sudden death the place inside each group's own places | T34      | ``_in_death``       |
| the prize of a place, as decided or as it stands           | T35      | ``_prizes``         |

The words are those of ``stage_ranking``, which says the same of the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.engine.facts import PLAY_OFF, ROUND, StageKey
from tournament.engine.ranking import Ranked, Standing, rank
from tournament.engine.settings import DIRECTOR
from tournament.engine.stages import CLOSED, COUNTED, FINISHED, LIVE, PLAYING, SEATED
from tournament.engine.state import Stage, State, seats_of, stage_of
from tournament.engine.steps.closing import CUT, ranking
from tournament.engine.steps.cut import cut_of
from tournament.engine.steps.places import (
    ADVANCED,
    disqualified_in,
    money_ties_open,
    places_of_rounds,
    places_so_far,
    play_is_over,
    rounds_of,
)
from tournament.engine.steps.prizes import prizes_now, unheld_now
from tournament.engine.steps.ties import parent_of
from tournament.engine.ties import TieGroup, prizes_by_entry
from tournament.selectors.stage_ranking import State as Word
from tournament.selectors.stage_ranking import open_sides
from tournament.selectors.unclaimed_prize import Unclaimed, unclaimed_by


@dataclass(frozen=True)
class Place:
    """A place in the event, or a rank in the stage that is played; None where there is none yet."""

    number: int | None
    tied: bool = False
    word: str = ""


NOWHERE = Place(None)


@dataclass(frozen=True)
class Stands:
    """The standing of an event: places of players who are out or finished, ranks of the others, all prizes.

    ``counted`` are the tables of the stage that are counted, by number.
    """

    status: str
    places: Mapping[str, Place]
    ranks: Mapping[str, Place]
    prizes: Mapping[str, int]
    ties: tuple[TieGroup, ...]
    unheld: tuple[Unclaimed, ...]
    counted: tuple[int, ...]

    @classmethod
    def of(cls, state: State, key: StageKey | None = None) -> Stands:
        """Return where everybody stands; the ranks are those of the stage ``key``."""
        places, stage = _places(state), stage_of(state, key) if key else None
        ties = tuple(money_ties_open(state)) if play_is_over(state) else ()
        return cls(
            state.status,
            {each.entry: Place(each.place, each.tied) for each in places},
            _ranks(state, stage) if stage else {},
            _prizes(state, places, ties),
            ties,
            _unheld(state),
            tuple(each.table for each in stage.tables if each.status == COUNTED) if stage else (),
        )


def _places(state: State) -> Sequence[Ranked]:
    """Return the decided places; before they are decided, those of the players who play no more."""
    places = state.places or places_so_far(state)
    if state.places or play_is_over(state):
        return places
    cut = {code for stage in state.stages for code, each in stage.results.items() if each.outcome == CUT}
    in_it = {code for code, status in state.entries.items() if status == LIVE and code not in cut}
    for stage in rounds_of(state):
        if stage.status != CLOSED:
            in_it |= seats_of(stage).keys() | disqualified_in(stage)
    return [each for each in places if each.entry not in in_it]


def _prizes(state: State, places: Sequence[Ranked], ties: Sequence[TieGroup]) -> Mapping[str, int]:
    """Return the prizes by code: the decided ones; until then what the places of eliminated players pay."""
    if state.status == FINISHED:
        return prizes_now(state)
    if state.prizes_cents is None:
        return {}
    playing = {code for group in ties for code in group.entries}
    by_place = prizes_by_entry(places, state.prizes_cents)
    return {code: cents for code, cents in by_place.items() if code not in playing}


def _unheld(state: State) -> tuple[Unclaimed, ...]:
    places, sharing = unheld_now(state)
    prizes_cents = state.prizes_cents or ()
    if not places:
        return ()
    cents, others = sum(prizes_cents[place - 1] for place in places), len(places) < len(prizes_cents)
    ruled, shares = (sharing.places, sharing.shares_cents) if sharing else ((), {})
    return tuple(unclaimed_by(places, cents, ruled, shares, others=others))


# Ranks in a stage -------------------------------------------------------------------------------------


def _ranks(state: State, stage: Stage) -> Mapping[str, Place]:
    kind = stage.frame.key[1]
    if kind == ROUND:
        return _in_round(state, stage)
    return _in_play_off(state, stage) if kind == PLAY_OFF else _in_death(state, stage)


def round_open(state: State, stage: Stage) -> tuple[dict[str, Ranked], dict[str, Word]]:
    """Return the rank of everybody in a round that is not closed, and the side of its cut (T20, T24)."""
    ranks = {each.entry: each for each in ranking(state, stage)}
    sides = open_sides(
        ranks.values(),
        cut_of(state, stage),
        stage.frame.cut_to,
        playing=stage.status in (SEATED, PLAYING),
        played_off=state.posted.settings.tie_at_cut != DIRECTOR,
    )
    return ranks, sides


def _in_round(state: State, stage: Stage) -> Mapping[str, Place]:
    ranks, sides = round_open(state, stage)
    return {code: Place(each.place, each.tied, sides[code]) for code, each in ranks.items()}


def _in_play_off(state: State, stage: Stage) -> Mapping[str, Place]:
    parent = stage_of(state, parent_of(stage.frame.key))
    above = {each.entry: each for each in ranking(state, parent)}
    gone = disqualified_in(stage) | disqualified_in(parent)
    words = {ADVANCED: Word.ADVANCES, CUT: Word.OUT}

    def rank_of(code: str) -> Place:
        decided = stage.results.get(code)
        word = words.get(decided.outcome, Word.PLAYING) if decided else Word.PLAYING
        at = above[code]
        return Place(at.place, at.tied, Word.DISQUALIFIED if code in gone else word)

    return {code: rank_of(code) for code in seats_of(stage).keys() | disqualified_in(stage)}


def _in_death(state: State, stage: Stage) -> Mapping[str, Place]:
    seats, before = seats_of(stage), {e.entry: e.place for e in places_of_rounds(state) if not e.out_of_play}
    played = {code: each.place for code, each in stage.results.items() if each.place is not None}
    for group in stage.tie.groups if stage.tie else ():
        held = {code: seats[code][0].chips[seats[code][1]] for code in group.entries}
        level = rank(Standing(code, -1 if code in stage.away else chips) for code, chips in held.items())
        played |= {each.entry: group.places[0] + each.place - 1 for each in level}

    def rank_of(code: str) -> Place:
        if code not in before or code not in played:
            return Place(None, word=Word.DISQUALIFIED)
        rivals = [at for other, at in played.items() if other != code and before.get(other) == before[code]]
        place = before[code] + sum(at < played[code] for at in rivals)
        return Place(place, played[code] in rivals, Word.RANKED if code in stage.results else Word.PLAYING)

    return {code: rank_of(code) for code in seats.keys() | disqualified_in(stage)}
