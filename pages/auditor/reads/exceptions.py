"""The exceptions of the house: rulings, corrections, penalties, and what two persons decided."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db.models import Q
from django.utils.translation import gettext as _

from pages.words.history import HistoryLine, journal_lines
from tournament.approvals import REQUESTS
from tournament.models import Event, House, JournalEntry, PlayerDay

SHOWN = 200
ORDINARY = ("prize_pay",)
"""The kinds of requests that are part of an ordinary night."""
RULINGS = (
    *("deal.void", "deal.play_on", "deal.correct", "deal.take_back", "shoe.reopen"),
    *("count.rule", "count.reopen", "round.tie_rule", "round.cut_stands"),
    *("penalty.add", "penalty.cancel", "entry.replace"),
)
"""The kinds of commands by which one person rules, corrects or punishes."""


@dataclass(frozen=True)
class Exceptions:
    """The auditor's first page: the newest exceptions, and days above the current day limit."""

    lines: list[HistoryLine]
    over: list[PlayerDay]
    shown: int = SHOWN


def exceptions_read(house: House) -> Exceptions:
    """Return the exceptions of the house itself and of every event but simulations."""
    confirmed = Q(kind="request.decide", body__asked__approve=True)
    confirmed &= Q(body__noted__kind__in=[kind for kind in REQUESTS if kind not in ORDINARY])
    # Logins and day limits changed by one person: the second login of a new house, and older entries.
    alone = Q(kind__in=("staff.create", "staff.password"), result__has_key="user")
    alone |= Q(kind="house.change", body__noted__before__has_key="day_limit_cents")
    alone |= Q(kind__in=RULINGS)
    found = JournalEntry.objects.filter(confirmed | alone).exclude(event__kind=Event.Kind.SIMULATION)
    found = found.select_related("actor", "approver", "event")
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
