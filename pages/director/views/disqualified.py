"""A disqualification that waits for a second person: what it would change now, and the answer (T26)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _

from ground.refused import Refused
from pages.director.views.asked import asked_context, asked_page
from pages.guard import carries_out
from pages.kit import Tried, event_get, staff_page
from pages.words.prizes import begun_words, unclaimed_words
from pages.words.requests import request_words
from pages.words.seats import seat_told
from tables.selectors.cut_since import cuts_standing
from tables.selectors.standing_folded import SEAT
from tables.services.disqualified import (
    Effects,
    disqualified_kept,
    disqualified_looked,
    preview_basis,
    recorded_since,
)
from tournament.models import Entry, Event, Request
from tournament.roles import FLOOR
from tournament.selectors.penalties import DISQUALIFY
from tournament.selectors.prizes import currency_of

Json = dict[str, Any]


@carries_out("request.decide", shows=(FLOOR,))
def disqualification_asked(request: HttpRequest, slug: str, request_id: int) -> HttpResponse:
    """Show who moves up and what is owed to whom; a person who may confirm it does so here."""
    return asked_page(request, event_get(slug), request_id, DISQUALIFY, preview_basis, _show)


def _show(request: HttpRequest, event: Event, asked: Request, tried: Tried) -> HttpResponse:
    waits = asked.status == Request.Status.OPEN
    looked = disqualified_looked(asked) if waits else disqualified_kept(asked)
    effects, why_not = (None, looked) if isinstance(looked, Refused) else (looked, None)
    entry = Entry.objects.select_related("event").get(pk=asked.body["entry"])
    since = recorded_since(asked, effects) if effects and not waits else ()
    context: Json = {
        **asked_context(request, event, asked, tried, basis=preview_basis(asked.pk, looked), why_not=why_not),
        "entry": entry,
        "standing": cuts_standing(entry),
        "seat": None if waits else seat_told(request, entry),
        "effects": effects,
        "not_kept": asked.status == Request.Status.APPROVED and effects is None,
        "since": since,
        "now": _columns(replace(effects, lines=since)) if effects and since else {},
        "falls": _falls(event, effects) if effects else [],
        "begun": begun_words(effects.begun, opens=effects.opens) if effects else [],
        "unheld": unclaimed_words(effects.unheld, currency_of(event)) if effects else [],
        **(_columns(effects) if effects else {}),
    }
    return staff_page(request, "director/disqualification.html", context, event=event, status=tried.status)


def _falls(event: Event, effects: Effects) -> list[str]:
    """Return the requests that lapse with it, each with its asker."""
    words = request_words(event, effects.falls)
    return [
        _("%(what)s, asked for by %(who)s: with this it no longer holds.")
        % {
            "what": words[each.pk].title,
            "who": each.requested_by.get_username() if each.requested_by else _("the house"),
        }
        for each in effects.falls
    ]


def _columns(effects: Effects) -> Json:
    """Which columns the table has: only those in which somebody has something."""
    lines = effects.lines
    return {
        "placed": any(each.before.place.number or each.after.place.number for each in lines),
        "ranked": any(each.before.rank != each.after.rank for each in lines),
        "prized": any(each.before.prize_cents or each.after.prize_cents for each in lines),
        "seat_open": any(each.after.place.word == SEAT for each in lines),
        "paid": effects.decided and any(each.paid_cents for each in lines),
    }


urlpatterns = [
    path(
        "staff/<slug:slug>/requests/<int:request_id>/disqualification/",
        disqualification_asked,
        name="disqualification_asked",
    )
]
