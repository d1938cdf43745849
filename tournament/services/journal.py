"""Every change is one command: one key, one transaction, one journal entry (Standing orders).

The journal is at once the idempotency store, the audit trail and the source of a replay. One hash
chain per event, and one for what concerns the house alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from tournament.engine.canonical import journal_hash
from tournament.engine.refused import Refused
from tournament.models import Event, JournalEntry, JournalHead
from tournament.selectors import quick

from . import queue

Json = dict[str, Any]


@dataclass
class Command:
    """What a command in progress may know: its event, the database's time, its place in the chain."""

    event: Event | None
    actor: User | None
    approver: User | None
    at: datetime
    seq: int
    notes: Json = field(default_factory=dict)

    def note(self, **facts: Any) -> None:
        """Add what came to light on the way (a drawn button, a revealed secret) to the entry's body."""
        self.notes.update(facts)


def command(
    *,
    kind: str,
    key: str,
    actor: User | None,
    body: Mapping[str, Any],
    act: Callable[[Command], Json],
    event_id: int | None = None,
    approver: User | None = None,
    standings: bool = False,
) -> Json:
    """Carry out ``act`` once, in one transaction, and journal it; the same key again gives the first result.

    ``body`` is what was asked for: JSON, ids and figures only, no person's data. ``act`` does the writes and
    returns the result, JSON as well. The event's journal head is locked first, so that the commands of an
    event stand in one order and ``act`` sees a state that nobody else is changing. With ``standings`` the
    standings are recomputed after the commit.

    Raises Refused: whatever ``act`` refuses; ``key_reused`` (422) where the key came before with another
    body; ``no_key`` where there is none. A refusal changes nothing, the journal included.
    """
    if not key or len(key) > 80:
        raise Refused("no_key", "The form has lost its key. Load the page again and send it once more.")
    asked: Json = json.loads(json.dumps(dict(body)))
    try:
        with transaction.atomic():
            head = _lock_head(event_id)
            first = _first_result(key=key, kind=kind, event_id=event_id, body=asked, actor=actor)
            if first is not None:
                return first
            event, at = _event_and_time(event_id)
            cmd = Command(event=event, actor=actor, approver=approver, at=at, seq=head.seq + 1)
            result: Json = json.loads(json.dumps(act(cmd)))
            _append(head=head, cmd=cmd, kind=kind, key=key, asked=asked, result=result)
            if standings and event_id is not None:
                queue.after_commit("tournament.recompute_standings", event_id)
            return result
    except IntegrityError as error:
        # A key that another event's command has used in the meantime; anything else is a fact
        # that the database holds.
        if "journal_journalentry_key" in str(error) or "journalentry_key" in str(error):
            raise Refused("key_reused", "This form has been used already. Load the page again.") from error
        raise


def chain_open(event: Event | None) -> JournalHead:
    """Start the chain of a new event (or of the house); called once, by the service that creates it."""
    head, _ = JournalHead.objects.get_or_create(event=event)
    return head


_HEAD = (
    f"SELECT {quick.columns(JournalHead, 'h')} FROM tournament_journalhead h"  # noqa: S608 - our own columns
    " WHERE h.event_id IS NOT DISTINCT FROM %s FOR UPDATE"
)


def _lock_head(event_id: int | None) -> JournalHead:
    found = quick.row(_HEAD, event_id)
    if found is None and event_id is None:
        JournalHead.objects.get_or_create(event=None)
        found = quick.row(_HEAD, None)
    if found is None:
        raise Refused("no_such_event", "There is no such event.", status=404)
    return quick.made(JournalHead, found)


_EVENT_AND_TIME = (
    f"SELECT clock_timestamp(), {quick.columns(Event, 'e')}"  # noqa: S608 - our own columns
    " FROM tournament_event e WHERE e.id = %s"
)


def _event_and_time(event_id: int | None) -> tuple[Event | None, datetime]:
    """The event and the time once the lock is held; read together with the lock, both could be stale."""
    found = quick.row(_EVENT_AND_TIME, event_id) if event_id else quick.row("SELECT clock_timestamp()")
    assert found is not None
    at, *event = found
    return (quick.made(Event, event) if event else None), at


_BY_KEY = "SELECT kind, event_id, body, actor_id, result FROM tournament_journalentry WHERE key = %s"


def _first_result(
    *, key: str, kind: str, event_id: int | None, body: Json, actor: User | None
) -> Json | None:
    """The stored result of the same command under this key; None if the key is new."""
    found = quick.row(_BY_KEY, key)
    if found is None:
        return None
    first_kind, first_event, first_body, first_actor, result = found
    asked = json.loads(first_body).get("asked")
    if (first_kind, first_event, asked, first_actor) != (kind, event_id, body, actor.pk if actor else None):
        raise Refused("key_reused", "This form has been sent before with other content. Load the page again.")
    stored: Json = json.loads(result)
    return stored


# Both in one statement: the entry, and the end of the chain that it now is.
_APPEND = """
    WITH entry AS (
        INSERT INTO tournament_journalentry
            (event_id, seq, key, actor_id, approver_id, kind, body, result, at, prev_hash, hash)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
    )
    UPDATE tournament_journalhead SET seq = %s, hash = %s WHERE id = %s
"""


def _append(*, head: JournalHead, cmd: Command, kind: str, key: str, asked: Json, result: Json) -> None:
    body: Json = {"asked": asked}
    if cmd.notes:
        body["noted"] = json.loads(json.dumps(cmd.notes))
    entry = JournalEntry(
        event_id=head.event_id,
        seq=cmd.seq,
        key=key,
        actor=cmd.actor,
        approver=cmd.approver,
        kind=kind,
        body=body,
        result=result,
        at=cmd.at,
        prev_hash=head.hash,
    )
    entry.hash = journal_hash(head.hash, entry_row(entry))
    quick.send(
        _APPEND,
        *(entry.event_id, entry.seq, key, entry.actor_id, entry.approver_id, kind),
        *(json.dumps(body), json.dumps(result), entry.at, entry.prev_hash, entry.hash),
        *(entry.seq, entry.hash, head.pk),
    )


def entry_row(entry: JournalEntry) -> Json:
    """The row as it is hashed: everything but the hashes, times in UTC to the microsecond."""
    return {
        "seq": entry.seq,
        "event": entry.event_id,
        "key": entry.key,
        "actor": entry.actor_id,
        "approver": entry.approver_id,
        "kind": entry.kind,
        "body": entry.body,
        "result": entry.result,
        "at": entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
    }


@dataclass(frozen=True)
class ChainReport:
    """What checking a chain found; ``broken_at`` is None when it holds."""

    entries: int
    head: str
    broken_at: int | None = None
    why: str = ""


def chain_verify(event: Event | None) -> ChainReport:
    """Walk a chain from its first entry and compare every hash with what the row says (faults, threats)."""
    previous, expected_seq = "0" * 64, 1
    for entry in JournalEntry.objects.filter(event=event).order_by("seq").iterator():
        why = _fault(entry, expected_seq, previous)
        if why:
            return ChainReport(expected_seq - 1, previous, expected_seq, why)
        previous, expected_seq = entry.hash, expected_seq + 1
    head = JournalHead.objects.filter(event=event).first()
    if head is not None and (head.seq, head.hash) != (expected_seq - 1, previous):
        return ChainReport(
            expected_seq - 1, previous, expected_seq, "the chain ends before its recorded head"
        )
    return ChainReport(expected_seq - 1, previous)


def _fault(entry: JournalEntry, expected_seq: int, previous: str) -> str:
    if entry.seq != expected_seq:
        return f"entry {expected_seq} is missing"
    if entry.prev_hash != previous:
        return "it does not follow from the entry before it"
    if entry.hash != journal_hash(previous, entry_row(entry)):
        return "its content has been changed after it was written"
    return ""
