"""What holds for every answer: a database that is away, headers, staff sessions."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers
from django.views.defaults import server_error as plain_server_error

GetResponse = Callable[[HttpRequest], HttpResponse]
TOUCH_EVERY_SECONDS = 60


def database_away(request: HttpRequest) -> HttpResponse:
    """503: nothing was saved, and the same key may be sent again."""
    response = HttpResponse(render_to_string("503.html"), status=503)
    response["Retry-After"] = "2"
    add_never_cache_headers(response)
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500, but for a database that was away before or after the view."""
    if isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        return database_away(request)
    return plain_server_error(request)


class DatabaseAwayMiddleware:
    """A database that is away, full, or has given up waiting answers 503 and never 500."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, OperationalError | InterfaceError):
            return database_away(request)
        return None


class HeadersMiddleware:
    """Headers that no view should have to think of."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("X-Robots-Tag", "noindex, nofollow")
        response.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        )
        return response


class StaffSessionMiddleware:
    """A page that looked at the session is a staff page: never stored, and a person at work stays in.

    Public pages do not look at it, so they get neither header nor cookie and caches may keep them.
    A fragment that polls by itself (GET by htmx) is no sign of a person and does not prolong.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.session.accessed:
            response["Cache-Control"] = "private, no-store"
            if not (request.method == "GET" and request.headers.get("HX-Request")):
                self._prolong(request)
        return response

    def _prolong(self, request: HttpRequest) -> None:
        session, now = request.session, int(time.time())
        if "_auth_user_id" in session and now - session.get("touched", 0) >= TOUCH_EVERY_SECONDS:
            session["touched"] = now


def client_address(request: HttpRequest) -> str:
    """The address of the browser, for the login throttle; behind a proxy, the one the proxy saw."""
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
    depth: int = settings.TRUSTED_PROXIES
    if depth and len(hops) >= depth:
        return hops[-depth]
    return str(request.META.get("REMOTE_ADDR", ""))
