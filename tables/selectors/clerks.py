"""Who keeps which table."""

from __future__ import annotations

from django.contrib.auth.models import User

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


def dealers() -> list[User]:
    """Everybody who can be bound to a table, by name."""
    return list(User.objects.filter(is_active=True, groups__name=DEALER).order_by("username"))
