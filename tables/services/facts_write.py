"""The core applies the facts of a command to the event, and the rows follow (ADR 25)."""

from __future__ import annotations

from dataclasses import replace

from tables.selectors.facts_standing import Course, course_standing
from tables.selectors.journal_facts import Line, facts_of
from tables.selectors.names import Names
from tournament.engine.corrections import Decision
from tournament.engine.state import DEAL, stacks_changed
from tournament.services.asked import event_of
from tournament.services.journal import Command, Json
from tournament.services.money import money_moved

from .project import Rows, project


def facts_write(cmd: Command, kind: str, *, asked: Json | None = None, result: Json | None = None) -> None:
    """Write what follows from the facts of a command, as its journal entry will have them.

    They are read as those of ``kind`` from its arguments, its notes and its result. A hand has moved its own
    chips already. Raises Refused ``journal_not_whole`` (409).
    """
    names, before = course_standing(event_of(cmd))
    record = cmd.notes.get("record") or {}
    bets, button = record.get("bets", {}), record.get("button")
    actor = cmd.actor.pk if cmd.actor else None
    line = Line(cmd.seq, kind, cmd.at, asked or {}, cmd.notes, result or {}, bets, button, actor)
    said = facts_of([line], names)
    assert said.stop is None, f"the journal would not say what this hand or ruling decides: {said.stop}"
    course_write(cmd, names, before, before.then(fact for _seq, fact in said.facts), at_table=True)


def course_write(
    cmd: Command, names: Names, before: Course, after: Course, *, at_table: bool = False
) -> None:
    """Write what further facts change; a hand has moved its own chips already.

    ``at_table``: players and dealers move the other chips as well.
    """
    made = tuple(move for move in after.moves[len(before.moves) :] if move.kind != DEAL)
    decision = Decision(after.log)
    before, after = replace(before, moves=()), replace(after, moves=made)
    posted = {(stage, entry) for move in made for _account, stage, entry, _chips in move.legs if stage}
    concerned = posted | stacks_changed(before.state, after.state).keys()
    rows = Rows.of(event_of(cmd), names, {}, concerned)
    project(cmd, rows, before, after, decision, at_table=at_table)
    money_moved(cmd, after.state.moves)
