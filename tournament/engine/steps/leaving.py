"""Entries that leave the event, and the event that is called off.

| rule                                                     | clause  | where            |
|----------------------------------------------------------|---------|------------------|
| the chips are handed in, all of them in one transaction  | T7, T26 | ``left``         |
| the box of a stage that is not closed is free again      | T7      | ``left``         |
| a player ranked in a closed stage stays ranked           | T7, T20 | ``left``         |
| a player who left a stage before is not marked again     | T6, T25 | ``left``         |
| two counts that agree without the player count the table | T18     | ``left``         |
| withdrawn, with or without the buy-in                    | T7      | ``withdrawn``    |
| a no-show                                                | T6      | ``no_show``      |
| disqualified: last of the round, those behind move up    | T26     | ``disqualified`` |
| the event is called off: every chip is handed in         | T8      | ``called_off``   |
"""

from __future__ import annotations

from dataclasses import replace

from tournament.engine.facts import SUDDEN_DEATH, CalledOff, Disqualified, NoShow, Withdrawn
from tournament.engine.stages import CALLED_OFF, CLOSED, DISQUALIFIED, NO_SHOW, WITHDRAWN
from tournament.engine.state import (
    EMPTY,
    Differs,
    Gone,
    Stage,
    State,
    Steps,
    put,
    seats_of,
    with_more,
    with_table,
)

from . import ties
from .chips import all_handed_in
from .counts import compare_again
from .desk import with_entries
from .money import given_back
from .places import places_redecided, places_settled, places_so_far


def left(state: State, entry: str, status: str) -> State:
    """Take an entry out of the event: its chips are handed in, its boxes become free."""
    stages, moves = all_handed_in(state, ("left", entry), {entry})
    after = replace(with_entries(state, {entry: status}), stages=stages, moves=moves)
    for stage in stages:
        seat = seats_of(stage).get(entry)
        if seat is not None and stage.status != CLOSED:
            after = with_more(after, vacated(stage, entry, status), ())
            after = compare_again(after, stage.frame.key, seat[0].table)
    return after


def vacated(stage: Stage, entry: str, status: str) -> Stage:
    """Return the stage without this player, whose stack is empty already."""
    table, index = seats_of(stage)[entry]
    gone = Gone(entry, table.table, index + 1, table.start[index], table.last[index], status)
    freed = with_table(stage, replace(table, entries=put(table.entries, index, EMPTY)))
    return replace(freed, away=freed.away - {entry}, gone=(*freed.gone, gone))


def withdrawn(state: State, fact: Withdrawn) -> State:
    """Withdraw the player (T7); with fewer than two players left nothing more is played."""
    after = left(state, fact.entry, WITHDRAWN)
    if fact.refund_cents:
        after = given_back(after, fact.entry, fact.refund_cents)
    return places_settled(after)


def no_show(state: State, fact: NoShow) -> State:
    """Free the box and hand in the chips; only a ruling refunds the buy-in (T6)."""
    after = left(state, fact.entry, NO_SHOW)
    return given_back(after, fact.entry, fact.refund_cents) if fact.refund_cents else after


def disqualified(state: State, fact: Disqualified) -> State:
    """Take the stack out of play; the place is the last of the round, and there is no prize (T26).

    A tie goes on without the player, and players behind move up, also if places were decided already.
    """
    place = place_held(state, fact.entry)
    after = ties.without(left(state, fact.entry, DISQUALIFIED), fact.entry, place)
    if place != fact.place:
        after = replace(after, differs=(*after.differs, Differs("place", fact.place, place)))
    return places_settled(places_redecided(after))


def place_held(state: State, entry: str) -> int:
    """Return the place that an entry holds or shares now; the place after everybody if it has none."""
    stage = ties.tie_open(state)
    if stage is not None and stage.tie is not None and stage.frame.key[1] == SUDDEN_DEATH:
        for group in stage.tie.groups:
            if entry in group.entries:
                return group.places[0]
        decided = stage.results.get(entry)
        if decided is not None and decided.place is not None:
            return decided.place
    places = {each.entry: each.place for each in places_so_far(state)}
    return places.get(entry, len(places) + 1)


def called_off(state: State, fact: CalledOff) -> State:
    """Hand in every chip; the rounds stay as they are (T8)."""
    stages, moves = all_handed_in(state, ("called_off",))
    return replace(state, status=CALLED_OFF, stages=stages, moves=moves, differs=())


STEPS: Steps = {
    Withdrawn: withdrawn,
    NoShow: no_show,
    Disqualified: disqualified,
    CalledOff: called_off,
}
