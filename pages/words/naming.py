"""How a staff page names a player in a sentence: number of the entry and name, as its tables show both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tournament.models import Entry, Event


def entry_named(entry: Entry) -> str:
    """Return ``E001 Ann P.``, for readers who know the number and readers who know the person."""
    return f"{entry.code} {entry.player.public_name}"


def entries_named(event: Event | None, codes: Iterable[str]) -> Mapping[str, str]:
    """Code → ``E001 Ann P.`` of these entries, in one query; none where there are no codes."""
    wanted = set(codes)
    if not wanted or event is None:
        return {}
    found = Entry.objects.filter(event=event, code__in=wanted).select_related("player")
    return {each.code: entry_named(each) for each in found}
