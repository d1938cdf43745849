"""The tables of an event: tables in use, boxes out of use, and dealers (T4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ground.typed import plain_number
from pages.guard import carries_out, role_required
from pages.kit import act_or_sentence, event_get, number_or_0, posted, pressed, see_other, staff_page
from pages.words.clerks import dealer_words
from tables.models import Table
from tables.models.floor import BOXES
from tables.selectors.basis import clerk_basis, table_basis, tables_basis
from tables.selectors.clerks import clerks_of, dealers
from tables.selectors.floor import boxes_usable, tables_too_few
from tables.services.clerks import clerk_bind, clerk_release
from tables.services.seating import table_add, table_change, tables_ensure
from tournament.models import Event
from tournament.roles import DIRECTOR, FLOOR
from tournament.selectors.basis import Basis
from tournament.selectors.entrants import entrants_of


@dataclass(frozen=True)
class Ticked:
    """The ticked fields of one table."""

    number: int
    in_use: bool
    out: list[int]


@role_required(DIRECTOR, FLOOR)
@require_safe
def boxes(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables of the event: tables in use, boxes out of use, and dealers."""
    return _boxes_page(request, event_get(slug))


def _row(table: Table, typed: Ticked | None, basis: Basis) -> dict[str, Any]:
    """Return a table with its boxes as stored, or as ticked in a refused form."""
    in_use, out = (typed.in_use, typed.out) if typed else (table.in_use, table.boxes_out)
    boxes = [{"number": box, "used": box not in out} for box in range(1, BOXES + 1)]
    return {"table": table, "basis": basis, "in_use": in_use, "boxes": boxes}


def _boxes_page(
    request: HttpRequest, event: Event, status: int = 200, typed: Ticked | None = None, **context: Any
) -> HttpResponse:
    # The token of a basis without a mark is the position of the journal, which all forms here share.
    basis, clerks = tables_basis(event.pk), clerks_of(event)
    tables = list(Table.objects.filter(event=event))
    rows = [
        _row(table, typed if typed and typed.number == table.number else None, basis)
        | {"dealers": clerks.get(table.number, [])}
        for table in tables
    ]
    usable = sum(len(boxes_usable(table, event.settings)) for table in tables)
    context = {
        "basis": basis,
        "rows": rows,
        "usable": usable,
        "entrants": entrants_of(event),
        "too_few": tables_too_few(event, tables),
        "dealers": dealers(event),
        **context,
    }
    return staff_page(request, "director/seating_boxes.html", context, event=event, status=status)


@carries_out("table.add", "tables.ensure")
@posted("tables:boxes")
def boxes_add(request: HttpRequest, slug: str) -> HttpResponse:
    """Add one table, or as many as the entries need."""
    event = event_get(slug)
    how: dict[str, Any] = {"event_id": event.pk, **pressed(request, tables_basis, event.pk)}
    if "all" in request.POST:
        tried = act_or_sentence(lambda: tables_ensure(**how))
        message = _("There is a box for every entry.")
    else:
        beyond = range(event.settings.boxes_per_table + 1, BOXES + 1)
        tried = act_or_sentence(lambda: table_add(boxes_out=beyond, **how))
        message = _("A table was added.")
    if not tried.done:
        return _boxes_page(request, event, status=tried.status, refused=tried.sentence)
    return see_other(request, message, "tables:boxes", slug=slug)


@carries_out("table.change")
@posted("tables:boxes")
def boxes_change(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Put a table, or some of its boxes, out of use or back, from the next draw on (T4)."""
    event = event_get(slug)
    table = get_object_or_404(Table, event=event, number=number)
    used = {plain_number(text, digits_max=1) for text in request.POST.getlist("box")}
    out = [box for box in range(1, BOXES + 1) if box not in used]
    typed = Ticked(number, request.POST.get("in_use") == "1", out)
    tried = act_or_sentence(
        lambda: table_change(
            table_id=table.pk,
            in_use=typed.in_use,
            boxes_out=out,
            **pressed(request, table_basis, table.pk),
        )
    )
    if not tried.done:
        # A press without its form has unticked nothing, so show the stored state.
        shown = typed if "key" in request.POST else None
        return _boxes_page(
            request, event, status=tried.status, typed=shown, refused=tried.sentence, refused_at=number
        )
    return see_other(request, _("Table %(n)s is saved.") % {"n": number}, "tables:boxes", slug=slug)


@carries_out("clerk.bind", "clerk.release")
@posted("tables:boxes")
def boxes_dealer(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Bind a dealer to a table, or take one off it."""
    event = event_get(slug)
    table = get_object_or_404(Table, event=event, number=number)
    user_id = number_or_0(request.POST.get("user", ""))
    how = pressed(request, clerk_basis, table.pk, user_id)
    service = clerk_release if "release" in request.POST else clerk_bind
    tried = act_or_sentence(lambda: service(table_id=table.pk, user_id=user_id, **how))
    if tried.result is None:
        return _boxes_page(request, event, status=tried.status, refused=tried.sentence, refused_at=number)
    message = dealer_words(tried.result, event, released="release" in request.POST)
    return see_other(request, message, "tables:boxes", slug=slug)


urlpatterns = [
    path("staff/<slug:slug>/boxes/", boxes, name="boxes"),
    path("staff/<slug:slug>/boxes/add/", boxes_add, name="boxes_add"),
    path("staff/<slug:slug>/boxes/<int:number>/", boxes_change, name="boxes_change"),
    path("staff/<slug:slug>/boxes/<int:number>/dealer/", boxes_dealer, name="boxes_dealer"),
]
