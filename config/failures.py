"""The answer when a request fails: what was saved, what was not, what to do (faults).

Only this module decides it. A committed command is reported as saved, whatever fails afterwards: the session,
the page, a task. A commit without an answer is in doubt, and the same form may be sent again.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from functools import partial, wraps
from typing import Any, TypeVar, cast

from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import InterfaceError, InternalError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.urls import is_valid_path, reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.defaults import page_not_found as plain_not_found
from django.views.defaults import permission_denied as plain_forbidden

from ground.refused import Refused
from pages.kit import opens
from pages.languages import language_of_error
from pages.words.saying import said
from tournament.services.commits import Saved

logger = logging.getLogger("cutline.failures")

READ_ONLY, FULL, LOCKED, TOO_LONG, IDLE_TOO_LONG = "25006", "53100", "55P03", "57014", "25P03"
MOST_FIELDS = 200


def database_fails(error: BaseException | None) -> bool:
    """Whether an error is the database's: it is unreachable, full, read-only, or timed out."""
    if isinstance(error, InternalError):
        return state_of(error) in (READ_ONLY, IDLE_TOO_LONG)
    return isinstance(error, OperationalError | InterfaceError)


def state_of(error: BaseException) -> str:
    """Return the SQLSTATE of the database, empty without one."""
    return getattr(error.__cause__, "sqlstate", None) or ""


def why(error: BaseException) -> tuple[str, str]:
    """Return the code and the sentence for an error of the database."""
    reasons = {
        READ_ONLY: ("read_only", _("The database takes no changes just now.")),
        FULL: ("disk_full", _("The disk of the database is full.")),
        LOCKED: (
            "locked",
            _("Another change to the same data is taking too long."),
        ),
        TOO_LONG: ("too_long", _("The database took too long.")),
    }
    return reasons.get(state_of(error)) or ("away", _("The database is not answering for a moment."))


def saved_of(request: HttpRequest) -> Saved:
    """Return the transactions that this request has saved so far."""
    return getattr(request, "saved", None) or Saved()


def failure_answer(request: HttpRequest, error: BaseException) -> HttpResponse | None:
    """Return the answer for an error if something was saved or the database failed; else None.

    Saved: reported as saved. In doubt, or a failure of the database: 503, and the same form may be sent
    again.
    """
    saved = saved_of(request)
    if saved.surely:
        logger.error("%s: saved, but the answer failed", request.path, exc_info=error)
        return saved_page(request)
    if saved.in_doubt or database_fails(error):
        words = type(error).__name__, state_of(error) or "no state"
        logger.warning("%s %s: the database failed: %s %s", request.method, request.path, *words)
        return try_again(request, *why(error))
    return None


def refused_answer(request: HttpRequest, refused: Refused) -> HttpResponse:
    """Return the answer for a page that cannot be made, with the reason: a journal is not whole (ADR 25)."""
    context = {"code": refused.code, "why": said(refused.message), "call_off": _call_off(request, refused)}
    page = HttpResponse(render_to_string("409.html", context, request), status=refused.status)
    return failure_answer(request, refused) or _never_kept(page)


def _call_off(request: HttpRequest, refused: Refused) -> str:
    """Return the way out of an event whose journal is not whole, for a person who may take it; else empty."""
    slug = request.resolver_match.kwargs.get("slug") if request.resolver_match else None
    if slug is None or refused.code != "journal_not_whole":
        return ""
    page = reverse("tournament:call_off", args=[slug])
    return page if opens(request, page) else ""


def try_again(request: HttpRequest, code: str, reason: str) -> HttpResponse:
    """Return 503: not saved, or perhaps not; the form comes back with its key, so that it is never carried
    out twice.

    A form may have been sent before, without an answer: what the database cannot confirm is in doubt.
    """
    found = None if _reads(request) else saved_of(request).look()
    if found:
        return saved_page(request)
    again = {} if _reads(request) else _form_again(request)
    perhaps = found is None and (saved_of(request).in_doubt or _has_key(request))
    context = {"code": code, "why": reason, "reads": _reads(request), "perhaps": perhaps, **again}
    response = HttpResponse(render_to_string("503.html", context), status=503)
    response["Retry-After"] = "2"
    return _never_kept(response)


def _reads(request: HttpRequest) -> bool:
    return request.method in ("GET", "HEAD")


def _has_key(request: HttpRequest) -> bool:
    try:
        return "key" in request.POST
    except Exception:  # a body that cannot be read carries no command
        return False


def saved_page(request: HttpRequest) -> HttpResponse:
    """Return the page for a request that was saved, but whose answer failed."""
    if request.headers.get("HX-Request"):
        words = _("Saved, but the page could not be shown. Load it again.")
        note = render_to_string("_note.html", {"kind": "warning", "text": words, "note_code": "saved"})
        return _never_kept(HttpResponse(note, headers={"HX-Retarget": "#messages", "HX-Reswap": "innerHTML"}))
    return _never_kept(HttpResponse(render_to_string("saved.html", {"to": request.path})))


def _never_kept(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    return response


def _form_again(request: HttpRequest) -> dict[str, Any]:
    """Return the form that was sent, with its key; nothing if it cannot be repeated completely."""
    try:
        fields = [(name, value) for name, values in request.POST.lists() for value in values]
        whole = _has_key(request) and not request.FILES and len(fields) <= MOST_FIELDS
    except Exception:  # a body that cannot be read has an answer of its own
        return {}
    secret = any(_secret(name, value) for name, value in fields)
    if not whole or secret or "CSRF_COOKIE" not in request.META:
        return {}
    again = [(name, value) for name, value in fields if name != "csrfmiddlewaretoken"]
    return {"again": again, "to": request.get_full_path(), "csrf_token": get_token(request)}


def _secret(name: str, value: str) -> bool:
    """Whether no page may show a field: a password, or the PIN or password of a person who signs at this
    tablet."""
    return "password" in name or (bool(value) and name.split("-", maxsplit=1)[0] == "pin")


# -- Django's handlers: an error that no view has answered comes through one of these ------------------------


Handler = TypeVar("Handler", bound=Callable[..., Any])


def in_its_language(handler: Handler, *, asks: bool = False) -> Handler:
    """Make the page of a failure in the language of its address; only a handler that ``asks`` reads the
    house's language."""

    @wraps(handler)
    def spoken(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        with override(language_of_error(request, asks=asks)):
            response = handler(request, *args, **kwargs)
            if response is not None:
                response["Content-Language"] = get_language()
            return response

    return cast(Handler, spoken)


@in_its_language
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 400; for a session that ended meanwhile, with the words for that."""
    context = {"ended": isinstance(exception, SessionInterrupted)}
    page = failure_answer(request, exception)
    return page or _never_kept(HttpResponse(render_to_string("400.html", context), status=400))


@in_its_language
def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 403."""
    return failure_answer(request, exception) or plain_forbidden(request, exception)


@partial(in_its_language, asks=True)
def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 404; for a page whose address has no slash at its end, asked for with one, the way to it.

    ``APPEND_SLASH`` is the other direction.
    """
    bare, addresses = request.path_info.rstrip("/"), getattr(request, "urlconf", None)
    is_unknown = request.resolver_match is None and bare != request.path_info
    if is_unknown and _reads(request) and is_valid_path(bare, addresses):
        query = request.META.get("QUERY_STRING", "")
        return HttpResponsePermanentRedirect(request.path.rstrip("/") + (f"?{query}" if query else ""))
    return failure_answer(request, exception) or plain_not_found(request, exception)


@in_its_language
def server_error(request: HttpRequest) -> HttpResponse:
    """Return 500: a fault of ours. This time nothing was saved, but an earlier attempt may have been.

    An earlier attempt that was saved is reported as saved, so that nobody repeats it; if the database was not
    asked about the command, or does not answer, the page speaks of this time only.
    """
    error = sys.exc_info()[1] or Exception("an error without a name")
    page = failure_answer(request, error)
    if page is not None:
        return page
    found = None if _reads(request) else saved_of(request).look()
    if found:
        logger.error("%s: saved before, and it failed when it was sent again", request.path)
        return saved_page(request)
    context = {"reads": _reads(request), "once": found is None and _has_key(request)}
    return _never_kept(HttpResponse(render_to_string("500.html", context), status=500))
