"""Write a command's facts with its journal entry, and the rows that follow from them (ADR 25)."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from ground.refused import Conflict
from ground.words import gettext_noop as _
from tournament.engine.facts import Seated, Written
from tournament.engine.fold import CANNOT_FOLLOW
from tournament.engine.state import DEAL, stacks_changed
from tournament.engine.steps.seats import unseated
from tournament.models import Event
from tournament.selectors.facts_standing import Course, course_keep, course_standing
from tournament.services.arguments import event_of
from tournament.services.journal import Command
from tournament.services.money import money_moved

from .project import Rows, project

logger = logging.getLogger(__name__)


def facts_write(cmd: Command, *facts: Written, before: Course | None = None) -> None:
    """Add facts to a command, and write the rows that follow from all of its facts.

    A hand has moved its own chips already. ``before``: the course up to the command, if the caller has it.
    Raises Refused ``journal_not_whole`` (409), and as ``course_after`` does.
    """
    cmd.write(*facts)
    before = before or course_standing(event_of(cmd), (cmd.seq - 1, cmd.head))
    after = course_after(event_of(cmd), before, cmd.facts)
    course_write(cmd, before, after, at_table=True)


def course_after(event: Event, before: Course, facts: Iterable[Written]) -> Course:
    """Return the course with the facts of a command. Raises Refused ``cannot_follow`` (409)."""
    try:
        return before.then(facts)
    except CANNOT_FOLLOW as why:
        logger.exception("%s: what a command says cannot follow from the journal", event.code)
        text = _(
            "This contradicts the journal of this event, so nothing was saved. Load the page again. If "
            "it is refused again, run manage.py audit to see where the journal differs."
        )
        raise Conflict("cannot_follow", text) from why


def course_written(cmd: Command, after: Course) -> None:
    """Cache the course after a command for the next one, unless this command adds further facts."""
    cmd.on_written = partial(course_keep, event_of(cmd), cmd.seq, after)


def course_write(cmd: Command, before: Course, after: Course, *, at_table: bool = False) -> None:
    """Write the rows that differ between two courses; a hand has moved its own chips already.

    ``at_table``: players and dealers also move the other chips on the felt.
    """
    made = tuple(move for move in after.moves[len(before.moves) :] if move.kind != DEAL)
    facts = after.log[len(before.log) :]
    course_written(cmd, after)
    seated = {fact.stage for fact in facts if isinstance(fact, Seated)}
    was = unseated(before.state, after.state, seated) if seated else before.state
    before, after = replace(before, state=was, moves=()), replace(after, moves=made)
    posted = {(stage, entry) for move in made for _account, stage, entry, _chips in move.legs if stage}
    concerned = posted | stacks_changed(before.state, after.state).keys()
    rows = Rows.of(event_of(cmd), {}, concerned)
    rows.join(concerned)
    project(cmd, rows, before, after, at_table=at_table)
    # Without new facts these moves belong to the command before.
    money_moved(cmd, after.state.moves if facts else ())
