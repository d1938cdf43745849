"""The hall: announcements, the publication of the standings, and the screens."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.translation import gettext as _

from pages.bases import announcements_basis, publication_basis, screens_basis
from pages.director.forms.hall import AnnouncementForm, NamedScreenForm, RotationForm, ScreenForm, SteerForm
from pages.director.forms.publication import PublicationForm
from pages.director.reads.hall import publication_mark, publication_of, screen_lines
from pages.guard import carries_out
from pages.kit import (
    Tried,
    act_or_sentence,
    act_or_why_not,
    event_get,
    posted,
    pressed,
    see_other,
    staff_page,
    why_not_now,
)
from tournament.models import Announcement, Event, HallScreen
from tournament.selectors.hall import announcements_live, rotation_of
from tournament.services.hall import (
    announcement_check,
    announcement_post,
    announcement_withdraw,
    publication_check,
    rotation_set,
    screen_add,
    screen_remove,
    screen_show,
    standings_publish,
)


@carries_out("announcement.post")
def hall(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the announcements in the hall and on phones, with a form for a new one."""
    event = event_get(slug)
    if request.method != "POST":
        return _hall_page(request, event, Tried())
    form = AnnouncementForm(request.POST)
    tried = act_or_why_not(
        partial(announcement_check, event),
        lambda: announcement_post(
            event_id=event.pk, **form.cleaned_data, **pressed(request, announcements_basis, event.pk)
        ),
        form,
        **dict.fromkeys(("text_missing", "text_too_long", "text_bad"), "text"),
    )
    return _answer(request, event, tried, _("The announcement is shown now."), form=form)


@carries_out("announcement.withdraw")
@posted("tournament:hall")
def announcement_gone(request: HttpRequest, slug: str, announcement_id: int) -> HttpResponse:
    """Withdraw an announcement."""
    event = event_get(slug)
    found = get_object_or_404(Announcement, pk=announcement_id, event=event)
    tried = act_or_sentence(
        lambda: announcement_withdraw(
            announcement_id=found.pk, **pressed(request, announcements_basis, event.pk)
        )
    )
    return _answer(request, event, tried, _("The announcement is withdrawn."))


@carries_out("screen.add")
@posted("tournament:hall")
def screen_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a named screen."""
    event, form = event_get(slug), ScreenForm(request.POST)
    tried = act_or_sentence(
        lambda: screen_add(event_id=event.pk, **form.cleaned_data, **_screens_pressed(request, event)),
        form,
        screen_name_bad="name",
        screen_name_taken="name",
    )
    message = _("The screen is added. Open its address on the screen.")
    return _answer(request, event, tried, message, screen_form=form)


@carries_out("screen.show")
@posted("tournament:hall")
def screen_steer(request: HttpRequest, slug: str) -> HttpResponse:
    """Set a screen to one kind of slide, or release it."""
    event = event_get(slug)
    form = _steer_form(event, request.POST)
    tried = act_or_sentence(
        lambda: screen_show(
            event_id=event.pk,
            screen_id=form.cleaned_data["screen"],
            kind=form.cleaned_data["kind"],
            **_screens_pressed(request, event),
        ),
        form,
    )
    return _answer(request, event, tried, _("The screen shows it within seconds."), steer_form=form)


@carries_out("screen.remove")
@posted("tournament:hall")
def screen_gone(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove a named screen."""
    event = event_get(slug)
    form = _remove_form(event, request.POST)
    tried = act_or_sentence(
        lambda: screen_remove(
            event_id=event.pk, screen_id=form.cleaned_data["screen"], **_screens_pressed(request, event)
        ),
        form,
    )
    return _answer(request, event, tried, _("The screen is removed."), remove_form=form)


@carries_out("hall.rotation")
@posted("tournament:hall")
def rotation(request: HttpRequest, slug: str) -> HttpResponse:
    """Set the slides that the screens show, their order, and their seconds."""
    event = event_get(slug)
    form = RotationForm(request.POST, rotation=rotation_of(event))
    tried = act_or_sentence(
        lambda: rotation_set(event_id=event.pk, slides=form.slides, **_screens_pressed(request, event)), form
    )
    return _answer(request, event, tried, _("The screens show these slides now."), rotation_form=form)


@carries_out("standings.publish")
@posted("tournament:hall")
def publication(request: HttpRequest, slug: str) -> HttpResponse:
    """Publish the standings live, with a delay, or not at all."""
    event = event_get(slug)
    form = PublicationForm(request.POST)
    tried = act_or_why_not(
        partial(_publication_check, event),
        lambda: standings_publish(
            event_id=event.pk, **form.cleaned_data, **pressed(request, publication_basis, event.pk)
        ),
        form,
        publication_unknown="mode",
        minutes_out_of_range="minutes",
        text_too_long="reason",
        text_bad="reason",
    )
    message = _("The public sees the standings as you have chosen.")
    return _answer(request, event, tried, message, publication_form=form)


def _publication_check(event: Event) -> None:
    """Refuse a new publication after the event, except to show hidden or delayed standings again."""
    publication_check(event, mode="live" if publication_mark(event) else "")


def _screens_pressed(request: HttpRequest, event: Event) -> dict[str, Any]:
    return pressed(request, screens_basis, event.pk)


def _screens(event: Event) -> list[tuple[int, str]]:
    return list(HallScreen.objects.filter(event=event).order_by("name").values_list("pk", "name"))


def _steer_form(event: Event, data: Any = None) -> SteerForm:
    return SteerForm(data, screens=_screens(event))


def _remove_form(event: Event, data: Any = None) -> NamedScreenForm:
    # The page has another form, so these fields need ids of their own.
    return NamedScreenForm(data, screens=_screens(event), auto_id="remove_%s")


def _answer(request: HttpRequest, event: Event, tried: Tried, message: str, **forms: Any) -> HttpResponse:
    """Redirect with the message, or show the sent form with its refusal."""
    if tried.done:
        return see_other(request, message, "tournament:hall", slug=event.slug)
    return _hall_page(request, event, tried, **forms)


def _hall_page(request: HttpRequest, event: Event, tried: Tried, **forms: Any) -> HttpResponse:
    asked = any(form.errors for form in forms.values())
    context: dict[str, Any] = {
        "form": AnnouncementForm(),
        "screen_form": ScreenForm(),
        "steer_form": _steer_form(event),
        "remove_form": _remove_form(event),
        "rotation_form": RotationForm(rotation=rotation_of(event)),
        "basis": announcements_basis(event.pk),
        "screens_basis": screens_basis(event.pk),
        "publication_form": PublicationForm(now=publication_of(event)),
        "publication_basis": publication_basis(event.pk),
        "publication": publication_mark(event),
        "publication_why_not": why_not_now(partial(_publication_check, event)),
        "announcements": announcements_live(event),
        "screens": screen_lines(event),
        "public": event.status != Event.Status.DRAFT,
        "why_not": why_not_now(partial(announcement_check, event)),
        "refused": "" if asked else tried.sentence,
        **forms,
    }
    return staff_page(request, "director/hall.html", context, event=event, status=tried.status)


urlpatterns = [
    path("staff/<slug:slug>/hall/", hall, name="hall"),
    path(
        "staff/<slug:slug>/hall/announcements/<int:announcement_id>/withdraw/",
        announcement_gone,
        name="announcement_withdraw",
    ),
    path("staff/<slug:slug>/hall/standings/", publication, name="standings_publish"),
    path("staff/<slug:slug>/hall/rotation/", rotation, name="hall_rotation"),
    path("staff/<slug:slug>/hall/screens/", screen_new, name="screen_add"),
    path("staff/<slug:slug>/hall/screens/show/", screen_steer, name="screen_show"),
    path("staff/<slug:slug>/hall/screens/remove/", screen_gone, name="screen_remove"),
]
