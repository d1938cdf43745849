"""The director changes what the public sees of the standings."""

from __future__ import annotations

from typing import Any

from tests.cast.factories import new_key
from tournament.models import Event
from tournament.services.hall import standings_publish


def publish(event: Event, mode: str, minutes: int | None = None) -> dict[str, Any]:
    shown = {"mode": mode, "minutes": minutes, "reason": "", "key": new_key(), "actor": None}
    return standings_publish(event_id=event.pk, **shown)
