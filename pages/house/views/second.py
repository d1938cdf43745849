"""Requests to a second person, of an event and of the house, and their answers."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ground.refused import Conflict, Refused, refuse
from pages.bases import request_basis
from pages.director.views.approvals import cannot_words, refused_words
from pages.guard import carries_out, role_required
from pages.kit import (
    act_or_sentence,
    actor_of,
    answer_of,
    event_get,
    opens,
    posted,
    pressed,
    see_other,
    staff_page,
)
from pages.words.requests import Words, answering_words, request_words
from tables.selectors.rulings import which_counted
from tournament.models import Event, Request
from tournament.roles import DIRECTOR, FLOOR, MANAGER
from tournament.selectors.desk import database_now, requests_decided, requests_named, requests_waiting
from tournament.selectors.open_requests import COUNT_RULING
from tournament.services.requests import request_decide, why_not_carried_out, why_not_confirm

DECIDED_SHOWN = 30


@role_required(DIRECTOR, MANAGER, FLOOR)
@require_safe
def requests(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the open and the answered requests of an event."""
    return _page(request, event_get(slug))


@role_required(DIRECTOR, MANAGER)
@require_safe
def house_requests(request: HttpRequest) -> HttpResponse:
    """Show the open and the answered requests of the house: logins, roles, passwords."""
    return _page(request, None)


def _page(request: HttpRequest, event: Event | None, status: int = 200, **context: Any) -> HttpResponse:
    waiting, decided = requests_waiting(event), requests_decided(event)[:DECIDED_SHOWN]
    words, now = request_words(event, [*waiting, *decided]), database_now()
    rows = [_row(request, event, each, words[each.pk], now) for each in waiting]
    answered = [_answered(request, event, each, words[each.pk]) for each in decided]
    context |= {"waiting": rows, "decided": answered, "named": [_(each) for each in requests_named(event)]}
    context["answering"] = answering_words(event)
    return staff_page(request, "house/requests.html", context, event=event, status=status)


def _answered(request: HttpRequest, event: Event | None, asked: Request, words: Words) -> dict[str, Any]:
    """Return an answered request; it has a link only if the page still shows what was asked."""
    href = _href(event, words) if words.seen_first or words.evidence else ""
    return {"asked": asked, "words": words, "href": href if href and opens(request, href) else ""}


def _href(event: Event | None, words: Words) -> str:
    return f"/staff/{event.slug}/{words.tail}" if event and words.tail else ""


def _row(
    request: HttpRequest, event: Event | None, asked: Request, words: Words, now: datetime
) -> dict[str, Any]:
    href = _href(event, words)
    why_not = why_not_confirm(asked, actor_of(request), now)
    cannot = why_not_carried_out(asked)
    lapsed = cannot is not None and cannot.code == "lapsed"
    return {
        "lapsed": lapsed,
        "cannot": cannot_words(cannot),
        "counted": "" if lapsed else _counted_words(request, asked),
        "asked": asked,
        "basis": request_basis(asked.pk),
        "words": words,
        "href": href if href and opens(request, href) else "",
        "own": asked.requested_by == request.user,
        "why_not": why_not,
        "may_refuse": why_not is None or why_not.code != "not_yours_to_confirm",
    }


def _counted_words(request: HttpRequest, asked: Request) -> str:
    """T18: warn a person who made one of the counts that the auditor sees their confirmation."""
    if asked.kind != COUNT_RULING:
        return ""
    words = {
        1: _(
            "You made the first count. You may confirm the ruling, and the list of exceptions will show that."
        ),
        2: _(
            "You made the second count. You may confirm the ruling, and the list of exceptions will show "
            "that."
        ),
    }
    return words.get(which_counted(asked.body, actor_of(request).pk), "")


@carries_out("request.decide")
@posted("tournament:requests")
def request_answer(request: HttpRequest, slug: str, request_id: int) -> HttpResponse:
    """Approve or refuse a request of an event; only in a rehearsal may a person approve their own."""
    return _answer(request, event_get(slug), request_id)


@carries_out("request.decide")
@posted("tournament:house_requests")
def house_request_answer(request: HttpRequest, request_id: int) -> HttpResponse:
    """Approve or refuse a request of the house."""
    return _answer(request, None, request_id)


def _answer(request: HttpRequest, event: Event | None, request_id: int) -> HttpResponse:
    asked = get_object_or_404(Request, pk=request_id, event=event)

    def act() -> dict[str, Any]:
        approve = answer_of(request)
        refuse(_why_not_in_the_list(request, asked) if approve else None)
        return request_decide(
            request_id=asked.pk,
            approve=approve,
            **pressed(request, request_basis, asked.pk),
        )

    tried = act_or_sentence(act)
    if tried.result is None:
        return _page(request, event, status=tried.status, **_beside(asked, tried.sentence))
    message = _approved(asked, tried.result) if answer_of(request) else refused_words(asked)
    parts = {"slug": event.slug} if event else {}
    return see_other(
        request, message, "tournament:requests" if event else "tournament:house_requests", **parts
    )


def _why_not_in_the_list(request: HttpRequest, asked: Request) -> Refused | None:
    """Return ``seen_first`` (409) if only the request's own page shows its present effects."""
    if asked.status != Request.Status.OPEN or not request_words(asked.event, [asked])[asked.pk].seen_first:
        return None
    if why_not_confirm(asked, actor_of(request), database_now()) is not None:
        return None  # a person who may not confirm it at all gets the service's refusal
    sentence = _("Confirm this on its own page, which shows what it would change now.")
    return Conflict("seen_first", sentence)


def _beside(asked: Request, sentence: str) -> dict[str, Any]:
    """Show a refusal beside a request that still waits, or on top if it was answered meanwhile."""
    waits = Request.objects.filter(pk=asked.pk, status=Request.Status.OPEN).exists()
    return {"refused": sentence, "refused_at": asked.pk if waits else None}


def _approved(asked: Request, result: dict[str, Any]) -> str:
    if asked.requested_by and "link" in result.get("done", {}):
        who = asked.requested_by.get_username()
        return _("Confirmed. %(who)s can now hand over the link, from the page Staff.") % {"who": who}
    return _("Confirmed and done.")


urlpatterns = [
    path("staff/<slug:slug>/requests/", requests, name="requests"),
    path("staff/<slug:slug>/requests/<int:request_id>/", request_answer, name="request_answer"),
    path("house/requests/", house_requests, name="house_requests"),
    path("house/requests/<int:request_id>/", house_request_answer, name="house_request_answer"),
]
