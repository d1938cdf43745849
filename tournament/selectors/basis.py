"""What forms of the tournament are made from, and what has happened to it since."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from zoneinfo import ZoneInfo

from tournament.engine.basis import Basis, seq_of
from tournament.models import Event, JournalEntry, JournalHead
from tournament.selectors.desk import house_read
from tournament.selectors.history import journal_lines

TOLD = 3
"""So much of the news is told; the journal has the rest."""


def basis_made(
    of: str, facts: Any, *, now: str, event_id: int | None, about: Iterable[tuple[str, int | str]] = ()
) -> Basis:
    """A basis with how far the journal of its event is."""
    seq = JournalHead.objects.filter(event=event_id).values_list("seq", flat=True).first()
    return Basis(of, facts, now, event_id, frozenset(about), seq or 0)


def news_since(basis: Basis, token: str) -> list[str]:
    """What the journal says has happened to a thing since a form was made, the last of it: who did what.

    Empty where it says nothing: cards and open hands are not commands.
    """
    seq = seq_of(token)
    if seq is None:
        return []
    since = JournalEntry.objects.filter(event=basis.event_id, seq__gt=seq).select_related("actor")
    found = [
        each
        for each in since.order_by("seq")
        if basis.concerns({"kind": each.kind}, each.body.get("asked"), each.body.get("noted"), each.result)
    ]
    return _told(basis.event_id, found[-TOLD:])


def _told(event_id: int | None, entries: list[JournalEntry]) -> list[str]:
    zone = ZoneInfo(house_read().time_zone)
    event = Event.objects.get(pk=event_id) if event_id is not None else None
    return [
        f"{line.entry.at.astimezone(zone):%H:%M} {line.title}{f' ({line.detail})' if line.detail else ''},"
        f" by {line.by}"
        for line in journal_lines(event, entries)
    ]
