"""A correction that waits for the end of an open hand, for the pages of its hand and table (T17)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from pages.kit import opens
from tables.models import Deal
from tables.selectors.corrections_later import Later, hand_open, later_in, later_of, waiting
from tournament.models import Event

Json = dict[str, Any]


def hand_open_words(deal: Deal) -> str:
    """Return which open hand a correction of this one waits for, in words; empty if none is open."""
    found = hand_open(deal)
    if found is None:
        return ""
    words = _(
        "Hand %(n)s is open at table %(table)s. The preview shows the hands that are settled. The correction"
        " takes effect when hand %(n)s ends, if it is still possible then."
    )
    return words % {"n": found.number, "table": found.shoe.table.number}


def later_by_hand(request: HttpRequest, event: Event, found: Iterable[Later]) -> dict[int, Json]:
    """Map ids of hands to their waiting correction, with an address if this person may open it."""
    by_deal = {}
    for each in waiting(found):
        href = reverse("tables:correct", kwargs={"slug": event.slug, "pk": each.deal})
        by_deal[each.deal] = {"later": each, "href": href if opens(request, href) else ""}
    return by_deal


def later_of_hand(request: HttpRequest, event: Event, deal: Deal) -> Json | None:
    """Return the waiting correction of one hand, None without one."""
    return later_by_hand(request, event, later_of(deal)).get(deal.pk)


def later_of_event(request: HttpRequest, event: Event) -> dict[int, Json]:
    """Return the waiting corrections of all hands of an event."""
    return later_by_hand(request, event, later_in(event))
