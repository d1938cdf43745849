"""The journal beside the heads that have left the house: was its tail cut, or its chain made anew?"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator
from pathlib import Path

from tables.selectors.audit_rows import MISSING, ROW, THERE, Difference
from tournament.models import Event, JournalEntry
from tournament.selectors.heads import Head, heads_late, heads_posted, lines_of


def heads_compared(event: Event, file: Path, *, whole: bool) -> Iterator[Difference]:
    """Give every head of a file that the journal of an event has not; raises OSError.

    ``whole``: the file is the one that heads are appended to, so it has one of every posting and payment.
    """
    due = heads_posted(event, heads_late()) if whole else []
    # The file is read before the journal: a head that is appended in between has its entry there.
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
    # The right seal is never said: whoever reads an audit could write it into the file.
    if not hmac.compare_digest(seal.encode(), head.seal.encode()):
        yield Difference(row, "seal", "of another head or another key", "that of this head by HEADS_KEY")
    elif entry is None:
        yield Difference(row, f"journal entry {head.seq}", MISSING, THERE)
    elif entry.hash != head.hash:
        yield Difference(row, f"hash of journal entry {head.seq}", entry.hash, head.hash)


def printed_compared(event: Event, codes: Iterable[str]) -> Iterator[Difference]:
    """Give every printed head that the journal has not, or not so: ``41-8F2C91AB5D77E0C3``."""
    entries = _entries(event)
    for code in codes:
        number, row = code.partition("-")[0], f"printed head {code}"
        entry = entries.get(int(number)) if number.isdecimal() else None
        if entry is None:
            yield Difference(row, f"journal entry {number}", MISSING, THERE)
        elif not hmac.compare_digest(entry.code.encode(), code.upper().encode()):
            yield Difference(row, f"hash of journal entry {number}", "another", "as printed")
