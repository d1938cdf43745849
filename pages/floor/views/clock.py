"""The clock of an event: floor and director start, pause, set and stop it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path

from ground.typed import plain_number
from pages.floor.clock_forms import MINUTES, REFUSED_AT, ClockForm, UntilForm
from pages.guard import carries_out
from pages.kit import (
    Json,
    Tried,
    act_or_sentence,
    act_or_why_not,
    event_get,
    no_such_button,
    pressed,
    see_other,
    staff_page,
    wants_fragment,
    why_not_now,
)
from tournament.models import Event
from tournament.selectors.clocks import State, clock_basis, clock_check, clock_shown, clock_zone
from tournament.selectors.desk import database_now
from tournament.services.clocks import clock_pause, clock_resume, clock_set, clock_start, clock_stop


@carries_out("clock.start", "clock.pause", "clock.resume", "clock.set", "clock.stop")
def clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the running clock, its keys, and the form for a new clock or another time."""
    event = event_get(slug)
    if wants_fragment(request) and request.method != "POST":
        return _part(request, event)
    tried, form = Tried(), None
    if request.method == "POST":
        do, _sep, minutes = request.POST.get("do", "").partition(" ")
        if do in FORMS:
            form_class, ids = FORMS[do]
            form = form_class(request.POST, **_about(event), pressed=plain_number(minutes), auto_id=ids)
            tried = act_or_why_not(
                partial(clock_check, event), _act(request, event, do, form), form, **REFUSED_AT
            )
        else:
            tried = act_or_sentence(_act(request, event, do))
        if tried.result is not None:
            return see_other(request, "", "tables:clock", slug=slug)
    context = _context(event, form) | {"refused": "" if form and form.errors else tried.sentence}
    return staff_page(request, "floor/clock.html", context, event=event, status=tried.status)


ACTS: dict[str, Callable[..., Json]] = {
    "start": clock_start,
    "set": clock_set,
    "pause": clock_pause,
    "resume": clock_resume,
    "stop": clock_stop,
}
SET_IDS = "set_%s"
FORMS: dict[str, tuple[type[UntilForm], str]] = {"start": (ClockForm, "id_%s"), "set": (UntilForm, SET_IDS)}
"""The form of each button and the prefix of its fields' ids: after the end both forms are on the page."""


def _act(request: HttpRequest, event: Event, do: str, form: UntilForm | None = None) -> Callable[[], Json]:
    """Return the action of the pressed button."""

    def act() -> Json:
        if do not in ACTS:
            raise no_such_button()
        given: dict[str, Any] = {}
        if form is not None:
            typed = form.cleaned_data
            given = {name: typed[name] for name in ("kind", "label") if name in typed}
            given["until"] = typed["how_long"]
        return ACTS[do](event_id=event.pk, **given, **pressed(request, clock_basis, event.pk))

    return act


def _about(event: Event) -> dict[str, Any]:
    return {"zone": clock_zone(event), "now": database_now()}


def _context(event: Event, form: UntilForm | None = None) -> dict[str, Any]:
    about = _about(event)
    shown = clock_shown(event_get(event.slug), about["now"])
    starts = shown is None or shown.state == State.UP
    return {
        "clock": shown,
        "basis": clock_basis(event.pk),
        "why_not": why_not_now(partial(clock_check, event)),
        "starts": form if isinstance(form, ClockForm) else ClockForm(**about) if starts else None,
        "sets": form if type(form) is UntilForm else UntilForm(**about, auto_id=SET_IDS) if shown else None,
        "minutes": MINUTES,
    }


def _part(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the polling part, the clock with its keys: 204 while it is unchanged and not up."""
    context = _context(event)
    shown = context["clock"]
    if request.GET.get("seen") == (shown.tag if shown else ""):
        return HttpResponse(status=204, headers={"Vary": "HX-Request", "Cache-Control": "private, no-store"})
    # The polling page may have no form to start another clock.
    return staff_page(request, "floor/_clock_keys.html", context | {"starts": None}, event=event)


urlpatterns = [path("staff/<slug:slug>/clock/", clock, name="clock")]
