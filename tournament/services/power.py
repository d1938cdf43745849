"""Check that a person may manage a login: not one with a role that they lack (faults, Who may do what)."""

from collections.abc import Iterable

from django.contrib.auth.models import User

from ground.refused import Refused
from ground.words import gettext_noop as _
from tournament.roles import DIRECTOR, MANAGER, ROLES, roles_of

RULING = (DIRECTOR, MANAGER)
"""Who asks for a login and who confirms it; over each other they have power only with the same role."""


def why_not_power(actor: User | None, roles: Iterable[str], *, superuser: bool = False) -> Refused | None:
    """Why somebody has no power over a login with these roles (403 ``roles_lacking``): one is theirs to lack.

    Cashier, dealer, floor and auditor stand below both director and manager; a superuser is above both.
    """
    if actor is None or (superuser and actor.is_superuser):
        return None
    if not superuser and not roles_lacking(actor, roles) and roles_of(actor) & set(RULING):
        return None
    return Refused(
        "roles_lacking",
        _(
            "%(who)s has no power over this login. Ask a director or a manager who has its roles, or the"
            " person who set up the house."
        ),
        status=403,
        who=actor.get_username(),
    )


def why_not_give(actor: User | None, roles: Iterable[str]) -> Refused | None:
    """Why somebody cannot give these roles (403 ``roles_lacking``): nobody gives what they lack."""
    if actor is None:
        return None
    missing = roles_lacking(actor, roles)
    if not missing:
        return why_not_power(actor, ())
    return Refused(
        "roles_lacking",
        _("%(who)s lacks a role and cannot give it: %(which)s. Ask somebody who has it, or leave it out."),
        status=403,
        who=actor.get_username(),
        which=", ".join(missing),
    )


def roles_lacking(actor: User, roles: Iterable[str]) -> list[str]:
    """Return the roles among these that this person lacks and so has no power over."""
    mine = roles_of(actor)
    return [role for role in RULING if role in set(roles) and role not in mine]


def roles_held(user: User) -> list[str]:
    """Return the roles of a person, whether or not they still work here."""
    return sorted(user.groups.filter(name__in=ROLES).values_list("name", flat=True))
