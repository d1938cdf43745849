"""Pages that show the effects of a request and confirm it there (faults)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from ground.refused import Forbidden, Refused
from pages.bases import effects_basis
from pages.guard import may_press
from pages.kit import (
    Refusal,
    Tried,
    act_or_sentence,
    actor_of,
    answer_of,
    pressed,
    said,
    see_other,
    staff_page,
    told,
)
from pages.words.requests import request_words
from tournament.models import Event, Request
from tournament.selectors.desk import database_now
from tournament.selectors.prizes import currency_of
from tournament.services.requests import request_decide, why_not_confirm

Json = dict[str, Any]


@dataclass(frozen=True)
class ApprovalPage:
    """The page of a kind of request.

    ``preview``: what approving an open request would change now, or why it is refused. ``context``: the
    page's own context, given the preview and that refusal (None without one).
    """

    kind: str
    template: str
    preview: Callable[[Request], Any]
    context: Callable[[Event, Request, Any, Refused | None], Json]


def approval_page(request: HttpRequest, event: Event, request_id: int, page: ApprovalPage) -> HttpResponse:
    """Show the request, or take its answer. A refused answer shows the page again.

    Only a director or a manager may answer: ``not_allowed`` (403). 404 if the request is of another kind.
    """
    found = Request.objects.select_related("requested_by", "decided_by")
    asked = get_object_or_404(found, pk=request_id, event=event, kind=page.kind)
    if request.method != "POST":
        return _show(request, event, asked, page, Tried())
    tried = act_or_sentence(partial(_answer, request, asked))
    if not tried.done:
        asked.refresh_from_db()
        return _show(request, event, asked, page, tried)
    done = _("Confirmed and done.") if answer_of(request) else refused_words(asked)
    return see_other(request, done, "tournament:requests", slug=event.slug)


def _show(
    request: HttpRequest, event: Event, asked: Request, page: ApprovalPage, tried: Tried
) -> HttpResponse:
    # The basis is read first: a change while the preview is made then refuses the answer.
    basis, waits = effects_basis(asked.pk), asked.status == Request.Status.OPEN
    looked = page.preview(asked) if waits else None
    preview, why_not = (None, looked) if isinstance(looked, Refused) else (looked, None)
    context = {
        **_context(request, event, asked, tried, why_not),
        "basis": basis,
        **page.context(event, asked, preview, why_not),
    }
    return staff_page(request, page.template, context, event=event, status=tried.status)


def _answer(request: HttpRequest, asked: Request) -> Json:
    if not may_press(request, "request.decide"):
        raise Forbidden("not_allowed", _("Only a director or a manager can answer this."))
    return request_decide(
        request_id=asked.pk,
        approve=answer_of(request),
        **pressed(request, effects_basis, asked.pk),
    )


def refused_words(asked: Request) -> str:
    """Return the message after a request was refused by a second person, or taken back by its asker."""
    asked.refresh_from_db(fields=["decided_by"])
    refused = _("Refused. Nothing has changed.")
    return refused if asked.decided_by_id else _("Taken back. Nothing has changed.")


def cannot_words(why_not: Refused | None) -> Refusal:
    """Return why a request cannot be carried out now, in words; empty if it can."""
    if why_not is None or why_not.code == "lapsed":
        return told(why_not)
    words = _("It cannot be carried out now: %(why)s") % {"why": said(why_not.message)}
    return Refusal(words, why_not.code)


def _why_not_beside(why_not: Refused | None, refused: str) -> Refusal:
    """Return ``cannot_words``, but empty if the refusal of the press says it already."""
    said_already = why_not is not None and said(why_not.message).rstrip(".") in refused
    return Refusal() if said_already else cannot_words(why_not)


def _context(
    request: HttpRequest, event: Event, asked: Request, tried: Tried, why_not: Refused | None
) -> Json:
    """Return the context of every such page; ``why_not``: why the request cannot be carried out now."""
    waits, person = asked.status == Request.Status.OPEN, actor_of(request)
    may_answer = waits and may_press(request, "request.decide")
    no = why_not_confirm(asked, person, database_now()) if waits else None
    return {
        "asked": asked,
        "words": request_words(event, [asked])[asked.pk],
        "refused": tried.sentence,
        "waits": waits,
        "own": asked.requested_by_id == person.pk,
        "may_answer": may_answer,
        "why_not": _why_not_beside(why_not, tried.sentence),
        "may_approve": waits and why_not is None and no is None,
        "no": no,
        "currency": currency_of(event),
    }
