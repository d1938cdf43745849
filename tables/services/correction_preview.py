"""What a correction would change, for the director to see before it is confirmed (T17).

Compares two states of the core, before and after the correction. Nothing is written.

| rule                                                     | clause   | where              |
|----------------------------------------------------------|----------|--------------------|
| a round or a tie is ranked as on its pages               | T20, T33 | ``standing``       |
| prizes as the event stands                               | T35      | ``_prizes``        |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tables.models import Deal
from tables.selectors.countings import BoxCounted, ruling_standing
from tables.selectors.facts_standing import Course
from tables.selectors.standing_folded import closed_now, prizes_standing
from tournament.engine.corrections import seated_after
from tournament.engine.facts import ROUND, SUDDEN_DEATH, CutDiffers, StageKey
from tournament.engine.stages import CLOSED, DISQUALIFIED
from tournament.engine.standing import Row, standing
from tournament.engine.state import Stage, State, seats_of, stage_of, with_stage
from tournament.engine.steps.cut import cut_differs
from tournament.engine.steps.places import money_ties_open
from tournament.engine.steps.ties import parent_of
from tournament.models import Penalty, Round
from tournament.selectors.stages import boxes_for_all

from .hand_anew import Correction
from .put_right import Found


@dataclass(frozen=True)
class Line:
    """One entry in a preview: stack, rank, side of the cut and prize, before and after.

    A rank is None where the pages give none; ``tied_before`` and ``tied_after``: it is shared. ``cut_before``
    and ``cut_after`` are states of the ranking, empty in a round without a cut. A prize is what the rank pays
    as it stands, ties shared; None for players who play on, or where no structure is posted.
    """

    entry: str
    chips_before: int
    chips_after: int
    rank_before: int | None
    rank_after: int | None
    tied_before: bool
    tied_after: bool
    cut_before: str
    cut_after: str
    prize_before_cents: int | None
    prize_after_cents: int | None

    @property
    def rank_moves(self) -> bool:
        """Whether the rank changes, or is shared where it was not."""
        return (self.rank_before, self.tied_before) != (self.rank_after, self.tied_after)

    @property
    def changed(self) -> bool:
        """Whether anything changes for this entry."""
        before = (self.chips_before, self.cut_before, self.prize_before_cents)
        return self.rank_moves or before != (self.chips_after, self.cut_after, self.prize_after_cents)


@dataclass(frozen=True)
class Preview:
    """What a correction would change. ``lines``: all entries; ``recount``: the table counts again.

    ``handed_in``: (entry, chips handed in before, after) of players who have left; ``void``: later hands of a
    tie that would fall, each with the code of the reason; ``dropped``: penalties in chips that would fall;
    ``goes_on``: the tie would be open; ``seats_stand``: a later stage is seated, so its seats stay, and
    ``differs`` says who should have advanced. ``ruled``: the boxes of a ruling on the count, which is taken
    back with the count, or keeps what it moved.
    """

    deal: Deal
    lines: tuple[Line, ...]
    recount: bool
    void: tuple[tuple[Deal, str], ...] = ()
    dropped: tuple[Penalty, ...] = ()
    handed_in: tuple[tuple[str, int, int], ...] = ()
    goes_on: bool = False
    seats_stand: bool = False
    differs: CutDiffers | None = None
    ruled: tuple[BoxCounted, ...] = ()

    @property
    def changed(self) -> tuple[Line, ...]:
        """The entries for which anything changes."""
        return tuple(line for line in self.lines if line.changed)


# The preview ----------------------------------------------------------------------------------------


def preview_of(found: Found) -> Preview:
    """Return what a correction would change, for a hand of any stage."""
    key, main = found.key[0], (found.key[0][0], ROUND, 1)
    status, boxes = stage_of(found.before.state, key).status, boxes_for_all(found.hand.place.event)
    then, now = (_Standing.of(course, key, boxes, status) for course in (found.before, found.after))
    stands, stage = seated_after(found.before.state, main), stage_of(found.after.state, key)
    was, differs = (cut_differs(course.state, main) for course in (found.before, found.after))
    return Preview(
        found.hand.deal,
        tuple(_line(entry, then, now) for entry in now.rows),
        found.key[:2] in found.decision.again,
        tuple(found.void) if found.decision.fallen else (),
        tuple(found.dropped),
        tuple(_handed_in(found)),
        goes_on=bool(stage.tie and not stands and seats_of(stage).keys() - stage.results.keys()),
        seats_stand=stands,
        differs=differs if stands and differs and differs != was else None,
        ruled=_ruled(found.hand),
    )


def _handed_in(found: Found) -> Iterator[tuple[str, int, int]]:
    """Yield (entry, chips before, chips after) of players who have left; no ranking shows them (T26)."""
    key = found.key[0]
    then, now = found.before.had(key), found.after.had(key)
    left = (_left(course, key) for course in (found.before, found.after))
    for code in sorted(set.intersection(*left)):
        if then[code] != now[code]:
            yield code, then[code], now[code]


def _left(course: Course, key: StageKey) -> set[str]:
    """Return the entries that have left a stage; in a tie also those decided before they left."""
    stage = stage_of(course.state, key)
    gone = {each.entry for each in stage.gone}
    out = {code for code in course.had(key) if course.state.entries[code] == DISQUALIFIED}
    return gone | out if stage.tie else gone


def _ruled(found: Correction) -> tuple[BoxCounted, ...]:
    """Return the boxes of the ruling on this count; in a closed round those whose stacks move (T18)."""
    made = ruling_standing(found.deal.shoe)
    if made is None:
        return ()
    closed = found.deal.shoe.round.status == Round.Status.CLOSED
    moved = {stack.entry_id for stack in found.changes}
    return tuple(box for box in made.disputed if box.entry and (not closed or box.entry.pk in moved))


def _line(entry: str, then: _Standing, now: _Standing) -> Line:
    before, after = then.rows[entry], now.rows[entry]
    return Line(
        entry=entry,
        chips_before=before.chips,
        chips_after=after.chips,
        rank_before=before.place,
        rank_after=after.place,
        tied_before=before.tied,
        tied_after=after.tied,
        cut_before=then.side(entry),
        cut_after=now.side(entry),
        prize_before_cents=then.prizes.get(entry),
        prize_after_cents=now.prizes.get(entry),
    )


def lines_since(lines: Iterable[Line], course: Course, key: StageKey, boxes: int | None) -> tuple[Line, ...]:
    """Return the lines of a confirmed correction that have changed since.

    In a tie only stacks are compared: its ranks and sides are shown with its round.
    """
    now = _Standing.of(course, key, boxes)
    since = (_line_since(line, now, in_tie=key[1] != ROUND) for line in lines)
    return tuple(line for line in since if line.changed)


def _line_since(line: Line, now: _Standing, *, in_tie: bool) -> Line:
    before: dict[str, Any] = {
        "chips_before": line.chips_after,
        "rank_before": line.rank_after,
        "tied_before": line.tied_after,
        "cut_before": line.cut_after,
        "prize_before_cents": line.prize_after_cents,
    }
    row = now.rows.get(line.entry)
    if row is None:
        return replace(line, **before)
    since = replace(line, **before, chips_after=row.chips)
    if in_tie:
        return since
    return replace(
        since,
        rank_after=row.place,
        tied_after=row.tied,
        cut_after=now.side(line.entry),
        prize_after_cents=now.prizes.get(line.entry),
    )


# A stage as it stands -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Standing:
    """A stage as its pages rank it, and the prize of each entry; entries that play on have none."""

    rows: Mapping[str, Row]
    prizes: Mapping[str, int]
    cut: bool

    @classmethod
    def of(cls, course: Course, key: StageKey, boxes: int | None, status: str = "") -> _Standing:
        """Return a stage as these facts come to it; ``boxes`` are those of the next round (T23).

        ``status``: that of an open round, since a table that counts again changes no side of the cut.
        """
        state, stage = course.state, stage_of(course.state, key)
        if stage.tie is None and status and CLOSED not in (status, stage.status):
            stage = replace(stage, status=status)
            state = with_stage(state, stage)
        rows = {row.code: row for row in standing(state, stage, boxes).rows}
        return cls(
            rows, _prizes(state, stage, boxes), stage.tie is not None or stage.frame.cut_to is not None
        )

    def side(self, entry: str) -> str:
        """Return the side of a cut or of a tie; empty without one, but for an entry that has left."""
        row = self.rows.get(entry)
        return row.state if row and (self.cut or row.state.gone) else ""


def _prizes(state: State, stage: Stage, boxes: int | None) -> Mapping[str, int]:
    """Return the prizes as the event stands, those below the cut of the open round among them."""
    if stage.frame.key[1] == SUDDEN_DEATH:
        return prizes_standing(state, money_ties_open(state))
    round_ = stage if stage.tie is None else stage_of(state, parent_of(stage.frame.key))
    return prizes_standing(state if round_.status == CLOSED else closed_now(state, round_, boxes))
