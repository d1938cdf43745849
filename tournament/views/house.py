"""The house: its events, its settings, its staff."""

from __future__ import annotations

import secrets
from itertools import groupby
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Case, Count, IntegerField, Q, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.engine.days import zone_of
from tournament.forms.house import EventForm, HouseForm, RolesForm, StaffForm
from tournament.models import Entry, Event
from tournament.roles import CASHIER, DEALER, DIRECTOR, FLOOR, MANAGER, ROLES, role_required
from tournament.selectors.desk import house_read
from tournament.services.events import event_create
from tournament.services.house import house_change, staff_create, staff_password, staff_roles
from tournament.views.forms_support import act_or_sentence, actor_of, key_of, posted, see_other, staff_page

# No letter that is taken for another one when it is read from a slip of paper.
PASSWORD_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"  # noqa: S105 - an alphabet
EARLIER_SHOWN = 30


# -- Events -------------------------------------------------------------------------------------------


@role_required(DIRECTOR, MANAGER, CASHIER, DEALER, FLOOR)
@require_safe
def house(request: HttpRequest) -> HttpResponse:
    """Every event: tonight's on top, then those being set up, then earlier ones."""
    return staff_page(request, "tournament/staff/house.html", {"groups": event_groups()})


def event_groups() -> list[dict[str, Any]]:
    """The events in the groups of the page, one query."""
    status = Event.Status
    order = Case(
        When(status__in=[status.OPEN, status.RUNNING, status.FINISHED], then=Value(0)),
        When(status=status.DRAFT, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    entered = Count("entries", filter=~Q(entries__status=Entry.Status.WITHDRAWN))
    real = Case(
        When(kind=Event.Kind.TOURNAMENT, then=Value(0)), default=Value(1), output_field=IntegerField()
    )
    events = (
        Event.objects.annotate(order=order, real=real, entered=entered)
        .defer("settings_json")
        .order_by("order", "real", "-id")
    )
    titles = (_("Tonight"), _("Being set up"), _("Earlier"))
    grouped = {key: list(rows) for key, rows in groupby(events, key=lambda each: each.order)}
    return [
        {"title": titles[key], "events": rows[:EARLIER_SHOWN], "tonight": key == 0}
        for key, rows in grouped.items()
    ]


@role_required(DIRECTOR, MANAGER)
def event_new(request: HttpRequest) -> HttpResponse:
    """Name a new event; its settings follow on the set-up page."""
    form = EventForm(request.POST or None)
    if request.method != "POST":
        return staff_page(request, "tournament/staff/event_new.html", {"form": form})

    def act() -> dict[str, Any]:
        cleaned = form.cleaned_data
        return event_create(
            name=cleaned["name"],
            kind=cleaned["kind"],
            starts_at=_house_time(cleaned["starts_at"]),
            key=key_of(request),
            actor=actor_of(request),
        )

    names = dict.fromkeys(("name_missing", "text_too_long", "text_bad"), "name")
    tried = act_or_sentence(act, form, **names, start_out_of_range="starts_at")
    if tried.result is None:
        context = {"form": form, "refused": tried.sentence}
        return staff_page(request, "tournament/staff/event_new.html", context, status=tried.status)
    return see_other(request, "", "tournament:setup", slug=tried.result["slug"])


def _house_time(typed: Any) -> Any:
    """A time that was typed is the house's time."""
    if typed is None:
        return None
    zone = zone_of(house_read().time_zone)
    return timezone.make_naive(typed, timezone.get_current_timezone()).replace(tzinfo=zone)


# -- Settings -----------------------------------------------------------------------------------------


@role_required(DIRECTOR, MANAGER)
def settings(request: HttpRequest) -> HttpResponse:
    """What holds for every event: name, currency, day limit, the hour at which the gaming day turns (T2)."""
    current = house_read()
    names = ("name", "currency", "time_zone", "day_limit_cents", "day_turns_at_hour")
    form = HouseForm(request.POST or None, initial={name: getattr(current, name) for name in names})
    if request.method != "POST":
        return staff_page(request, "tournament/staff/house_settings.html", {"form": form})

    def act() -> dict[str, Any]:
        return house_change(
            **{name: form.cleaned_data[name] for name in names}, key=key_of(request), actor=actor_of(request)
        )

    tried = act_or_sentence(
        act,
        form,
        name_missing="name",
        currency_bad="currency",
        time_zone_unknown="time_zone",
        day_limit_bad="day_limit_cents",
        hour_bad="day_turns_at_hour",
    )
    if not tried.done:
        context = {"form": form, "refused": tried.sentence}
        return staff_page(request, "tournament/staff/house_settings.html", context, status=tried.status)
    return see_other(request, _("The settings of the house are saved."), "tournament:house_settings")


# -- Staff --------------------------------------------------------------------------------------------


@role_required(DIRECTOR, MANAGER)
@require_safe
def staff(request: HttpRequest) -> HttpResponse:
    """Who works here and as what; add somebody."""
    return _staff_page(request, StaffForm())


def _staff_page(request: HttpRequest, form: StaffForm, status: int = 200, **context: Any) -> HttpResponse:
    people = (
        User.objects.filter(Q(groups__name__in=ROLES) | Q(is_superuser=True))
        .distinct()
        .prefetch_related("groups")
        .select_related("clerk__table__event")
        .order_by("-is_active", "username")
    )
    # A new password is in the session for one look only.
    shown = request.session.pop("password_once", None)
    context = {"form": form, "people": people, "shown": shown, **context}
    return staff_page(request, "tournament/staff/staff.html", context, status=status)


@role_required(DIRECTOR, MANAGER)
@posted("tournament:staff")
def staff_add(request: HttpRequest) -> HttpResponse:
    """Add somebody with a password that is shown once."""
    form, password = StaffForm(request.POST), password_made()

    def act() -> dict[str, Any]:
        cleaned = form.cleaned_data
        return staff_create(
            username=cleaned["username"],
            password=password,
            roles=cleaned["roles"],
            key=key_of(request),
            actor=actor_of(request),
        )

    tried = act_or_sentence(
        act, form, username_taken="username", username_missing="username", role_unknown="roles"
    )
    if tried.result is None:
        return _staff_page(request, form, status=tried.status, refused=tried.sentence)
    return _show_once(request, tried.result["user"], password)


@role_required(DIRECTOR, MANAGER)
@posted("tournament:staff")
def staff_new_password(request: HttpRequest, user_id: int) -> HttpResponse:
    """A new password for somebody; whoever is logged in under the old one is out."""
    password = password_made()
    tried = act_or_sentence(
        lambda: staff_password(
            user_id=user_id, password=password, key=key_of(request), actor=actor_of(request)
        )
    )
    if not tried.done:
        return _staff_page(request, StaffForm(), status=tried.status, sentence=tried.sentence)
    return _show_once(request, user_id, password)


def _show_once(request: HttpRequest, user_id: int, password: str) -> HttpResponse:
    user = User.objects.get(pk=user_id)
    # The same press twice keeps the first password, and only that one is right.
    if user.check_password(password):
        request.session["password_once"] = {"name": user.get_username(), "password": password}
    return see_other(request, "", "tournament:staff")


def password_made() -> str:
    """Four groups of four signs, easy to read aloud: about 79 bits."""
    return "-".join("".join(secrets.choice(PASSWORD_SIGNS) for _place in range(4)) for _group in range(4))


@role_required(DIRECTOR, MANAGER)
def staff_person(request: HttpRequest, user_id: int) -> HttpResponse:
    """What somebody may do, and whether they still work here."""
    person = get_object_or_404(User, pk=user_id)
    mine = [group.name for group in person.groups.all() if group.name in ROLES]
    form = RolesForm(request.POST or None, initial={"roles": mine})
    if request.method != "POST":
        return staff_page(request, "tournament/staff/staff_person.html", {"form": form, "person": person})
    active = request.POST.get("active") == "1"
    form.fields["roles"].required = active

    def act() -> dict[str, Any]:
        roles = form.cleaned_data["roles"]
        return staff_roles(
            user_id=user_id, roles=roles, active=active, key=key_of(request), actor=actor_of(request)
        )

    tried = act_or_sentence(act, form, own_roles="roles", role_unknown="roles")
    if not tried.done:
        context = {"form": form, "person": person, "refused": tried.sentence}
        return staff_page(request, "tournament/staff/staff_person.html", context, status=tried.status)
    return see_other(request, _("Saved: %(name)s.") % {"name": person.get_username()}, "tournament:staff")


urlpatterns = [
    path("house/", house, name="house"),
    path("house/events/new/", event_new, name="event_new"),
    path("house/settings/", settings, name="house_settings"),
    path("house/staff/", staff, name="staff"),
    path("house/staff/add/", staff_add, name="staff_add"),
    path("house/staff/<int:user_id>/", staff_person, name="staff_person"),
    path("house/staff/<int:user_id>/password/", staff_new_password, name="staff_new_password"),
]
