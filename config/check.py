"""All that CI runs, in one command: `make check` (`python -m config.check`).

Every step runs even when an earlier one failed, so that one run names everything there is to mend.
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
}

MANAGE = [sys.executable, "manage.py"]
PYTEST = [sys.executable, "-m", "pytest"]
# The long ones with the rest, so that no core waits for another's last test.
ON_ALL_CORES: list[str] = side_by_side([])  # type: ignore[no-untyped-call]  # written for old Pythons
# The slowest by name: where a run that takes too long is made shorter.
ALL_TESTS = [*PYTEST, *ON_ALL_CORES, "-m", "long or not long", "--durations", "60"]

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
    """Run every step; the tests last, so that their summary closes the output."""
    os.chdir(BASE_DIR)
    rows = run_side_by_side(QUICK)
    print_table(rows)
    rows.append(run("tests", ALL_TESTS, {"HTTPS": "0"}))
    print_table(rows[-1:])
    failed = [name for name, good, _ in rows if not good]
    if failed:
        print(f"Failed: {', '.join(failed)}", flush=True)
    return 1 if failed else 0


def run(name: str, command: list[str], extra: dict[str, str]) -> tuple[str, bool, float]:
    """One step: its name, whether it passed, its seconds."""
    print(f"== {name}", flush=True)
    start = time.monotonic()
    done = subprocess.run(command, env={**os.environ, **extra}, check=False)  # noqa: S603 - the list above
    return name, done.returncode == 0, time.monotonic() - start


def run_side_by_side(steps: list[tuple[str, list[str], dict[str, str]]]) -> list[tuple[str, bool, float]]:
    """The steps that look at the files alone, one on each core; what they say comes in their order."""
    with ThreadPoolExecutor(os.cpu_count()) as cores:
        # The types take longer than all the others.
        first = sorted(steps, key=lambda step: step[0] != "mypy")
        done = {step[0]: cores.submit(hear, *step) for step in first}
        rows = []
        for name, _, _ in steps:
            said, good, seconds = done[name].result()
            print(f"== {name}\n{said}", end="", flush=True)
            rows.append((name, good, seconds))
    return rows


def hear(_name: str, command: list[str], extra: dict[str, str]) -> tuple[str, bool, float]:
    """One step: what it said, whether it passed, its seconds."""
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
    """What passed so far, in one look."""
    for name, good, seconds in rows:
        print(f"{'passed' if good else 'FAILED'}  {seconds:6.1f} s  {name}")


if __name__ == "__main__":
    sys.exit(main())
