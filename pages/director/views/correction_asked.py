"""A correction that waits for a second person: what it would change now, and the answer (T17, faults)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path

from ground.refused import Refused
from pages.director.views.asked import asked_context, asked_page
from pages.director.views.corrections import (
    columns,
    follows,
    named_lines,
)
from pages.guard import carries_out
from pages.kit import Tried, event_get, staff_page
from pages.words.naming import entries_named
from pages.words.requests import codes_differing, cut_differs_words
from tables.models import Deal
from tables.selectors.corrections_asked import AFTER_CLOSE
from tables.selectors.records import HandRecord, recorded_hand
from tables.services.correction_preview import Line, Preview
from tables.services.corrections import (
    asked_basis,
    asked_looked,
    asked_seen,
    confirmed_differs,
    confirmed_lines,
    deal_anew,
    recorded_now,
    recorded_since,
)
from tournament.models import Event, Request, Round
from tournament.roles import FLOOR

Json = dict[str, Any]


@carries_out("request.decide", shows=(FLOOR,))
def correction_asked(request: HttpRequest, slug: str, request_id: int) -> HttpResponse:
    """Show the preview of a requested correction; a person who may confirm it does so here."""
    return asked_page(request, event_get(slug), request_id, AFTER_CLOSE, asked_basis, _show)


def _show(request: HttpRequest, event: Event, asked: Request, tried: Tried) -> HttpResponse:
    deal = Deal.objects.select_related("shoe__table", "shoe__round", "opened_by").get(pk=asked.body["deal"])
    waits = asked.status == Request.Status.OPEN
    looked = asked_looked(asked) if waits else None
    preview, why_not = (None, looked) if isinstance(looked, Refused) else (looked, None)
    seen = asked_seen(asked)
    now = preview.changed if preview else ()
    approved = asked.status == Request.Status.APPROVED
    confirmed, stands = confirmed_lines(asked), recorded_now(deal)
    asked_cut, confirmed_cut = asked.body.get("differs") or {}, confirmed_differs(asked)
    otherwise = _differs(seen, now) or (bool(seen) and asked_cut != _cut(preview))
    confirmed_else = confirmed is not None and (confirmed != seen or confirmed_cut != asked_cut)
    since = recorded_since(asked, seen if confirmed is None else confirmed) if approved else ()
    named = entries_named(event, codes_differing(asked_cut) | codes_differing(confirmed_cut))
    context: Json = {
        **asked_context(request, event, asked, tried, basis=asked_basis(asked.pk, looked), why_not=why_not),
        "deal": deal,
        "hand": recorded_hand(event, deal),
        "hand_now": recorded_hand(event, stands) if stands.pk != deal.pk else None,
        "confirmed": named_lines(event, confirmed or ()) if confirmed_else else [],
        "confirmed_else": confirmed_else,
        "confirmed_cut": cut_differs_words(confirmed_cut, named),
        "since": named_lines(event, since),
        "approved": approved,
        "anew": _anew(event, asked, deal) if waits else None,
        "preview": preview,
        "lines": named_lines(event, now),
        "seen": named_lines(event, seen) if otherwise or not waits or why_not else [],
        "seen_cut": cut_differs_words(asked_cut, named),
        "differs": preview is not None and otherwise,
        "tie": deal.shoe.round.kind != Round.Kind.ROUND,
        **follows(event, preview),
        **columns((*now, *seen, *(confirmed or ()), *since)),
    }
    return staff_page(request, "director/correction_asked.html", context, event=event, status=tried.status)


def _differs(seen: tuple[Line, ...], now: tuple[Line, ...]) -> bool:
    """Whether the asker saw other changes; False where those were not kept."""
    return bool(seen) and {line.entry: line for line in seen} != {line.entry: line for line in now}


def _cut(preview: Preview | None) -> Json:
    """Return how the cut differs, as a request keeps it; empty where it does not."""
    return preview.differs.body() if preview and preview.differs else {}


def _anew(event: Event, asked: Request, deal: Deal) -> HandRecord | None:
    """Return the hand as it would be recorded; None where it cannot be."""
    try:
        made = deal_anew(asked)
    except Refused:
        return None
    made.shoe = deal.shoe
    return recorded_hand(event, made)


urlpatterns = [
    path("staff/<slug:slug>/requests/<int:request_id>/correction/", correction_asked, name="correction_asked")
]
