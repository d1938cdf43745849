"""A correction that waits for a second person: its present effects, and the answer (T17, faults)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path

from ground.refused import Refused
from pages.director.views.approvals import ApprovalPage, approval_page
from pages.director.views.corrections import columns, follows, named_lines
from pages.guard import carries_out
from pages.kit import event_get
from pages.words.naming import entries_named
from pages.words.requests import codes_differing, cut_differs_words
from tables.models import Deal
from tables.selectors.correction_requests import AFTER_CLOSE, CorrectionRequest, EntryChange
from tables.selectors.records import recorded_hand
from tables.services.correction_preview import Preview
from tables.services.corrections import recorded_now, requested_preview
from tournament.models import Event, Request, Round
from tournament.roles import FLOOR

Json = dict[str, Any]


@carries_out("request.decide", shows=(FLOOR,))
def correction_asked(request: HttpRequest, slug: str, request_id: int) -> HttpResponse:
    """Show the preview of a requested correction, and take the answer of a second person."""
    return approval_page(request, event_get(slug), request_id, PAGE)


def _context(event: Event, asked: Request, preview: Preview | None, why_not: Refused | None) -> Json:
    deal = Deal.objects.select_related("shoe__table", "shoe__round", "opened_by").get(pk=asked.body["deal"])
    waits = asked.status == Request.Status.OPEN
    stored, stands = CorrectionRequest(asked, deal), recorded_now(deal)
    seen, now, cut = stored.lines, preview.changed if preview else (), stored.differs
    otherwise = bool(seen) and (_by_entry(seen) != _by_entry(now) or cut != _cut(preview))
    return {
        "deal": deal,
        "hand": recorded_hand(event, deal),
        "hand_now": recorded_hand(event, stands) if stands.pk != deal.pk else None,
        "anew": recorded_hand(event, preview.anew) if preview else None,
        "preview": preview,
        "lines": named_lines(event, now),
        "seen": named_lines(event, seen) if otherwise or not waits or why_not else [],
        "seen_cut": cut_differs_words(cut, entries_named(event, codes_differing(cut))),
        "differs": preview is not None and otherwise,
        "tie": deal.shoe.round.kind != Round.Kind.ROUND,
        **follows(event, preview),
        **columns((*now, *seen)),
    }


def _by_entry(lines: Iterable[EntryChange]) -> dict[str, EntryChange]:
    return {line.entry: line for line in lines}


def _cut(preview: Preview | None) -> Json:
    """Return how the cut differs, as a request stores it; empty if it does not differ."""
    return preview.differs.body() if preview and preview.differs else {}


PAGE = ApprovalPage(AFTER_CLOSE, "director/correction_asked.html", requested_preview, _context)
urlpatterns = [
    path("staff/<slug:slug>/requests/<int:request_id>/correction/", correction_asked, name="correction_asked")
]
