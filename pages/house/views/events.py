"""The house: its events and its settings."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from django.db.models import Case, IntegerField, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from pages.bases import house_basis
from pages.fields import START_FIELDS
from pages.guard import carries_out, role_required
from pages.house.forms.house import EventForm, HouseForm
from pages.kit import act_or_sentence, actor_of, opens, pressed, see_other, sent, staff_page, submission_key
from tournament.models import Event
from tournament.roles import CASHIER, DEALER, DIRECTOR, FLOOR, MANAGER
from tournament.selectors.desk import house_read
from tournament.selectors.entrants import events_counted
from tournament.services.events import event_create
from tournament.services.house import house_change

EARLIER_SHOWN = LIKES_SHOWN = 30


# -- Events -------------------------------------------------------------------------------------------


@role_required(DIRECTOR, MANAGER, CASHIER, DEALER, FLOOR)
@require_safe
def house(request: HttpRequest) -> HttpResponse:
    """Show the events: tonight's first, then events being set up, then past ones."""
    setup = resolve_url("tournament:setup", slug="any")
    context = {"groups": event_groups(), "opens_setup": opens(request, setup)}
    return staff_page(request, "house/house.html", context)


def event_groups() -> list[dict[str, Any]]:
    """Return the newest events of each group with their number of entrants, in two queries."""
    status = Event.Status
    order = Case(
        When(status__in=[status.OPEN, status.RUNNING, status.FINISHED], then=Value(0)),
        When(status=status.DRAFT, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    real = Case(
        When(kind=Event.Kind.TOURNAMENT, then=Value(0)), default=Value(1), output_field=IntegerField()
    )
    events = (
        Event.objects.annotate(order=order, real=real).defer("settings_json").order_by("order", "real", "-id")
    )
    titles = (_("Tonight"), _("Being set up"), _("Earlier"))
    grouped = {key: list(rows) for key, rows in groupby(events, key=lambda each: each.order)}
    shown = {key: rows[:EARLIER_SHOWN] for key, rows in grouped.items()}
    events_counted([event for rows in shown.values() for event in rows])
    return [{"title": titles[key], "events": rows, "tonight": key == 0} for key, rows in shown.items()]


@carries_out("event.create")
def event_new(request: HttpRequest) -> HttpResponse:
    """Name a new event; its settings follow on the set-up page."""
    form = EventForm(sent(request), likes=_likes(), zones=[house_read().time_zone])
    if request.method != "POST":
        return staff_page(request, "house/event_new.html", {"form": form})

    def act() -> dict[str, Any]:
        cleaned = form.cleaned_data
        return event_create(
            name=cleaned["name"],
            kind=cleaned["kind"],
            starts_at=cleaned["starts_at"],
            starts_zone=cleaned["starts_zone"],
            like=int(cleaned["like"]) if cleaned["like"] else None,
            key=submission_key(request),
            actor=actor_of(request),
        )

    names = dict.fromkeys(("name_missing", "text_too_long", "text_bad"), "name")
    tried = act_or_sentence(act, form, **names, **START_FIELDS)
    if tried.result is None:
        context = {"form": form, "refused": tried.sentence}
        return staff_page(request, "house/event_new.html", context, status=tried.status)
    return see_other(request, "", "tournament:setup", slug=tried.result["slug"])


def _likes() -> Iterable[Event]:
    """Return the events whose settings a new one can copy, newest first."""
    return (
        Event.objects.exclude(kind=Event.Kind.SIMULATION).only("name", "code").order_by("-pk")[:LIKES_SHOWN]
    )


# -- Settings -----------------------------------------------------------------------------------------


@carries_out("house.change", "house_day")
def settings(request: HttpRequest) -> HttpResponse:
    """Change the house: name, currency, language, day limit, start of the gaming day (T2)."""
    current = house_read()
    names = [name for name in HouseForm.base_fields if name != "reason"]
    form = HouseForm(sent(request), initial={name: getattr(current, name) for name in names})
    if request.method != "POST":
        return _settings_page(request, form)

    def act() -> dict[str, Any]:
        return house_change(**form.cleaned_data, **pressed(request, house_basis))

    tried = act_or_sentence(
        act,
        form,
        name_missing="name",
        text_bad="name",
        currency_bad="currency",
        language_unknown="language",
        time_zone_unknown="time_zone",
        day_limit_bad="day_limit_cents",
        hour_bad="day_turns_at_hour",
        reason_missing="reason",
    )
    if tried.result is None:
        return _settings_page(request, form, tried.status, tried.sentence)
    if "request" in tried.result:
        message = _(
            "Name, currency and first language are saved. For the rest a second person has been asked."
        )
        return see_other(request, message, "tournament:house_requests")
    return see_other(request, _("The settings of the house are saved."), "tournament:house_settings")


def _settings_page(
    request: HttpRequest, form: HouseForm, status: int = 200, refused: str = ""
) -> HttpResponse:
    context = {"form": form, "refused": refused, "basis": house_basis()}
    return staff_page(request, "house/house_settings.html", context, status=status)


urlpatterns = [
    path("house/", house, name="house"),
    path("house/events/new/", event_new, name="event_new"),
    path("house/settings/", settings, name="house_settings"),
]
