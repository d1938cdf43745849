"""Shared parts of models: the acting person, and triggers for facts that the database itself refuses."""

import pgtrigger
from django.conf import settings
from django.contrib.auth.models import User
from django.db import models


def by_staff(*, blank: bool = False) -> "models.ForeignKey[User | None, User | None]":
    """Return a key to a person who works here, or None for the house itself. Logins are never deleted."""
    about = settings.AUTH_USER_MODEL
    return models.ForeignKey(about, null=True, blank=blank, on_delete=models.PROTECT, related_name="+")


def append_only(name: str) -> list[pgtrigger.Trigger]:
    """Return triggers that refuse UPDATE, DELETE and TRUNCATE on a table (architecture, Data)."""
    message = f"RAISE EXCEPTION '{name} is append-only: reverse, never edit';"
    return [
        pgtrigger.Trigger(
            name=f"{name}_no_edit",
            level=pgtrigger.Row,
            when=pgtrigger.Before,
            operation=pgtrigger.Update | pgtrigger.Delete,
            func=message,
        ),
        pgtrigger.Trigger(
            name=f"{name}_no_truncate",
            level=pgtrigger.Statement,
            when=pgtrigger.Before,
            operation=pgtrigger.Truncate,
            func=message,
        ),
    ]


def adds_up_to_zero(name: str, amount: str, *, table: str) -> pgtrigger.Trigger:
    """Return a deferred trigger: at commit the legs of every transaction add up to 0 (Standing orders).

    The table is named, not looked up, so that the server plans the sum once and not for every leg.
    """
    return pgtrigger.Trigger(
        name=f"{name}_zero_sum",
        level=pgtrigger.Row,
        when=pgtrigger.After,
        operation=pgtrigger.Insert,
        timing=pgtrigger.Deferred,
        declare=[("total", "BIGINT")],
        func=f"""
            SELECT COALESCE(SUM({amount}), 0) INTO total FROM {table} WHERE transaction_id = NEW.transaction_id;
            IF total <> 0 THEN
                RAISE EXCEPTION '{name}: transaction % is off by %', NEW.transaction_id, total
                    USING ERRCODE = 'check_violation';
            END IF;
            RETURN NULL;
        """,  # noqa: E501, S608 - SQL as it is installed; the names are constants of ours
    )
