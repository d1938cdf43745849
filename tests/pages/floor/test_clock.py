"""The page of the clock, and where it is found: Tonight, Tables."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from tests.cast import floor as cast
from tests.cast.at_desk import Somebody, done, staff
from tests.cast.clock import change, data, ends, start
from tests.cast.factories import EventFactory, new_key
from tournament.models import Event, EventClock, JournalEntry
from tournament.selectors.desk import database_now
from tournament.services.clocks import clock_pause
from tournament.services.events import event_call_off

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


def test_a_night_of_the_keys(event, floor):
    path = page_of(event)
    done(floor.press(path, do="start", kind="round", label="", length="35", until=""), path)
    assert data(floor.get(path).content.decode())["state"] == "running"
    assert left(event) == timedelta(minutes=35)
    done(floor.press(path, do="pause"))
    assert data(floor.get(path).content.decode())["state"] == "paused"
    done(floor.press(path, do="set", length="0:01", until=""))
    assert EventClock.objects.get().left_seconds == 1
    done(floor.press(path, do="resume"))
    done(floor.press(path, do="set", length="12:30", until=""))
    assert left(event) == timedelta(minutes=12, seconds=30)
    done(floor.press(path, do="stop"))
    assert data(floor.get(path).content.decode()) == {}
    kinds = list(
        JournalEntry.objects.filter(kind__startswith="clock.").order_by("seq").values_list("kind", flat=True)
    )
    assert kinds == [f"clock.{each}" for each in ("start", "pause", "set", "resume", "set", "stop")]


@pytest.mark.parametrize("minutes", [5, 90])
def test_a_key_with_its_minutes_starts_at_once_whatever_stands_in_the_fields(event, floor, minutes):
    typed = {"kind": "break", "length": "nonsense", "until": "25:99"}
    done(floor.press(page_of(event), do=f"start {minutes}", **typed))
    assert left(event) == timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"length": "0"}, "length"),
        ({"length": "-5"}, "length"),
        ({"length": "1440:01"}, "length"),
        ({"length": "99999"}, "length"),
        ({"length": "1:60"}, "length"),
        ({"length": "²"}, "length"),
        ({}, "length"),
        ({"length": "5", "until": "20:30"}, "length"),
        ({"until": "25:00"}, "until"),
        ({"length": "5", "kind": "lunch"}, "kind"),
        ({"length": "5", "kind": ""}, "kind"),
        ({"length": "5", "label": "x" * 41}, "label"),
        ({"length": "5", "label": "a\u202eb"}, "label"),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field(event, floor, typed, field):
    answer = floor.press(page_of(event), do="start", **{"kind": "break", **typed})
    assert answer.status_code == 422
    assert f'id="id_{field}_error"' in answer.content.decode()
    assert not EventClock.objects.exists()


@pytest.mark.parametrize("length", ["1440", "0:01"])
def test_the_ends_of_what_is_taken(event, floor, length):
    done(floor.press(page_of(event), do="start", kind="break", length=length))
    assert EventClock.objects.exists()


def test_a_time_of_day_that_is_past_is_refused_and_the_next_minute_taken(event, floor):
    now = datetime.now(UTC)
    past, soon = (f"{now + timedelta(minutes=each):%H:%M}" for each in (-1, 2))
    answer = floor.press(page_of(event), do="start", kind="late", until=past)
    assert answer.status_code == 422 and 'id="id_until_error"' in answer.content.decode()
    done(floor.press(page_of(event), do="start", kind="late", until=soon))
    assert timedelta(0) < left(event) <= timedelta(minutes=2)


def test_T6_a_time_that_comes_twice_is_asked_for_again(event, floor, monkeypatch):
    """Half an hour before the clocks go back in Denver."""
    now = datetime(2026, 11, 1, 7, 0, tzinfo=UTC)
    Event.objects.filter(pk=event.pk).update(starts_at=now, starts_zone="America/Denver")
    monkeypatch.setattr("pages.floor.views.clock.database_now", lambda: now)
    answer = floor.press(page_of(event), do="start", kind="break", until="01:30")
    page = answer.content.decode()
    readings = re.findall(r'name="reading" value="([^"]*)"', page)
    assert readings == ["2026-11-01T01:30:00-06:00", "2026-11-01T01:30:00-07:00"]


def test_nothing_is_changed_by_a_key_that_there_is_not(event, floor):
    start(event)
    assert floor.press(page_of(event), do="smash").status_code == 422
    assert floor.press(page_of(event), do="").status_code == 422
    assert EventClock.objects.get().ends_at


def test_an_event_that_is_called_off_takes_no_clock(event, floor):
    event_call_off(event_id=event.pk, reason="The power is out", key=new_key(), actor=None)
    for do in ("start", "set", "pause", "resume", "stop"):
        answer = floor.press(page_of(event), do=do, kind="break", length="5")
        assert answer.status_code == 409, do
    assert 'name="do"' not in floor.get(page_of(event)).content.decode()


def test_a_form_from_before_a_change_is_refused_whoever_made_it(event, floor):
    start(event)
    page = floor.get(page_of(event)).content.decode()
    basis = re.search(r'name="basis" value="([^"]*)"', page)[1]
    change(clock_pause, event)
    for do in ("pause", "set", "stop"):
        answer = floor.client.post(
            page_of(event), {"key": new_key(), "basis": basis, "do": do, "length": "5"}
        )
        assert answer.status_code == 409
    assert EventClock.objects.get().left_seconds == 600


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


def test_once_it_is_up_it_can_be_set_or_another_one_started(event, floor):
    def buttons() -> list[str]:
        return re.findall(r'name="do" value="(\w+)"', floor.get(page_of(event)).content.decode())

    assert set(buttons()) == {"start"}
    start(event)
    assert set(buttons()) == {"pause", "stop", "set"}
    change(clock_pause, event)
    assert set(buttons()) == {"resume", "stop", "set"}
    done(floor.press(page_of(event), do="resume"))
    ends(event, timedelta(0))
    assert set(buttons()) == {"stop", "set", "start"}
    done(floor.press(page_of(event), do="start", kind="break", length="5"))


def test_once_it_is_up_no_two_fields_have_one_id_whichever_form_is_refused(event, floor):
    start(event)
    ends(event, timedelta(0))
    for do, field in (("set", "set_length"), ("start", "id_length")):
        answer = floor.press(page_of(event), do=do, kind="break", length="0")
        assert answer.status_code == 422
        content = answer.content.decode()
        assert f'id="{field}_error"' in content
        ids = re.findall(r' id="(\w+)"', content)
        assert sorted(set(ids)) == sorted(ids)


# -- Tonight and Tables -----------------------------------------------------------------------------------


@pytest.mark.parametrize("tail", ["", "tables/"])
def test_tonight_and_tables_show_it_and_lead_to_it(tail):
    event = cast.seated(3).event
    link = f'href="{page_of(event)}"'
    for role, leads in (("floor", True), ("director", True), ("dealer", False)):
        person = Somebody(role)
        before = person.get(staff(event, tail)).content.decode()
        assert data(before) == {} and (link in before) == leads
    start(event, 754)
    for role, leads in (("floor", True), ("director", True), ("dealer", False)):
        after = Somebody(role).get(staff(event, tail)).content.decode()
        assert data(after)["clock-kind"] == "break" and (link in after) == leads


def test_tonight_comes_anew_after_a_change_and_not_each_second(event, floor, monkeypatch):
    minute = datetime(2026, 11, 20, 20, 30, tzinfo=UTC)
    monkeypatch.setattr("pages.director.views.tonight.timezone.now", lambda: minute)
    seen = lambda: re.search(r"\?seen=(\w+)", floor.get(staff(event)).content.decode())[1]  # noqa: E731 - a word
    none = seen()
    start(event)
    running = seen()
    assert none != running
    ends(event, timedelta(seconds=77))
    assert floor.part(staff(event), seen=running).status_code == 204
    ends(event, timedelta(0))
    assert floor.part(staff(event), seen=running).status_code == 200


@pytest.mark.parametrize(("ahead", "told"), [(timedelta(seconds=1), False), (timedelta(0), True)])
def test_tonight_has_a_step_once_the_time_is_up(event, floor, ahead, told):
    start(event)
    EventClock.objects.update(ends_at=database_now() + ahead)
    page = floor.get(staff(event)).content.decode()
    steps = re.findall(r'id="(?:next-go|also-\d+)" class="btn[^"]*" href="([^"]*)"', page)
    assert (page_of(event) in steps) == told
