"""The language of pages for players: that of the address (`/de/…`), or the house's first one (ADR 27)."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any, ParamSpec

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation

from tournament.models import House

P = ParamSpec("P")
View = Callable[..., HttpResponseBase]

NAMES: dict[str, str] = dict(settings.LANGUAGES)
STAFF = settings.LANGUAGE_CODE
"""The language of all staff pages, except those printed for players."""
PREFIX = re.compile(rf"/({'|'.join(NAMES)})(?=/|\Z)")
OF_STAFF = ("/house/", "/staff/", "/login", "/logout", "/password")


def language_of(path: str) -> str:
    """Return the language that an address names; empty if it names none of ours."""
    found = PREFIX.match(path)
    return found[1] if found else ""


def path_in(language: str, path: str) -> str:
    """Return the address of the same page in a language; without a language, in the house's first one."""
    plain = PREFIX.sub("", path, count=1)
    return f"/{language}{plain}" if language else plain


def house_language() -> str:
    """Return the language of players' pages whose address names none."""
    return House.objects.values_list("language", flat=True).first() or STAFF


def for_players(view: View) -> View:
    """Render the page in the language of its address. If that names none, the view calls ``speak``.

    The mark ``for_players`` on the view gives its address a twin in every language (``pages.urls``).
    """

    @functools.wraps(view)
    def spoken(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with translation.override(language_of(request.path_info) or STAFF):
            response = view(request, *args, **kwargs)
            response["Content-Language"] = translation.get_language() or STAFF
        return response

    setattr(spoken, "for_players", True)  # noqa: B010 - a function's attribute, read by pages.urls
    return spoken


def speak(request: HttpRequest, language: str | None) -> str:
    """Activate the house's first language, unless the address names one; return the active language.

    Call it only inside ``for_players``.
    """
    if not language_of(request.path_info):
        translation.activate(language if language in NAMES else STAFF)
    return translation.get_language() or STAFF


def printed(view: View) -> View:
    """Render a staff page that is printed for players, in the language of its address or the house's."""

    @functools.wraps(view)
    def spoken(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not language_of(request.path_info):
            speak(request, house_language())
        return view(request, *args, **kwargs)

    return for_players(spoken)


def language_of_error(request: HttpRequest, *, asks: bool) -> str:
    """Return the language of an error page. ``asks``: the database may be read for the house's first
    language."""
    named = language_of(request.path_info)
    if named or not asks or request.path_info.startswith(OF_STAFF):
        return named or STAFF
    try:
        return house_language()
    except DatabaseError:
        return STAFF
