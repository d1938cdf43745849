"""A correction that waits for the end of an open hand, told wherever its hand or its table is shown (T17)."""

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
    """Say which open hand a correction of this one waits for; empty where none is open."""
    found = hand_open(deal)
    if found is None:
        return ""
    words = _(
        "Hand %(n)s is open at table %(table)s. The preview shows the hands that are settled. The correction"
        " takes effect when hand %(n)s ends, if it is still possible then."
    )
    return words % {"n": found.number, "table": found.shoe.table.number}


def later_told(request: HttpRequest, event: Event, found: Iterable[Later]) -> dict[int, Json]:
    """Map the id of a hand to the correction of it that waits, with an address if this person may open it."""
    told = {}
    for each in waiting(found):
        href = reverse("tables:correct", kwargs={"slug": event.slug, "pk": each.deal})
        told[each.deal] = {"later": each, "href": href if opens(request, href) else ""}
    return told


def later_of_hand(request: HttpRequest, event: Event, deal: Deal) -> Json | None:
    """Return the waiting corrections of one hand."""
    return later_told(request, event, later_of(deal)).get(deal.pk)


def later_of_event(request: HttpRequest, event: Event) -> dict[int, Json]:
    """Return the waiting corrections of all hands of an event."""
    return later_told(request, event, later_in(event))
