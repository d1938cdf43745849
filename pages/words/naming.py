"""Players' names in sentences of staff pages: entry number and name, as in tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tournament.models import Entry, Event


def entry_named(entry: Entry) -> str:
    """Return ``E001 Ann P.``: some readers know the number, others the person."""
    return f"{entry.code} {entry.player.public_name}"


def entries_named(event: Event | None, codes: Iterable[str]) -> Mapping[str, str]:
    """Map codes to ``E001 Ann P.``, in one query, or none without codes."""
    wanted = set(codes)
    if not wanted or event is None:
        return {}
    found = Entry.objects.filter(event=event, code__in=wanted).select_related("player")
    return {each.code: entry_named(each) for each in found}
