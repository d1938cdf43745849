"""Without a broker the serving processes sweep by themselves."""

import threading

import pytest
from django.db import OperationalError

from config import periodic
from tournament import tasks


@pytest.mark.django_db(transaction=True)
def test_faults_without_a_broker_a_thread_sweeps_on_while_the_database_is_away(settings, monkeypatch, caplog):
    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    assert periodic.start() is None
    settings.BROKER_URL = ""
    swept, enough = [], threading.Event()

    def away():
        swept.append(1)
        if len(swept) >= 3:
            enough.set()
        raise OperationalError("the database is away")

    monkeypatch.setattr(periodic, "SWEEP_SECONDS", 0.01)
    monkeypatch.setattr(tasks, "standings_behind", away)
    ended = periodic.start()
    assert enough.wait(60)
    ended.set()
    assert {each.levelname for each in caplog.records} == {"ERROR"}
