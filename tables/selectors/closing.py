"""A stage before and after it is closed: the ranking with its cut line, ties, who plays on for what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tournament.engine import settings as event_settings
from tournament.engine.ties import TieGroup
from tournament.models import Entry, Event, Round, Stack
from tournament.selectors.floor import floor
from tournament.selectors.stages import (
    RoundCut,
    group_from_dict,
    open_money_ties,
    play_is_over,
    round_cut,
    round_stacks,
)

Status, Kind = Round.Status, Round.Kind


@dataclass(frozen=True)
class RankRow:
    """One player of the ranking. ``side`` is ``in``, ``tied``, ``out``, or empty where nobody
    is cut; ``table`` and ``box`` are 0 where the seat was given up.

    ``cut_here``: the line of the cut is drawn under this row.
    """

    place: int
    tied: bool
    entry: Entry
    table: int
    box: int
    chips: int
    side: str
    out_of_play: bool
    cut_here: bool


@dataclass(frozen=True)
class Group:
    """A tie for money: the places it is about, the players, the prizes of those places in cents."""

    places: tuple[int, ...]
    entries: tuple[Entry, ...]
    prizes_cents: tuple[int, ...]


@dataclass(frozen=True)
class Closing:
    """All that the page of a main round shows. ``tied`` and ``advance`` in order of rank.

    ``seats`` are contested by ``tied``; ``play_off`` is the one in progress, with ``all_absent`` where
    nobody is left who could play it.
    """

    round: Round
    cut: RoundCut
    rows: tuple[RankRow, ...]
    advance: tuple[Entry, ...]
    tied: tuple[Entry, ...]
    seats: int
    play_off: Round | None
    all_absent: bool

    @property
    def may_rule(self) -> bool:
        """Whether the director rules: where the posted rules say so, or nobody is there to play it off."""
        ruled = self.round.event.settings.tie_at_cut == event_settings.DIRECTOR
        return self.cut.open_tie and (ruled or self.all_absent)


def closing(round_: Round) -> Closing:
    """The ranking of a main round: provisional while it is played, then as counted, then as closed."""
    stacks = {stack.entry.code: stack for stack in round_stacks(round_)}
    found = round_cut(round_)
    seats = floor().seats([round_.pk])
    line = len(found.cut.advance) + (found.cut.contested_seats if found.open_tie else 0)
    rows = tuple(
        RankRow(
            place=ranked.place,
            tied=ranked.tied,
            entry=stacks[ranked.entry].entry,
            table=_seat(seats, round_, stacks[ranked.entry])[0],
            box=_seat(seats, round_, stacks[ranked.entry])[1],
            chips=ranked.chips,
            side=_side(round_, found, stacks[ranked.entry]),
            out_of_play=ranked.out_of_play,
            cut_here=round_.cut_to is not None and at == line and at < len(found.ranked),
        )
        for at, ranked in enumerate(found.ranked, start=1)
    )
    play_off = round_.play_offs.exclude(status=Status.CLOSED).first()
    return Closing(
        round=round_,
        cut=found,
        rows=rows,
        advance=tuple(stacks[code].entry for code in found.cut.advance),
        tied=tuple(stacks[code].entry for code in found.cut.tied) if found.open_tie else (),
        seats=found.cut.contested_seats if found.open_tie else 0,
        play_off=play_off,
        all_absent=play_off is not None and _nobody_there(play_off),
    )


def _seat(seats: Mapping[tuple[int, int], tuple[int, int]], round_: Round, stack: Stack) -> tuple[int, int]:
    """Table and box, 0 where the seat was given up."""
    return seats.get((round_.pk, stack.entry_id), (0, 0))


def _side(round_: Round, found: RoundCut, stack: Stack) -> str:
    code = stack.entry.code
    if round_.cut_to is None:
        return ""
    if stack.outcome:
        return "in" if stack.outcome == Stack.Outcome.ADVANCED else "out"
    if found.open_tie and code in found.cut.tied:
        return "tied"
    return "in" if code in found.cut.advance else "out"


def _nobody_there(play_off: Round) -> bool:
    in_play = play_off.stacks.filter(state__in=[Stack.State.PLAYING, Stack.State.ABSENT])
    return in_play.exists() and not in_play.filter(state=Stack.State.PLAYING).exists()


@dataclass(frozen=True)
class TieRow:
    """One player of a play-off or sudden death. ``state``: playing, absent, in, out, placed."""

    entry: Entry
    chips: int
    state: str
    place: int | None


@dataclass(frozen=True)
class TieStage:
    """A play-off (``seats`` still contested) or sudden death (``groups`` still open), and its players."""

    round: Round
    rows: tuple[TieRow, ...]
    seats: int
    groups: tuple[Group, ...]
    all_absent: bool


def tie_stage(round_: Round) -> TieStage:
    """Who is in, who is out, who is still playing (T23, T33)."""
    stacks = list(round_.stacks.select_related("entry__player").order_by("place", "-chips", "entry__number"))
    entries = {stack.entry.code: stack.entry for stack in stacks}
    groups = [group_from_dict(data) for data in round_.stakes.get("groups", [])]
    order = {"placed": 0, "in": 0, "playing": 1, "absent": 2, "out": 3}
    rows = sorted((_tie_row(stack) for stack in stacks), key=lambda row: order[row.state])
    return TieStage(
        round=round_,
        rows=tuple(rows),
        seats=int(round_.stakes.get("contested", 0)),
        groups=tuple(_group(group, entries) for group in groups),
        all_absent=_nobody_there(round_),
    )


def _tie_row(stack: Stack) -> TieRow:
    chips = stack.chips if stack.closed_chips is None else stack.closed_chips
    if stack.place is not None:
        state = "placed"
    elif stack.outcome:
        state = "in" if stack.outcome == Stack.Outcome.ADVANCED else "out"
    else:
        state = {Stack.State.PLAYING: "playing", Stack.State.ABSENT: "absent"}.get(
            Stack.State(stack.state), "out"
        )
    return TieRow(stack.entry, chips, state, stack.place)


def _group(group: TieGroup, entries: Mapping[str, Entry]) -> Group:
    return Group(group.places, tuple(entries[code] for code in group.entries), group.prizes_cents)


def money_groups(event: Event) -> tuple[Group, ...]:
    """The ties for money that are open once play is over (T33, T34)."""
    if not play_is_over(event):
        return ()
    groups = open_money_ties(event)
    codes = [code for group in groups for code in group.entries]
    entries = {each.code: each for each in event.entries.filter(code__in=codes).select_related("player")}
    return tuple(_group(group, entries) for group in groups)
