"""Somebody holds a lock, the database takes no changes, the broker hangs: what is answered (faults)."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psycopg
import pytest
from django.db import connection, connections
from django.test import Client
from django.urls import reverse

from config import web, write_limit
from config.launch.embedded.places import find_places
from tests.cast.factories import EventFactory, UserFactory, new_key
from tests.cast.presses import FRESH, just_loaded
from tests.cast.serving import TOKEN, Server, cookies_of, environment
from tournament.models import JournalEntry

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


def python(*words, **more):
    """What a process of its own prints, with the tests' database for its server."""
    env = {**environment(""), **more}
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextlib.contextmanager
def lock_held(event):
    """The one row that every command of an event locks first, locked by another connection."""
    info = connection.connection.info
    with psycopg.connect(
        host=info.host, port=info.port, user=info.user, password=info.password, dbname=info.dbname
    ) as other:
        other.execute("SELECT 1 FROM tournament_journalhead WHERE event_id = %s FOR UPDATE", [event.pk])
        yield other
        other.rollback()


@contextlib.contextmanager
def database_set(setting):
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


def press(client, event, key):
    address = reverse("tables:boxes_add", kwargs={"slug": event.slug})
    with just_loaded():
        return client.post(address, {"key": key, "all": "1", "basis": FRESH})


@pytest.mark.django_db
def test_faults_whoever_serves_waits_3_s_for_a_lock_10_s_for_a_statement_30_s_in_a_transaction():
    """A command by hand may take its time, and what the address of the database asks for goes first."""
    connection.ensure_connection()
    assert python("-c", SHOW).split() == ["3s", "10s", "30s"]
    assert python("manage.py", "shell", "--no-imports", "-c", SHOW).split() == ["0", "0", "0"]
    name = connection.connection.info.dbname
    where = f"postgres:///{name}?options=-c%20statement_timeout%3D7s"
    assert python("-c", SHOW, DATABASE_URL=where).split() == ["3s", "7s", "30s"]


@pytest.mark.django_db(transaction=True)
def test_faults_a_lock_that_somebody_holds_is_a_503_in_our_words_and_nothing_is_saved():
    event, key = EventFactory(), new_key()
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory(roles=["director"]))
    with lock_held(event):
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '200ms'")
        answer = press(client, event, key)
        assert (answer.status_code, JournalEntry.objects.filter(key=key).exists()) == (503, False)
        assert 'data-code="locked"' in answer.content.decode()
        assert client.get(f"/e/{event.slug}/").status_code == 200
    assert press(client, event, key).status_code == 303
    with connection.cursor() as cursor:
        cursor.execute("RESET lock_timeout")


def waiting():
    asked = "SELECT wait_event_type FROM pg_stat_activity WHERE datname = current_database()"
    with connection.cursor() as cursor:
        return cursor.execute(asked).fetchall().count(("Lock",))


@pytest.mark.django_db(transaction=True)
def test_faults_with_a_lock_held_public_pages_and_healthz_answer_all_the_while(tmp_path, settings):
    """More presses than the server has threads wait for one row; a page that had to wait would hang."""
    event, client = EventFactory(), Client()
    client.force_login(UserFactory(roles=["director"]))
    cookies, answers, before = cookies_of(client), [], JournalEntry.objects.count()
    where = reverse("tables:boxes_add", kwargs={"slug": event.slug})
    limits = "-c%20lock_timeout%3D60s%20-c%20statement_timeout%3D60s"
    patient = f"postgres:///{connection.settings_dict['NAME']}?options={limits}"
    with lock_held(event) as other:
        server = Server(log=tmp_path / "log", SECRET_KEY=settings.SECRET_KEY, DATABASE_URL=patient)

        def press_once(key):
            form = f"all=1&csrfmiddlewaretoken={TOKEN}&key={key}"
            answers.append(server.send("POST", where, form, cookies))

        threads = [threading.Thread(target=press_once, args=(new_key(),)) for _ in range(120)]
        try:
            for thread in threads:
                thread.start()
            server.until(lambda: waiting() >= write_limit.places_of(web.THREADS))
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
    assert sum(status == 422 for status, _ in answers) >= write_limit.places_of(web.THREADS)
    assert all('data-state="perhaps_saved"' in text for status, text in answers if status == 503)
    assert JournalEntry.objects.count() == before


def test_a_third_of_the_threads_is_left_to_readers():
    assert [write_limit.places_of(threads) for threads in (1, 2, 3, 8, 24)] == [1, 1, 2, 5, 16]


@pytest.mark.django_db(transaction=True)
def test_readyz_tells_a_database_that_takes_no_changes_or_has_no_room():
    """The limit of what a connection may write stands for the disk: the same write fails."""
    client = Client(raise_request_exception=False)
    event = EventFactory()
    client.force_login(UserFactory(roles=["director"]))
    assert client.get("/readyz").content == b"ok\n"
    with database_set("default_transaction_read_only = on"):
        answer = client.get("/readyz")
        assert (answer.status_code, answer.content) == (503, b"database read-only\n")
        assert client.get("/healthz").status_code == client.get("/").status_code == 200
        refused = press(client, event, new_key())
        assert refused.status_code == 503 and 'data-code="read_only"' in refused.content.decode()
    with database_set("temp_file_limit = '50kB'"):
        answer = client.get("/readyz")
        assert (answer.status_code, answer.content) == (503, b"database full\n")
    assert client.get("/readyz").status_code == 200


# -- A broker that hangs -----------------------------------------------------------------------------------

COMMANDS = """
import django; django.setup()
import os, signal, sys
from tests.cast.factories import EventFactory, new_key
from tournament.models import JournalEntry
from tournament.services.journal import command
redis, event = int(sys.argv[1]), EventFactory()
for turn in range(21):
    command(kind="shown", key=new_key(), actor=None, event_id=event.pk, body={}, act=lambda cmd: {})
    if turn == 0:
        os.kill(redis, signal.SIGSTOP)
os.kill(redis, signal.SIGCONT)
print(JournalEntry.objects.filter(kind="shown").count())
"""


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_faults_with_a_broker_that_hangs_commands_are_saved_all_the_same(redis_url):
    import redis as library

    client = library.Redis.from_url(redis_url)
    pid = client.info("server")["process_id"]
    client.flushall()
    try:
        saved = python("-c", COMMANDS, str(pid), **environment(redis_url))
    finally:
        os.kill(pid, signal.SIGCONT)
    assert saved.splitlines()[-1] == "21"
    assert client.llen("celery") >= 1, "the broker got the tasks that it could take"
    client.flushall()
