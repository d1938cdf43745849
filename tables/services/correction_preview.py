"""Preview what a correction would change, before the director confirms it (T17).

It compares two states of the core, before and after the correction. Nothing is written.

| rule                                                     | clause   | where              |
|----------------------------------------------------------|----------|--------------------|
| a round or a tie is ranked as on its pages               | T20, T33 | ``standing``       |
| prizes as the event stands                               | T35      | ``_prizes``        |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tables.models import Deal
from tables.selectors.correction_requests import EntryChange, Shown
from tables.selectors.countings import BoxCounted, ruling_standing
from tables.selectors.standing_folded import closed_now, prizes_standing
from tournament.engine.corrections import seated_after
from tournament.engine.facts import ROUND, SUDDEN_DEATH, CutDiffers, StageKey
from tournament.engine.stages import CLOSED, DISQUALIFIED
from tournament.engine.standing import standing
from tournament.engine.state import Stage, State, seats_of, stage_of, with_stage
from tournament.engine.steps.cut import cut_differs
from tournament.engine.steps.places import money_ties_open
from tournament.engine.steps.ties import parent_of
from tournament.models import Round
from tournament.selectors.facts_standing import Course
from tournament.selectors.stages import boxes_for_all

from .put_right import Correction, corrected_hand


@dataclass(frozen=True)
class Preview:
    """What a correction would change. ``lines``: all entries; ``recount``: the table counts again.

    ``anew``: the hand as it would be recorded, not saved; ``handed_in``: (entry, chips handed in before,
    after) of players who have left; ``void``: later hands of a tie that would become void, each with the code
    of the reason; ``goes_on``: the tie would be open; ``seats_stand``: a later stage is seated, so its seats
    stay, and ``differs`` names the players who should have advanced; ``ruled``: the boxes of a ruling on the
    count, which is taken back with the count, or in a closed round keeps the chips it moved.
    """

    deal: Deal
    anew: Deal
    lines: tuple[EntryChange, ...]
    recount: bool
    void: tuple[tuple[Deal, str], ...] = ()
    handed_in: tuple[tuple[str, int, int], ...] = ()
    goes_on: bool = False
    seats_stand: bool = False
    differs: CutDiffers | None = None
    ruled: tuple[BoxCounted, ...] = ()

    @property
    def changed(self) -> tuple[EntryChange, ...]:
        """The entries for which anything changes."""
        return tuple(line for line in self.lines if line.changed)


# The preview ----------------------------------------------------------------------------------------


def preview_of(found: Correction) -> Preview:
    """Return the preview of a correction, for a hand of any stage."""
    key, main = found.key[0], (found.key[0][0], ROUND, 1)
    status, boxes = stage_of(found.before.state, key).status, boxes_for_all(found.place.event)
    then, now = (_stage_shown(course, key, boxes, status) for course in (found.before, found.after))
    stands, stage = seated_after(found.before.state, main), stage_of(found.after.state, key)
    was, differs = (cut_differs(course.state, main) for course in (found.before, found.after))
    return Preview(
        found.deal,
        corrected_hand(found),
        tuple(EntryChange(entry, then[entry], shown) for entry, shown in now.items()),
        found.key[:2] in found.decision.again,
        tuple(found.void) if found.decision.fallen else (),
        tuple(_handed_in(found)),
        goes_on=bool(stage.tie and not stands and seats_of(stage).keys() - stage.results.keys()),
        seats_stand=stands,
        differs=differs if stands and differs and differs != was else None,
        ruled=_ruled(found),
    )


def _handed_in(found: Correction) -> Iterator[tuple[str, int, int]]:
    """Yield (entry, chips before, chips after) of players who have left; no ranking shows them (T26)."""
    key = found.key[0]
    then, now = found.before.had(key), found.after.had(key)
    left = (_left(course, key) for course in (found.before, found.after))
    for code in sorted(set.intersection(*left)):
        if then[code] != now[code]:
            yield code, then[code], now[code]


def _left(course: Course, key: StageKey) -> set[str]:
    """Return the entries that have left a stage; in a tie also disqualified ones that were decided before."""
    stage = stage_of(course.state, key)
    gone = {each.entry for each in stage.gone}
    out = {code for code in course.had(key) if course.state.entries[code] == DISQUALIFIED}
    return gone | out if stage.tie else gone


def _ruled(found: Correction) -> tuple[BoxCounted, ...]:
    """Return the boxes of the ruling on this count; in a closed round, only those whose stacks move (T18)."""
    made = ruling_standing(found.deal.shoe)
    if made is None:
        return ()
    closed = found.deal.shoe.round.status == Round.Status.CLOSED
    moved = found.changes
    return tuple(box for box in made.disputed if box.entry and (not closed or box.entry.code in moved))


# A stage as it stands -------------------------------------------------------------------------------


def _stage_shown(course: Course, key: StageKey, boxes: int | None, status: str = "") -> dict[str, Shown]:
    """Return the ranking of a stage as its pages show it; ``boxes``: how many the next round has (T23).

    ``status``: the round's status before the correction; a table that counts again does not change it here.
    """
    state, stage = course.state, stage_of(course.state, key)
    if stage.tie is None and status and CLOSED not in (status, stage.status):
        stage = replace(stage, status=status)
        state = with_stage(state, stage)
    prizes, cut = _prizes(state, stage, boxes), stage.tie is not None or stage.frame.cut_to is not None
    return {
        row.code: Shown(
            *(row.chips, row.place, row.tied),
            row.state if cut or row.state.gone else "",
            prizes.get(row.code),
        )
        for row in standing(state, stage, boxes).rows
    }


def _prizes(state: State, stage: Stage, boxes: int | None) -> Mapping[str, int]:
    """Return the current prizes, including those below the cut of the open round."""
    if state.prizes_cents is None:
        return {}
    if stage.frame.key[1] == SUDDEN_DEATH:
        return prizes_standing(state, money_ties_open(state))
    round_ = stage if stage.tie is None else stage_of(state, parent_of(stage.frame.key))
    return prizes_standing(state if round_.status == CLOSED else closed_now(state, round_, boxes))
