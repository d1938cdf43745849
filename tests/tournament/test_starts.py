"""When an event starts: a local time with its zone (T6); a date that no clock can say takes no page down."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from ground.refused import Refused
from tests.cast import floor as cast
from tests.cast.at_desk import Somebody, done, refused_in_place, staff
from tests.cast.calls import refused
from tests.cast.factories import EntryFactory, EventFactory, new_key, round_seat, round_to
from tests.cast.html import read
from tournament.engine.days import STARTS_BEFORE, STARTS_FROM, Start, start_of, start_readings
from tournament.models import Event, House, JournalEntry, Posting
from tournament.services.events import (
    event_create,
    event_open,
    event_setup_again,
    event_start_change,
)

pytestmark = pytest.mark.django_db
DENVER, VIENNA = "America/Denver", "Europe/Vienna"
FRIDAY = {"name": "Friday", "kind": "tournament"}
SKIPPED, TWICE = datetime(2026, 3, 8, 2, 30), datetime(2026, 11, 1, 1, 30)
"""In Denver, where the clocks go forward at 2:00 of the one day and back at 2:00 of the other."""


@pytest.mark.parametrize("zone", ["America/Denver", "Europe/Vienna", "Pacific/Kiritimati"])
@pytest.mark.parametrize(
    ("typed", "taken"),
    [
        *(("0001-01-01T00:00", False), ("9999-12-31T23:59", False), ("1999-12-30T12:00", False)),
        *(("2000-01-02T12:00", True), ("2199-12-30T12:00", True), ("2200-01-02T12:00", False)),
    ],
)
def test_an_event_starts_in_a_year_that_every_clock_can_say(zone, typed, taken):
    House.objects.update_or_create(pk=1, defaults={"time_zone": zone})
    manager = Somebody("manager")
    response = manager.press("/house/events/new/", **FRIDAY, starts_at=typed, starts_zone=zone)
    if not taken:
        assert response.status_code == 422
    assert Event.objects.exists() == taken
    assert manager.get("/house/").status_code == manager.get("/").status_code == 200


def drop_the_bound():
    """The database as it was before it held the bound."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tournament_event DROP CONSTRAINT event_starts_within_reason")


@pytest.mark.parametrize(
    ("zone", "at"),
    [
        ("America/Denver", datetime(1, 1, 1, tzinfo=UTC)),
        ("Europe/Vienna", datetime(9999, 12, 31, 23, 59, tzinfo=UTC)),
        ("Mars/Olympus", datetime(2026, 11, 20, 20, tzinfo=UTC)),
    ],
)
def test_a_row_that_cannot_be_said_leaves_the_others_on_the_page(zone, at):
    drop_the_bound()
    House.objects.update_or_create(pk=1, defaults={"time_zone": zone})
    good, bad = EventFactory(name="Good"), EventFactory(name="Bad")
    Event.objects.filter(pk=bad.pk).update(starts_at=at, starts_zone=zone)
    Event.objects.filter(pk=good.pk).update(starts_at=datetime(2026, 11, 20, 20, tzinfo=UTC))
    for path in ("/house/", "/"):
        text = Somebody("manager").get(path).content.decode()
        assert "Good" in text and "Bad" in text


@pytest.mark.parametrize("at", [STARTS_FROM - timedelta(microseconds=1), STARTS_BEFORE])
def test_the_database_holds_the_bound_of_a_start(at):
    event = EventFactory()
    Event.objects.filter(pk=event.pk).update(starts_at=STARTS_FROM)
    with pytest.raises(IntegrityError, match="event_starts_within_reason"), transaction.atomic():
        Event.objects.filter(pk=event.pk).update(starts_at=at)


# -- A local time with its zone -----------------------------------------------------------------------


def made(at=None, zone=DENVER, **given):
    """An event that starts at a local time; in Denver unless it is said."""
    created = event_create(
        **{"name": "Friday", **given}, starts_at=at, starts_zone=zone, key=new_key(), actor=None
    )
    return Event.objects.get(pk=created["event"])


def moved(event, at, zone=DENVER):
    """Move the start; the event as it is then."""
    event_start_change(event_id=event.pk, starts_at=at, starts_zone=zone, key=new_key(), actor=None)
    return Event.objects.get(pk=event.pk)


def opened(event):
    event_open(event_id=event.pk, key=new_key(), actor=None)
    event.refresh_from_db()
    return event


def house_in(zone):
    House.objects.update_or_create(pk=1, defaults={"time_zone": zone})


EVENING, LATER = datetime(2026, 11, 20, 19), datetime(2026, 11, 20, 20, 30)
PUBLIC = ("/e/{}/", "/e/{}/rules/", "/e/{}/rules/poster/")


def test_T6_another_zone_of_the_house_does_not_move_a_start():
    house_in("UTC")
    manager = Somebody("manager")
    manager.press("/house/events/new/", **FRIDAY, starts_at="2026-11-20T19:00", starts_zone="UTC")
    event = opened(Event.objects.get())
    house_in("America/Chicago")
    pages = ["/", "/house/", staff(event, "setup/"), staff(event, "start/"), f"/e/{event.slug}/"]
    for page in pages:
        text = read(manager.get(page).content.decode()).text
        assert "19:00 (UTC)" in text and "13:00" not in text, page


@pytest.mark.parametrize(
    ("local", "code", "first", "second"),
    [
        (SKIPPED, "start_no_such_hour", "2026-03-08T01:30:00-07:00", "2026-03-08T03:30:00-06:00"),
        (TWICE, "start_twice", "2026-11-01T01:30:00-06:00", "2026-11-01T01:30:00-07:00"),
    ],
)
def test_T6_a_time_that_the_clock_change_skips_or_has_twice_is_asked_for_again(local, code, first, second):
    house_in(DENVER)
    with pytest.raises(Refused) as found:
        start_of(local, DENVER)
    assert found.value.code == code
    named = [f"{each[:10]} {each[11:16]} (UTC{each[-6:]})" for each in (first, second)]
    assert all(each in found.value.message for each in named)
    manager, typed = Somebody("manager"), {**FRIDAY, "starts_at": local.isoformat(), "starts_zone": DENVER}
    again = read(refused_in_place(manager.press("/house/events/new/", **typed), named[0]))
    offered = [n.attrs["value"] for n in again.all("input") if n.attrs.get("name") == "starts_reading"]
    assert offered == [first, second] and not Event.objects.exists()
    for reading in offered:
        done(manager.press("/house/events/new/", **typed, starts_reading=reading))
        assert Event.objects.latest("pk").starts_at == datetime.fromisoformat(reading)
    # What was chosen for another time is no answer for this one.
    with refused(code):
        start_of(local, DENVER, "2025-11-02T01:30:00-06:00")


@pytest.mark.parametrize(
    ("zone", "local", "readings"),
    [
        *((DENVER, SKIPPED + timedelta(minutes=minutes), n) for minutes, n in ((-31, 1), (-30, 2), (30, 1))),
        *((DENVER, TWICE + timedelta(minutes=minutes), n) for minutes, n in ((-31, 1), (29, 2), (30, 1))),
        *((VIENNA, SKIPPED, 1), ("UTC", SKIPPED, 1)),
    ],
)
def test_T6_the_hours_beside_a_clock_change_are_taken_as_typed(zone, local, readings):
    assert len(start_readings(local, zone)) == readings
    if readings == 1:
        assert start_of(local, zone).local.replace(tzinfo=None) == local


def test_T6_an_hour_that_comes_twice_is_shown_with_its_offset():
    first = start_of(TWICE, DENVER, "2026-11-01T01:30:00-06:00")
    second = start_of(TWICE, DENVER, "2026-11-01T01:30:00-07:00")
    assert ("UTC-06:00" in str(first), "UTC-07:00" in str(second)) == (True, True)
    assert str(start_of(EVENING, DENVER)) == "2026-11-20 19:00 (America/Denver)"
    assert Start.read(second.to_dict()) == second


def test_T6_a_zone_that_nobody_knows_is_refused():
    with refused("time_zone_unknown"):
        made(EVENING, "Mars/Olympus")


# -- Its change ---------------------------------------------------------------------------------------


def test_T6_a_moved_start_is_in_the_journal_and_is_shown_in_public_with_the_one_before():
    house_in(DENVER)
    event = opened(made(EVENING))
    director = Somebody("director")
    entry = EntryFactory(event=event)
    receipt = staff(event, f"entries/{entry.code}/receipt/")
    for path in (*PUBLIC, receipt):
        assert starts_on(director, path.format(event.slug)) == ("2026-11-20 19:00 (America/Denver)", False)
    typed = {"starts_at": LATER.isoformat(), "starts_zone": DENVER}
    done(director.press(staff(event, "start/"), **typed), "setup/")
    for path in PUBLIC:
        assert starts_on(director, path.format(event.slug)) == ("2026-11-20 20:30 (America/Denver)", True)
    assert starts_on(director, receipt)[0] == "2026-11-20 20:30 (America/Denver)"
    written = JournalEntry.objects.get(event=event, kind="event.start")
    assert written.actor == director.user
    assert written.body["noted"]["before"] == "2026-11-20 19:00 (America/Denver)"
    assert Posting.objects.get(event=event, kind=Posting.Kind.START).body == {
        "event": event.code,
        "starts_at": "2026-11-20T20:30:00-07:00",
        "starts_zone": DENVER,
        "before": {"starts_at": "2026-11-20T19:00:00-07:00", "starts_zone": DENVER},
    }


def test_T6_a_start_can_be_cleared_which_is_in_the_journal_and_shown_in_public():
    house_in(DENVER)
    event = opened(made(EVENING))
    director = Somebody("director")
    receipt = staff(event, f"entries/{EntryFactory(event=event).code}/receipt/")
    done(director.press(staff(event, "start/"), clear="1"), "setup/")
    event.refresh_from_db()
    assert event.start is None
    for path in PUBLIC:
        assert starts_on(director, path.format(event.slug)) == ("", True)
    assert "data-start" not in director.get(receipt).content.decode()
    written = JournalEntry.objects.get(event=event, kind="event.start").body
    assert written["asked"] == {"starts_at": None}
    assert written["noted"]["before"] == "2026-11-20 19:00 (America/Denver)"
    assert Posting.objects.get(event=event, kind=Posting.Kind.START).body == {
        "event": event.code,
        "starts_at": None,
        "before": {"starts_at": "2026-11-20T19:00:00-07:00", "starts_zone": DENVER},
    }
    page = read(director.get(staff(event, "start/")).content.decode())
    assert not [node for node in page.all("button") if node.attrs.get("name") == "clear"]
    with refused("start_unchanged"):
        event_start_change(event_id=event.pk, starts_at=None, key=new_key(), actor=None)
    moved(event, LATER)
    for path in PUBLIC:
        assert starts_on(director, path.format(event.slug)) == ("2026-11-20 20:30 (America/Denver)", False)


def test_T6_a_start_is_cleared_until_the_first_bet_only():
    event = opened(made(EVENING))
    for _ in range(2):
        EntryFactory(event=event)
    round_ = round_seat(event)
    done(Somebody("director").press(staff(event, "start/"), clear="1"), "setup/")
    moved(event, LATER)
    round_to(round_, "playing")
    with refused("start_over"):
        event_start_change(event_id=event.pk, starts_at=None, key=new_key(), actor=None)


def test_T6_a_code_that_was_made_here_loses_the_day_of_a_start_that_is_cleared():
    event = made(EVENING)
    assert event.code.endswith("-20261120")
    event_start_change(event_id=event.pk, starts_at=None, key=new_key(), actor=None)
    event.refresh_from_db()
    assert not event.code.endswith("-20261120")


def starts_on(somebody, path):
    """The start that a page shows, and whether it says what it was before."""
    page = read(somebody.get(path).content.decode())
    (start,) = [node.attrs["data-start"] for node in page.walk() if "data-start" in node.attrs]
    return start, any("data-start-before" in node.attrs for node in page.walk())


def test_T6_a_start_changes_until_the_first_bet_of_round_1_is_called():
    round_ = cast.seated(3)
    event = moved(round_.event, EVENING)
    assert event.start == start_of(EVENING, DENVER)
    with refused("start_unchanged", 409):
        moved(event, EVENING)
    cast.hand(cast.shoe_of(round_), {1: 200, 2: 200, 3: 200}, b1="win", b2="win", b3="win")
    with refused("start_over", 409):
        moved(event, LATER)
    page = Somebody("director").get(staff(event, "start/")).content.decode()
    assert 'name="starts_at"' not in page


def test_T6_a_start_that_is_moved_before_the_rules_are_posted_is_not_public():
    event = moved(made(EVENING), LATER)
    assert not Posting.objects.filter(event=event).exists()
    assert starts_on(Somebody("director"), f"/e/{opened(event).slug}/")[1] is False


# -- The day in the code ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("local", "zone", "day"),
    [
        (EVENING, DENVER, "20261120"),
        (datetime(2026, 11, 21, 0, 30), "Pacific/Kiritimati", "20261121"),
        (datetime(2026, 11, 20, 23, 59), "America/Los_Angeles", "20261120"),
    ],
)
def test_T6_the_code_carries_the_day_of_the_start(local, zone, day):
    assert made(local, zone).code == f"FRIDAY-{day}"


def test_T6_the_code_goes_with_the_day_until_the_rules_are_posted():
    event = moved(made(), EVENING)
    assert event.code == "FRIDAY-20261120"
    assert moved(event, LATER).code == "FRIDAY-20261120"
    next_day = EVENING + timedelta(days=1)
    event = opened(moved(event, next_day))
    assert event.code == "FRIDAY-20261121"
    assert moved(event, EVENING).code == "FRIDAY-20261121"
    event_setup_again(event_id=event.pk, key=new_key(), actor=None)
    assert moved(event, LATER).code == "FRIDAY-20261121"
    assert moved(made(EVENING, code="GALA"), next_day).code == "GALA"
