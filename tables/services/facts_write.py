"""The core applies the facts of a command to the event, and the rows follow (ADR 25)."""

from __future__ import annotations

from dataclasses import replace

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.selectors.facts_standing import course_standing
from tables.selectors.journal_facts import Line, facts_of
from tournament.engine.corrections import Decision
from tournament.engine.state import DEAL
from tournament.services.asked import event_of
from tournament.services.journal import Command, Json

from .project import Rows, project


def facts_write(cmd: Command, kind: str, *, asked: Json | None = None, result: Json | None = None) -> None:
    """Write what follows from the facts of a command, as its journal entry will have them.

    They are read as those of ``kind`` from its arguments, its notes and its result. A hand has moved its own
    chips already. Raises Refused ``journal_not_whole`` (409).
    """
    event = event_of(cmd)
    try:
        names, before = course_standing(event)
    except Refused as no:
        raise Refused(
            "journal_not_whole",
            _(
                "The journal does not hold everything that has happened in this event, so nobody can work out"
                " how this tie goes on. Run manage.py audit to see what is missing."
            ),
            status=409,
        ) from no
    record = cmd.notes.get("record") or {}
    bets, button = record.get("bets", {}), record.get("button")
    actor = cmd.actor.pk if cmd.actor else None
    line = Line(cmd.seq, kind, cmd.at, asked or {}, cmd.notes, result or {}, bets, button, actor)
    said = facts_of([line], names)
    assert said.stop is None, f"the journal would not say what this hand or ruling decides: {said.stop}"
    after = before.then(fact for _seq, fact in said.facts)
    made = tuple(move for move in after.moves[len(before.moves) :] if move.kind != DEAL)
    before, after = replace(before, moves=()), replace(after, moves=made)
    project(cmd, Rows.of(event, names, {}, ()), before, after, Decision(after.log), at_table=True)
