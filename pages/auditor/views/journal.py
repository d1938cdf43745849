"""The journal: the log of every command, with filters, pages and the check of its chain."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.http import require_safe

from ground.typed import plain_number
from pages.auditor.reads.exceptions import exceptions_read
from pages.guard import role_required
from pages.kit import event_get, staff_page, typed_text
from pages.words.history import journal_kinds, journal_lines, journal_of_kind
from tables.selectors.records import recorded_by_cards
from tournament.models import Event, JournalEntry, JournalHead
from tournament.roles import DIRECTOR, MANAGER
from tournament.selectors.chain import chain_verify
from tournament.selectors.desk import house_read

LINES_A_PAGE = 50


@role_required(DIRECTOR, MANAGER)
@require_safe
def journal(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the journal of an event, newest first; ``?kind=`` and ``?by=`` filter it."""
    return _journal_page(request, event_get(slug))


@role_required(DIRECTOR, MANAGER)
@require_safe
def house_journal(request: HttpRequest) -> HttpResponse:
    """Show the journal of the house: its logins, its gaming day, its players."""
    return _journal_page(request, None)


def _journal_page(request: HttpRequest, event: Event | None) -> HttpResponse:
    chain = JournalEntry.objects.filter(event=event)
    entries = chain.select_related("actor", "approver").order_by("-seq")
    kind, by = typed_text(request.GET, "kind", 40), typed_text(request.GET, "by", 9)
    if kind:
        entries = journal_of_kind(entries, kind)
    actor_id = plain_number(by)
    if actor_id is not None:
        entries = entries.filter(actor_id=actor_id)
    page = Paginator(entries, LINES_A_PAGE).get_page(request.GET.get("page"))
    context: dict[str, Any] = {
        "page": page,
        "lines": journal_lines(event, page.object_list),
        "by_cards": _by_cards(page.object_list),
        "kinds": journal_kinds(event),
        "actors": User.objects.filter(pk__in=chain.values("actor")).order_by("username"),
        "kind": kind,
        "by": by,
        "head": JournalHead.objects.filter(event=event).first(),
        "check": "check" in request.GET,
    }
    if context["check"]:
        context["chain"] = chain_verify(event)
    return staff_page(request, "auditor/journal.html", context, event=event)


def _by_cards(entries: Iterable[JournalEntry]) -> set[int]:
    """Return the hands of these entries that can be replayed."""
    results = (each.result for each in entries)
    found = (result.get("deal") for result in results if isinstance(result, dict))
    return recorded_by_cards(deal for deal in found if type(deal) is int)


@role_required(DIRECTOR, MANAGER)
@require_safe
def journal_check(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the badge of the check: whether every hash of the chain matches its row."""
    event = event_get(slug)
    return staff_page(request, "auditor/_chain.html", {"chain": chain_verify(event)}, event=event)


@role_required(DIRECTOR, MANAGER)
@require_safe
def house_journal_check(request: HttpRequest) -> HttpResponse:
    """Show the badge for the chain of the house."""
    return staff_page(request, "auditor/_chain.html", {"chain": chain_verify(None)})


@role_required(DIRECTOR, MANAGER)
@require_safe
def exceptions(request: HttpRequest) -> HttpResponse:
    """Show rulings and changes to the day limit, its clock, logins and persons."""
    context = {"found": exceptions_read(house_read())}
    return staff_page(request, "auditor/exceptions.html", context)


urlpatterns = [
    path("staff/<slug:slug>/journal/", journal, name="journal"),
    path("staff/<slug:slug>/journal/check/", journal_check, name="journal_check"),
    path("house/exceptions/", exceptions, name="exceptions"),
    path("house/journal/", house_journal, name="house_journal"),
    path("house/journal/check/", house_journal_check, name="house_journal_check"),
]
