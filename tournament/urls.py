"""Addresses of the app tournament, audience by audience: each module of views lists its own."""

from __future__ import annotations

from django.urls import URLPattern

from tournament.views import public

app_name = "tournament"
urlpatterns: list[URLPattern] = [
    *public.urlpatterns,
]
