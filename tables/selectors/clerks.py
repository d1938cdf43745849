"""Who keeps which table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from tables.models import Clerk, Table
from tournament.models import Event
from tournament.roles import DEALER


def keeps_table(user: User, table: Table) -> bool:
    """Whether this dealer is bound to the table."""
    return Clerk.objects.filter(user=user, table=table).exists()


def table_kept(user: User, event: Event) -> Table | None:
    """The table of this event that the dealer is bound to."""
    clerk = Clerk.objects.select_related("table").filter(user=user, table__event=event).first()
    return clerk.table if clerk else None


def clerks_of(event: Event) -> dict[int, list[User]]:
    """Table number → its dealers."""
    kept: dict[int, list[User]] = {}
    for clerk in (
        Clerk.objects.select_related("user", "table").filter(table__event=event).order_by("user__username")
    ):
        kept.setdefault(clerk.table.number, []).append(clerk.user)
    return kept


@dataclass(frozen=True)
class Dealer:
    """Who can be bound to a table, and the table that would be given up by it (None: keeps none)."""

    user: User
    kept: Table | None
    gives_up: str


def dealers(event: Event) -> list[Dealer]:
    """Everybody who can be bound to a table of ``event``, by name, with what each would give up."""
    found = User.objects.filter(is_active=True, groups__name=DEALER).order_by("username")
    return [_dealer(user, event) for user in found.select_related("clerk__table__event")]


def _dealer(user: User, event: Event) -> Dealer:
    clerk: Clerk | None = getattr(user, "clerk", None)
    if clerk is None:
        return Dealer(user, None, "")
    words = _("gives up %(table)s") % {"table": table_named(clerk.table, event)}
    return Dealer(user, clerk.table, words)


def table_named(table: Table, event: Event) -> str:
    """A table as a page of ``event`` names it: one of another event with the name of its own."""
    if table.event_id == event.pk:
        return _("table %(n)s") % {"n": table.number}
    return _("table %(n)s of %(event)s") % {"n": table.number, "event": table.event.name}


def bound_words(done: Mapping[str, Any], event: Event) -> str:
    """What a binding did (the answer of ``clerk_bind``): who keeps the table, and which is left by it."""
    user = User.objects.get(pk=done["user"])
    words = _("%(who)s keeps table %(n)s now.") % {"who": user.get_username(), "n": done["table"]}
    left = Table.objects.select_related("event").filter(pk=done.get("left") or 0).first()
    return f"{words} {_without(left, event)}".rstrip() if left else words


def released_words(done: Mapping[str, Any], event: Event) -> str:
    """What taking a dealer off a table did (the answer of ``clerk_release``)."""
    user, table = User.objects.get(pk=done["user"]), Table.objects.get(event=event, number=done["table"])
    words = _("%(who)s does not keep table %(n)s any more.") % {"who": user.get_username(), "n": table.number}
    return f"{words} {_without(table, event)}".rstrip()


def _without(table: Table, event: Event) -> str:
    """That a table has nobody left; empty where another dealer keeps it still."""
    if Clerk.objects.filter(table=table).exists():
        return ""
    return capfirst(_("%(table)s has no dealer now.") % {"table": table_named(table, event)})
