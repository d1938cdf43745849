"""Roles: each is a Django group, and every command names the roles that may carry it out."""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from tournament import sql

DIRECTOR = "director"
MANAGER = "manager"
CASHIER = "cashier"
DEALER = "dealer"
FLOOR = "floor"
AUDITOR = "auditor"
ROLES = (DIRECTOR, MANAGER, CASHIER, DEALER, FLOOR, AUDITOR)

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
