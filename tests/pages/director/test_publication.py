"""The director's form for the public standings, and the mark that staff see while they are not live."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from tests.cast.at_desk import staff
from tests.cast.factories import EventFactory, UserFactory
from tournament.models import Event, StandingsPublication

pytestmark = pytest.mark.django_db


def press(client: Client, event: Event, **typed: str) -> Any:
    content = client.get(staff(event, "hall/")).content.decode()
    form = content[content.index('hall/standings/"') :]
    hidden = {name: re.findall(rf'name="{name}" value="([^"]*)"', form)[0] for name in ("key", "basis")}
    return client.post(staff(event, "hall/standings/"), {**hidden, **typed})


def test_the_director_delays_and_hides_and_staff_are_reminded() -> None:
    event, client = EventFactory(), Client()
    client.force_login(UserFactory(roles=["director"]))
    pages = [staff(event), staff(event, "hall/")]
    for mode, minutes in (("live", ""), ("delayed", "17"), ("hidden", ""), ("live", "")):
        assert press(client, event, mode=mode, minutes=minutes).status_code == 303
        found = StandingsPublication.objects.get(event=event)
        assert (found.mode, found.minutes) == (mode, int(minutes) if minutes else None)
        for page in pages:
            content = client.get(page).content.decode()
            marks = re.findall(r'data-public-standings="(\w+)"', content)
            assert marks == ([] if mode == "live" else [mode]), (page, mode)
    refused = press(client, event, mode="delayed", minutes="61")
    assert refused.status_code == 422 and 'aria-invalid="true"' in refused.content.decode()
    assert StandingsPublication.objects.get(event=event).mode == "live"
    floor = Client()
    floor.force_login(UserFactory(roles=["floor"]))
    press(client, event, mode="hidden")
    content = floor.get(staff(event)).content.decode()
    assert 'data-public-standings="hidden"' in content and "#public-standings" not in content
