"""A correction that a second person is asked for: what it would change now, and the answer (T17, faults)."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.translation import gettext as _

from ground.refused import Refused
from pages.director.views.corrections import (
    columns,
    follows,
    named_lines,
)
from pages.kit import (
    Tried,
    act_or_sentence,
    actor_of,
    answer_of,
    event_get,
    press_of,
    see_other,
    staff_page,
)
from pages.request_words import request_words
from tables.models import Deal
from tables.selectors.records import HandRecord, recorded_hand
from tables.services.corrections import (
    AFTER_CLOSE,
    Line,
    Preview,
    asked_basis,
    asked_preview,
    asked_seen,
    deal_anew,
)
from tournament.models import Event, Request, Round
from tournament.roles import DIRECTOR, FLOOR, MANAGER, role_required, roles_of
from tournament.selectors.desk import database_now
from tournament.selectors.prizes import currency_of
from tournament.services.requests import request_decide, why_not_confirm

Json = dict[str, Any]


@role_required(DIRECTOR, MANAGER, FLOOR)
def correction_asked(request: HttpRequest, slug: str, request_id: int) -> HttpResponse:
    """The preview of exactly what was asked for; who may confirms it here, having seen it."""
    event = event_get(slug)
    found = Request.objects.select_related("requested_by", "decided_by")
    asked = get_object_or_404(found, pk=request_id, event=event, kind=AFTER_CLOSE)
    if request.method != "POST":
        return _show(request, event, asked)
    tried = act_or_sentence(partial(_answer, request, asked))
    if not tried.done:
        asked.refresh_from_db()
        return _show(request, event, asked, tried)
    said = _("Confirmed and done.") if answer_of(request) else _("Refused. Nothing has changed.")
    return see_other(request, said, "tournament:requests", slug=slug)


def _answer(request: HttpRequest, asked: Request) -> Json:
    if not roles_of(request.user) & {DIRECTOR, MANAGER}:
        raise Refused("not_allowed", _("A director or a manager answers this."), status=403)
    return request_decide(
        request_id=asked.pk,
        approve=answer_of(request),
        key=press_of(request, partial(asked_basis, asked.pk)),
        actor=actor_of(request),
    )


def _show(request: HttpRequest, event: Event, asked: Request, tried: Tried | None = None) -> HttpResponse:
    deal = Deal.objects.select_related("shoe__table", "shoe__round", "opened_by").get(pk=asked.body["deal"])
    waits = asked.status == Request.Status.OPEN
    preview, why_not = _look(asked) if waits else (None, "")
    seen = asked_seen(asked)
    now = preview.changed if preview else ()
    person = actor_of(request)
    mine = bool(roles_of(person) & {DIRECTOR, MANAGER})
    no = why_not_confirm(asked, person, database_now()) if waits else None
    context: Json = {
        "asked": asked,
        "words": request_words(event, [asked])[asked.pk],
        "basis": asked_basis(asked.pk),
        "refused": tried.sentence if tried else "",
        "waits": waits,
        "own": asked.requested_by_id == person.pk,
        "may_answer": waits and mine,
        "no": no if mine else None,
        "deal": deal,
        "hand": recorded_hand(event, deal),
        "anew": _anew(event, asked, deal) if waits else None,
        "preview": preview,
        "why_not": why_not,
        "lines": named_lines(event, now),
        "seen": named_lines(event, seen) if _differs(seen, now) or not waits or why_not else [],
        "differs": preview is not None and _differs(seen, now),
        "tie": deal.shoe.round.kind != Round.Kind.ROUND,
        **follows(preview),
        **columns((*now, *seen)),
        "currency": currency_of(event),
    }
    status = tried.status if tried else 200
    return staff_page(request, "director/correction_asked.html", context, event=event, status=status)


def _differs(seen: tuple[Line, ...], now: tuple[Line, ...]) -> bool:
    """Whether who asked saw something else; what was not kept is nothing else."""
    return bool(seen) and {line.entry: line for line in seen} != {line.entry: line for line in now}


def _look(asked: Request) -> tuple[Preview | None, str]:
    """What it would change, or why it cannot be carried out."""
    try:
        return asked_preview(asked), ""
    except Refused as no:
        return None, no.message


def _anew(event: Event, asked: Request, deal: Deal) -> HandRecord | None:
    """The hand as it would be recorded, where it can be."""
    try:
        made = deal_anew(asked)
    except Refused:
        return None
    made.shoe = deal.shoe
    return recorded_hand(event, made)


urlpatterns = [
    path("staff/<slug:slug>/requests/<int:request_id>/correction/", correction_asked, name="correction_asked")
]
