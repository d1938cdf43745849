"""System checks before a database is migrated, and before the public is let in (`check --deploy`)."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

OF_0_1 = ("tournament", "0003_plan_the_sum_once")
"""A migration that only a database of Cutline 0.1 has; migrations started anew after it."""


@register(Tags.database)
def database_is_of_this_line(app_configs: Any, databases: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Refuse an older database: Django would find nothing to migrate, since its first two migrations have
    equal names."""
    if not databases or OF_0_1 not in MigrationRecorder(connection).applied_migrations():
        return []
    said = "This database is one of Cutline 0.1, whose events do not play on. Begin a new one."
    return [Error(said, hint="Give DATABASE_URL the name of an empty database.", id="cutline.E003")]


@register(Tags.security, deploy=True)
def secret_key_is_given(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Refuse a key made in var/, which is for one machine; servers that share a database need the same
    key."""
    if settings.SECRET_KEY_GIVEN:
        return []
    return [
        Error("SECRET_KEY is not set.", hint="Set it to 50 random characters or more.", id="cutline.E001")
    ]


@register(Tags.security, deploy=True)
def database_is_a_server(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Refuse the embedded server, which is for one machine and the rehearsal."""
    if not settings.LOCAL:
        return []
    return [Error("DATABASE_URL is not set.", hint="postgres://user:password@host/name", id="cutline.E002")]


@register(Tags.security, deploy=True)
def heads_leave_the_house(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Warn about missing heads: without them a journal rewritten in the database cannot be detected
    (faults)."""
    missing = [name for name in ("HEADS_KEY", "HEADS_FILE") if not getattr(settings, name)]
    if not missing:
        return []
    return [
        Warning(
            f"{' and '.join(missing)} not set: no head of the journal leaves the house.",
            hint="docs/reliability.md says how to keep the heads.",
            id="cutline.W001",
        )
    ]
