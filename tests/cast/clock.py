"""The clock of an event: steered by its services, read from a page."""

from __future__ import annotations

import re
from datetime import timedelta

from tests.cast.factories import new_key
from tournament.models import Event, EventClock
from tournament.selectors.desk import database_now
from tournament.services.clocks import Until, clock_start


def start(event: Event, seconds: int = 600, kind: str = "break", label: str = "") -> None:
    until = Until(seconds=seconds)
    clock_start(event_id=event.pk, kind=kind, label=label, until=until, key=new_key(), actor=None)


def change(act, event: Event, **given) -> None:
    act(event_id=event.pk, key=new_key(), actor=None, **given)


def data(page: str) -> dict[str, str]:
    """Return the data- attributes of the first clock on a page; empty without one."""
    found = re.search(r'<div class="clock"([^>]*)>', page)
    return dict(re.findall(r'data-([a-z-]+)="([^"]*)"', found[1])) if found else {}


def ends(event: Event, ahead: timedelta) -> None:
    """Set the end to ``ahead`` after the time of this test's transaction."""
    EventClock.objects.update(ends_at=database_now() + ahead)
