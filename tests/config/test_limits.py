"""Somebody holds a lock, the database takes no changes, the broker hangs: what is answered (faults)."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection, connections
from django.test import Client
from django.urls import reverse

from config import room, web
from config.launch.embedded.places import find_places
from tests.cast.factories import EventFactory, UserFactory, new_key
from tests.cast.presses import FRESH, just_loaded
from tests.cast.serving import TOKEN, Server, cookies_of, environment
from tournament.models import Event, JournalEntry

ROOT = Path(__file__).resolve().parents[2]
SHOW = """
import django; django.setup()
from django.db import connection
names = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout")
with connection.cursor() as cursor:
    for name in names:
        cursor.execute(f"SHOW {name}")
        print(cursor.fetchone()[0])
"""


def python(*words: str, **more: str) -> str:
    """What a process of its own prints, with the tests' database for its server."""
    env = {**environment(""), **more}
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextlib.contextmanager
def somebody_else() -> Iterator[psycopg.Connection]:
    """Another connection to the same database, in a transaction that is forgotten open."""
    info = connection.connection.info
    with psycopg.connect(
        host=info.host, port=info.port, user=info.user, password=info.password, dbname=info.dbname
    ) as other:
        yield other
        other.rollback()


@contextlib.contextmanager
def database_set(setting: str) -> Iterator[None]:
    """The tests' database with a setting for all who connect from now on, set by its superuser."""
    places = find_places()
    name = connection.settings_dict["NAME"]
    with psycopg.connect(
        host=str(places.socket_dir), user="postgres", dbname="postgres", autocommit=True
    ) as db:
        db.execute(f'ALTER DATABASE "{name}" SET {setting}')
        connections.close_all()
        try:
            yield
        finally:
            db.execute(f'ALTER DATABASE "{name}" RESET {setting.partition(" ")[0]}')
            connections.close_all()


def hold(other: psycopg.Connection, event: Event) -> None:
    """The one row that every command of an event locks first."""
    other.execute("SELECT 1 FROM tournament_journalhead WHERE event_id = %s FOR UPDATE", [event.pk])


def press(client: Client, event: Event, key: str) -> Any:
    address = reverse("tables:boxes_add", kwargs={"slug": event.slug})
    with just_loaded():
        return client.post(address, {"key": key, "all": "1", "basis": FRESH})


# -- Limits ------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_faults_whoever_serves_waits_3_s_for_a_lock_10_s_for_a_statement_30_s_in_a_transaction() -> None:
    connection.ensure_connection()
    assert python("-c", SHOW).split() == ["3s", "10s", "30s"]


@pytest.mark.django_db
def test_a_command_that_somebody_runs_by_hand_may_take_its_time() -> None:
    connection.ensure_connection()
    assert python("manage.py", "shell", "--no-imports", "-c", SHOW).split() == ["0", "0", "0"]


@pytest.mark.django_db
def test_what_the_address_of_the_database_asks_for_goes_before_the_limits() -> None:
    connection.ensure_connection()
    info = connection.connection.info
    where = f"postgres:///{info.dbname}?options=-c%20statement_timeout%3D7s"
    assert python("-c", SHOW, DATABASE_URL=where).split() == ["3s", "7s", "30s"]


@pytest.mark.django_db(transaction=True)
def test_faults_a_lock_that_somebody_holds_is_a_503_in_our_words_and_nothing_is_saved() -> None:
    event, key = EventFactory(), new_key()
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory(roles=["director"]))
    with somebody_else() as other:
        hold(other, event)
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '200ms'")
        answer = press(client, event, key)
        assert (answer.status_code, JournalEntry.objects.filter(key=key).exists()) == (503, False)
        assert 'data-code="locked"' in answer.content.decode()
        assert client.get(f"/e/{event.slug}/").status_code == 200
    assert press(client, event, key).status_code == 303
    with connection.cursor() as cursor:
        cursor.execute("RESET lock_timeout")


# -- A real server -----------------------------------------------------------------------------------------


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "server.log"


def waiting() -> int:
    """Return how many connections of the tests' database wait for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return int(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
def test_faults_with_a_lock_held_public_pages_and_healthz_answer_all_the_while(
    log: Path, settings: Any
) -> None:
    """More presses than the server has threads wait for one row; a page that had to wait would hang."""
    event, client = EventFactory(), Client()
    client.force_login(UserFactory(roles=["director"]))
    cookies, answers, before = cookies_of(client), [], JournalEntry.objects.count()
    where = reverse("tables:boxes_add", kwargs={"slug": event.slug})
    limits = "-c%20lock_timeout%3D60s%20-c%20statement_timeout%3D60s"
    patient = f"postgres:///{connection.settings_dict['NAME']}?options={limits}"
    with somebody_else() as other:
        server = Server(log=log, SECRET_KEY=settings.SECRET_KEY, DATABASE_URL=patient)
        hold(other, event)

        def press_once(key: str) -> None:
            form = f"all=1&csrfmiddlewaretoken={TOKEN}&key={key}"
            answers.append(server.send("POST", where, form, cookies))

        threads = [threading.Thread(target=press_once, args=(new_key(),)) for _ in range(120)]
        try:
            for thread in threads:
                thread.start()
            server.until(lambda: waiting() >= room.places_of(web.THREADS))
            pages = ("/healthz", "/", f"/e/{event.slug}/")
            read = [server.send("GET", path)[0] for _ in range(5) for path in pages]
            other.rollback()
            for thread in threads:
                thread.join()
        finally:
            server.stop()
    assert set(read) == {200}
    # Presses for which there was no room were sent away at once. The others waited for the lock, and then
    # read that their form names no state.
    assert {status for status, _ in answers} == {422, 503}
    assert sum(status == 422 for status, _ in answers) >= room.places_of(web.THREADS)
    assert all('data-state="perhaps_saved"' in text for status, text in answers if status == 503)
    assert JournalEntry.objects.count() == before


def test_a_third_of_the_threads_is_left_to_readers() -> None:
    assert [room.places_of(threads) for threads in (1, 2, 3, 8, 24)] == [1, 1, 2, 5, 16]
    assert room.places_of(web.THREADS) < web.THREADS


# -- Is it ready -------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_readyz_tells_a_database_that_takes_no_changes() -> None:
    client = Client(raise_request_exception=False)
    event = EventFactory()
    client.force_login(UserFactory(roles=["director"]))
    assert client.get("/readyz").content == b"ok\n"
    with database_set("default_transaction_read_only = on"):
        answer = client.get("/readyz")
        assert (answer.status_code, answer.content) == (503, b"database read-only\n")
        assert client.get("/healthz").status_code == 200
        assert client.get("/").status_code == 200
        refused = press(client, event, new_key())
        assert refused.status_code == 503 and 'data-code="read_only"' in refused.content.decode()
    assert client.get("/readyz").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_readyz_tells_a_database_without_room() -> None:
    """The limit of what a connection may write stands for the disk: the same write fails."""
    with database_set("temp_file_limit = '50kB'"):
        answer = Client().get("/readyz")
        assert (answer.status_code, answer.content) == (503, b"database full\n")
    assert Client().get("/readyz").status_code == 200


# -- A broker that hangs -----------------------------------------------------------------------------------

COMMANDS = """
import django; django.setup()
import os, signal, sys
from celery import current_app
from tests.cast.factories import EventFactory, as_command, new_key
from tournament.models import JournalEntry
from tournament.services.journal import command
redis = int(sys.argv[1])
event = EventFactory()

def press():
    how = {"event_id": event.pk, "body": {}, "act": lambda cmd: {}}
    command(kind="shown", key=new_key(), actor=None, **how)

press()
os.kill(redis, signal.SIGSTOP)
try:
    for _ in range(20):
        press()
finally:
    os.kill(redis, signal.SIGCONT)
print(JournalEntry.objects.filter(kind="shown").count())
"""


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_faults_with_a_broker_that_hangs_commands_are_saved_all_the_same(redis_url: str) -> None:
    import redis as library

    client = library.Redis.from_url(redis_url)
    pid = client.info("server")["process_id"]
    client.flushall()
    saved = python("-c", COMMANDS, str(pid), **environment(redis_url))
    assert saved.splitlines()[-1] == "21"
    assert client.llen("celery") >= 1, "the broker got the tasks that it could take"
    client.flushall()


# -- Who sweeps --------------------------------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_faults_without_a_broker_a_server_of_gunicorn_sweeps_too(log: Path) -> None:
    """Standings whose task was lost are made up for within 15 s, by one of the two processes."""
    from tournament.models import JournalHead, StandingsSnapshot
    from tournament.services.journal import command

    event = EventFactory()
    command(kind="test", key=new_key(), actor=None, event_id=event.pk, body={}, act=lambda cmd: {})
    head = JournalHead.objects.get(event=event).seq
    server = Server(log=log)
    try:
        behind = lambda: StandingsSnapshot.objects.filter(event=event, position=head).exists()  # noqa: E731 - a word
        server.until(behind)
        assert os.getpid() != server.process.pid
    finally:
        server.stop()
