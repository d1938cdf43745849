"""Middleware for every answer: reports of failures, headers, staff sessions."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

from config import failures
from config.urls import addresses_in
from ground.refused import Refused
from pages.languages import language_of
from tournament.services.commits import watch

GetResponse = Callable[[HttpRequest], HttpResponse]
TOUCH_EVERY_SECONDS = 60


class FailuresMiddleware:
    """Watches what a request saves, so that a failure is reported correctly; one of the database is 503,
    never 500."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.saved = watch()  # type: ignore[attr-defined]  # read by config.failures
        response = self.get_response(request)
        # The number of forms, sent together, that are carried out already, whatever happens to the rest (ADR
        # 24).
        presses = getattr(request, "presses_saved", None)
        if presses is not None:
            response["Cutline-Saved"] = str(presses)
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Refused):
            return failures.in_its_language(failures.refused_answer)(request, exception)
        if not failures.database_fails(exception):
            return None
        return failures.in_its_language(failures.failure_answer)(request, exception)


class HeadMiddleware:
    """Answers HEAD like GET, with the length of the body and without the body."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method == "HEAD" and not response.streaming:
            response.setdefault("Content-Length", str(len(response.content)))
            response.content = b""
        return response


class CompressMiddleware(GZipMiddleware):
    """Compress every text that a cache may keep for anybody, and parts of pages requested by our own script.

    Whole staff pages are not compressed. Such a page holds the secret of its forms beside words from its
    address, and another site could have it requested again and again until the lengths reveal the secret
    (BREACH). A public page holds no secret. A part of a staff page is only given to a request with the header
    ``HX-Request``, which a browser lets no other site send.
    """

    max_random_bytes = 0
    TEXTS = ("text/", "application/json", "image/svg+xml", "application/manifest+json")

    def process_request(self, request: HttpRequest) -> None:
        """Compare tags weakly: a compressed answer has a weak tag, and files only know their strong one."""
        asked = request.META.get("HTTP_IF_NONE_MATCH", "")
        if asked.startswith("W/"):
            request.META["HTTP_IF_NONE_MATCH"] = asked.removeprefix("W/")

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress the response if that reveals nothing; add that it varies with the browser."""
        if "public" not in response.get("Cache-Control", "") and "HX-Request" not in request.headers:
            return response
        if response.status_code == 304:
            patch_vary_headers(response, ("Accept-Encoding",))
            return response
        if not response.get("Content-Type", "").startswith(self.TEXTS):
            return response
        compressed: HttpResponseBase = super().process_response(request, response)
        return compressed


class HeadersMiddleware:
    """Headers that no view should have to set."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("X-Robots-Tag", "noindex, nofollow")
        response.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        )
        return response


class LanguageMiddleware:
    """Answers an address below `/de/` with a page in German, whose links stay in German."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = language_of(request.path_info)
        if language:
            request.urlconf = addresses_in(language)  # type: ignore[assignment]  # not only a module's name
        return self.get_response(request)


class MethodsMiddleware:
    """Only lets GET, HEAD and POST pass: a view would take any other method for one of them."""

    KNOWN = ("GET", "HEAD", "POST")

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method in self.KNOWN:
            return self.get_response(request)
        allowed = ", ".join((*self.KNOWN, "OPTIONS"))
        return HttpResponse(status=204 if request.method == "OPTIONS" else 405, headers={"Allow": allowed})


class StaffSessionMiddleware:
    """Treats a page that used the session as a staff page: never stored, and it prolongs the session.

    Public pages do not use it, so they get neither header nor cookie and caches may keep them. A fragment
    that polls by itself (GET by htmx) is no sign of a person and does not prolong the session.
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
    """Return the address of the browser, for the login throttle; behind a proxy, the one that the proxy
    saw."""
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
    depth: int = settings.TRUSTED_PROXIES
    if depth and len(hops) >= depth:
        return hops[-depth]
    return str(request.META.get("REMOTE_ADDR", ""))
