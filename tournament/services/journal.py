"""Every change is one command: one key, one transaction, one journal entry (Standing orders).

The journal is the idempotency store, the audit trail and the source of a replay. There is one hash chain per
event, and one for commands of the house.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError

from ground.arguments import body_check
from ground.canonical import journal_hash, journal_row, json_hash
from ground.refused import Refused
from tournament import sql
from tournament.catalogue import COMMANDS
from tournament.engine.facts import Written
from tournament.engine.facts_json import fact_to_json
from tournament.models import Event, JournalEntry, JournalHead
from tournament.selectors.basis import basis_check

from . import commits
from .commits import begin, saving

Json = dict[str, Any]


def not_whole(code: str) -> Refused:
    """Return the refusal of a form without its key, or without a hidden number of its page."""
    return Refused(
        code,
        "This form did not arrive completely, so nothing was done. Load the page again and send it "
        "once more.",
    )


@dataclass
class Command:
    """A command in progress: its event, the database's time, its place in the chain."""

    event: Event | None
    actor: User | None
    approver: User | None
    at: datetime
    seq: int
    notes: Json = field(default_factory=dict)
    head: str = ""
    """The hash of the previous entry."""
    on_written: Callable[[str], None] | None = None
    """A callback with the hash of the command's own entry, called once that is written."""
    facts: list[Written] = field(default_factory=list)
    """The facts of the command for its event, in order (ADR 25)."""

    def note(self, **said: Any) -> None:
        """Add details found during the command (a revealed secret, a hand's record) to the entry's body."""
        self.notes.update(said)

    def write(self, *facts: Written) -> None:
        """Add facts to the entry: things that happened or were decided (ADR 25).

        Results computed from earlier facts are then incomplete, so the callback is dropped.
        """
        self.facts += facts
        self.on_written = None


def command(
    *,
    kind: str,
    key: str,
    actor: User | None,
    body: Mapping[str, Any],
    act: Callable[[Command], Json],
    event_id: int | None = None,
    approver: User | None = None,
) -> Json:
    """Carry out ``act`` once, in one transaction, and journal it; a repeated key returns the first result.

    ``body``: the arguments as JSON, ids and figures only, no personal data. ``act`` writes and returns the
    result, JSON as well. The event's journal head is locked first, so that the commands of an event have one
    order and ``act`` sees a state that no other command changes. The standings are recomputed after the
    commit.

    ``key`` may be a ``Submission``, which also carries the basis of its form: if the state has changed it
    is ``stale`` (409).

    Raises Refused: whatever ``act`` refuses; ``key_reused`` (422) if the key was used with another body;
    ``no_key`` without one. A refusal changes nothing, including the journal. Raises LookupError for a
    ``kind`` that is not in the catalogue, and TypeError for a body whose arguments or types differ from the
    declared ones.
    """
    declared = COMMANDS.get(kind)
    if declared is None:
        raise LookupError(f"{kind!r} is not in the catalogue of commands; give it its words there")
    if not key or len(key) > 80:
        raise not_whole("no_key")
    asked: Json = json.loads(json.dumps(dict(body)))
    body_check(kind, declared.takes, asked)
    begin(key)
    try:
        with saving():
            head = _lock_head(event_id)
            before, event, at = _found(key, event_id)
            if before is not None:
                return _first_result(before, kind=kind, event_id=event_id, body=asked, actor=actor)
            cmd = Command(event, actor, approver, at=at, seq=head.seq + 1, head=head.hash)
            basis_check(key)
            result: Json = json.loads(json.dumps(act(cmd)))
            _append(head=head, cmd=cmd, kind=kind, key=key, asked=asked, result=result)
            if event_id is not None:
                commits.after_commit("tournament.recompute_standings", event_id)
            return result
    except IntegrityError as error:
        # The key was used by a command of another event meanwhile; any other error is a violated constraint.
        if "journal_journalentry_key" in str(error) or "journalentry_key" in str(error):
            raise Refused("key_reused", "This form has been used already. Load the page again.") from error
        raise


def kind_pressed(key: str) -> str:
    """Return the kind of command that was carried out with this key; empty if there is none.

    For forms that are one command or another, depending on the state: repeated, they are the same command
    again.
    """
    return JournalEntry.objects.filter(key=key).values_list("kind", flat=True).first() or ""


def chain_open(event: Event | None) -> JournalHead:
    """Start the chain of a new event (or of the house); called once, by the service that creates it."""
    head, _ = JournalHead.objects.get_or_create(event=event)
    return head


_HEAD = (
    f"SELECT {sql.columns(JournalHead, 'h')} FROM tournament_journalhead h"  # noqa: S608 - our own columns
    " WHERE h.event_id IS NOT DISTINCT FROM %s FOR UPDATE"
)


def _lock_head(event_id: int | None) -> JournalHead:
    found = sql.row(_HEAD, event_id)
    if found is None and event_id is None:
        JournalHead.objects.get_or_create(event=None)
        found = sql.row(_HEAD, None)
    if found is None:
        raise Refused("no_such_event", "There is no such event.", status=404)
    return sql.made(JournalHead, found)


def event_lock(event_id: int) -> None:
    """Block other commands of an event until this transaction ends, as a command does itself."""
    _lock_head(event_id)


_FOUND = (
    "SELECT j.kind, j.event_id, j.body, j.actor_id, j.result, clock_timestamp(),"  # noqa: S608 - our own columns
    f" {sql.columns(Event, 'e')} FROM (SELECT 1) one"
    " LEFT JOIN tournament_journalentry j ON j.key = %s LEFT JOIN tournament_event e ON e.id = %s"
)
_ENTRY = 5


def _found(key: str, event_id: int | None) -> tuple[sql.Row | None, Event | None, datetime]:
    """Return the entry with this key, the event and the time, read after the lock is held.

    Read together with the lock all of them could be stale.
    """
    found = sql.row(_FOUND, key, event_id)
    assert found is not None
    before, at, event = found[:_ENTRY], found[_ENTRY], found[_ENTRY + 1 :]
    return (before if before[0] else None), (sql.made(Event, event) if event_id else None), at


def _first_result(
    before: sql.Row, *, kind: str, event_id: int | None, body: Json, actor: User | None
) -> Json:
    """Return the stored result of the earlier command, if it was the same command."""
    first_kind, first_event, first_body, first_actor, result = before
    asked = json.loads(first_body).get("asked")
    if (first_kind, first_event, asked, first_actor) != (kind, event_id, body, actor.pk if actor else None):
        raise Refused("key_reused", "This form was sent before with different content. Load the page again.")
    stored: Json = json.loads(result)
    return stored


# In one statement: the entry, and the end of the chain.
_APPEND = """
    WITH entry AS (
        INSERT INTO tournament_journalentry
            (event_id, seq, key, actor_id, approver_id, kind, body, result, facts, at, prev_hash, hash)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
    )
    UPDATE tournament_journalhead SET seq = %s, hash = %s WHERE id = %s
"""


def _append(*, head: JournalHead, cmd: Command, kind: str, key: str, asked: Json, result: Json) -> None:
    body: Json = {"asked": asked}
    if cmd.notes:
        body["noted"] = json.loads(json.dumps(cmd.notes))
    facts = [fact_to_json(fact) for fact in cmd.facts]
    # Commands of the house have no facts.
    if cmd.event is not None:
        body["facts"] = json_hash(facts)
    actor, approver = (person.pk if person else None for person in (cmd.actor, cmd.approver))
    row = journal_row(
        seq=cmd.seq,
        event=head.event_id,
        key=key,
        actor=actor,
        approver=approver,
        kind=kind,
        body=body,
        result=result,
        at=cmd.at,
    )
    hash_ = journal_hash(head.hash, row)
    sql.send(
        _APPEND,
        *(head.event_id, cmd.seq, key, actor, approver, kind),
        *(json.dumps(body), json.dumps(result), json.dumps(facts)),
        *(cmd.at, head.hash, hash_),
        *(cmd.seq, hash_, head.pk),
    )
    if cmd.on_written is not None:
        cmd.on_written(hash_)
