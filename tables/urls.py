"""Addresses of the app tables."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "tables"
urlpatterns: list[URLPattern] = []
