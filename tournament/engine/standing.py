"""The standing of a stage, from the state of its event: the only ranking that pages and previews show.

| rule                                                       | clause   | where             |
|------------------------------------------------------------|----------|-------------------|
| a player who advances stands above the line, tie or not    | T20      | ``_ordered``      |
| winners and losers of a tie, also while it is played       | T23      | ``_with_tie``     |
| a qualifier who left has not advanced, the replacement has | T25      | ``_closed_rows``  |
| a player without a hand is behind all others               | T15      | ``standings_of``  |
| fewer than the cut: nobody stands above a line             | T24      | ``_sides``        |
| the line runs below the players tied at it                 | T20, T23 | ``cut_line``      |
| disqualified, between two rounds too: last of the round    | T26      | ``_closed_rows``  |
| an absent player is behind everybody who plays for the tie | T33      | ``_in_tie``       |
| each tie group is ranked only inside its own places        | T34      | ``_sudden_death`` |

A place is the one in the stage, as posted: the loser of a play-off keeps the tied place (T23). Only
in sudden death it is the place in the event, which the players play for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Generic, TypeVar

from tournament.engine.advance import Advanced, Finish
from tournament.engine.facts import PLAY_OFF, SUDDEN_DEATH
from tournament.engine.ranking import Gap, Ranked, gap_to_cut, rank
from tournament.engine.settings import DIRECTOR
from tournament.engine.stages import (
    ADVANCED,
    CLOSED,
    COUNTED,
    CUT,
    DISQUALIFIED,
    NO_SHOW,
    PLAYING,
    PLAYING_OFF,
    SEATED,
    WITHDRAWN,
)
from tournament.engine.state import Stage, State, seats_of, stage_of
from tournament.engine.steps.cut import contested_in, cut_of
from tournament.engine.steps.places import (
    places_of_rounds,
    play_offs_of,
    round_result,
    rounds_of,
    standings_of,
)
from tournament.engine.steps.ties import parent_of
from tournament.engine.ties import TieGroup


class Side(StrEnum):
    """The side of the cut on which a player stands, or how the player left; *out* has not advanced.

    T25: a qualifier whose seat was given to another is *replaced*, or *taken out* if nobody could take it.
    The reason is not shown; it may have been an error.
    """

    PLAYING = "playing"
    ABOVE = "above"
    UNCUT = "uncut"
    LEVEL = "level"
    BELOW = "below"
    ADVANCES = "advances"
    PLAYS_OFF = "plays_off"
    TIED = "tied"
    OUT = "out"
    RANKED = "ranked"
    REPLACED = "replaced"
    TAKEN_OUT = "taken_out"
    WITHDREW = "withdrew"
    NO_SHOW = "no_show"
    DISQUALIFIED = "disqualified"

    @property
    def under(self) -> bool:
        """Whether the row stands below the cut line."""
        return self in (Side.BELOW, Side.OUT) or self.gone

    @property
    def gone(self) -> bool:
        """Whether the player has left the event otherwise than by play."""
        return self in _LEFT


_LEFT = (Side.REPLACED, Side.TAKEN_OUT, Side.WITHDREW, Side.NO_SHOW, Side.DISQUALIFIED)
_GONE = {WITHDRAWN: Side.WITHDREW, NO_SHOW: Side.NO_SHOW, DISQUALIFIED: Side.DISQUALIFIED}
_ENDED = {ADVANCED: Side.ADVANCES, CUT: Side.OUT}
AT_LINE = (Side.LEVEL, Side.TIED, Side.PLAYS_OFF)
"""The sides of players who are tied at the cut line."""


class Tie(StrEnum):
    """The result of a tie at the cut: the player won or lost a seat, or all tied players advance (T23)."""

    NONE = ""
    WON = "won"
    LOST = "lost"
    ALL = "all"


@dataclass(frozen=True)
class Row:
    """One player in a stage. ``place`` is None for a player who left or never came (T6).

    ``gap`` to the cut line while the round is open, None if it is not measured. ``absent``: the stack stays
    on the table (T15). ``no_hand``: the player is out because they played no hand of the round (T15).
    ``short``: a seat was free, but the chips do not cover the minimum bet of the next round (T20).
    """

    code: str
    place: int | None
    tied: bool
    chips: int
    state: Side
    absent: bool = False
    gap: Gap | None = None
    tie: Tie = Tie.NONE
    no_hand: bool = False
    short: bool = False


R = TypeVar("R", bound=Row)


@dataclass(frozen=True)
class Ranking(Generic[R]):
    """The standing of a stage: the players above the line, at it and below it, in that order.

    ``seats``: how many the tied players contest, 0 if none. ``groups``: the ties for money that are still
    played. ``not_ranked``: the players who left or never came. ``empty``: the number of seats of advancing
    players that nobody took (T25, T26).
    """

    cut_to: int | None
    rows: tuple[R, ...]
    seats: int = 0
    groups: tuple[TieGroup, ...] = ()
    not_ranked: tuple[R, ...] = ()
    empty: int = 0

    @cached_property
    def above(self) -> tuple[R, ...]:
        """The entries that advance, or would advance now."""
        return self._of(Side.ADVANCES, Side.ABOVE, Side.UNCUT)

    @cached_property
    def level(self) -> tuple[R, ...]:
        """The entries that are tied at the cut line while the tie is not decided."""
        return self._of(*AT_LINE)

    @cached_property
    def below(self) -> tuple[R, ...]:
        """The entries below the line: cut, or gone after they had advanced."""
        return self._of(Side.BELOW, Side.OUT, Side.REPLACED, Side.TAKEN_OUT, Side.WITHDREW)

    @cached_property
    def nobody_cut(self) -> bool:
        """T24: whether the round has a cut, but nobody would be cut now."""
        return self.cut_to is not None and cut_line(self) is None and len(self.in_play) <= self.cut_to

    @cached_property
    def in_play(self) -> tuple[R, ...]:
        """The players that the stage ranks by chips: without those who left or played no hand."""
        return tuple(row for row in self.rows if not row.state.gone and not row.no_hand)

    def _of(self, *sides: Side) -> tuple[R, ...]:
        return tuple(row for row in self.rows if row.state in sides)


@dataclass(frozen=True)
class CutLine:
    """The cut line in a ranking: it runs below the first ``at`` rows.

    ``level_from``: the number of rows above the first tied player, if tied players stand above the line; else
    None (T23). ``under``: whether a player below it is still in the event.
    """

    at: int
    level_from: int | None
    under: bool


def cut_line(ranking: Ranking[Any]) -> CutLine | None:
    """Return the cut line of a round, open or closed (T20); None if nobody is cut."""
    above, level = len(ranking.above), len(ranking.level)
    if ranking.cut_to is None or not (ranking.below or level):
        return None
    # T15: a player who has played no hand is not tied, and stands below the line.
    under = any(row.state.under and not row.state.gone for row in ranking.rows)
    return CutLine(above + level, above if level else None, under)


def standing(state: State, stage: Stage, boxes: int | None = None) -> Ranking[Row]:
    """Return the standing of a round, a play-off or sudden death in any status.

    ``boxes``: how many the next round has, if all tied players advance only if there is a box for each (T23).
    """
    if stage.frame.key[1] == PLAY_OFF:
        return _play_off(state, stage, boxes)
    if stage.frame.key[1] == SUDDEN_DEATH:
        return _sudden_death(state, stage)
    replaced, cut_to = _replaced(state), stage.frame.cut_to
    left = sorted((e.entry, e.state) for e in stage.gone if e.state != DISQUALIFIED)
    missing = tuple(Row(entry, None, False, 0, _left(state, entry, how, replaced)) for entry, how in left)
    if stage.status != CLOSED:
        rows, seats = _open_rows(state, stage, boxes)
        return Ranking(cut_to, _ordered(rows), seats, not_ranked=missing)
    rows = _closed_rows(state, stage, replaced)
    empty = _seats_left_empty(state, stage, rows, replaced)
    return Ranking(cut_to, _ordered(rows), not_ranked=missing, empty=empty)


# A round ----------------------------------------------------------------------------------------------


def _replaced(state: State) -> dict[str, str]:
    """Return the replaced entries and their replacements; empty text if nobody could take the seat (T25)."""
    ended = (pair for stage in rounds_of(state) for pair in stage.results.items())
    return {entry: each.by for entry, each in ended if each.by is not None}


def _left(state: State, entry: str, gone: str, replaced: Mapping[str, str]) -> Side:
    """Return how a player left; if another entry was to get the seat, the status depends on it (T25, T26)."""
    if gone != WITHDRAWN:
        return _GONE[gone]
    if entry not in replaced:
        return Side.NO_SHOW if state.entries[entry] == NO_SHOW else Side.WITHDREW
    if state.entries[entry] == DISQUALIFIED:
        return Side.DISQUALIFIED
    return Side.REPLACED if replaced[entry] else Side.TAKEN_OUT


def _seats_left_empty(state: State, stage: Stage, rows: Iterable[Row], replaced: Mapping[str, str]) -> int:
    """T25, T26: return how many players advanced, left before the next round and were not replaced."""
    through = [row for row in rows if stage.results[row.code].outcome == ADVANCED]
    out = {row.code for row in through if row.state == Side.DISQUALIFIED} - replaced.keys()
    for later in rounds_of(state)[stage.frame.key[0] :]:
        out -= seats_of(later).keys() | {each.entry for each in later.gone}
    return len(out) + sum(row.state == Side.TAKEN_OUT for row in through)


def _closed_rows(state: State, stage: Stage, replaced: Mapping[str, str]) -> list[Row]:
    """Return the rows of a closed round: outcomes are frozen, but players who left since do not advance (T25,
    T26)."""
    ended = round_result(state, stage)

    def side(ranked: Ranked) -> Side:
        outcome = stage.results[ranked.entry].outcome
        if ranked.out_of_play:
            return Side.DISQUALIFIED
        if outcome == ADVANCED and ranked.entry not in ended.advanced:
            return _left(state, ranked.entry, WITHDRAWN, replaced)
        return _ENDED.get(outcome, Side.RANKED)

    won, lost = contested_in(state, stage)
    ties = dict.fromkeys(won, Tie.WON) | dict.fromkeys(lost, Tie.LOST)
    through = sum(each.outcome == ADVANCED for each in stage.results.values())
    least = state.posted.format.held_back(stage.frame.key[0], through)
    rows = (_row(each, side(each), least=least) for each in rank(ended.standings))
    return [replace(row, tie=ties.get(row.code, Tie.NONE)) for row in rows]


def _row(each: Ranked, side: Side, *, least: int, absent: bool = False, gap: Gap | None = None) -> Row:
    short = side == Side.OUT and each.chips < least
    row = Row(each.entry, each.place, each.tied, each.chips, side, absent, gap)
    return replace(row, no_hand=each.no_hand, short=short)


def _open_rows(state: State, stage: Stage, boxes: int | None) -> tuple[list[Row], int]:
    """Return the rows of an open round, with the tie so far, and the number of contested seats."""
    cut_to, standings = stage.frame.cut_to, standings_of(state, stage)
    cut = cut_of(state, stage, boxes=boxes)
    least = state.posted.format.least_to_advance(stage.frame.key[0])
    gaps = gap_to_cut(standings, cut_to, least) if cut_to is not None else {}
    decided, ranked = _decided(state, stage, cut), rank(standings)
    sides = _sides(state, stage, ranked, cut) | decided
    held = state.posted.format.held_back(stage.frame.key[0], len(cut.entries) + len(cut.level))
    rows = [
        _row(each, sides[each.entry], least=held, absent=each.entry in stage.away, gap=gaps.get(each.entry))
        for each in ranked
    ]
    won = {code for each in cut.settled for code in each.winners}
    seats = cut.seats - sum(side == Side.ADVANCES for side in decided.values())
    return _with_tie(rows, won | decided.keys()), seats if cut.ties else 0


def _sides(state: State, stage: Stage, ranked: Sequence[Ranked], cut: Advanced) -> dict[str, Side]:
    """Return the side of the cut of every player in a round before it is closed (T20)."""
    sides = {each.entry: Side.DISQUALIFIED if each.out_of_play else Side.PLAYING for each in ranked}
    there = [code for code, side in sides.items() if side == Side.PLAYING]
    if stage.frame.cut_to is None:
        return sides
    through, level = set(cut.entries), {code for tie in cut.ties for code in tie.entries}
    ruled = state.posted.settings.tie_at_cut == DIRECTOR
    above, at_line, below = Side.ADVANCES, Side.TIED if ruled else Side.PLAYS_OFF, Side.OUT
    if stage.status in (SEATED, PLAYING):
        # T24: if all players in the round would advance there is no line, so nobody stands above one.
        uncut = len(there) <= stage.frame.cut_to and through.issuperset(there)
        above, at_line, below = Side.UNCUT if uncut else Side.ABOVE, Side.LEVEL, Side.BELOW
    for code in there:
        sides[code] = above if code in through else at_line if code in level else below
    return sides


def _decided(state: State, stage: Stage, cut: Advanced) -> dict[str, Side]:
    """T23: return the players that the open play-off has decided already, with their sides."""
    if not cut.ties or stage.status != PLAYING_OFF:
        return {}
    played = [each for each in play_offs_of(state, stage.frame.key[0]) if each.status != CLOSED]
    fixed = {code: each.outcome for play_off in played for code, each in play_off.results.items()}
    return {code: _ENDED[fixed[code]] for code in cut.level if code in fixed}


def _with_tie(rows: list[Row], decided: set[str]) -> list[Row]:
    """Return the rows, with the winners and losers of a decided tie marked: they have equal chips."""
    level_chips = {row.chips for row in rows if row.code in decided}
    tied = {row.code for row in rows if row.chips in level_chips and not row.state.gone and not row.no_hand}
    lost = {row.code for row in rows if row.code in tied and row.state.under}
    open_still = any(row.code in tied and row.state in AT_LINE for row in rows)
    won = Tie.WON if lost or open_still else Tie.ALL
    side = {code: Tie.LOST if code in lost else won for code in tied}
    return [
        replace(row, tie=side[row.code]) if row.code in side and row.state not in AT_LINE else row
        for row in rows
    ]


def _ordered(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Return the rows above the line, at it and below it, each by place; the disqualified last."""

    def side(row: Row) -> int:
        if row.state in AT_LINE:
            return 1
        return 3 if row.state == Side.DISQUALIFIED else 2 if row.state.under else 0

    return tuple(sorted(rows, key=lambda row: (side(row), row.place or 0, row.code)))


# Play-off and sudden death ----------------------------------------------------------------------------


def _chips(stage: Stage) -> dict[str, int]:
    """Return the chips of all players seated for a tie; for decided players, the chips they ended with."""
    held = dict.fromkeys((each.entry for each in stage.gone), 0)
    held |= {code: table.chips[at] for code, (table, at) in seats_of(stage).items()}
    return held | {code: each.chips for code, each in stage.results.items()}


def _in_tie(stage: Stage, held: Mapping[str, int]) -> dict[str, int]:
    """Return the rank of the players in the same tie; absent players come last (T33)."""
    level = rank(Finish(code, -1 if _absent(stage, code) else chips) for code, chips in held.items())
    return {each.entry: each.place for each in level}


def _absent(stage: Stage, code: str) -> bool:
    return code in stage.away and code not in stage.results


def _gone(stage: Stage) -> dict[str, Side]:
    return {each.entry: _GONE[each.state] for each in stage.gone}


def _tie_row(stage: Stage, code: str, chips: int, side: Side, place: int | None, tied: bool) -> Row:
    # T26: as in a round, the stack of a disqualified player has left play.
    return Row(
        code, place, tied, 0 if side == Side.DISQUALIFIED else chips, side, absent=_absent(stage, code)
    )


def _play_off(state: State, stage: Stage, boxes: int | None) -> Ranking[Row]:
    """T23: a play-off is about seats, not places: each player keeps the tied place of the round.

    A player who left after the play-off was closed has left in it too, as in the round (T25, T26).
    """
    parent = standing(state, stage_of(state, parent_of(stage.frame.key)), boxes)
    above, held, gone = {row.code: row for row in parent.rows}, _chips(stage), _gone(stage)
    gone = {code: row.state for code, row in above.items() if row.state.gone} | gone
    order = _in_tie(stage, held)
    sides = {code: _ENDED.get(each.outcome, Side.PLAYING) for code, each in stage.results.items()} | gone

    def made(code: str) -> Row:
        at, side = above.get(code), sides.get(code, Side.PLAYING)
        return _tie_row(stage, code, held[code], side, at.place if at else None, at is not None and at.tied)

    def tier(row: Row) -> tuple[int, int, str]:
        return {Side.ADVANCES: 0, Side.PLAYING: 1}.get(row.state, 2), order[row.code], row.code

    seats = stage.tie.seats if stage.tie and stage.status not in (COUNTED, CLOSED) else 0
    return Ranking(stage.frame.cut_to, tuple(sorted(map(made, held), key=tier)), seats)


def _sudden_death(state: State, stage: Stage) -> Ranking[Row]:
    """T34: each group is ranked inside its own places; they move up if a player ahead is disqualified
    (T26)."""
    groups, held, gone = stage.tie.groups if stage.tie else (), _chips(stage), _gone(stage)
    before = {each.entry: each.place for each in places_of_rounds(state) if not each.out_of_play}
    played = {code: each.place for code, each in stage.results.items() if each.place is not None}
    for group in groups:
        there = {code: held[code] for code in group.entries if code not in gone}
        played |= {code: group.places[0] + at - 1 for code, at in _in_tie(stage, there).items()}

    def made(code: str) -> Row:
        if code not in before or code not in played:
            return _tie_row(stage, code, held[code], gone.get(code, Side.DISQUALIFIED), None, False)
        rivals = [at for other, at in played.items() if other != code and before.get(other) == before[code]]
        place = before[code] + sum(at < played[code] for at in rivals)
        side = Side.RANKED if code in stage.results else Side.PLAYING
        return _tie_row(stage, code, held[code], side, place, played[code] in rivals)

    rows = sorted(
        map(made, held),
        key=lambda row: (row.place is None, row.place or 0, row.state != Side.RANKED, row.code),
    )
    return Ranking(stage.frame.cut_to, tuple(rows), groups=groups)
