"""The exceptions of the house: rulings, and changes to its day limit, logins and persons."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db.models import Q
from django.utils.translation import gettext as _

from pages.words.history import HistoryLine, journal_lines
from tournament.models import House, JournalEntry, PlayerDay

SHOWN = 200
KINDS = (
    *("house_day", "player_let_in", "players_apart", "player_correct"),
    *("login_new", "login_reset", "login_roles"),
)
"""The kinds of requests that are not part of an ordinary night."""


@dataclass(frozen=True)
class Exceptions:
    """The auditor's first page: exceptions, newest first, and days above the current day limit."""

    lines: list[HistoryLine]
    over: list[PlayerDay]


def exceptions_read(house: House) -> Exceptions:
    """Return the exceptions of every event and of the house itself."""
    confirmed = Q(kind="request.decide", body__asked__approve=True, body__noted__kind__in=KINDS)
    # T18: the second person of a ruling on a count had made one of the counts.
    confirmed |= Q(kind="request.decide", body__asked__approve=True, body__noted__has_key="confirmer_counted")
    # Logins and day limits changed by one person: the second login of a new house, and older entries.
    alone = Q(kind__in=("staff.create", "staff.password"), result__has_key="user")
    alone |= Q(kind="house.change", body__noted__before__has_key="day_limit_cents")
    found = JournalEntry.objects.filter(confirmed | alone).select_related("actor", "approver", "event")
    over = PlayerDay.objects.filter(spent_cents__gt=house.day_limit_cents).select_related("player")
    return Exceptions(
        lines=[_with_counter(line) for line in journal_lines(None, found.order_by("-at")[:SHOWN])],
        over=list(over.order_by("-gaming_day", "pk")[:SHOWN]),
    )


def _with_counter(line: HistoryLine) -> HistoryLine:
    """Add which of the two counts the confirming person had made."""
    words = {
        1: _("confirmed by the person who made the first count"),
        2: _("confirmed by the person who made the second count"),
    }
    said = words.get((line.entry.body.get("noted") or {}).get("confirmer_counted", 0), "")
    return replace(line, detail=f"{line.detail} · {said}".lstrip(" ·")) if said else line
