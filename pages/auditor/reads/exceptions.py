"""The exceptions of the house: what two persons changed about its limit and its rules, before and after."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db.models import Q
from django.utils.translation import gettext as _

from pages.words.history import (
    Line,
    journal_lines,
)
from tournament.models import House, JournalEntry, PlayerDay

SHOWN = 200
KINDS = (
    *("house_day", "player_let_in", "players_apart", "player_correct"),
    *("login_new", "login_reset", "login_roles"),
)
"""What is confirmed by a second person and is out of the ordinary run of a night."""


@dataclass(frozen=True)
class Exceptions:
    """What the auditor reads first: rulings, newest first, and days that went over today's limit."""

    lines: list[Line]
    over: list[PlayerDay]


def exceptions_read(house: House) -> Exceptions:
    """The exceptions of every event and of the house itself."""
    confirmed = Q(kind="request.decide", body__asked__approve=True, body__noted__kind__in=KINDS)
    # T18: the second person of a ruling on a count had made one of the counts.
    confirmed |= Q(kind="request.decide", body__asked__approve=True, body__noted__has_key="confirmer_counted")
    # A login made or a limit changed by one person: the second of a new house, and what was done before.
    alone = Q(kind__in=("staff.create", "staff.password"), result__has_key="user")
    alone |= Q(kind="house.change", body__noted__before__has_key="day_limit_cents")
    found = JournalEntry.objects.filter(confirmed | alone).select_related("actor", "approver", "event")
    over = PlayerDay.objects.filter(spent_cents__gt=house.day_limit_cents).select_related("player")
    return Exceptions(
        lines=[_with_counter(line) for line in journal_lines(None, found.order_by("-at")[:SHOWN])],
        over=list(over.order_by("-gaming_day", "pk")[:SHOWN]),
    )


def _with_counter(line: Line) -> Line:
    """Say which of the two counts was made by the person who confirmed the ruling on them."""
    words = {
        1: _("confirmed by the person who made the first count"),
        2: _("confirmed by the person who made the second count"),
    }
    said = words.get((line.entry.body.get("noted") or {}).get("confirmer_counted", 0), "")
    return replace(line, detail=f"{line.detail} · {said}".lstrip(" ·")) if said else line
