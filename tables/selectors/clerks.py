"""Dealers and the tables that they are bound to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from tables.models import Clerk, Table
from tournament.models import Event
from tournament.roles import DEALER


def deals_at(user: User, table: Table) -> bool:
    """Return whether this dealer is bound to the table."""
    return Clerk.objects.filter(user=user, table=table).exists()


def table_kept(user: User) -> Table | None:
    """Return the table that the dealer keeps, of any event; None without one, or once its event is over."""
    clerk: Clerk | None = getattr(user, "clerk", None)
    return None if clerk is None or clerk.table.event.is_over else clerk.table


def table_of_dealer(user: User, event: Event) -> Table | None:
    """Return the table of this event that the dealer is bound to, None without one."""
    clerk = Clerk.objects.select_related("table").filter(user=user, table__event=event).first()
    return clerk.table if clerk else None


def clerks_of(event: Event) -> dict[int, list[User]]:
    """Map table numbers to the table's dealers."""
    by_table: dict[int, list[User]] = {}
    for clerk in (
        Clerk.objects.select_related("user", "table").filter(table__event=event).order_by("user__username")
    ):
        by_table.setdefault(clerk.table.number, []).append(clerk.user)
    return by_table


@dataclass(frozen=True)
class Dealer:
    """A dealer who can be assigned to a table, and the table that the dealer would leave, if any."""

    user: User
    table: Table | None


def dealers(event: Event) -> list[Dealer]:
    """Return the dealers who can be assigned to a table of ``event``, by name."""
    found = User.objects.filter(is_active=True, groups__name=DEALER).order_by("username")
    clerks = found.select_related("clerk__table__event")
    return [Dealer(each, table_kept(each)) for each in clerks]


@dataclass(frozen=True)
class Bound:
    """A dealer who was assigned or released, the table, and the table that has no dealer now, if any."""

    user: User
    table: int
    alone: Table | None


def bound_of(done: Mapping[str, Any], event: Event) -> Bound:
    """Read the answer of ``clerk_bind`` or ``clerk_release``.

    A dealer who is bound may have left another table, perhaps of another event; one who is released leaves
    the table itself. A table of an event that is over needs no dealer.
    """
    tables = Table.objects.select_related("event")
    if "left" in done:
        left = tables.filter(pk=done["left"] or 0).first()
    else:
        left = tables.get(event=event, number=done["table"])
    alone = left and not left.event.is_over and not Clerk.objects.filter(table=left).exists()
    return Bound(User.objects.get(pk=done["user"]), done["table"], left if alone else None)
