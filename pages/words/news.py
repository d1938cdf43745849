"""The journal's news about an object since a form was made from it."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from pages.words.history import HistoryLine, journal_lines
from tournament.models import Event, JournalEntry
from tournament.selectors.basis import Basis, entries_since
from tournament.selectors.desk import house_read

TOLD = 3
"""The most lines of news; the journal has the rest."""
COUNTS = frozenset({"count.enter", "count.reopen"})
"""Kinds shown without figures: the reader may still have to count blind (T18)."""


def news_since(basis: Basis, token: str) -> list[str]:
    """Return the latest journal lines about a form's object since the form was made.

    Empty for cards and open hands, which are not commands.
    """
    return _told(basis.event_id, entries_since(basis, token, TOLD))


def _told(event_id: int | None, entries: list[JournalEntry]) -> list[str]:
    zone = ZoneInfo(house_read().time_zone)
    event = Event.objects.get(pk=event_id) if event_id is not None else None
    return [
        f"{line.entry.at.astimezone(zone):%H:%M} {line.title}{_detail(line)}, by {line.by}"
        for line in journal_lines(event, entries)
    ]


def _detail(line: HistoryLine) -> str:
    return f" ({line.detail})" if line.detail and line.entry.kind not in COUNTS else ""
