"""A disqualification that waits for a second person: its present effects, and the answer (T26)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path

from ground.refused import Refused
from pages.director.views.approvals import ApprovalPage, approval_page
from pages.guard import carries_out
from pages.kit import event_get
from pages.words.prizes import begun_words, unclaimed_words
from tables.services.disqualified import Effects, disqualification_preview
from tournament.models import Entry, Event, Request
from tournament.roles import FLOOR
from tournament.selectors.penalties import DISQUALIFY
from tournament.selectors.prizes import currency_of

Json = dict[str, Any]


@carries_out("request.decide", shows=(FLOOR,))
def disqualification_asked(request: HttpRequest, slug: str, request_id: int) -> HttpResponse:
    """Show the places and prizes that would change, and take the answer of a second person.

    After the answer, the history of each entry shows its changes.
    """
    return approval_page(request, event_get(slug), request_id, PAGE)


def _context(event: Event, asked: Request, effects: Effects | None, _why_not: Refused | None) -> Json:
    return {
        "entry": Entry.objects.select_related("event").get(pk=asked.body["entry"]),
        "effects": effects,
        "begun": begun_words(effects.begun, opens=effects.opens) if effects else [],
        "unclaimed": unclaimed_words(effects.unclaimed, currency_of(event)) if effects else [],
        **(_columns(effects) if effects else {}),
    }


def _columns(effects: Effects) -> Json:
    """Return the columns of the table that have a value for any player."""
    lines = effects.lines
    return {
        "placed": any(each.before.place.number or each.after.place.number for each in lines),
        "ranked": any(each.before.rank != each.after.rank for each in lines),
        "prized": any(each.before.prize_cents or each.after.prize_cents for each in lines),
        "paid": effects.decided and any(each.paid_cents for each in lines),
    }


PAGE = ApprovalPage(DISQUALIFY, "director/disqualification.html", disqualification_preview, _context)
urlpatterns = [
    path(
        "staff/<slug:slug>/requests/<int:request_id>/disqualification/",
        disqualification_asked,
        name="disqualification_asked",
    )
]
