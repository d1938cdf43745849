"""What a correction would change, for the director to see before it is confirmed (T17).

Compares two states of the core, before and after the correction. Nothing is written.

| rule                                                     | clause   | where              |
|----------------------------------------------------------|----------|--------------------|
| a round: where everybody stands to the cut, who has left | T20, T26 | ``_round``         |
| a tie: whose seat or place is decided, and what it pays  | T23, T33 | ``_tie``           |
| a play-off whose winners sit in a later round keeps them | T17      | ``_tie``           |
| prizes as the event stands                               | T35      | ``prizes_standing``|
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tables.models import Deal
from tables.selectors.countings import BoxCounted, ruling_standing
from tables.selectors.facts_standing import Course
from tables.selectors.standing_folded import prizes_standing
from tournament.engine.corrections import seated_after
from tournament.engine.facts import PLAY_OFF, ROUND, CutDiffers, StageKey
from tournament.engine.ranking import Ranked, Standing, rank
from tournament.engine.stages import CLOSED, DISQUALIFIED
from tournament.engine.standing import Side, standing
from tournament.engine.state import Stage, seats_of, stage_of
from tournament.engine.state import State as EventState
from tournament.engine.steps.closing import ranking
from tournament.engine.steps.cut import cut_differs
from tournament.engine.steps.places import (
    disqualified_in,
)
from tournament.engine.steps.ties import parent_of
from tournament.engine.ties import ADVANCED, CUT, RANKED, prizes_by_entry
from tournament.models import Penalty, Round

from .put_right import Correction, Found


@dataclass(frozen=True)
class Line:
    """One entry in a preview: stack, rank, side of the cut and prize, before and after.

    ``cut_before`` and ``cut_after`` are states of the ranking, empty in a round without a cut; in a tie that
    is played for ``in`` and ``out``, ``open`` while it goes on, ``placed`` where a place is decided. A prize
    is what the rank pays as it stands, ties shared; None for players who play on, or where no structure is
    posted.
    """

    entry: str
    chips_before: int
    chips_after: int
    rank_before: int
    rank_after: int
    cut_before: str
    cut_after: str
    prize_before_cents: int | None
    prize_after_cents: int | None

    @property
    def changed(self) -> bool:
        """Whether anything changes for this entry."""
        before = (self.chips_before, self.rank_before, self.cut_before, self.prize_before_cents)
        return before != (self.chips_after, self.rank_after, self.cut_after, self.prize_after_cents)


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
    status = stage_of(found.before.state, key).status
    then, now = (_Standing.of(course, key, status) for course in (found.before, found.after))
    stands, stage = seated_after(found.before.state, main), stage_of(found.after.state, key)
    was, differs = (cut_differs(course.state, main) for course in (found.before, found.after))
    order = sorted(now.ranks, key=lambda code: (now.ranks[code].place, code))
    return Preview(
        found.hand.deal,
        tuple(_line(entry, then, now) for entry in order),
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
    return gone | _disqualified(course.state, course.had(key)) if stage.tie else gone


def _ruled(found: Correction) -> tuple[BoxCounted, ...]:
    """Return the boxes of the ruling on this count; in a closed round those whose stacks move (T18)."""
    made = ruling_standing(found.deal.shoe)
    if made is None:
        return ()
    closed = found.deal.shoe.round.status == Round.Status.CLOSED
    moved = {stack.entry_id for stack in found.changes}
    return tuple(box for box in made.disputed if box.entry and (not closed or box.entry.pk in moved))


def _line(entry: str, then: _Standing, now: _Standing) -> Line:
    return Line(
        entry=entry,
        chips_before=then.ranks[entry].chips,
        chips_after=now.ranks[entry].chips,
        rank_before=then.ranks[entry].place,
        rank_after=now.ranks[entry].place,
        cut_before=then.sides.get(entry, ""),
        cut_after=now.sides.get(entry, ""),
        prize_before_cents=then.prizes.get(entry),
        prize_after_cents=now.prizes.get(entry),
    )


def lines_since(lines: Iterable[Line], course: Course, key: StageKey) -> tuple[Line, ...]:
    """Return the lines of a confirmed correction that have changed since.

    In a tie only stacks are compared: its ranks and sides are shown with its round.
    """
    now = _Standing.of(course, key)
    since = (_line_since(line, now, in_tie=key[1] != ROUND) for line in lines)
    return tuple(line for line in since if line.changed)


def _line_since(line: Line, now: _Standing, *, in_tie: bool) -> Line:
    before: dict[str, Any] = {
        "chips_before": line.chips_after,
        "rank_before": line.rank_after,
        "cut_before": line.cut_after,
        "prize_before_cents": line.prize_after_cents,
    }
    if line.entry not in now.ranks:
        return replace(line, **before)
    since = replace(line, **before, chips_after=now.ranks[line.entry].chips)
    if in_tie:
        return since
    return replace(
        since,
        rank_after=now.ranks[line.entry].place,
        cut_after=now.sides.get(line.entry, ""),
        prize_after_cents=now.prizes.get(line.entry),
    )


# A stage as it stands -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Standing:
    """A stage as it stands: rank, side of the cut and prize by entry; entries that play on have no prize."""

    ranks: Mapping[str, Ranked]
    sides: Mapping[str, str]
    prizes: Mapping[str, int]

    @classmethod
    def of(cls, course: Course, key: StageKey, status: str = "") -> _Standing:
        """Return a stage as these facts come to it.

        ``status``: that of an open round, since a table that counts again changes no side of the cut.
        """
        state, stage = course.state, stage_of(course.state, key)
        if stage.tie is not None:
            return _tie(state, stage, course.had(key))
        open_before = status and CLOSED not in (status, stage.status)
        return _round(state, replace(stage, status=status) if open_before else stage)


def _round(state: EventState, stage: Stage) -> _Standing:
    """Return a round as it stands; its sides without a cut are only those of entries that have left."""
    rows = standing(state, stage).rows
    ranks = {
        row.code: Ranked(row.code, row.chips, row.place or 0, row.tied, row.state == Side.DISQUALIFIED)
        for row in rows
    }
    sides = {row.code: row.state for row in rows if stage.frame.cut_to is not None or row.state.gone}
    if stage.status == CLOSED:
        return _Standing(ranks, sides, prizes_standing(state))
    out = (Side.DISQUALIFIED, Side.OUT, Side.BELOW)
    plays_on = {code for code, side in sides.items() if side not in out}
    prizes = prizes_by_entry(ranks.values(), state.prizes_cents) if state.prizes_cents is not None else {}
    return _Standing(ranks, sides, {code: prizes[code] for code in prizes.keys() - plays_on})


# A play-off or sudden death ---------------------------------------------------------------------------


_TIED = {ADVANCED: "in", CUT: "out", RANKED: "placed"}


def _tie(state: EventState, stage: Stage, chips: Mapping[str, int]) -> _Standing:
    """Return the standing of a tie: rank or place, which players it has decided, and their prizes.

    Once the winners sit in a later round, the hands of the tie decide no seat and no prize.
    """
    gone, play_off = _disqualified(state, chips), stage.frame.key[1] == PLAY_OFF
    level = rank(Standing(code, chips[code], code in gone) for code in chips)
    ranks = {each.entry: each for each in level} if play_off else _places_played(stage, chips, gone)
    stands = play_off and seated_after(state, parent_of(stage.frame.key))
    out = disqualified_in(stage) if stands else gone
    sides = {code: _TIED[stage.results[code].outcome] if code in stage.results else "open" for code in chips}
    sides |= dict.fromkeys(out, str(Side.DISQUALIFIED))
    if stands or state.prizes_cents is None:
        return _Standing(ranks, sides, prizes_standing(state))
    if play_off:
        return _Standing(ranks, sides, _play_off_prizes(state, stage, gone))
    placed = [ranks[code] for code in stage.results]
    return _Standing(ranks, sides, prizes_by_entry(placed, state.prizes_cents))


def _disqualified(state: EventState, entries: Iterable[str]) -> set[str]:
    return {code for code in entries if state.entries[code] == DISQUALIFIED}


def _places_played(stage: Stage, chips: Mapping[str, int], gone: Collection[str]) -> dict[str, Ranked]:
    """Return the places of a sudden death; undecided entries share the best place they play for.

    Disqualified entries come last, behind all shared places (T26).
    """
    assert stage.tie is not None, "a sudden death is a tie"
    place = {code: each.place or 0 for code, each in stage.results.items() if code not in gone}
    place |= {code: group.places[0] for group in stage.tie.groups for code in group.entries}
    shared = Counter(place.values())
    last = max((at + each for at, each in shared.items()), default=1)
    ranks = {code: Ranked(code, chips[code], at, shared[at] > 1) for code, at in place.items()}
    return {code: ranks.get(code) or Ranked(code, 0, last, False, True) for code in chips}


def _play_off_prizes(state: EventState, stage: Stage, gone: set[str]) -> dict[str, int]:
    """Return what the losers of a play-off would be paid for the tied place they keep (T23, T20)."""
    places = {each.entry: each.place for each in ranking(state, stage_of(state, parent_of(stage.frame.key)))}
    played = seats_of(stage).keys()
    tied = min((places[code] for code in played if code in places), default=1)
    lost = [code for code, each in stage.results.items() if each.outcome == CUT]
    won = {code for code, each in stage.results.items() if each.outcome == ADVANCED} - gone
    ahead = {code for code, place in places.items() if place < tied}
    place = len(ahead | won | (played - stage.results.keys())) + 1
    shared = [Ranked(code, 0, place, len(lost) > 1, code in gone) for code in lost]
    return prizes_by_entry(shared, state.prizes_cents or ())
