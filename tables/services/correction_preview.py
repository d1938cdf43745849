"""Preview what a correction would change, before the director confirms it (T17).

It compares two states of the core, before and after the correction. Nothing is written.

| rule                                                     | clause   | where              |
|----------------------------------------------------------|----------|--------------------|
| a round or a tie is ranked as on its pages               | T20, T33 | ``standing``       |
| prizes as the event stands                               | T35      | ``_prizes``        |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tables.models import Deal
from tables.selectors.correction_requests import EntryChange, Shown
from tables.selectors.standing_folded import closed_now, prizes_standing
from tournament.engine.corrections import seated_after
from tournament.engine.facts import ROUND, SUDDEN_DEATH, CutDiffers, StageKey
from tournament.engine.stages import CLOSED
from tournament.engine.standing import standing
from tournament.engine.state import Stage, State, seats_of, stage_of, table_of, with_stage
from tournament.engine.steps.cut import cut_differs
from tournament.engine.steps.places import money_ties_open
from tournament.engine.steps.ties import parent_of
from tournament.selectors.facts_standing import Course
from tournament.selectors.stages import boxes_for_all
from tournament.services.journal import Json

from .correcting import Correction, corrected_hand


@dataclass(frozen=True)
class Preview:
    """What a correction would change. ``lines``: all entries; ``recount``: the table counts again.

    ``anew``: the hand as it would be recorded, not saved; ``void``: later hands of a tie that would become
    void, each with the code of the reason; ``goes_on``: the tie would be open; ``seats_stand``: a later stage
    is seated, so its seats stay, and ``differs`` names the players who should have advanced; ``ruled``: what
    a ruling on the count of a closed round has moved, as a request stores it; the correction keeps it.
    """

    deal: Deal
    anew: Deal
    lines: tuple[EntryChange, ...]
    recount: bool
    void: tuple[tuple[Deal, str], ...] = ()
    goes_on: bool = False
    seats_stand: bool = False
    differs: CutDiffers | None = None
    ruled: tuple[Json, ...] = ()

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
        found.void,
        goes_on=bool(stage.tie and not stands and seats_of(stage).keys() - stage.results.keys()),
        seats_stand=stands,
        differs=differs if stands and differs and differs != was else None,
        ruled=_ruled(found),
    )


def _ruled(found: Correction) -> tuple[Json, ...]:
    """Return the chips by which the ruling on a closed count has moved the stacks that change (T18)."""
    stage = stage_of(found.before.state, found.key[0])
    moved = table_of(stage, found.key[1]).counts.moved if stage.status == CLOSED else ()
    return tuple({"entry": code, "moved": chips} for code, chips in moved if chips and code in found.changes)


# A stage as it stands -------------------------------------------------------------------------------


def _stage_shown(course: Course, key: StageKey, boxes: int | None, status: str = "") -> dict[str, Shown]:
    """Return the ranking of a stage as its pages show it; ``boxes``: how many the next round has (T23).

    Players who have left have the chips that they handed in (T26). ``status``: the round's status before the
    correction; a table that counts again does not change it here.
    """
    state, stage = course.state, stage_of(course.state, key)
    if stage.tie is None and status and CLOSED not in (status, stage.status):
        stage = replace(stage, status=status)
        state = with_stage(state, stage)
    prizes, cut = _prizes(state, stage, boxes), stage.tie is not None or stage.frame.cut_to is not None
    had = course.had(key)
    ranked = {
        row.code: Shown(
            *(had[row.code] if row.state.gone else row.chips, row.place, row.tied),
            row.state if cut or row.state.gone else "",
            prizes.get(row.code),
        )
        for row in standing(state, stage, boxes).rows
    }
    left = {
        code: Shown(chips, None, False, "", prizes.get(code, 0))
        for code, chips in sorted(had.items())
        if code not in ranked
    }
    return ranked | left


def _prizes(state: State, stage: Stage, boxes: int | None) -> Mapping[str, int]:
    """Return the current prizes, including those below the cut of the open round."""
    if state.prizes_cents is None:
        return {}
    if stage.frame.key[1] == SUDDEN_DEATH:
        return prizes_standing(state, money_ties_open(state))
    round_ = stage if stage.tie is None else stage_of(state, parent_of(stage.frame.key))
    return prizes_standing(state if round_.status == CLOSED else closed_now(state, round_, boxes))
