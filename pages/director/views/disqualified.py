"""A disqualification that waits for a second person: its present effects, and the answer (T26)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path

from ground.refused import Refused
from pages.director.views.approvals import approval_context, approval_page
from pages.guard import carries_out
from pages.kit import Tried, event_get, staff_page
from pages.words.prizes import begun_words, unclaimed_words
from tables.services.disqualified import Effects, disqualification_preview, preview_basis
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
    return approval_page(request, event_get(slug), request_id, DISQUALIFY, preview_basis, _show)


def _show(request: HttpRequest, event: Event, asked: Request, tried: Tried) -> HttpResponse:
    waits = asked.status == Request.Status.OPEN
    looked = disqualification_preview(asked) if waits else None
    effects, why_not = (None, looked) if isinstance(looked, Refused) else (looked, None)
    entry = Entry.objects.select_related("event").get(pk=asked.body["entry"])
    context: Json = {
        **approval_context(
            request, event, asked, tried, basis=preview_basis(asked.pk, looked), why_not=why_not
        ),
        "entry": entry,
        "effects": effects,
        "begun": begun_words(effects.begun, opens=effects.opens) if effects else [],
        "unclaimed": unclaimed_words(effects.unclaimed, currency_of(event)) if effects else [],
        **(_columns(effects) if effects else {}),
    }
    return staff_page(request, "director/disqualification.html", context, event=event, status=tried.status)


def _columns(effects: Effects) -> Json:
    """Return the columns of the table that have a value for any player."""
    lines = effects.lines
    return {
        "placed": any(each.before.place.number or each.after.place.number for each in lines),
        "ranked": any(each.before.rank != each.after.rank for each in lines),
        "prized": any(each.before.prize_cents or each.after.prize_cents for each in lines),
        "paid": effects.decided and any(each.paid_cents for each in lines),
    }


urlpatterns = [
    path(
        "staff/<slug:slug>/requests/<int:request_id>/disqualification/",
        disqualification_asked,
        name="disqualification_asked",
    )
]
