"""The embedded PostgreSQL, for real: every test has a checkout of its own and separate processes."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from config.launch.embedded import keeper_alive, places, try_lock
from config.launch.embedded.places import EmbeddedError, Places, find_places

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

    def __init__(self, path: Path, data: Path | None = None) -> None:
        self.path = path
        launch = path / "config" / "launch"
        shutil.copytree(ROOT / "config" / "launch" / "embedded", launch / "embedded")
        (path / "config" / "__init__.py").touch()
        (launch / "__init__.py").touch()
        self.users: list[subprocess.Popen[str]] = []
        if data:
            # With its owner, who is not us where we are root.
            subprocess.run(["cp", "-a", data, self.places.data], check=True)

    @property
    def places(self) -> Places:
        return find_places(self.path)

    def user(self) -> subprocess.Popen[str]:
        started = subprocess.Popen(
            [sys.executable, "-c", USER],
            cwd=self.path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.users.append(started)
        return started

    def postmaster(self) -> int:
        return int((self.places.data / "postmaster.pid").read_text().split("\n")[0])

    def keeper(self) -> int:
        """The server's parent (Linux and macOS both have ps)."""
        shown = subprocess.run(
            ["ps", "-o", "ppid=", "-p", str(self.postmaster())], capture_output=True, text=True
        )
        return int(shown.stdout)

    def clean(self) -> None:
        for user in self.users:
            user.kill()
            user.wait()
        until(lambda: not keeper_alive(self.places))
        home, socket_dir = self.places.home, self.places.socket_dir
        shutil.rmtree(home)
        shutil.rmtree(socket_dir, ignore_errors=True)


def until(true: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come to be"
        time.sleep(0.05)


def hear(user: subprocess.Popen[str]) -> str:
    assert user.stdout is not None
    return user.stdout.readline().strip()


def ask(user: subprocess.Popen[str], sql: str) -> str:
    assert user.stdin is not None
    user.stdin.write(sql + "\n")
    user.stdin.flush()
    return hear(user)


def leave(user: subprocess.Popen[str]) -> None:
    assert user.stdin is not None
    user.stdin.close()
    assert user.wait(60) == 0


def is_gone(pid: int) -> bool:
    """Gone, or dead and only not yet collected by its parent."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return shown.stdout.strip()[:1] in ("", "Z")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a first start makes of nothing, in seconds: for the checkouts of those who start again."""
    first, kept = Checkout(tmp_path_factory.mktemp("first")), tmp_path_factory.mktemp("kept") / "data"
    user = first.user()
    hear(user)
    leave(user)
    until(lambda: not keeper_alive(first.places))
    subprocess.run(["cp", "-a", first.places.data, kept], check=True)
    first.clean()
    return kept


@pytest.fixture
def checkout(tmp_path: Path, data: Path) -> Iterator[Checkout]:
    """A checkout whose server has run before."""
    made = Checkout(tmp_path, data)
    yield made
    made.clean()


@pytest.fixture
def new_checkout(tmp_path: Path) -> Iterator[Checkout]:
    made = Checkout(tmp_path)
    yield made
    made.clean()


def test_the_last_one_out_stops_the_server(checkout: Checkout) -> None:
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


def test_of_many_at_once_one_starts_it_and_all_use_it(new_checkout: Checkout) -> None:
    users = [new_checkout.user() for _ in range(6)]
    assert len({hear(user) for user in users}) == 1
    assert not list(new_checkout.path.glob("*.lock")), "a place was made before its name was known"


@pytest.mark.soak
def test_whoever_comes_while_it_stops_gets_a_new_one(checkout: Checkout) -> None:
    starts = set()
    for wait in (0.0, 0.1, 0.2, 0.25, 0.3, 0.4):
        user = checkout.user()
        starts.add(hear(user))
        assert ask(user, "SELECT 'here'") == "here"
        user.kill()
        user.wait()
        time.sleep(wait)
    assert "" not in starts


KEEP = "CREATE TABLE kept AS SELECT 42 AS chips"


@pytest.mark.soak
def test_kill_9_of_its_only_user_stops_it_and_keeps_what_was_committed(checkout: Checkout) -> None:
    user = checkout.user()
    hear(user)
    ask(user, KEEP)
    server = checkout.postmaster()
    user.kill()
    until(lambda: not keeper_alive(checkout.places) and is_gone(server))
    assert_kept(checkout)


@pytest.mark.soak
def test_kill_9_of_the_keeper_leaves_a_server_that_the_next_one_replaces(checkout: Checkout) -> None:
    user = checkout.user()
    hear(user)
    ask(user, KEEP)
    server = checkout.postmaster()
    os.kill(checkout.keeper(), signal.SIGKILL)
    user.kill()
    assert not is_gone(server)
    assert_kept(checkout)
    assert is_gone(server)


@pytest.mark.soak
def test_kill_9_of_everything_loses_nothing(checkout: Checkout) -> None:
    user = checkout.user()
    hear(user)
    ask(user, KEEP)
    for pid in (checkout.keeper(), user.pid, checkout.postmaster()):
        os.kill(pid, signal.SIGKILL)
    assert_kept(checkout)


@pytest.mark.soak
def test_a_killed_server_comes_back_while_somebody_needs_it(checkout: Checkout) -> None:
    user = checkout.user()
    hear(user)
    ask(user, KEEP)
    os.kill(checkout.postmaster(), signal.SIGKILL)
    until(lambda: ask(user, "SELECT chips FROM kept") == "42")


def assert_kept(checkout: Checkout) -> None:
    other = checkout.user()
    hear(other)
    assert ask(other, "SELECT chips FROM kept") == "42"


def test_a_pid_file_that_names_another_process_is_not_believed(checkout: Checkout) -> None:
    user = checkout.user()
    hear(user)
    leave(user)
    until(lambda: not keeper_alive(checkout.places))
    (checkout.places.data / "postmaster.pid").write_text(f"{os.getpid()}\n{checkout.places.data}\n")
    assert hear(checkout.user())  # and this process is still here to say so


@pytest.mark.soak
def test_a_stop_in_the_middle_of_initdb_leaves_nothing_half_made(new_checkout: Checkout) -> None:
    half = new_checkout.places.home / "data.new-1"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    assert hear(new_checkout.user())
    assert not half.exists()


def test_the_app_role_is_no_superuser(checkout: Checkout) -> None:
    user = checkout.user()
    hear(user)
    assert ask(user, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") == "False"


def test_what_fails_writes_no_name_into_the_servers_log(checkout: Checkout) -> None:
    hear(checkout.user())
    where = {"host": str(checkout.places.socket_dir), "user": "cutline", "dbname": "cutline"}
    with psycopg.connect(**where, autocommit=True) as database:
        database.execute("CREATE TEMP TABLE people (name text PRIMARY KEY)")
        database.execute("INSERT INTO people VALUES ('Berger')")
        with pytest.raises(psycopg.errors.UniqueViolation):
            database.execute("INSERT INTO people VALUES ('Berger')")
    written = checkout.places.log.read_text()
    assert "duplicate key" in written
    assert "Berger" not in written


def test_a_deep_checkout_has_a_short_socket_path(tmp_path: Path, data: Path) -> None:
    deep = Checkout(tmp_path / ("deep" * 20) / ("deeper" * 20), data)
    try:
        assert len(str(deep.places.socket_dir)) <= places.LONGEST_SOCKET_DIR or os.geteuid() == 0
        assert hear(deep.user())
    finally:
        deep.clean()


def test_a_path_with_spaces_commas_and_accents_works(tmp_path: Path) -> None:
    odd = Checkout(tmp_path / "the house, Zoë's")
    try:
        assert hear(odd.user())
    finally:
        odd.clean()


def test_data_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "var" / "postgres" / "data").mkdir(parents=True)
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    with pytest.raises(EmbeddedError, match="belongs to another user"):
        find_places(tmp_path)


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(places, "SHARED_HOME", tmp_path / "shared")
    return tmp_path


def elsewhere(var: Path) -> Path:
    var.mkdir(parents=True, exist_ok=True)
    return places._home_elsewhere(var, var / "postgres.where")


def test_a_moved_checkout_takes_its_data_along(shared: Path) -> None:
    home = elsewhere(shared / "here" / "var")
    (shared / "here").rename(shared / "there")
    assert elsewhere(shared / "there" / "var") == home


def test_a_copied_checkout_gets_data_of_its_own(shared: Path) -> None:
    home = elsewhere(shared / "here" / "var")
    shutil.copytree(shared / "here", shared / "copy")
    assert elsewhere(shared / "copy" / "var") != home
    assert elsewhere(shared / "here" / "var") == home


def test_only_the_data_of_vanished_checkouts_in_tmp_is_removed(shared: Path) -> None:
    homes = {}
    for name, checkout in (("gone", "/tmp/gone/cutline"), ("far", "/srv/gone/cutline"), ("here", shared)):
        homes[name] = shared / "shared" / name
        homes[name].mkdir(parents=True)
        (homes[name] / "checkout").write_text(f"{checkout}/var\n")
    places.remove_temporary_homes()
    assert {name for name, home in homes.items() if home.exists()} == {"far", "here"}


@pytest.mark.parametrize(("number", "says"), [(28, "is full"), (30, "cannot be"), (13, "may not")])
def test_what_a_disk_refuses_is_said_in_a_sentence(number: int, says: str) -> None:
    assert says in places.disk_sentence(OSError(number, "no"), Path("var"))


def test_data_of_a_postgresql_that_did_not_come_along_is_refused(tmp_path: Path) -> None:
    (tmp_path / "PG_VERSION").write_text("17\n")
    with pytest.raises(EmbeddedError, match="PostgreSQL 17"):
        places.tree_name(tmp_path)
