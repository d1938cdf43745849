"""The embedded PostgreSQL, for real: every test has a checkout of its own and separate processes."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from config.launch.embedded import keeper_alive, places, try_lock
from config.launch.embedded.places import EmbeddedError, find_places

ROOT = Path(__file__).resolve().parents[3]

# A user of the server: says the server's start time, runs the SQL it is given, and ends with its input.
USER = """
import sys, psycopg
from config.launch.embedded import ensure
def connect():
    server = ensure()
    return psycopg.connect(host=str(server.socket_dir), user=server.user, dbname=server.name, autocommit=True)
print(connect().execute("SELECT pg_postmaster_start_time()").fetchone()[0], flush=True)
for line in sys.stdin:
    try:
        done = connect().execute(line)
        print(done.fetchone()[0] if done.description else "done", flush=True)
    except psycopg.OperationalError as error:
        print("away", flush=True)
"""


class Checkout:
    """A checkout with nothing but the launcher in it."""

    def __init__(self, path, data=None):
        self.path = path
        launch = path / "config" / "launch"
        shutil.copytree(ROOT / "config" / "launch" / "embedded", launch / "embedded")
        (path / "config" / "__init__.py").touch()
        (launch / "__init__.py").touch()
        self.users = []
        if data:
            # With its owner, who is not us where we are root.
            subprocess.run(["cp", "-a", data, self.places.data], check=True)

    @property
    def places(self):
        return find_places(self.path)

    def user(self):
        command, pipe = [sys.executable, "-c", USER], subprocess.PIPE
        started = subprocess.Popen(command, cwd=self.path, stdin=pipe, stdout=pipe, text=True)
        self.users.append(started)
        return started

    def ready(self):
        """A user that has reached the server."""
        started = self.user()
        assert hear(started)
        return started

    def postmaster(self):
        return int((self.places.data / "postmaster.pid").read_text().split("\n")[0])

    def keeper(self):
        """The server's parent (Linux and macOS both have ps)."""
        asked = ["ps", "-o", "ppid=", "-p", str(self.postmaster())]
        return int(subprocess.run(asked, capture_output=True, text=True).stdout)

    def clean(self):
        for user in self.users:
            user.kill()
            user.wait()
        until(lambda: not keeper_alive(self.places))
        home, socket_dir = self.places.home, self.places.socket_dir
        shutil.rmtree(home)
        shutil.rmtree(socket_dir, ignore_errors=True)


def until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come to be"
        time.sleep(0.05)


def hear(user):
    return user.stdout.readline().strip()


def ask(user, sql):
    user.stdin.write(sql + "\n")
    user.stdin.flush()
    return hear(user)


def leave(user):
    user.stdin.close()
    assert user.wait(60) == 0


def is_gone(pid):
    """Gone, or dead and only not yet collected by its parent."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return shown.stdout.strip()[:1] in ("", "Z")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """What a first start makes of nothing, in seconds: for the checkouts of those who start again."""
    first, kept = Checkout(tmp_path_factory.mktemp("first")), tmp_path_factory.mktemp("kept") / "data"
    user = first.ready()
    leave(user)
    until(lambda: not keeper_alive(first.places))
    subprocess.run(["cp", "-a", first.places.data, kept], check=True)
    first.clean()
    return kept


@pytest.fixture
def made():
    """Makes checkouts, and cleans up after them."""
    all_of_them = []
    yield lambda *where: all_of_them.append(Checkout(*where)) or all_of_them[-1]
    for each in all_of_them:
        each.clean()


@pytest.fixture
def checkout(made, tmp_path, data):
    return made(tmp_path, data)


def test_the_last_one_out_stops_the_server(checkout):
    first, second = checkout.user(), checkout.user()
    assert hear(first) == hear(second)
    server = checkout.postmaster()
    leave(first)
    lock = places.open_lock(checkout.places.users_lock)
    assert not try_lock(lock, fcntl.LOCK_EX), "the keeper cannot take the last user for gone"
    os.close(lock)
    assert ask(second, "SELECT 'still here'") == "still here"
    leave(second)
    until(lambda: not keeper_alive(checkout.places))
    assert is_gone(server)


def test_of_many_at_once_one_starts_it_and_all_use_it(made, tmp_path):
    """What a stop in the middle of ``initdb`` has left goes."""
    odd_checkout = made(tmp_path / "the house, Zoë's")
    half = odd_checkout.places.home / "data.new-1"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    users = [odd_checkout.user() for _ in range(6)]
    assert len({hear(user) for user in users}) == 1
    assert not half.exists()
    assert not list(odd_checkout.path.glob("*.lock")), "a place was made before its name was known"
    assert ask(users[0], "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") == "False"


@pytest.mark.soak
def test_whoever_comes_while_it_stops_gets_a_new_one(checkout):
    for wait in (0.0, 0.1, 0.2, 0.25, 0.3, 0.4):
        user = checkout.ready()
        assert ask(user, "SELECT 'here'") == "here"
        user.kill()
        user.wait()
        time.sleep(wait)


KEEP = "CREATE TABLE kept AS SELECT 42 AS chips"


@pytest.mark.soak
@pytest.mark.parametrize("killed", ["its only user", "the keeper", "everything"])
def test_kill_9_keeps_what_was_committed_and_the_next_one_starts_it_again(checkout, killed):
    user = checkout.ready()
    ask(user, KEEP)
    server = checkout.postmaster()
    pids = {"its only user": [], "the keeper": [checkout.keeper()], "everything": [checkout.keeper(), server]}
    for pid in (*pids[killed], user.pid):
        os.kill(pid, signal.SIGKILL)
    if killed == "its only user":
        until(lambda: not keeper_alive(checkout.places) and is_gone(server))
    other = checkout.ready()
    assert ask(other, "SELECT chips FROM kept") == "42"
    assert is_gone(server)


@pytest.mark.soak
def test_a_killed_server_comes_back_while_somebody_needs_it(checkout):
    user = checkout.ready()
    ask(user, KEEP)
    os.kill(checkout.postmaster(), signal.SIGKILL)
    until(lambda: ask(user, "SELECT chips FROM kept") == "42")


def test_a_pid_file_that_names_another_process_is_not_believed(checkout):
    user = checkout.ready()
    leave(user)
    until(lambda: not keeper_alive(checkout.places))
    (checkout.places.data / "postmaster.pid").write_text(f"{os.getpid()}\n{checkout.places.data}\n")
    assert checkout.ready()  # and this process is still here to say so


def test_what_fails_writes_no_name_into_the_servers_log(checkout):
    checkout.ready()
    where = {"host": str(checkout.places.socket_dir), "user": "cutline", "dbname": "cutline"}
    with psycopg.connect(**where, autocommit=True) as database:
        database.execute("CREATE TEMP TABLE people (name text PRIMARY KEY)")
        database.execute("INSERT INTO people VALUES ('Berger')")
        with pytest.raises(psycopg.errors.UniqueViolation):
            database.execute("INSERT INTO people VALUES ('Berger')")
    written = checkout.places.log.read_text()
    assert "duplicate key" in written
    assert "Berger" not in written


def test_a_deep_checkout_has_a_short_socket_path(made, tmp_path, data):
    deep = made(tmp_path / ("deep" * 20) / ("deeper" * 20), data)
    assert len(str(deep.places.socket_dir)) <= places.LONGEST_SOCKET_DIR or os.geteuid() == 0
    assert deep.ready()


def test_data_of_another_user_or_another_postgresql_is_refused(tmp_path, monkeypatch):
    data = tmp_path / "var" / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("17\n")
    with pytest.raises(EmbeddedError, match="PostgreSQL 17"):
        places.tree_name(data)
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    with pytest.raises(EmbeddedError, match="belongs to another user"):
        find_places(tmp_path)


@pytest.fixture
def shared(tmp_path, monkeypatch):
    monkeypatch.setattr(places, "SHARED_HOME", tmp_path / "shared")
    return tmp_path


def test_a_moved_checkout_takes_its_data_along_and_a_copied_one_gets_its_own(shared):
    def elsewhere(name):
        return places._home_elsewhere(shared / name / "var", shared / name / "var" / "postgres.where")

    (shared / "here" / "var").mkdir(parents=True)
    home = elsewhere("here")
    (shared / "here").rename(shared / "there")
    shutil.copytree(shared / "there", shared / "copy")
    assert elsewhere("there") == home != elsewhere("copy")


def test_only_the_data_of_vanished_checkouts_in_tmp_is_removed(shared):
    homes = {}
    for name, checkout in (("gone", "/tmp/gone/cutline"), ("far", "/srv/gone/cutline"), ("here", shared)):
        homes[name] = shared / "shared" / name
        homes[name].mkdir(parents=True)
        (homes[name] / "checkout").write_text(f"{checkout}/var\n")
    places.remove_temporary_homes()
    assert {name for name, home in homes.items() if home.exists()} == {"far", "here"}
