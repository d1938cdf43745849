"""The floor: every table of the current stage, and its dealers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _

from ground.refused import Forbidden, Refused
from pages.floor.at_table import everywhere, reads_everywhere
from pages.floor.forms import number_of
from pages.floor.reads.overview import FloorLine, floor_lines
from pages.guard import carries_out, may_press
from pages.kit import (
    UNTRIED,
    Tried,
    act_or_sentence,
    actor_of,
    event_get,
    number_or_0,
    pressed,
    see_other,
    staff_page,
    wants_fragment,
)
from pages.words.clerks import dealer_words
from tables.models import Table
from tables.selectors.basis import clerk_basis, tables_basis
from tables.selectors.clerks import Dealer, dealers, table_of_dealer
from tables.selectors.seating import unseen_of
from tables.services.clerks import clerk_bind, clerk_release
from tournament.models import Event
from tournament.roles import DEALER
from tournament.selectors.clocks import ON, clock_shown
from tournament.selectors.desk import database_now
from tournament.selectors.stages import current_round


@carries_out("clerk.bind", "clerk.release", shows=(DEALER,))
def floor(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables (dealers see only their own), and assign dealers."""
    event = event_get(slug)
    if request.method != "POST":
        return _show(request, event)
    tried = act_or_sentence(lambda: _bind(request, event))
    if tried.result is None:
        return _show(request, event, tried)
    message = dealer_words(tried.result, event, released=request.POST.get("do") == "release")
    return see_other(request, message, "tables:floor", slug=slug)


def _bind(request: HttpRequest, event: Event) -> dict[str, Any]:
    if not may_press(request, "clerk.bind"):
        raise Forbidden("not_allowed", _("Only the floor or the director can assign dealers to tables."))
    table = Table.objects.filter(event=event, number=number_of(request.POST, "table")).first()
    if table is None:
        raise Refused("no_such_table", _("There is no such table in this event."), status=404)
    act = clerk_release if request.POST.get("do") == "release" else clerk_bind
    user_id = number_of(request.POST, "user")
    return act(table_id=table.pk, user_id=user_id, **pressed(request, clerk_basis, table.pk, user_id))


def _show(request: HttpRequest, event: Event, tried: Tried = UNTRIED) -> HttpResponse:
    round_ = current_round(event)
    lines = floor_lines(event, round_)
    all_of_them = reads_everywhere(request)
    if not all_of_them:
        own = table_of_dealer(actor_of(request), event)
        lines = [line for line in lines if own and line.table.number == own.number]
    offered = dealers(event) if everywhere(request) else []
    context = {
        "round": round_,
        "basis": tables_basis(event.pk),
        "lines": lines,
        "clock": clock_shown(event, database_now()),
        "clock_on": event.status in ON,
        "all_of_them": all_of_them,
        "unseen": unseen_of(event) if all_of_them else None,
        "binds": everywhere(request),
        "dealers": offered,
        "starts_on": _starts_on(request, offered, lines),
        "refused": tried.sentence,
    }
    template = "floor/_floor.html" if wants_fragment(request) else "floor/floor.html"
    return staff_page(request, template, context, event=event, status=tried.status)


def _starts_on(request: HttpRequest, offered: Sequence[Dealer], lines: Sequence[FloorLine]) -> dict[str, int]:
    """Return the initial pair of the form: as sent, or a free dealer and a table without one.

    It avoids a pair that already exists, unless there is no other.
    """
    if request.method == "POST" and request.POST.get("do") != "release":
        return {name: number_or_0(request.POST.get(name, "")) for name in ("user", "table")}
    if not offered or not lines:
        return {}
    dealer = next((each for each in offered if each.table is None), offered[0])
    others = [line.table for line in lines if line.table != dealer.table]
    alone = next((line.table for line in lines if not line.clerks), None)
    table = alone or (others[0] if others else lines[0].table)
    return {"user": dealer.user.pk, "table": table.number}


urlpatterns = [path("staff/<slug:slug>/tables/", floor, name="floor")]
