"""`make quick`: lints, types, imports, and the tests of changed files, in a minute.

Changed files are those that differ from the last commit, or those of the last commit if none differ. Their
tests are those that import them by name; for a template or a style sheet, those of the look. Use it while
working; `make check` decides whether a change is ready.
"""

from __future__ import annotations

import ast
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from config.check import BASE_DIR, BIN, run

SECONDS = 60
LEFT_OUT = "not soak and not browser and not redis"
SLOW = ("e2e", "long")
OF_PAGES = ("tests/test_tidy.py",)


def main() -> int:
    """Run the lints, which take seconds; then tests until the minute is over."""
    os.chdir(BASE_DIR)
    began = time.monotonic()
    rows = [
        run("ruff", [str(BIN / "ruff"), "check", "."], {}),
        run("mypy", [str(BIN / "mypy")], {}),
        run("import-linter", [str(BIN / "lint-imports")], {}),
    ]
    good = all(each for _, each, _ in rows)
    chosen = chosen_for(changed())
    if chosen:
        good &= try_tests(chosen, SECONDS - (time.monotonic() - began))
    print(f"{'Passed' if good else 'Failed'} after {time.monotonic() - began:.0f} s.", flush=True)
    return 0 if good else 1


def try_tests(chosen: list[str], seconds: float) -> bool:
    """Run these test files for ``seconds``; unreached files are reported, not failed."""
    print(f"== tests of what changed, {len(chosen)} files", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-m", LEFT_OUT, *chosen]
    started = subprocess.Popen(command, env={**os.environ, "HTTPS": "0"})  # noqa: S603 - the list above
    try:
        return started.wait(max(seconds, 1)) in (0, 5)
    except subprocess.TimeoutExpired:
        started.send_signal(signal.SIGINT)
        started.wait()
        print(f"No failure until the {SECONDS} s were over; the rest was not reached: make test.", flush=True)
        return True


def changed() -> list[str]:
    """Return files that differ from the last commit, or those of the last commit if none differ."""
    now = _git("status", "--porcelain", "--untracked-files=all")
    return [line[3:].split(" -> ")[-1] for line in now] or _git("diff", "--name-only", "HEAD~1")


def _git(*args: str) -> list[str]:
    done = subprocess.run(["git", *args], capture_output=True, text=True, check=True)  # noqa: S603, S607 - git, of the list
    return done.stdout.splitlines()


def chosen_for(files: list[str]) -> list[str]:
    """Return the test files for these files: themselves first, then those that import one of them by name."""
    tests = {
        str(path): path for path in sorted(Path("tests").rglob("test_*.py")) if path.parts[1] not in SLOW
    }
    modules = {module_of(name) for name in files if name.endswith(".py")}
    own = [name for name in files if name in tests]
    importing = [name for name, path in tests.items() if modules & imported(path)]
    pages = OF_PAGES if any(name.startswith(("templates/", "static/")) for name in files) else ()
    return list(dict.fromkeys([*own, *importing, *pages]))


def module_of(name: str) -> str:
    """Return the dotted name of a file."""
    return re.sub(r"(/__init__)?\.py$", "", name).replace("/", ".")


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports, and the names that it imports from them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
    return found


if __name__ == "__main__":
    sys.exit(main())
