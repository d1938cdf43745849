"""Everything that CI runs, in one command: `make check` (`python -m config.check`).

Every step runs even if an earlier one failed, so that one run names everything to fix.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from config.launch.bootstrap import side_by_side

BASE_DIR = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent

# A server's environment, for `check --deploy`: it reads settings and opens no connection.
AS_SERVER = {
    "DATABASE_URL": "postgres://nobody@localhost/none",
    "SECRET_KEY": "only-for-the-check-0123456789-abcdefghijklmnopqrstuvwxyz",
    "ALLOWED_HOSTS": "cutline.example",
    "HTTPS": "1",
    "HEADS_KEY": "only-for-the-check-9876543210",
    "HEADS_FILE": "/var/lib/cutline/heads",
}

MANAGE = [sys.executable, "manage.py"]
ON_ALL_CORES: list[str] = side_by_side([])  # type: ignore[no-untyped-call]  # written for old Pythons
WITH_PROGRAMS = "(browser or redis) and not soak"
# The slowest tests by name: the first place to look when a run takes too long.
SLOWEST = {"PYTEST_ADDOPTS": "--durations=0 --durations-min=3"}

QUICK: list[tuple[str, list[str], dict[str, str]]] = [
    ("ruff", [str(BIN / "ruff"), "check", "."], {}),
    ("ruff format", [str(BIN / "ruff"), "format", "--check", "."], {}),
    # A cache from an earlier commit could fail the run: a model whose module is gone.
    ("mypy", [str(BIN / "mypy"), f"--cache-dir={os.devnull}"], {}),
    ("djlint", [str(BIN / "djlint"), "--lint", "--quiet", "templates"], {}),
    ("import-linter", [str(BIN / "lint-imports")], {}),
    ("migrations", [*MANAGE, "makemigrations", "--check", "--dry-run"], {}),
    ("check --deploy", [*MANAGE, "check", "--deploy", "--fail-level", "WARNING"], AS_SERVER),
]


TESTS: list[tuple[str, list[str], dict[str, str]]] = [
    (
        "tests with Chromium or Redis",
        [sys.executable, "-m", "pytest", *ON_ALL_CORES, "-m", WITH_PROGRAMS],
        {"HTTPS": "0", **SLOWEST},
    ),
    ("make test", ["make", "test"], SLOWEST),
]


def main() -> int:
    """Run every step; the tests last, so that their summary closes the output."""
    os.chdir(BASE_DIR)
    began = float(os.environ.get("CUTLINE_CHECK_BEGAN", time.time()))
    rows = [("set-up", True, time.time() - began), *run_side_by_side(QUICK)]
    rows += [run(*step) for step in TESTS]
    print_table([*rows, ("in all", all(good for _, good, _ in rows), time.time() - began)])
    failed = [name for name, good, _ in rows if not good]
    if failed:
        print(f"Failed: {', '.join(failed)}", flush=True)
    return 1 if failed else 0


def run(name: str, command: list[str], extra: dict[str, str]) -> tuple[str, bool, float]:
    """Run one step; return its name, whether it passed, its seconds."""
    print(f"== {name}", flush=True)
    start = time.monotonic()
    done = subprocess.run(command, env={**os.environ, **extra}, check=False)  # noqa: S603 - the list above
    return name, done.returncode == 0, time.monotonic() - start


def run_side_by_side(steps: list[tuple[str, list[str], dict[str, str]]]) -> list[tuple[str, bool, float]]:
    """Run the steps that only read files, one on each core; their output is printed in order."""
    with ThreadPoolExecutor(os.cpu_count()) as cores:
        # mypy takes longer than all the others.
        first = sorted(steps, key=lambda step: step[0] != "mypy")
        done = {step[0]: cores.submit(hear, *step) for step in first}
        rows = []
        for name, _, _ in steps:
            said, good, seconds = done[name].result()
            print(f"== {name}\n{said}", end="", flush=True)
            rows.append((name, good, seconds))
    return rows


def hear(_name: str, command: list[str], extra: dict[str, str]) -> tuple[str, bool, float]:
    """Run one step; return its output, whether it passed, its seconds."""
    start = time.monotonic()
    done = subprocess.run(  # noqa: S603 - the list above
        command,
        env={**os.environ, **extra},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout, done.returncode == 0, time.monotonic() - start


def print_table(rows: list[tuple[str, bool, float]]) -> None:
    """Print which steps passed, and how long each took; the lints ran side by side."""
    for name, good, seconds in rows:
        print(f"{'passed' if good else 'FAILED'}  {seconds:6.1f} s  {name}")


if __name__ == "__main__":
    sys.exit(main())
