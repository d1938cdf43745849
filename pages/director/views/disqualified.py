"""A disqualification that a second person is asked for: what it would change now, and the answer (T26)."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.translation import gettext as _

from ground.refused import Refused
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
from tournament.models import Entry, Event, Request
from tournament.roles import DIRECTOR, FLOOR, MANAGER, role_required, roles_of
from tournament.selectors.desk import database_now
from tournament.selectors.penalties import DISQUALIFY
from tournament.selectors.prizes import currency_of
from tournament.selectors.waiting import why_lapsed
from tournament.services.disqualified_preview import Effects, disqualified_preview, preview_basis
from tournament.services.requests import request_decide, why_not_confirm

Json = dict[str, Any]


@role_required(DIRECTOR, MANAGER, FLOOR)
def disqualification_asked(request: HttpRequest, slug: str, request_id: int) -> HttpResponse:
    """Who moves up, and what is owed to whom; who may confirms it here, having seen it."""
    event = event_get(slug)
    found = Request.objects.select_related("requested_by", "decided_by")
    asked = get_object_or_404(found, pk=request_id, event=event, kind=DISQUALIFY)
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
        key=press_of(request, partial(preview_basis, asked.pk)),
        actor=actor_of(request),
    )


def _show(request: HttpRequest, event: Event, asked: Request, tried: Tried | None = None) -> HttpResponse:
    waits = asked.status == Request.Status.OPEN
    effects, why_not = _look(asked) if waits else (None, "")
    person = actor_of(request)
    mine = bool(roles_of(person) & {DIRECTOR, MANAGER})
    no = why_not_confirm(asked, person, database_now()) if waits and mine else None
    context: Json = {
        "asked": asked,
        "entry": Entry.objects.get(pk=asked.body["entry"]),
        "words": request_words(event, [asked])[asked.pk],
        "basis": preview_basis(asked.pk),
        "refused": tried.sentence if tried else "",
        "waits": waits,
        "own": asked.requested_by_id == person.pk,
        "may_answer": waits and mine,
        "no": no,
        "effects": effects,
        "why_not": why_not,
        "currency": currency_of(event),
        **(_columns(effects) if effects else {}),
    }
    status = tried.status if tried else 200
    return staff_page(request, "director/disqualification.html", context, event=event, status=status)


def _look(asked: Request) -> tuple[Effects | None, str]:
    """What it would change, or why it cannot be carried out."""
    lapsed = why_lapsed(asked)
    if lapsed is not None:
        return None, lapsed.message
    try:
        return disqualified_preview(asked), ""
    except Refused as no:
        return None, _("It cannot be carried out as things stand: %(why)s") % {"why": no.message}


def _columns(effects: Effects) -> Json:
    """Which columns the table has: only those in which somebody has something."""
    lines = effects.lines
    return {
        "placed": any(each.place_before.number or each.place_after.number for each in lines),
        "ranked": any(each.rank_before != each.rank_after for each in lines),
        "prized": any(each.prize_before_cents or each.prize_after_cents for each in lines),
        "paid": effects.decided and any(each.paid_cents for each in lines),
    }


urlpatterns = [
    path(
        "staff/<slug:slug>/requests/<int:request_id>/disqualification/",
        disqualification_asked,
        name="disqualification_asked",
    )
]
