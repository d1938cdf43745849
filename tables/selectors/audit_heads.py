"""Compare the journal with heads kept outside: was its tail cut, or its chain rebuilt?"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator
from pathlib import Path

from tables.selectors.audit_rows import MISSING, ROW, THERE, Difference
from tournament.models import Event, JournalEntry
from tournament.selectors.heads import Head, heads_late, heads_posted, lines_of


def heads_compared(event: Event, file: Path, *, whole: bool) -> Iterator[Difference]:
    """Yield every head of a file that the event's journal lacks; raises OSError.

    ``whole``: the file is the house's own, so it should have a head for every posting and payment.
    """
    due = heads_posted(event, heads_late()) if whole else []
    # Read the file before the journal, so that the entry of every head in it can be found.
    lines = list(lines_of(file.read_text(errors="replace")))
    entries = _entries(event)
    seen = set[int]()
    for number, found in enumerate(lines, start=1):
        row = f"{file.name}, line {number}"
        if found is None:
            yield Difference(row, "line", "no head", "a head")
        elif found[0].event == event.slug:
            seen.add(found[0].seq)
            yield from _differs(row, *found, entries.get(found[0].seq))
    for head in due:
        if head.seq not in seen:
            yield Difference(f"{file.name}, head of journal entry {head.seq}", ROW, MISSING, THERE)


def _entries(event: Event) -> dict[int, Head]:
    rows = JournalEntry.objects.filter(event=event).values_list("seq", "at", "hash")
    return {seq: Head(at, event.slug, seq, hash_) for seq, at, hash_ in rows}


def _differs(row: str, head: Head, seal: str, entry: Head | None) -> Iterator[Difference]:
    # Never print the correct seal: a reader of the audit could write it into the file.
    if not hmac.compare_digest(seal.encode(), head.seal.encode()):
        yield Difference(row, "seal", "of another head or another key", "that of this head by HEADS_KEY")
    elif entry is None:
        yield Difference(row, f"journal entry {head.seq}", MISSING, THERE)
    elif entry.hash != head.hash:
        yield Difference(row, f"hash of journal entry {head.seq}", entry.hash, head.hash)


def printed_compared(event: Event, codes: Iterable[str]) -> Iterator[Difference]:
    """Yield every printed head (``41-8F2C91AB5D77E0C3``) that the journal lacks or has otherwise."""
    entries = _entries(event)
    for code in codes:
        number, row = code.partition("-")[0], f"printed head {code}"
        entry = entries.get(int(number)) if number.isdecimal() else None
        if entry is None:
            yield Difference(row, f"journal entry {number}", MISSING, THERE)
        elif not hmac.compare_digest(entry.code.encode(), code.upper().encode()):
            yield Difference(row, f"hash of journal entry {number}", "another", "as printed")
