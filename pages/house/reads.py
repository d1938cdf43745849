"""The staff, and the password links that wait to be handed over."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Q

from tournament.models import PasswordLink
from tournament.roles import ROLES
from tournament.selectors.desk import database_now


def staff_list() -> list[User]:
    """Return everybody with a role and the person who set up the house; active logins first."""
    people = User.objects.filter(Q(groups__name__in=ROLES) | Q(is_superuser=True)).distinct()
    people = people.prefetch_related("groups").select_related("clerk__table__event")
    return list(people.order_by("-is_active", "username"))


def links_to_hand_over(asker: User) -> list[PasswordLink]:
    """Return the links that this person may create: requested by them, approved, not used and not expired."""
    due = PasswordLink.objects.filter(asked_by=asker, used_at=None, replaced_at=None)
    return list(due.filter(expires_at__gt=database_now()).select_related("user", "confirmed_by"))
