"""What a command means for its event goes into its journal entry as facts (ADR 25)."""

from __future__ import annotations

import logging

from tables.selectors.journal_facts import Line, facts_of
from tables.selectors.names import names_asked
from tournament.engine.facts_json import fact_to_json
from tournament.services.journal import Command, Json, facts_hook

logger = logging.getLogger(__name__)


@facts_hook
def facts_keep(cmd: Command, kind: str, body: Json, result: Json) -> list[Json] | None:
    """Return the facts of a command as JSON, None where it does not say all that they need."""
    assert cmd.event is not None
    noted = body.get("noted", {})
    record = noted.get("record") or {}
    line = Line(
        *(cmd.seq, kind, cmd.at, body["asked"], noted, result, record.get("bets", {}), record.get("button")),
        cmd.actor.pk if cmd.actor else None,
    )
    read = facts_of([line], names_asked(cmd.event, cmd.rows))
    if read.stop is not None and read.stop.amiss:
        logger.error("%s %s: its facts cannot be read: %s", cmd.event.code, kind, read.stop.why)
    return None if read.stop else [fact_to_json(fact) for _seq, fact in read.facts]
