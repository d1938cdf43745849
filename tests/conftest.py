"""What all tests share: quick settings, a test database, a real Redis, a real Chromium.

Fixtures to use: ``db`` / ``transactional_db`` / ``client`` / ``live_server`` (pytest-django), ``page``
(pytest-playwright), ``redis_url`` and ``login_throttle`` (below).
"""

from __future__ import annotations

import gc
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import hypothesis
import pytest

from tests.today import NAME as DAY_NAME
from tests.today import settle_day, today

# Playwright's synchronous API keeps an event loop in the tests' thread, which Django would refuse.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# What these assert is said in full where it fails, as in a test.
pytest.register_assert_rewrite(
    *(f"tests.pages.{name}" for name in ("every_word", "holds", "told", "told_figures", "truth"))
)

CHROMIUM_FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]
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
    settle_day()
    if config.option.markexpr == ALL_BUT_LONG and files_are_named(config.args):
        config.option.markexpr = ""
    _try_examples(100 if config.option.markexpr != ALL_BUT_LONG else 30)


def pytest_report_header() -> str:
    """The day, for who wants to play it again."""
    return f"the long walks are those of day {today()} ({DAY_NAME} names another)"


ALL_BUT_LONG = "not long"
"""What pyproject.toml leaves out where nothing else is said."""


def files_are_named(args: list[str]) -> bool:
    """Whether files or single tests are named: all of what is named is run, the long ones too."""
    return bool(args) and all(".py" in each for each in args)


MINUTES = ("tests/long/", "tests/pages/test_hostile.py", "tests/e2e/", "tests/pages/test_every_word")
"""Where single tests take minutes, the longest first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones first: a process that is left with one of them at the end keeps the others waiting."""
    items.sort(key=how_soon)


def pytest_collection_finish() -> None:
    """What is loaded by now stays: looking through all of it for rubbish, again and again, is in vain."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def how_soon(item: pytest.Item) -> tuple[bool, int]:
    """Long before short, and of the long ones those that take minutes before those that take seconds."""
    first = [n for n, place in enumerate(MINUTES) if item.nodeid.startswith(place)]
    return item.get_closest_marker("long") is None, min(first, default=len(MINUTES))


def _let_the_flush_through() -> None:
    """Between transactional tests tables are truncated, which the ledgers refuse to everybody else."""
    from django.db.backends.postgresql.operations import DatabaseOperations

    from tournament.sql import unguarded

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


def _try_examples(most: int) -> None:
    """So many of a property, and however long one takes: that is up to what else the machine does."""
    hypothesis.settings.register_profile("ours", max_examples=most, deadline=None)
    hypothesis.settings.load_profile("ours")


def missing(sentence: str) -> NoReturn:
    """A test lacks a program: CI fails, a person's machine skips and reads how to get it."""
    if os.environ.get("CI"):
        pytest.fail(sentence)
    pytest.skip(sentence)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Which worlds a test may have is known before its fixtures make them."""
    from tests import worlds

    worlds.test_begins(item)


@pytest.fixture(autouse=True)
def fresh_forms() -> Iterator[None]:
    """What a test sends as made from ``FRESH`` was made from what is now."""
    from tests.helpers import press_made_fresh
    from tournament.services.press import Press

    # Not by the fixture: that a test asks for it says that the test itself changes something.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Press, "__new__", press_made_fresh)
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """The test database need not survive a power cut: commits do not wait for the disk."""
    from django.db import connection

    with django_db_blocker.unblock():
        with connection.cursor() as cursor:
            name = connection.ops.quote_name(connection.settings_dict["NAME"])
            cursor.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
        connection.close()


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
    port = _free_port()
    server = subprocess.Popen(
        [
            program,
            "--port",
            str(port),
            "--bind",
            "127.0.0.1",
            "--dir",
            str(folder),
            "--save",
            "",
            "--appendonly",
            "no",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
    )
    try:
        _wait_for_port(port, server)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(10)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for_port(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        assert server.poll() is None, "redis-server ended at once"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("redis-server does not answer")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any], playwright: Any) -> dict[str, Any]:
    """Chromium as the system has it, or Playwright's own; without its talk to the outside."""
    args = [*CHROMIUM_FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    found = _find_chromium()
    if found is None and not Path(playwright.chromium.executable_path).exists():
        missing(
            "This test plays in a browser: install Chromium (Debian: apt install chromium) or Google Chrome."
        )
    where = {"executable_path": found} if found else {}
    return {**browser_type_launch_args, **where, "args": args}


def _find_chromium() -> str | None:
    for name in CHROMIUM_NAMES:
        found = shutil.which(name)
        if found:
            return found
    if sys.platform == "darwin" and CHROME_ON_MACOS.exists():
        return str(CHROME_ON_MACOS)
    return None
