"""The guard of a page that carries out commands: the catalogue says which roles may."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ParamSpec

from django.http import HttpRequest
from django.urls import Resolver404, get_urlconf, resolve

from tournament.catalogue import who_may
from tournament.roles import View, role_required, roles_of

P = ParamSpec("P")


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
