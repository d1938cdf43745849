"""The guard of a page that carries commands out: who may is read from the catalogue alone."""

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
    """Guard a view by the kinds that a press on its page carries out, or asks a second person for.

    ``shows``: the roles to which the page is shown besides; a press of theirs is refused in a sentence. The
    kinds stand on the view as ``view.kinds``, which a test compares with what the view calls.
    """
    roles = who_may(*kinds)

    def guard(view: View[P]) -> View[P]:
        guarded = role_required(*roles, *(role for role in shows if role not in roles))(view)
        setattr(guarded, "kinds", kinds)  # noqa: B010 - a function's attribute, read by the permission test
        return guarded

    return guard


def may_press(request: HttpRequest, kind: str) -> bool:
    """Whether this person has a role that carries this kind out."""
    return bool(roles_of(request.user) & set(who_may(kind)))


def roles_at(path: str) -> tuple[str, ...] | None:
    """Return the roles that may read the page at an address: empty for everybody, None for no such page.

    A page asks this for each of its links, and to resolve an address takes 0.2 ms.
    """
    return _roles_among(get_urlconf(), path)


@lru_cache(maxsize=4096)
def _roles_among(addresses: Any, path: str) -> tuple[str, ...] | None:
    """Return the roles among the addresses of one language: not every address exists in each."""
    try:
        return tuple(getattr(resolve(path, addresses).func, "roles", ()))
    except Resolver404:
        return None
