"""What must be so before the public is let in (`manage.py check --deploy`)."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register


@register(Tags.security, deploy=True)
def secret_key_is_given(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """A key made in var/ is for one machine; servers that share a database need the same one."""
    if settings.SECRET_KEY_GIVEN:
        return []
    return [
        Error("SECRET_KEY is not set.", hint="Set it to 50 random characters or more.", id="cutline.E001")
    ]


@register(Tags.security, deploy=True)
def database_is_a_server(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """The embedded server is for one machine and the rehearsal."""
    if not settings.LOCAL:
        return []
    return [Error("DATABASE_URL is not set.", hint="postgres://user:password@host/name", id="cutline.E002")]


@register(Tags.security, deploy=True)
def heads_leave_the_house(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Without them a journal that somebody with the database has written anew cannot be told (faults)."""
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
