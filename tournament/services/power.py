"""Whose power over whom: nobody's over a login with a role that they lack (faults, Who may do what)."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import User

from ground.refused import Refused
from tournament.roles import DIRECTOR, MANAGER, ROLES, roles_of

RULING = (DIRECTOR, MANAGER)
"""Who asks for a login and who confirms it; over each other they have power only with the same role."""


def why_not_power(actor: User | None, roles: Iterable[str], *, superuser: bool = False) -> Refused | None:
    """Why somebody has no power over a login with these roles: one of them is theirs to lack.

    Cashier, dealer, floor and auditor stand below both director and manager; a superuser is above both.
    """
    if actor is None:
        return None
    mine = roles_of(actor)
    missing = [role for role in RULING if role in set(roles) and role not in mine]
    if missing or (superuser and not actor.is_superuser) or not mine & set(RULING):
        whose = f"a {missing[0]}" if missing else "who set up the house"
        return Refused(
            "roles_lacking", f"Only {whose} has power over this login. Ask one of them.", status=403
        )
    return None


def roles_held(user: User) -> list[str]:
    """What somebody is, whether or not they still work here."""
    return sorted(user.groups.filter(name__in=ROLES).values_list("name", flat=True))
