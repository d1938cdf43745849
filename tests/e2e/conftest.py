"""What the tests in a browser share: a table of three with a tablet, and a house full of events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tables.models import Shoe
from tables.services import rehearsal
from tests.cast.drawn import House
from tests.cast.factories import UserFactory
from tests.cast.tablets import table_of, tablet_of
from tournament.models import Event
from tournament.roles import ROLES
from tournament.services.standings import standings_recompute


@pytest.fixture
def shoe(transactional_db: None) -> Shoe:
    """A table of three, seated; box 1 bets first."""
    return table_of()


@pytest.fixture
def tablet(page: Any, live_server: Any, shoe: Shoe) -> Any:
    """The tablet at that table, in landscape, with a director logged in."""
    return tablet_of(page, live_server, shoe)


@pytest.fixture
def house(browser: Browser, live_server: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Events in the states that their pages differ in; the night is a rehearsal of 14."""
    for role in ROLES:
        UserFactory(username=role, roles=[role])
    monkeypatch.setattr(rehearsal, "ENTRANTS", 14)
    made = House(browser, live_server.url, Event.objects.get(pk=rehearsal.rehearsal_make()["event"]))
    standings_recompute(event_id=made.night.pk)
    yield made
    made.staff.context.close()
    made.public.context.close()
