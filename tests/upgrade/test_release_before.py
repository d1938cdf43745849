"""A database of the version before starts, and its events play on to their end.

``0.2.sql.gz`` was written by ``dump.py`` with that version: half a rehearsal, with a request that waits.
"""

import gzip
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from config.checks import OF_0_1
from config.launch.prepare import migrate_if_needed
from tables.selectors.audit import audit
from tables.services.nights import Night, night_pay, night_play
from tables.services.rehearsal import people
from tournament.models import Entry, Event, JournalEntry, Payment, Request
from tournament.selectors.chain import chain_verify
from tournament.selectors.prizes import pool_of
from tournament.services.reconcile import reconcile
from tournament.services.requests import request_decide

HERE = Path(__file__).resolve().parent
(LAST,) = sorted(HERE.glob("*.sql.gz"))[-1:]


@pytest.fixture
def brought_up(django_db_setup, django_db_blocker):
    """The half-played event of the version before, in a database of its own, brought up to date."""
    with django_db_blocker.unblock():
        usual = connection.settings_dict["NAME"]
        name = f"{usual}_before"
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
            cursor.execute(f'CREATE DATABASE "{name}"')
        use(name)
        try:
            with connection.cursor() as cursor:
                cursor.execute(gzip.decompress(LAST.read_bytes()).decode())
            connection.close()  # the dump leaves its own search path behind
            call_command("migrate", verbosity=0)
            yield Event.objects.get()
        finally:
            use(usual)
            with connection.cursor() as cursor:
                cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
            connection.close()


def use(name):
    connection.close()
    connection.settings_dict["NAME"] = name


def books_hold(event):
    return reconcile(event) == [] and chain_verify(event).broken_at is None


def pages_open(event):
    """What people saw before the update opens after it, what stands in the journal among it."""
    staff = Client()
    staff.force_login(User.objects.get(username="director"))
    for path in ("", "journal/", "requests/", "tables/", "seating/", "payouts/", "desk/"):
        assert staff.get(f"/staff/{event.slug}/{path}").status_code == 200, path
    for path in ("", "seats/", "prizes/", "rules/", "draws/"):
        assert Client().get(f"/e/{event.slug}/{path}").status_code == 200, path


def test_an_event_half_played_by_the_version_before_is_played_to_its_end(brought_up):
    event = brought_up
    before = JournalEntry.objects.count()
    assert event.rounds.get(number=2).status == "playing"
    assert books_hold(event)

    pages_open(event)
    waits = Request.objects.get(status=Request.Status.OPEN)
    manager = User.objects.get(username="manager")
    request_decide(request_id=waits.pk, approve=True, key="after the update", actor=manager)

    night = Night(event, "played on", people(), commands=100_000)
    night_play(night)
    night_pay(night)

    event.refresh_from_db()
    assert event.status == Event.Status.PAID
    assert event.entries.filter(place=None).count() == 0
    assert event.entries.filter(status=Entry.Status.DISQUALIFIED).count() == 1
    paid = sum(Payment.objects.filter(event=event).values_list("amount_cents", flat=True))
    assert paid == pool_of(event).cents == 14 * 100_00
    assert JournalEntry.objects.count() > before + 50
    assert audit(event).differences == ()
    pages_open(event)
    assert books_hold(event)


@pytest.mark.django_db
def test_a_database_of_0_1_is_refused_by_the_start_and_by_migrate():
    MigrationRecorder(connection).record_applied(*OF_0_1)
    with pytest.raises(SystemExit, match="Cutline"):
        migrate_if_needed()
    with pytest.raises(SystemCheckError, match="E003"):
        call_command("migrate", verbosity=0, skip_checks=False)
