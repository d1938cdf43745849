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
from tests.e2e.test_worker import environment
from tests.factories import EventFactory, UserFactory, new_key
from tests.helpers import FRESH
from tests.serving import TOKEN, Server, cookies_of
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
    return client.post(
        reverse("tables:boxes_add", kwargs={"slug": event.slug}), {"key": key, "all": "1", "basis": FRESH}
    )


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
        assert "Something else is changing the same things" in answer.content.decode()
        assert client.get(f"/e/{event.slug}/").status_code == 200
    assert press(client, event, key).status_code == 303
    with connection.cursor() as cursor:
        cursor.execute("RESET lock_timeout")


# -- A real server -----------------------------------------------------------------------------------------


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "server.log"


@pytest.mark.django_db(transaction=True)
def test_faults_with_a_lock_held_public_pages_and_healthz_answer_all_the_while(
    log: Path, settings: Any
) -> None:
    """More presses at once than the server has threads want one row; who reads waits for nobody."""
    event, client = EventFactory(), Client()
    client.force_login(UserFactory(roles=["director"]))
    cookies, answers, before = cookies_of(client), [], JournalEntry.objects.count()
    where = reverse("tables:boxes_add", kwargs={"slug": event.slug})
    with somebody_else() as other:
        server = Server(log=log, SECRET_KEY=settings.SECRET_KEY)
        hold(other, event)

        def press_once(key: str) -> None:
            form = f"all=1&csrfmiddlewaretoken={TOKEN}&key={key}"
            answers.append(server.send("POST", where, form, cookies))

        threads = [threading.Thread(target=press_once, args=(new_key(),)) for _ in range(120)]
        try:
            for thread in threads:
                thread.start()
            pages = ("/healthz", "/", f"/e/{event.slug}/")
            read = [server.send("GET", path) for _ in range(15) for path in pages]
            for thread in threads:
                thread.join()
        finally:
            server.stop()
    assert {status for status, _, _ in read} == {200}
    waits = sorted(seconds for _, _, seconds in read)
    # On a machine with other work; who waited for the lock would have waited for three seconds.
    assert (waits[len(waits) // 2] < 0.5, waits[-1] < 2.5) == (True, True), waits
    assert {status for status, _, _ in answers} == {503}
    assert any("Something else is changing the same things" in text for _, text, _ in answers)
    # Who came to its lock knows that nothing is saved; who was sent away before is told to send it again.
    assert {text.split("<h1>")[1].split("</h1>")[0] for _, text, _ in answers} == {
        "Not saved",
        "Perhaps not saved",
    }
    assert 2.5 < max(seconds for _, _, seconds in answers) < 8
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
        assert refused.status_code == 503
        assert "The database takes no changes just now." in refused.content.decode()
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
import json, os, signal, sys, time
from celery import current_app
from tests.factories import EventFactory, as_command, new_key
from tournament.services.journal import command
import signal
redis = int(sys.argv[1])
event = EventFactory()

def timed(n):
    start = time.perf_counter()
    how = {"event_id": event.pk, "body": {}, "act": lambda cmd: {}}
    command(kind="shown", key=new_key(), actor=None, **how)
    return time.perf_counter() - start

quick = [timed(n) for n in range(20)]
os.kill(redis, signal.SIGSTOP)
try:
    hung = [timed(n) for n in range(20)]
finally:
    os.kill(redis, signal.SIGCONT)
print(json.dumps([quick, hung]))
"""


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_faults_a_broker_that_hangs_costs_a_command_at_most_200_ms(redis_url: str) -> None:
    import json

    import redis as library

    client = library.Redis.from_url(redis_url)
    pid = client.info("server")["process_id"]
    client.flushall()
    connection.ensure_connection()
    env = environment(redis_url)
    command = [sys.executable, "-c", COMMANDS, str(pid)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=90)
    assert done.returncode == 0, done.stderr
    quick, hung = json.loads(done.stdout.splitlines()[-1])
    # The slowest but one: a machine that does something else for a moment is no broker that hangs.
    assert sorted(hung)[-2] - sorted(quick)[len(quick) // 2] < 0.2, (quick, hung)
    assert client.llen("celery") >= 1, "what the broker could take it was given"
    client.flushall()


# -- Who sweeps --------------------------------------------------------------------------------------------


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
        server.until(behind, seconds=15)
        assert os.getpid() != server.process.pid
    finally:
        server.stop()
