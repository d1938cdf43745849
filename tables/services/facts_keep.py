"""What a command means for its event goes into its journal entry as facts (ADR 25)."""

from __future__ import annotations

import logging
from functools import partial

from tables.selectors.facts_standing import course_keep
from tables.selectors.journal_facts import Line, Read, facts_of
from tables.selectors.names import Names, names_asked
from tournament.engine.facts import Corrected, Written
from tournament.engine.facts_json import fact_to_json
from tournament.services.journal import Command, Json, facts_hook

logger = logging.getLogger(__name__)


def facts_read(cmd: Command, kind: str, asked: Json, noted: Json, result: Json, names: Names) -> Read:
    """Return the facts of a command by what it asked for, noted and came to."""
    record = noted.get("record") or {}
    bets, button = record.get("bets", {}), record.get("button")
    actor = cmd.actor.pk if cmd.actor else None
    return facts_of([Line(cmd.seq, kind, cmd.at, asked, noted, result, bets, button, actor)], names)


@facts_hook
def facts_keep(cmd: Command, kind: str, body: Json, result: Json) -> list[Json] | None:
    """Return the facts of a command as JSON, None where it does not say all that they need.

    Where the core has written their rows, what they come to is kept for the next command.
    """
    assert cmd.event is not None
    names, after, said = cmd.written or (names_asked(cmd.event, cmd.rows), None, ())
    read = facts_read(cmd, kind, body["asked"], body.get("noted", {}), result, names)
    if read.stop is not None and read.stop.amiss:
        logger.error("%s %s: its facts cannot be read: %s", cmd.event.code, kind, read.stop.why)
    if read.stop is not None:
        return None
    facts = [fact for _seq, fact in read.facts]
    if after and list(map(_decides, facts)) == list(map(_decides, said)):
        cmd.told = partial(course_keep, cmd.event, cmd.seq, after)
    return [fact_to_json(fact) for fact in facts]


def _decides(fact: Written) -> object:
    """Return what others follow from in a fact: of a corrected hand no evidence."""
    return (fact.at, fact.by) if isinstance(fact, Corrected) else fact
