"""The guards of the staff's pages: by roles, or by the commands that a page carries out."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, cast
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import resolve_url
from django.urls import Resolver404, get_urlconf, resolve

from tournament.catalogue import who_may
from tournament.roles import AUDITOR, ROLES, roles_of

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def role_required(*roles: str) -> Callable[[View[P]], View[P]]:
    """Guard a staff view: only people logged in with one of ``roles``; an auditor may read it.

    A person who is not logged in is sent to the log-in page and back; another role gets 403. The roles are
    ``view.roles``, so that one test can check every address.
    """
    unknown = set(roles) - set(ROLES)
    if unknown:
        raise ValueError(f"no such role: {', '.join(sorted(unknown))}")

    def guard(view: View[P]) -> View[P]:
        @wraps(view)
        def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return _to_login(request)
            if not may(request, roles):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        setattr(guarded, "roles", roles)  # noqa: B010 - a function's attribute, read by the permission test
        return cast(View[P], guarded)

    return guard


def may(request: HttpRequest, roles: tuple[str, ...]) -> bool:
    """Whether this person may do this here: by one of the roles, or as an auditor who only reads."""
    mine = roles_of(request.user)
    reading = request.method in ("GET", "HEAD")
    return bool(mine & set(roles)) or (reading and AUDITOR in mine)


def _to_login(request: HttpRequest) -> HttpResponse:
    if request.headers.get("HX-Request"):
        # The log-in page returns to the whole page, not to the requested fragment.
        page = urlsplit(request.headers.get("HX-Current-URL", ""))
        back = page._replace(scheme="", netloc="").geturl() if page.netloc == request.get_host() else ""
        to = resolve_url(settings.LOGIN_URL) + (f"?{urlencode({'next': back})}" if back else "")
        return HttpResponse(status=204, headers={"HX-Redirect": to})
    return redirect_to_login(request.get_full_path(), resolve_url(settings.LOGIN_URL))


def carries_out(*kinds: str, shows: tuple[str, ...] = ()) -> Callable[[View[P]], View[P]]:
    """Guard a view by the kinds of commands and requests that its page carries out.

    ``shows``: further roles that may read the page; their presses are refused. The kinds are stored as
    ``view.kinds``, which a test compares with the calls of the view.
    """
    roles = who_may(*kinds)

    def guard(view: View[P]) -> View[P]:
        guarded = role_required(*roles, *(role for role in shows if role not in roles))(view)
        setattr(guarded, "kinds", kinds)  # noqa: B010 - a function's attribute, read by the permission test
        return guarded

    return guard


def may_press(request: HttpRequest, kind: str) -> bool:
    """Whether this person has a role that may carry out this kind."""
    return bool(roles_of(request.user) & set(who_may(kind)))


def roles_at(path: str) -> tuple[str, ...] | None:
    """Return the roles that may read the page at an address; empty for everybody, None if there is no page.

    It is cached: a page asks for each of its links, and resolving an address takes 0.2 ms.
    """
    return _roles_among(get_urlconf(), path)


@lru_cache(maxsize=4096)
def _roles_among(addresses: Any, path: str) -> tuple[str, ...] | None:
    """Return the roles of an address among those of one language: not every page exists in each."""
    try:
        return tuple(getattr(resolve(path, addresses).func, "roles", ()))
    except Resolver404:
        return None
