"""Verify the chain of the journal: every entry unchanged, and none missing (faults, threats)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ground.canonical import journal_hash, journal_row, json_hash
from tournament.models import Event, JournalEntry, JournalHead, Posting


def entry_row(entry: JournalEntry) -> dict[str, Any]:
    """Return the row in the form that is hashed."""
    return journal_row(
        seq=entry.seq,
        event=entry.event_id,
        key=entry.key,
        actor=entry.actor_id,
        approver=entry.approver_id,
        kind=entry.kind,
        body=entry.body,
        result=entry.result,
        at=entry.at,
    )


@dataclass(frozen=True)
class ChainReport:
    """The result of verifying a chain; ``broken_at`` is None if it holds.

    ``at_the_end``: every entry holds, but the chain does not end where it should.
    """

    entries: int
    head: str
    broken_at: int | None = None
    why: str = ""
    at_the_end: bool = False


def chain_verify(event: Event | None) -> ChainReport:
    """Walk a chain from its first entry and compare every hash with its row (faults, threats)."""
    previous, expected_seq = "0" * 64, 1
    posted = _heads_posted(event)
    for entry in JournalEntry.objects.filter(event=event).order_by("seq").iterator():
        why = _fault(entry, expected_seq, previous)
        if why:
            return ChainReport(expected_seq - 1, previous, expected_seq, why)
        previous, expected_seq = entry.hash, expected_seq + 1
        posted.pop(entry.hash, None)
    why = _fault_at_the_end(event, expected_seq - 1, previous, posted)
    return ChainReport(expected_seq - 1, previous, expected_seq if why else None, why, bool(why))


def _heads_posted(event: Event | None) -> dict[str, int]:
    """Return the heads printed on posted results, each with the number of its posting (faults)."""
    results = Posting.objects.filter(event=event, kind=Posting.Kind.RESULT).order_by("number")
    return {p.body["journal_head"]: p.number for p in results if "journal_head" in p.body}


def _fault_at_the_end(event: Event | None, seq: int, last_hash: str, posted: Mapping[str, int]) -> str:
    """Return the fault at the end of a chain. ``posted``: posted heads that the chain lacks."""
    head = JournalHead.objects.filter(event=event).first()
    if head is None and (event is not None or seq):
        return "the record of its head is missing"
    if head is not None and (head.seq, head.hash) != (seq, last_hash):
        return "the chain ends before its recorded head"
    if posted:
        return f"the chain lacks the head that is printed on posted result {min(posted.values())}"
    return ""


def _fault(entry: JournalEntry, expected_seq: int, previous: str) -> str:
    if entry.seq != expected_seq:
        return f"entry {expected_seq} is missing"
    if entry.prev_hash != previous:
        return "it does not follow from the entry before it"
    kept = entry.body.get("facts", json_hash([]))
    if entry.hash != journal_hash(previous, entry_row(entry)) or kept != json_hash(entry.facts):
        return "its content has been changed after it was written"
    return ""
