"""What has happened to a thing since a form was made from it: who did what, as the journal tells it."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from pages.words.history import Line, journal_lines
from tournament.models import Event, JournalEntry
from tournament.selectors.basis import Basis, entries_since
from tournament.selectors.desk import house_read

TOLD = 3
"""So much of the news is told; the journal has the rest."""
COUNTS = frozenset({"count.enter", "count.reopen"})
"""Told without a figure: the form may be that of somebody who still counts, and counts blind (T18)."""


def news_since(basis: Basis, token: str) -> list[str]:
    """What the journal says has happened to a thing since a form was made, the last of it: who did what.

    Empty where it says nothing: cards and open hands are not commands.
    """
    return _told(basis.event_id, entries_since(basis, token, TOLD))


def _told(event_id: int | None, entries: list[JournalEntry]) -> list[str]:
    zone = ZoneInfo(house_read().time_zone)
    event = Event.objects.get(pk=event_id) if event_id is not None else None
    return [
        f"{line.entry.at.astimezone(zone):%H:%M} {line.title}{_detail(line)}, by {line.by}"
        for line in journal_lines(event, entries)
    ]


def _detail(line: Line) -> str:
    return f" ({line.detail})" if line.detail and line.entry.kind not in COUNTS else ""
