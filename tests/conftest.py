"""What all tests share: quick settings, a test database, a real Redis, a real Chromium.

Fixtures to use: ``db`` / ``transactional_db`` / ``client`` / ``live_server`` (pytest-django), ``page``
(pytest-playwright), ``redis_url`` and ``login_throttle`` (below).
"""

import gc
import os
import shutil
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import hypothesis
import pytest

from config.launch.embedded.places import THROWAWAY
from tests import seed

# The tests use a PostgreSQL of their own, never the one of `make run`; so do the processes they start.
os.environ[THROWAWAY] = "1"
# Playwright's synchronous API keeps an event loop in the tests' thread, which Django would refuse.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# What these assert is said in full where it fails, as in a test.
pytest.register_assert_rewrite("tests.cast")

CHROMIUM_FLAGS = ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
CHROMIUM_FLAGS += ["--no-first-run", "--disable-quic"]
CHROMIUM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
CHROME_ON_MACOS = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def pytest_configure(config: pytest.Config) -> None:
    """Settings that differ in tests: cheap passwords, and no throttle that counts across tests."""
    from django.conf import settings

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.AXES_ENABLED = False
    # Races of eight threads on a machine with other work take their time; that something ends is enough.
    limits = " ".join(f"-c {name}=60s" for name in settings.TIME_LIMITS)
    settings.DATABASES["default"]["OPTIONS"]["options"] = limits
    # A thread of the live server lives as long as a browser keeps its line open, and would keep a connection
    # to the database that is dropped in the end.
    settings.DATABASES["default"]["CONN_MAX_AGE"] = 0
    _let_the_flush_through()
    _keep_what_the_migrations_wrote()
    _drop_databases_by_force()
    _share_the_middleware()
    if config.option.markexpr == GATE and files_are_named(config.args):
        config.option.markexpr = ""
    _choose_examples()


def pytest_report_header() -> str:
    """The seed, so that a run can be repeated."""
    return f"seed: {seed.run_seed()} ({seed.NAME})"


GATE = "not soak and not browser and not redis"
"""What pyproject.toml chooses where nothing else is said."""


def files_are_named(args: list[str]) -> bool:
    """Return whether all arguments name files or single tests: then every test named is run."""
    return bool(args) and all(".py" in each for each in args)


LEFT_OUT = {
    "soak": "of the soak: make soak",
    "browser": "that need Chromium: make check",
    "redis": "that need Redis: make check",
}
"""Marks in the order in which a test with several of them is counted, and what the summary says of them."""
_left_out: Counter[str] = Counter()


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Count the tests that their marks left out."""
    for item in items:
        _left_out.update([mark for mark in LEFT_OUT if item.get_closest_marker(mark)][:1])


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Give the counts of a worker to the process that prints the summary."""
    getattr(session.config, "workeroutput", {})["left_out"] = dict(_left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the counts of a worker; all workers collect the same tests."""
    _left_out.update(Counter(getattr(node, "workeroutput", {}).get("left_out", {})) - _left_out)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many tests were left out, which command runs them, and how many facts random walks wrote."""
    for mark, words in LEFT_OUT.items():
        if _left_out[mark]:
            terminalreporter.write_line(f"left out: {_left_out[mark]} tests {words}")
    facts = Counter[str]()
    for report in terminalreporter.stats.get("passed", ()):
        facts.update(dict(report.user_properties).get("facts", {}))
    if facts:
        found = ", ".join(f"{kind} {many}" for kind, many in facts.most_common())
        terminalreporter.write_line(f"facts in random order: {found}")


FIRST = ("tests/e2e/", "tests/config/", "tests/upgrade/")
"""Folders whose single tests take seconds."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the slow tests, so that no process waits for another one's last test."""
    items.sort(key=lambda item: not item.nodeid.startswith(FIRST))


def pytest_collection_finish() -> None:
    """Freeze imported objects: collecting them over and over is wasted work."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _let_the_flush_through() -> None:
    """Between transactional tests tables are truncated, which the ledgers refuse to everybody else."""
    from django.db.backends.postgresql.operations import DatabaseOperations

    from tests.cast.edits import unguarded

    flush = DatabaseOperations.execute_sql_flush

    def flush_ledgers_too(self: DatabaseOperations, sql_list: list[str]) -> None:
        with unguarded():
            flush(self, sql_list)

    DatabaseOperations.execute_sql_flush = flush_ledgers_too


WRITTEN_BY_MIGRATIONS = {"django_content_type", "auth_permission", "auth_group"}


def _keep_what_the_migrations_wrote() -> None:
    """The flush leaves the roles and what Django knows of models: no test is the first after it or is not.

    They need not be written anew after each, and of two processes one may begin with transactional tests.
    """
    from django.core.management.commands import flush
    from django.db.backends.postgresql.operations import DatabaseOperations

    sql_flush = DatabaseOperations.sql_flush

    def flush_all_but(self: DatabaseOperations, style: Any, tables: list[str], **how: Any) -> list[str]:
        return sql_flush(self, style, [each for each in tables if each not in WRITTEN_BY_MIGRATIONS], **how)

    DatabaseOperations.sql_flush = flush_all_but
    flush.emit_post_migrate_signal = lambda *args, **how: None


def _drop_databases_by_force() -> None:
    """Drop a test database also where a thread or a process that was killed is still connected to it.

    ``WITH (FORCE)`` would end the server's own cleaning as well, which this role may not; without it the
    server ends that itself.
    """
    from django.db.backends.base.creation import BaseDatabaseCreation

    def destroy(self: BaseDatabaseCreation, test_database_name: str, verbosity: int) -> None:
        with self._nodb_cursor() as cursor:
            name = self.connection.ops.quote_name(test_database_name)
            ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            cursor.execute(f"{ended} WHERE datname = %s AND usename = USER", [test_database_name])
            cursor.execute(f"DROP DATABASE {name}")

    BaseDatabaseCreation._destroy_test_db = destroy


def _share_the_middleware() -> None:
    """Load the middleware once for all clients of tests: whitenoise alone lists 60 files each time.

    A test that overrides a setting has its own, because middleware reads settings when it is loaded.
    """
    from django.conf import settings
    from django.core.handlers.base import BaseHandler
    from django.test.client import ClientHandler

    load = BaseHandler.load_middleware
    plain, loaded = settings._wrapped, dict[str, Any]()
    parts = (
        "_view_middleware",
        "_template_response_middleware",
        "_exception_middleware",
        "_middleware_chain",
    )

    def load_once(self: BaseHandler, is_async: bool = False) -> None:
        ours = type(self) is ClientHandler and settings._wrapped is plain
        if ours and loaded:
            vars(self).update(loaded)
            return
        load(self, is_async)
        if ours:
            loaded.update({part: getattr(self, part) for part in parts})

    BaseHandler.load_middleware = load_once


def _choose_examples() -> None:
    """Let hypothesis try fixed examples in the gate, and in the soak many that the seed decides.

    No example has a time limit: how long one takes depends on what else the machine does.
    """
    gate = seed.NAME not in os.environ
    hypothesis.settings.register_profile(
        "ours", max_examples=30 if gate else 300, derandomize=gate, database=None, deadline=None
    )
    hypothesis.settings.load_profile("ours")


def missing(sentence: str) -> NoReturn:
    """A test lacks a program: CI fails, a person's machine skips and reads how to get it."""
    if os.environ.get("CI"):
        pytest.fail(sentence)
    pytest.skip(sentence)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Which worlds a test may have is known before its fixtures make them."""
    from tests.cast import worlds

    worlds.test_begins(item)


@pytest.fixture(autouse=True)
def fixed_secrets(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each test draws the same seats and shoes in every run."""
    with seed.drawn_from(request.node.nodeid):
        yield


@pytest.fixture(scope="session")
def live_server(django_db_setup: None, live_server: Any) -> Any:
    """The live server ends before its database does, whichever of them a test asked for first."""
    return live_server


@pytest.fixture
def login_throttle(settings: Any, db: None) -> None:
    """The login throttle as in production, for a test of it."""
    settings.AXES_ENABLED = True


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real Redis of its own, gone with the tests."""
    program = shutil.which("redis-server")
    if program is None:
        missing("This test needs a real Redis: install redis-server (Debian: apt install redis-server).")
    folder = tmp_path_factory.mktemp("redis")
    from tests.cast.serving import free_port

    port = free_port()
    asked = f"--port {port} --bind 127.0.0.1 --appendonly no --save"
    command = [program, "--dir", str(folder), *asked.split(), ""]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    try:
        _wait_for_port(port, server)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(10)


def _wait_for_port(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        assert server.poll() is None, "redis-server ended at once"
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        time.sleep(0.05)
    raise AssertionError("redis-server does not answer")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], playwright: Any) -> dict[str, Any]:
    """Chromium as the system has it, or Playwright's own; without its talk to the outside."""
    from playwright.sync_api import expect

    expect.set_options(timeout=60_000)  # only reports a hang
    args = [*CHROMIUM_FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    found = _find_chromium()
    if found is None and not Path(playwright.chromium.executable_path).exists():
        missing(
            "This test needs a browser: install Chromium (Debian: apt install chromium) or Google Chrome."
        )
    where = {"executable_path": found} if found else {}
    return {**browser_type_launch_args, **where, "args": args}


def _find_chromium() -> str | None:
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if found is None and sys.platform == "darwin" and CHROME_ON_MACOS.exists():
        return str(CHROME_ON_MACOS)
    return found
