"""The hall: what the director announces there."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.translation import gettext as _

from pages.bases import announcements_basis
from pages.director.forms.hall import AnnouncementForm
from pages.guard import carries_out
from pages.kit import (
    Tried,
    act_or_sentence,
    act_or_why_not,
    actor_of,
    event_get,
    posted,
    press_of,
    see_other,
    staff_page,
    why_not_now,
)
from tournament.models import Announcement, Event
from tournament.selectors.hall import announcements_live
from tournament.services.announcements import (
    announcement_check,
    announcement_post,
    announcement_withdraw,
)


@carries_out("announcement.post")
def hall(request: HttpRequest, slug: str) -> HttpResponse:
    """What is announced in the hall and on the phones, and a form for more."""
    event = event_get(slug)
    form = AnnouncementForm(request.POST or None)
    tried = Tried()
    if request.method == "POST":
        tried = act_or_why_not(
            partial(announcement_check, event),
            lambda: announcement_post(
                event_id=event.pk,
                text=form.cleaned_data["text"],
                key=press_of(request, partial(announcements_basis, event.pk)),
                actor=actor_of(request),
            ),
            form,
            text_missing="text",
            text_too_long="text",
            text_bad="text",
        )
        if tried.result is not None:
            return see_other(request, _("The announcement is shown now."), "tournament:hall", slug=slug)
    return _hall_page(request, event, form, tried)


@carries_out("announcement.withdraw")
@posted("tournament:hall")
def announcement_gone(request: HttpRequest, slug: str, announcement_id: int) -> HttpResponse:
    """Withdraw an announcement."""
    event = event_get(slug)
    found = get_object_or_404(Announcement, pk=announcement_id, event=event)
    tried = act_or_sentence(
        lambda: announcement_withdraw(
            announcement_id=found.pk,
            key=press_of(request, partial(announcements_basis, event.pk)),
            actor=actor_of(request),
        )
    )
    if tried.result is not None:
        return see_other(request, _("The announcement is withdrawn."), "tournament:hall", slug=slug)
    return _hall_page(request, event, AnnouncementForm(), tried)


def _hall_page(request: HttpRequest, event: Event, form: AnnouncementForm, tried: Tried) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "basis": announcements_basis(event.pk),
        "announcements": announcements_live(event),
        "why_not": why_not_now(partial(announcement_check, event)),
        "refused": "" if form.errors else tried.sentence,
    }
    return staff_page(request, "director/hall.html", context, event=event, status=tried.status)


urlpatterns = [
    path("staff/<slug:slug>/hall/", hall, name="hall"),
    path(
        "staff/<slug:slug>/hall/announcements/<int:announcement_id>/withdraw/",
        announcement_gone,
        name="announcement_withdraw",
    ),
]
