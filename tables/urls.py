"""Addresses of the app tables, audience by audience: each module of views lists its own."""

from __future__ import annotations

from django.urls import URLPattern

from tables.views import (
    boxes,
    correction_asked,
    corrections,
    counts,
    cut_since,
    dealer,
    floor,
    replay,
    rounds,
    seating,
    tonight,
)

app_name = "tables"
urlpatterns: list[URLPattern] = [
    # Before the event: /staff/replay/ is no event's name.
    *replay.urlpatterns,
    # The event
    *tonight.urlpatterns,
    *seating.urlpatterns,
    *boxes.urlpatterns,
    # The floor
    *floor.urlpatterns,
    *dealer.urlpatterns,
    *counts.urlpatterns,
    *rounds.urlpatterns,
    *cut_since.urlpatterns,
    *corrections.urlpatterns,
    *correction_asked.urlpatterns,
]
