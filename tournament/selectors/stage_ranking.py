"""The ranking of a stage, as every page shows it.

| rule                                                        | clause | where            |
|-------------------------------------------------------------|--------|------------------|
| who advances stands above the line, however a tie went      | T20    | ``_ordered``     |
| won or lost the contested seats, also while it is played    | T23    | ``_with_tie``    |
| who qualified and left is not through, the replacement is   | T25    | ``closed_side``  |
| no hand of the round played: behind all who did             | T15    | ``without_hand`` |
| fewer than the cut: nobody stands above a line              | T24    | ``open_sides``   |
| disqualified, between two rounds too: last of the round     | T26    | ``_closed_rows`` |
| who is absent is behind everybody who plays for the tie     | T33    | ``_level_in``    |
| each tie group is ranked only inside its own places         | T34    | ``_sudden_death``|

A place is that in the stage, as its result is posted: who loses a play-off keeps the tied one (T23). Only in
sudden death it is the place in the event, which is what is played for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tournament.engine import settings as event_settings
from tournament.engine.advance import Advanced
from tournament.engine.ranking import Gap, Ranked, Standing, gap_to_cut, rank
from tournament.engine.ties import TieGroup
from tournament.models import Entry, Event, Round, Stack
from tournament.selectors.replaced import replaced_in
from tournament.selectors.stages import (
    NOT_RANKED,
    RoundCut,
    group_from_dict,
    main_rounds,
    place_in_event,
    places_of_rounds,
    round_cut,
    round_result,
    standings_of,
)

Kind, Status, Outcome = Round.Kind, Round.Status, Stack.Outcome
IN_PLAY = (Stack.State.PLAYING, Stack.State.ABSENT)


class State(StrEnum):
    """What a player is in a stage: *out* is not through; who is disqualified or has left is that.

    T25: of a qualifier whose seat was given on, *replaced*, or *taken out* where nobody could take it: why is
    not said, it may have been an error.
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
        return self in (State.BELOW, State.OUT) or self.gone

    @property
    def gone(self) -> bool:
        """Whether somebody has left the event otherwise than by play."""
        return self in _LEFT


_LEFT = (State.REPLACED, State.TAKEN_OUT, State.WITHDREW, State.NO_SHOW, State.DISQUALIFIED)


class Tie(StrEnum):
    """What became of a tie at the cut: won or lost its seats, or all who were level advance (T23)."""

    NONE = ""
    WON = "won"
    LOST = "lost"
    ALL = "all"


_GONE = {
    Stack.State.WITHDRAWN: State.WITHDREW,
    Stack.State.NO_SHOW: State.NO_SHOW,
    Stack.State.DISQUALIFIED: State.DISQUALIFIED,
}


@dataclass(frozen=True)
class Row:
    """One player in a stage. ``place`` is None for who is not ranked: left, or never came (T6).

    ``gap`` to the cut line while the round
    is open, None where none is measured. ``absent``: the stack stands (T15). ``no_hand``: the player has
    played no hand of the round, and is out of it for that (T15).
    """

    stack: Stack
    place: int | None
    tied: bool
    chips: int
    state: State
    absent: bool = False
    gap: Gap | None = None
    tie: Tie = Tie.NONE
    no_hand: bool = False

    @property
    def code(self) -> str:
        """The entry's code."""
        return self.stack.entry.code

    @property
    def entry(self) -> Entry:
        """The entry, with its player."""
        return self.stack.entry

    @property
    def final(self) -> bool:
        """Whether a play-off or sudden death has decided this player's seat or place."""
        return self.state in (State.ADVANCES, State.OUT, State.RANKED)


@dataclass(frozen=True)
class Ranking:
    """A stage as it stands: who is above the line, at it, below it, in that order.

    ``seats`` are contested by those who are level or play off, 0 where nothing is; ``groups`` are the ties
    for money that are still played; ``not_ranked`` are those who left or never came.
    ``empty``: how many seats of those who advanced nobody took (T25, T26).
    """

    round: Round
    rows: tuple[Row, ...]
    seats: int = 0
    groups: tuple[TieGroup, ...] = ()
    not_ranked: tuple[Row, ...] = ()
    empty: int = 0

    @property
    def above(self) -> tuple[Row, ...]:
        """The entries that advance, or would as it stands."""
        return self._of(State.ADVANCES, State.ABOVE, State.UNCUT)

    @property
    def level(self) -> tuple[Row, ...]:
        """The entries that are level at the cut line while the tie is not decided."""
        return self._of(State.LEVEL, State.TIED, State.PLAYS_OFF)

    @property
    def line(self) -> int | None:
        """Above how many rows the cut line runs: those of the tie stand above it. None: nobody is cut."""
        below = self._of(State.BELOW, State.OUT, State.REPLACED, State.TAKEN_OUT, State.WITHDREW)
        if self.round.cut_to is None or not (below or self.level):
            return None
        return len(self.above) + len(self.level)

    @property
    def nobody_cut(self) -> bool:
        """T24: whether the round has a cut that reaches nobody, as it stands."""
        return self.round.cut_to is not None and self.line is None and len(self.in_play) <= self.round.cut_to

    @property
    def in_play(self) -> tuple[Row, ...]:
        """The players whom the stage ranks by chips: not those who have left or have played no hand."""
        return tuple(row for row in self.rows if not row.state.gone and not row.no_hand)

    def _of(self, *states: State) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.state in states)


def place_shown(event: Event, entry: Entry) -> Ranked | None:
    """The place of an entry in the event, as the standings show it (T20, T26); None while it is in.

    Who is disqualified in a round that is played is the last of it at once.
    """
    round_ = next((r for r in main_rounds(event) if r.status != Round.Status.CLOSED), None)
    if event.status == Event.Status.RUNNING and round_ is not None:
        rows = stage_ranking(round_).rows if entry.status == Entry.Status.DISQUALIFIED else ()
        row = next((row for row in rows if row.code == entry.code and row.place), None)
        if row is not None:
            return Ranked(entry.code, row.chips, row.place or 0, row.tied)
    return place_in_event(event, entry)


def stage_ranking(round_: Round) -> Ranking:
    """The ranking of a round, a play-off or sudden death, as it stands, as counted or as closed."""
    found = round_.stacks.select_related("entry__player").order_by("entry__number")
    stacks = {stack.entry.code: stack for stack in found}
    if round_.kind == Kind.PLAY_OFF:
        return _play_off(round_, stacks)
    if round_.kind == Kind.SUDDEN_DEATH:
        return _sudden_death(round_, stacks)
    return _main_round(round_, stacks)


# A main round -----------------------------------------------------------------------------------------


def _main_round(round_: Round, stacks: dict[str, Stack]) -> Ranking:
    replaced = _replaced(round_, stacks.values())
    if round_.status == Status.CLOSED:
        rows, seats = _closed_rows(round_, stacks, replaced), 0
    else:
        rows, seats = _open_rows(round_, stacks)
    missing = tuple(_not_ranked(s, replaced) for s in stacks.values() if s.state in NOT_RANKED)
    empty = _seats_left_empty(round_, rows, replaced) if round_.status == Status.CLOSED else 0
    return Ranking(round_, tuple(_ordered(rows)), seats, not_ranked=missing, empty=empty)


def _replaced(round_: Round, stacks: Iterable[Stack]) -> dict[int, str]:
    """Return the replaced entries and their replacements; reads the journal only if anybody has left."""
    left = (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED)
    return replaced_in(round_.event_id) if any(s.entry.status in left for s in stacks) else {}


def _seats_left_empty(round_: Round, rows: Iterable[Row], replaced: Mapping[int, str]) -> int:
    """T25, T26: how many who advanced left before the next round, with nobody in their place."""
    through = [row for row in rows if row.stack.outcome == Outcome.ADVANCED]
    gone = [r.entry.pk for r in through if r.state == State.DISQUALIFIED and r.entry.pk not in replaced]
    later = (
        round_.event.rounds.filter(kind=Kind.ROUND, number__gt=round_.number)
        if gone
        else Round.objects.none()
    )
    sat_down = set(Stack.objects.filter(round__in=later, entry__in=gone).values_list("entry", flat=True))
    return len(set(gone) - sat_down) + sum(row.state == State.TAKEN_OUT for row in through)


def _standings(stacks: Iterable[Stack]) -> list[Standing]:
    return standings_of(s for s in stacks if s.state not in NOT_RANKED)


def _closed_rows(round_: Round, stacks: dict[str, Stack], replaced: Mapping[int, str]) -> list[Row]:
    """A closed round: its outcomes are frozen, but who has left since does not go on (T25, T26)."""
    ended = round_result(round_, [each for each in stacks.values() if each.state not in NOT_RANKED])
    return [
        Row(
            *(stacks[r.entry], r.place, r.tied, r.chips),
            closed_side(
                stacks[r.entry].outcome,
                _left(stacks[r.entry], replaced),
                out_of_play=r.out_of_play,
                through=r.entry in ended.advanced,
            ),
            no_hand=r.no_hand,
        )
        for r in rank(ended.standings)
    ]


def closed_side(outcome: str, left: State, *, out_of_play: bool, through: bool) -> State:
    """What somebody is once a round is closed; ``left``: how they left, who advanced and are not through."""
    if out_of_play:
        return State.DISQUALIFIED
    if outcome == Outcome.ADVANCED and not through:
        return left
    return {Outcome.ADVANCED: State.ADVANCES, Outcome.CUT: State.OUT}.get(Outcome(outcome), State.RANKED)


def _open_rows(round_: Round, stacks: dict[str, Stack]) -> tuple[list[Row], int]:
    """A round that is not closed: where everybody stands to the cut, its tie so far."""
    standings = _standings(stacks.values())
    found = round_cut(round_, standings)
    decided, gaps = _decided(round_, found), _gaps(round_, standings)
    sides = open_sides(
        found.ranked,
        found.cut,
        round_.cut_to,
        playing=round_.status in (Status.SEATED, Status.PLAYING),
        played_off=found.method == event_settings.PLAY_OFF,
    )
    sides |= decided
    rows = []
    for r in found.ranked:
        absent = stacks[r.entry].state == Stack.State.ABSENT
        row = Row(stacks[r.entry], r.place, r.tied, r.chips, sides[r.entry], absent, gaps.get(r.entry))
        rows.append(replace(row, no_hand=r.no_hand))
    seats = found.cut.seats - sum(state == State.ADVANCES for state in decided.values())
    shown = _with_tie(rows, {*decided, *found.tie_winners})
    return shown, seats if found.open_tie else 0


def open_sides(
    ranked: Iterable[Ranked], found: Advanced, cut_to: int | None, *, playing: bool, played_off: bool
) -> dict[str, State]:
    """The side of the cut that everybody in a round is on, by entry, before it is closed (T20).

    ``playing``: as it stands; otherwise all is counted, and ``played_off`` says how an open tie is decided.
    """
    sides = {each.entry: State.DISQUALIFIED if each.out_of_play else State.PLAYING for each in ranked}
    there = [code for code, side in sides.items() if side == State.PLAYING]
    if cut_to is None:
        return sides
    through, level = set(found.entries), {code for tie in found.ties for code in tie.entries}
    above, at_line, below = State.ADVANCES, State.PLAYS_OFF if played_off else State.TIED, State.OUT
    if playing:
        # T24: where all who play would advance there is no line, so nobody stands above one.
        uncut = len(there) <= cut_to and through.issuperset(there)
        above, at_line, below = State.UNCUT if uncut else State.ABOVE, State.LEVEL, State.BELOW
    for code in there:
        sides[code] = above if code in through else at_line if code in level else below
    return sides


def _gaps(round_: Round, standings: Sequence[Standing]) -> dict[str, Gap]:
    if round_.cut_to is None:
        return {}
    return gap_to_cut(standings, round_.cut_to, round_.event.format.least_to_advance(round_.number))


def _decided(round_: Round, found: RoundCut) -> dict[str, State]:
    """T23: whom the play-off that is being played has decided already."""
    if not found.open_tie or round_.status != Status.PLAYING_OFF:
        return {}
    playing = Stack.objects.filter(round__parent=round_).exclude(round__status=Status.CLOSED)
    fixed = playing.filter(entry__code__in=found.cut.level).exclude(outcome=Outcome.NONE)
    words = {Outcome.ADVANCED: State.ADVANCES, Outcome.CUT: State.OUT}
    return {code: words[Outcome(outcome)] for code, outcome in fixed.values_list("entry__code", "outcome")}


def _with_tie(rows: list[Row], decided: set[str]) -> list[Row]:
    """Which side of a decided tie everybody is on: all who were in it have the same chips."""
    level_chips = {row.chips for row in rows if row.code in decided}
    tied = {row.code for row in rows if row.chips in level_chips and not row.state.gone and not row.no_hand}
    going_on = (State.LEVEL, State.TIED, State.PLAYS_OFF)
    lost = {row.code for row in rows if row.code in tied and row.state.under}
    open_still = any(row.code in tied and row.state in going_on for row in rows)
    won = Tie.WON if lost or open_still else Tie.ALL
    side = {code: Tie.LOST if code in lost else won for code in tied}
    return [row if row.state in going_on else replace(row, tie=side.get(row.code, Tie.NONE)) for row in rows]


def _ordered(rows: Iterable[Row]) -> list[Row]:
    """Order the rows: above the line, at it, below it, each by place, and disqualified players last."""

    def side(row: Row) -> int:
        if row.state in (State.LEVEL, State.TIED, State.PLAYS_OFF):
            return 1
        return 3 if row.state == State.DISQUALIFIED else 2 if row.state.under else 0

    return sorted(rows, key=lambda row: (side(row), row.place or 0, row.code))


def _not_ranked(stack: Stack, replaced: Mapping[int, str]) -> Row:
    state = _GONE[Stack.State(stack.state)]
    if state == State.WITHDREW:
        state = _left(stack, replaced)
    return Row(stack, None, False, stack.chips, state)


def _left(stack: Stack, replaced: Mapping[int, str]) -> State:
    status = stack.entry.status
    if status == Entry.Status.NO_SHOW and stack.state not in NOT_RANKED:
        return State.NO_SHOW
    return left_state(replaced.get(stack.entry.pk), disqualified=status == Entry.Status.DISQUALIFIED)


def left_state(by: str | None, *, disqualified: bool) -> State:
    """How a player left whose seat was given up.

    T25, T26: by the journal, where another was to have it: ``by`` is its code, empty where nobody could.
    """
    if by is None:
        return State.WITHDREW
    if disqualified:
        return State.DISQUALIFIED
    return State.REPLACED if by else State.TAKEN_OUT


# Play-off and sudden death ----------------------------------------------------------------------------


def _chips(stack: Stack) -> int:
    return stack.chips if stack.closed_chips is None else stack.closed_chips


def _level_in(members: Iterable[Stack]) -> list[Ranked]:
    """Return the entries that play for the same seats or places, by chips; absent ones come last (T33)."""
    return rank(Standing(s.entry.code, -1 if s.state == Stack.State.ABSENT else _chips(s)) for s in members)


def _tie_row(stack: Stack, state: State, place: int | None, tied: bool) -> Row:
    absent = stack.state == Stack.State.ABSENT
    # T26: as in a round, the stack of who is disqualified has left play.
    chips = 0 if state == State.DISQUALIFIED else _chips(stack)
    return Row(stack, place, tied, chips, state, absent)


def _play_off(round_: Round, stacks: dict[str, Stack]) -> Ranking:
    """T23: seats are played for, not places: everybody keeps the tied place of the round.

    Who has left since it was closed has left in it too, as in the round (T25, T26).
    """
    assert round_.parent is not None
    places = {row.code: row for row in stage_ranking(round_.parent).rows}
    words = {Outcome.ADVANCED: State.ADVANCES, Outcome.CUT: State.OUT}
    order = {r.entry: r.place for r in _level_in(stacks.values())}

    def made(code: str, stack: Stack) -> Row:
        above = places.get(code)
        left = _GONE.get(Stack.State(stack.state)) or (above.state if above and above.state.gone else None)
        state = left or words.get(Outcome(stack.outcome), State.PLAYING)
        return _tie_row(stack, state, above.place if above else None, above is not None and above.tied)

    def side(row: Row) -> tuple[int, int, str]:
        tier = 0 if row.state == State.ADVANCES else 1 if row.state == State.PLAYING else 2
        return tier, order[row.code], row.code

    rows = sorted((made(code, stack) for code, stack in stacks.items()), key=side)
    over = round_.status in (Status.COUNTED, Status.CLOSED)
    return Ranking(round_, tuple(rows), 0 if over else int(round_.stakes.get("contested", 0)))


def _sudden_death(round_: Round, stacks: dict[str, Stack]) -> Ranking:
    """T34: each group inside its own places, which move up where somebody ahead is disqualified (T26)."""
    groups = tuple(map(group_from_dict, round_.stakes.get("groups", [])))
    before = {r.entry: r.place for r in places_of_rounds(round_.event) if not r.out_of_play}
    played = {code: stack.place for code, stack in stacks.items() if stack.place is not None}
    for group in groups:
        members = [stacks[code] for code in group.entries if stacks[code].state in IN_PLAY]
        played |= {r.entry: group.places[0] + r.place - 1 for r in _level_in(members)}
    rows = [_sudden_death_row(stack, played, before) for stack in stacks.values()]
    rows.sort(key=lambda row: (row.place is None, row.place or 0, row.state != State.RANKED, row.code))
    return Ranking(round_, tuple(rows), groups=groups)


def _sudden_death_row(stack: Stack, played: Mapping[str, int], before: Mapping[str, int]) -> Row:
    code = stack.entry.code
    if code not in before or code not in played:
        state = _GONE.get(Stack.State(stack.state), State.DISQUALIFIED)
        return _tie_row(stack, state, None, False)
    rivals = [played[other] for other in played if other != code and before.get(other) == before[code]]
    place = before[code] + sum(other < played[code] for other in rivals)
    state = State.PLAYING if stack.place is None else State.RANKED
    return _tie_row(stack, state, place, played[code] in rivals)


def entry_rows(entry: Entry) -> list[Row]:
    """The row of one entry in every stage that it played, the first stage first."""
    stages = Round.objects.filter(stacks__entry=entry).select_related("event", "parent__event").order_by("pk")
    rankings = [stage_ranking(round_) for round_ in stages]
    return [row for each in rankings for row in (*each.rows, *each.not_ranked) if row.entry.pk == entry.pk]


def row_in_front(rows: Sequence[Row]) -> Row | None:
    """The row whose chips are in front of an entry now: of the tie it plays, else of its last round (T23)."""
    playing = [row for row in rows if row.stack.round.status != Status.CLOSED and row.stack.state in IN_PLAY]
    rounds = [row for row in rows if row.stack.round.kind == Kind.ROUND]
    return (playing or rounds)[-1] if rows else None


def chips_in_front(rows: Sequence[Row]) -> int | None:
    """The chips in front of an entry now, None before it is seated."""
    row = row_in_front(rows)
    return row.stack.chips if row else None


def left_play(rows: Sequence[Row]) -> Row | None:
    """The row of a stack that has left play with its chips, so that nothing lies in front; else None.

    Of who was disqualified after the close with the chips that were closed with, which no ranking shows.
    """
    row = row_in_front(rows)
    if row is not None and row.state == State.DISQUALIFIED:
        row = replace(row, chips=row.stack.closed_chips or 0)
    return row if row and row.chips and not row.stack.chips else None
