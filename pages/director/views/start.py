"""The start of an event: set, moved or cleared before play begins (T6)."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _

from pages.bases import start_basis
from pages.fields import START_FIELDS, StartForm
from pages.guard import carries_out
from pages.kit import act_or_why_not, event_get, pressed, see_other, sent, staff_page, why_not_now
from tournament.models import Event
from tournament.selectors.desk import house_read
from tournament.services.events import event_start_change, start_check


@carries_out("event.start")
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Set, move or clear the start, in the time zone of the house or the one it was set in."""
    event, clears = event_get(slug), "clear" in request.POST
    form = _form(event, None if clears else sent(request))
    tried = act_or_why_not(
        partial(start_check, event),
        lambda: event_start_change(
            event_id=event.pk,
            **({"starts_at": None} if clears else form.cleaned_data),
            **pressed(request, start_basis, event.pk),
        ),
        None if clears else form,
        **START_FIELDS,
        start_unchanged="starts_at",
    )
    if tried.result is not None:
        message = (
            _("The start is set: %(start)s.") if tried.result["start"] else _("The event has no start now.")
        )
        return see_other(request, message % tried.result, "tournament:setup", slug=slug)
    context = {
        "form": form,
        "basis": start_basis(event.pk),
        "why_not": why_not_now(partial(start_check, event)),
        "refused": "" if form.errors else tried.sentence,
    }
    return staff_page(request, "director/start.html", context, event=event, status=tried.status)


def _form(event: Event, data: Any) -> StartForm:
    zones = dict.fromkeys([*([event.start.zone] if event.start else []), house_read().time_zone])
    initial = {"starts_at": event.start.local.replace(tzinfo=None)} if event.start else {}
    return StartForm(data, zones=zones, initial=initial)


urlpatterns = [
    path("staff/<slug:slug>/start/", start, name="start"),
]
