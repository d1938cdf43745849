"""Addresses of the app tournament, audience by audience: each module of views lists its own."""

from __future__ import annotations

from django.urls import URLPattern, path

from tournament.views import (
    audit,
    auth,
    desk,
    director,
    disqualified,
    hand_setup,
    house,
    manager,
    payments,
    public,
    refunds,
    second,
    sharing,
    staff,
)

app_name = "tournament"
urlpatterns: list[URLPattern] = [
    # The public
    *public.urlpatterns,
    # The back office
    path("login", auth.login, name="login"),
    path("logout", auth.logout, name="logout"),
    *house.urlpatterns,
    *staff.urlpatterns,
    *second.urlpatterns,
    *disqualified.urlpatterns,
    *director.urlpatterns,
    *hand_setup.urlpatterns,
    *desk.urlpatterns,
    *manager.urlpatterns,
    *sharing.urlpatterns,
    *payments.urlpatterns,
    *refunds.urlpatterns,
    *audit.urlpatterns,
]
