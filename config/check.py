"""All that CI runs, in one command: `make check` (`python -m config.check`).

Every step runs even when an earlier one failed, so that one run names everything there is to mend.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent

# A server's environment, for `check --deploy`: it reads settings and opens no connection.
AS_SERVER = {
    "DATABASE_URL": "postgres://nobody@localhost/none",
    "SECRET_KEY": "only-for-the-check-0123456789-abcdefghijklmnopqrstuvwxyz",
    "ALLOWED_HOSTS": "cutline.example",
    "HTTPS": "1",
}

Row = tuple[str, bool, float]
NO_TEST = 5
"""What pytest exits with where it found no test."""

MANAGE = [sys.executable, "manage.py"]
PYTEST = [sys.executable, "-m", "pytest"]

QUICK: list[tuple[str, list[str], dict[str, str]]] = [
    ("ruff", [str(BIN / "ruff"), "check", "."], {}),
    ("ruff format", [str(BIN / "ruff"), "format", "--check", "."], {}),
    ("mypy", [str(BIN / "mypy")], {}),
    ("djlint", [str(BIN / "djlint"), "--lint", "--quiet", "templates"], {}),
    ("import-linter", [str(BIN / "lint-imports")], {}),
    ("migrations", [*MANAGE, "makemigrations", "--check", "--dry-run"], {}),
    ("check --deploy", [*MANAGE, "check", "--deploy", "--fail-level", "WARNING"], AS_SERVER),
]


def main() -> int:
    """Run every step; the long tests beside `make test`, each with a core and a database of its own."""
    os.chdir(BASE_DIR)
    rows = [run(name, command, extra) for name, command, extra in QUICK]
    with long_tests() as long:
        rows.append(run("make test", ["make", "test"], {}))
        rows.append(long())
    print_table(rows)
    failed = [name for name, good, _ in rows if not good]
    if failed:
        print(f"Failed: {', '.join(failed)}", flush=True)
    return 1 if failed else 0


@contextmanager
def long_tests() -> Iterator[Callable[[], Row]]:
    """Start the long tests; the call waits for them, prints what they said, and is their row."""
    start = time.monotonic()
    environment = {**os.environ, "HTTPS": "0", "TEST_DATABASE_NAME": "test_cutline_long"}
    with tempfile.TemporaryFile("w+") as said:
        running = subprocess.Popen(  # noqa: S603 - our own pytest
            [*PYTEST, "-m", "long"], env=environment, stdout=said, stderr=subprocess.STDOUT
        )

        def wait() -> Row:
            status = running.wait()
            said.seek(0)
            print(f"== long tests\n{said.read()}", flush=True)
            return "long tests", status in (0, NO_TEST), time.monotonic() - start

        try:
            yield wait
        finally:
            if running.poll() is None:
                running.terminate()
                running.wait()


def run(name: str, command: list[str], extra: dict[str, str]) -> Row:
    """One step: its name, whether it passed, its seconds."""
    print(f"== {name}", flush=True)
    start = time.monotonic()
    done = subprocess.run(command, env={**os.environ, **extra}, check=False)  # noqa: S603 - the list above
    return name, done.returncode == 0, time.monotonic() - start


def print_table(rows: list[Row]) -> None:
    """What passed, in one look."""
    for name, good, seconds in rows:
        print(f"{'passed' if good else 'FAILED'}  {seconds:6.1f} s  {name}")


if __name__ == "__main__":
    sys.exit(main())
