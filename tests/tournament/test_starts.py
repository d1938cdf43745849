"""When an event starts: a date that no clock can say is refused and takes no page down."""

from datetime import UTC, datetime, timedelta
from importlib import import_module

import pytest
from django.db import IntegrityError, connection, transaction

from tests.factories import EventFactory
from tests.pages.at_desk import (
    Somebody,
    refused_in_place,
)
from tournament.engine.days import STARTS_BEFORE, STARTS_FROM
from tournament.models import Event, House

pytestmark = pytest.mark.django_db


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
    response = manager.press("/house/events/new/", name="Friday", kind="tournament", starts_at=typed)
    if not taken:
        assert "has-error" in refused_in_place(response, "starts in a year from 2000 to 2199")
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
    good, bad = EventFactory(name="The good one"), EventFactory(name="The bad one")
    Event.objects.filter(pk=bad.pk).update(starts_at=at)
    Event.objects.filter(pk=good.pk).update(starts_at=datetime(2026, 11, 20, 20, tzinfo=UTC))
    for path in ("/house/", "/"):
        text = Somebody("manager").get(path).content.decode()
        assert "The good one" in text and "The bad one" in text
        assert "20 Nov, " in text


def test_a_database_with_a_start_out_of_bounds_migrates():
    drop_the_bound()
    bad, good = EventFactory(), EventFactory()
    Event.objects.filter(pk=bad.pk).update(starts_at=datetime(9999, 12, 31, 23, 59, tzinfo=UTC))
    Event.objects.filter(pk=good.pk).update(starts_at=datetime(2199, 12, 31, 23, 59, tzinfo=UTC))
    repair, bound = import_module("tournament.migrations.0004_starts_within_reason").Migration.operations
    with connection.cursor() as cursor:
        cursor.execute(repair.sql)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with connection.schema_editor() as editor:
        editor.add_constraint(Event, bound.constraint)
    assert Event.objects.get(pk=bad.pk).starts_at is None
    assert Event.objects.get(pk=good.pk).starts_at == datetime(2199, 12, 31, 23, 59, tzinfo=UTC)


@pytest.mark.parametrize("at", [STARTS_FROM - timedelta(microseconds=1), STARTS_BEFORE])
def test_the_database_holds_the_bound_of_a_start(at):
    event = EventFactory()
    Event.objects.filter(pk=event.pk).update(starts_at=STARTS_FROM)
    with pytest.raises(IntegrityError, match="event_starts_within_reason"), transaction.atomic():
        Event.objects.filter(pk=event.pk).update(starts_at=at)
