"""Addresses of the pages, audience by audience: each module of views lists its own."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from pages.auditor.views import journal, replay
from pages.dealer.views import table
from pages.desk.views import desk, entry, person, refunds
from pages.director.views import (
    boxes,
    correction_approval,
    corrections,
    cut_review,
    disqualified,
    hall,
    hand_setup,
    rounds,
    seating,
    setup,
    start,
    tonight,
)
from pages.floor.views import clock, counts, play, tables
from pages.hall.views import screens
from pages.house.views import auth, events, second, staff
from pages.manager.views import payments, payouts
from pages.public import views as public

what_is_played_for: list[URLPattern] = [
    *public.urlpatterns,
    *screens.urlpatterns,
    path("login", auth.login, name="login"),
    path("logout", auth.logout, name="logout"),
    *events.urlpatterns,
    *staff.urlpatterns,
    *second.urlpatterns,
    *disqualified.urlpatterns,
    *setup.urlpatterns,
    *start.urlpatterns,
    *hall.urlpatterns,
    *hand_setup.urlpatterns,
    *desk.urlpatterns,
    *entry.urlpatterns,
    *person.urlpatterns,
    *payouts.urlpatterns,
    *payments.urlpatterns,
    *refunds.urlpatterns,
    *journal.urlpatterns,
]

the_floor: list[URLPattern] = [
    # This comes before event addresses: /staff/replay/ is no event.
    *replay.urlpatterns,
    *tonight.urlpatterns,
    *seating.urlpatterns,
    *boxes.urlpatterns,
    *tables.urlpatterns,
    *table.urlpatterns,
    *counts.urlpatterns,
    *play.urlpatterns,
    *clock.urlpatterns,
    *rounds.urlpatterns,
    *corrections.urlpatterns,
    *correction_approval.urlpatterns,
    *cut_review.urlpatterns,
]


def addresses(language: str = "") -> list[URLPattern | URLResolver]:
    """Return every address; with a language, those of pages for players lie below it: `/de/e/…`."""
    # Two namespaces, because the director and the public both have a page named draw.
    return [
        path("", include((_in(language, what_is_played_for), "tournament"))),
        path("", include((_in(language, the_floor), "tables"))),
    ]


def _in(language: str, patterns: list[URLPattern]) -> list[URLPattern | URLResolver]:
    if not language:
        return [*patterns]
    read = [each for each in patterns if getattr(each.callback, "for_players", False)]
    return [path(f"{language}/", include(read)), *(each for each in patterns if each not in read)]


urlpatterns = addresses()
