"""Bind a dealer to a table as its clerk (faults, Who may do what)."""

from __future__ import annotations

from django.contrib.auth.models import User

from ground.refused import Conflict, Refused
from tables.models import Clerk, Table
from tournament.roles import DEALER
from tournament.services.arguments import find
from tournament.services.journal import Command, Json, command


def clerk_bind(*, table_id: int, user_id: int, key: str, actor: User | None) -> Json:
    """Assign a dealer to a table. Gives ``{"user", "table", "left"}``: ``table`` is the table's number,
    ``left`` the id of the table of any event that the dealer leaves, None without one.

    Raises Refused ``not_a_dealer``, ``no_such_table`` (404), ``no_such_user`` (404).
    """
    table = find(Table, table_id, "table")
    user = find(User, user_id, "user")

    def act(cmd: Command) -> Json:
        if not user.is_active or not user.groups.filter(name=DEALER).exists():
            raise Refused(
                "not_a_dealer", "%(who)s is not a dealer; choose one of the dealers.", who=user.get_username()
            )
        before = (
            Clerk.objects.filter(user=user).exclude(table=table).values_list("table_id", flat=True).first()
        )
        Clerk.objects.update_or_create(user=user, defaults={"table": table})
        return {"user": user.pk, "table": table.number, "left": before}

    body = {"table": table_id, "user": user_id}
    return command(kind="clerk.bind", key=key, actor=actor, event_id=table.event_id, body=body, act=act)


def clerk_release(*, table_id: int, user_id: int, key: str, actor: User | None) -> Json:
    """Take a dealer off a table. Raises Refused ``not_bound`` (409) if the dealer is not assigned to it."""
    table = find(Table, table_id, "table")

    def act(cmd: Command) -> Json:
        gone, _rows = Clerk.objects.filter(user=user_id, table=table).delete()
        if not gone:
            raise Conflict("not_bound", "This dealer no longer deals at %(table)s.", table=table)
        return {"user": user_id, "table": table.number}

    body = {"table": table_id, "user": user_id}
    return command(kind="clerk.release", key=key, actor=actor, event_id=table.event_id, body=body, act=act)
