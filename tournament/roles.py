"""Roles: each is a Django group, and every staff page names the roles that may use it."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import resolve_url

from tournament import sql

DIRECTOR = "director"
MANAGER = "manager"
CASHIER = "cashier"
DEALER = "dealer"
FLOOR = "floor"
AUDITOR = "auditor"
ROLES = (DIRECTOR, MANAGER, CASHIER, DEALER, FLOOR, AUDITOR)

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
_KNOWN = "_cutline_roles"


def roles_of(user: AbstractBaseUser | AnonymousUser | None) -> frozenset[str]:
    """Return the roles of a person; read once per request. A superuser, who sets a house up, has all of
    them."""
    if user is None or not user.is_authenticated or not user.is_active:
        return frozenset()
    known: frozenset[str] | None = getattr(user, _KNOWN, None)
    if known is None:
        known = _roles_read(user)
        setattr(user, _KNOWN, known)
    return known


_ROLES = """
    SELECT g.name FROM auth_user_groups mine JOIN auth_group g ON g.id = mine.group_id
    WHERE mine.user_id = %s AND g.name = ANY(%s)
"""


def _roles_read(user: Any) -> frozenset[str]:
    if user.is_superuser:
        return frozenset(ROLES)
    return frozenset(name for (name,) in sql.rows(_ROLES, user.pk, list(ROLES)))


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
