"""The page of the clock, and where it is found: Tonight, Tables."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from tests.cast import floor as cast
from tests.cast.at_desk import Somebody, done, staff
from tests.cast.clock import data, ends, start
from tests.cast.factories import EventFactory
from tournament.models import Event, EventClock, JournalEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return EventFactory()


@pytest.fixture
def floor() -> Somebody:
    return Somebody("floor")


def page_of(event: Event) -> str:
    return staff(event, "clock/")


def left(event: Event) -> timedelta:
    """What the last command left of the clock."""
    return EventClock.objects.get(event=event).ends_at - event.journal.latest("seq").at


def keys(event: Event, floor: Somebody) -> set[str]:
    return set(re.findall(r'name="do" value="(\w+)"', floor.get(page_of(event)).content.decode()))


def test_a_night_of_the_keys(event, floor):
    path = page_of(event)
    assert keys(event, floor) == {"start"}
    done(floor.press(path, do="start", kind="round", label="", length="35", until=""), path)
    assert data(floor.get(path).content.decode())["state"] == "running"
    assert (left(event), keys(event, floor)) == (timedelta(minutes=35), {"pause", "stop", "set"})
    done(floor.press(path, do="pause"))
    assert data(floor.get(path).content.decode())["state"] == "paused"
    assert keys(event, floor) == {"resume", "stop", "set"}
    done(floor.press(path, do="set", length="0:01", until=""))
    assert EventClock.objects.get().left_seconds == 1
    done(floor.press(path, do="resume"))
    done(floor.press(path, do="set", length="12:30", until=""))
    assert left(event) == timedelta(minutes=12, seconds=30)
    # Once it is up it can be set, or another one started.
    ends(event, timedelta(0))
    assert keys(event, floor) == {"stop", "set", "start"}
    done(floor.press(path, do="start", kind="break", length="5"))
    done(floor.press(path, do="stop"))
    assert data(floor.get(path).content.decode()) == {}
    journal = JournalEntry.objects.filter(kind__startswith="clock.").order_by("seq")
    did = ["start", "pause", "set", "resume", "set", "start", "stop"]
    assert list(journal.values_list("kind", flat=True)) == [f"clock.{each}" for each in did]


@pytest.mark.parametrize("minutes", [5, 90])
def test_a_key_with_its_minutes_starts_at_once_whatever_stands_in_the_fields(event, floor, minutes):
    typed = {"kind": "break", "length": "nonsense", "until": "25:99"}
    done(floor.press(page_of(event), do=f"start {minutes}", **typed))
    assert left(event) == timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"length": "0"}, "length"),
        ({"length": "1440:01"}, "length"),
        ({"length": "1:60"}, "length"),
        ({"length": "²"}, "length"),
        ({}, "length"),
        ({"length": "5", "until": "20:30"}, "length"),
        ({"until": "25:00"}, "until"),
        ({"length": "5", "kind": "lunch"}, "kind"),
        ({"length": "5", "label": "a\u202eb"}, "label"),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field(event, floor, typed, field):
    answer = floor.press(page_of(event), do="start", **{"kind": "break", **typed})
    assert answer.status_code == 422
    assert f'id="id_{field}_error"' in answer.content.decode()
    assert not EventClock.objects.exists()


def test_the_part_comes_anew_only_after_a_change_or_at_zero(event, floor):
    path = page_of(event)
    seen = lambda: re.search(r"\?seen=(\w*)", floor.get(path).content.decode())[1]  # noqa: E731 - a word
    assert floor.part(path, seen=seen()).status_code == 204
    start(event)
    assert floor.part(path, seen="").status_code == 200
    running = seen()
    ends(event, timedelta(hours=3))
    assert floor.part(path, seen=running).status_code == 204
    ends(event, timedelta(0))
    up = floor.part(path, seen=running)
    assert up.status_code == 200 and data(up.content.decode())["state"] == "up"


# -- Tonight and Tables -----------------------------------------------------------------------------------


@pytest.mark.parametrize("tail", ["", "tables/"])
def test_tonight_and_tables_show_it_and_lead_to_it(tail):
    event = cast.seated(3).event
    for kind in (None, "break"):
        for role, leads in (("floor", True), ("dealer", False)):
            page = Somebody(role).get(staff(event, tail)).content.decode()
            assert data(page).get("clock-kind") == kind
            assert (f'href="{page_of(event)}"' in page) == leads
        if not kind:
            start(event, 754)


def test_tonight_comes_anew_with_a_step_once_the_time_is_up_and_not_each_second(event, floor, monkeypatch):
    minute = datetime(2026, 11, 20, 20, 30, tzinfo=UTC)
    monkeypatch.setattr("pages.director.views.tonight.timezone.now", lambda: minute)

    def tonight() -> tuple[str, bool]:
        page = floor.get(staff(event)).content.decode()
        steps = re.findall(r'id="(?:next-go|also-\d+)" class="btn[^"]*" href="([^"]*)"', page)
        return re.search(r"\?seen=(\w+)", page)[1], page_of(event) in steps

    before, _ = tonight()
    start(event)
    ends(event, timedelta(seconds=1))
    running, told = tonight()
    assert before != running and not told
    ends(event, timedelta(seconds=77))
    assert floor.part(staff(event), seen=running).status_code == 204
    ends(event, timedelta(0))
    assert floor.part(staff(event), seen=running).status_code == 200
    assert tonight()[1]
