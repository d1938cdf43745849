"""The players who advance from a counted round, and those who are tied at its line.

| rule                                              | clause   | where               |
|---------------------------------------------------|----------|---------------------|
| the entries that advance, by any rule             | F10–F17  | ``advance.advance`` |
| a player without a hand of the round is out of it | T15      | ``_session``        |
| the winners of a decided tie advance              | T23      | ``_decided``        |
| all tied players advance if the rules say so      | T23      | ``tie_method``      |
| winners and losers of the tie of a closed round   | T23      | ``contested_in``    |
| the correct cut, once a hand was corrected        | T17      | ``cut_differs``     |
| a replaced player is in no cut; the seat of a     | T25, T26 | ``cut_differs``     |
| disqualified player stays empty                   |          |                     |
"""

from __future__ import annotations

from collections.abc import Collection

from tournament.engine.advance import Advance, Advanced, Decided, Finish, advance
from tournament.engine.facts import CutDiffers, StageKey
from tournament.engine.settings import ALL_ADVANCE
from tournament.engine.settings import PLAY_OFF as PLAYED_OFF
from tournament.engine.stages import ADVANCED, CLOSED, DISQUALIFIED
from tournament.engine.state import Stage, State, seats_of, stage_of

from .places import play_offs_of, round_result, standings_of


def cut_of(state: State, stage: Stage, without: Collection[str] = (), boxes: int | None = None) -> Advanced:
    """Return the players who advance from a round, and its ties; nobody advances from the last round.

    Decided ties are applied. A closed round is cut by its final stacks. ``without``: entries to leave out.
    ``boxes``: the number of boxes in the next round, if it is known.
    """
    there = frozenset(seats_of(stage)) - set(without)
    ruled, decided = _decided(state, stage, there), _given(stage, there)
    decided += ruled
    found = _advance(state, stage, without, decided)
    while found.ties and not ruled and tie_method(state, stage, found, boxes) == ALL_ADVANCE:
        decided += [Decided(frozenset(tie.entries), frozenset(tie.entries)) for tie in found.ties]
        found = _advance(state, stage, without, decided)
    return found


def tie_method(state: State, stage: Stage, found: Advanced, boxes: int | None = None) -> str:
    """Return how the tie at this cut is decided (T23).

    All advance only if there are boxes for all; otherwise it is played off, and a play-off that has begun
    goes on.
    """
    method = state.posted.settings.tie_at_cut
    if method != ALL_ADVANCE:
        return method
    fits = boxes is None or len(found.through) + len(found.level) <= boxes
    return method if fits and not play_offs_of(state, stage.frame.key[0]) else PLAYED_OFF


def contested_in(state: State, stage: Stage) -> tuple[frozenset[str], frozenset[str]]:
    """Return the winners and the losers of a tie at the cut that was played off or ruled on (T23).

    Both are empty if all tied players advanced. A replacement has not won the seat, and nobody has lost it to
    one (T25).
    """
    if not (stage.rulings or play_offs_of(state, stage.frame.key[0])):
        return frozenset(), frozenset()
    chosen = _given(stage, frozenset(seats_of(stage)))
    settled = [e for e in cut_of(state, stage).settled if e.winners < e.level and e not in chosen]
    given = {each.by for each in stage.results.values()}
    tied = frozenset(code for each in settled for code in each.level) - given
    won = frozenset(code for code in tied if stage.results[code].outcome == ADVANCED)
    return won, tied - won


def cut_differs(state: State, key: StageKey) -> CutDiffers:
    """Compare the cut by the corrected hands with the players who went on from a round (T17).

    The result is empty if the seats of the next round do not stand. A replaced qualifier is in no cut, since
    the next-ranked player has the seat (T25). A disqualified player who had been cut is in none either; one
    who had gone on leaves the seat empty (T26).
    """
    stage = stage_of(state, key) if key in state.at else None
    if stage is None or stage.by_hands is None:
        return CutDiffers()
    ended = stage.results.items()
    advanced = {entry for entry, each in ended if each.outcome == ADVANCED}
    out = {entry for entry in stage.results if state.entries[entry] == DISQUALIFIED} - advanced
    now = cut_of(state, stage, out | {entry for entry, each in ended if each.by is not None})
    above = set(now.entries)
    level = {entry for tie in now.ties for entry in tie.entries}
    missed, extra = above - advanced, round_result(state, stage).advanced - above - level
    if not (missed or level):
        # More players may have advanced than there were seats (T23): nobody loses a place by it.
        extra -= {each.by for _entry, each in ended}
    return CutDiffers(tuple(sorted(missed)), tuple(sorted(extra)), tuple(sorted(level)), now.seats)


def cut_by_stacks(state: State, stage: Stage) -> Advanced:
    """Return the cut of a round by the stacks alone, without play-offs and rulings (T20)."""
    return _advance(state, stage, (), ())


def _advance(state: State, stage: Stage, without: Collection[str], decided: Collection[Decided]) -> Advanced:
    rules, number = state.posted.format, stage.frame.key[0]
    rule, sessions = rules.of(number).advance or Advance(), [_session(state, stage, without)]
    return advance(rule, sessions, rules.least_to_advance(number), decided)


def _decided(state: State, stage: Stage, there: frozenset[str]) -> list[Decided]:
    """Return the rulings on the tie of a round and its closed play-offs, the latest first.

    A player who has left since counts neither as level nor as a winner (T26).
    """
    played = (each for each in reversed(play_offs_of(state, stage.frame.key[0])) if each.status == CLOSED)
    decided = [*stage.rulings, *(Decided(frozenset(seats_of(each)), _winners(each)) for each in played)]
    return [Decided(each.level & there, each.winners & there) for each in decided]


def _given(stage: Stage, there: frozenset[str]) -> list[Decided]:
    """Return the replacements of qualifiers, as winners among the players level for the seat (T25)."""
    given = [each for each in stage.results.values() if each.by]
    return [Decided(each.level & there, frozenset({each.by or ""}) & there) for each in given]


def _winners(play_off: Stage) -> frozenset[str]:
    """Return the winners of a play-off by its hands, whichever players went on from it."""
    if play_off.by_hands is not None:
        return play_off.by_hands
    return frozenset(entry for entry, each in play_off.results.items() if each.outcome == ADVANCED)


def _session(state: State, stage: Stage, without: Collection[str]) -> dict[int, list[Finish]]:
    """Return each player's result by table; a player without a hand is out of the round (T15)."""
    seats, tables = seats_of(stage), dict[int, list[Finish]]()
    for each in standings_of(state, stage):
        if each.entry in seats and each.entry not in without:
            tables.setdefault(seats[each.entry][0].table, []).append(each)
    return tables
