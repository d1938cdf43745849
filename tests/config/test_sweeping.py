"""Without a broker the serving processes sweep by themselves."""

from __future__ import annotations

import threading

import pytest
from django.db import OperationalError

from config import sweeping
from tournament import tasks


def test_with_a_broker_its_beat_sweeps(settings):
    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    assert sweeping.start() is None


def test_without_a_broker_a_thread_sweeps_again_and_again(settings, monkeypatch):
    settings.BROKER_URL = ""
    swept, enough = [], threading.Event()

    def once():
        swept.append(1)
        if len(swept) >= 3:
            enough.set()

    monkeypatch.setattr(sweeping, "SWEEP_SECONDS", 0.01)
    monkeypatch.setattr(sweeping, "sweep_once", once)
    ended = sweeping.start()
    assert enough.wait(10)
    ended.set()


@pytest.mark.django_db(transaction=True)
def test_faults_a_database_that_is_away_does_not_end_the_sweeping(monkeypatch, caplog):
    def away():
        raise OperationalError("the database is away")

    monkeypatch.setattr(tasks, "standings_behind", away)
    sweeping.sweep_once()
    assert [each.levelname for each in caplog.records] == ["ERROR"]
