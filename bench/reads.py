"""Whether a fault of a service, a read or a page is noticed by the tests that execute its line.

Which tests these are is traced once (``bench/covering.py``) and kept in ``var/mutation/lines.json``: a run of
all tests but those of browsers and those that take longer than a minute, on the same text of the modules.
Every fault has a process and a database of its own, made from a template in less than a second. The tests
run until one fails.
"""

import ast
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar

import hypothesis  # noqa: F401 - imported once, before the forks
import psycopg
import pytest

from bench.covering import files, joined
from bench.faults import ROOT, Place
from bench.faulty import put_in
from config.quick import imported, module_of

FOLDER = ROOT / "var" / "mutation"
MAP, TEMPLATE = FOLDER / "lines.json", "mutation_template"
NOT_EXECUTED, OUT_OF_TIME = "(executed by no test)", "(alive when the time was over)"
NOT_TRACED = (
    "tests/e2e",
    "tests/long",
    "tests/games",
    "tests/tournament/engine",
    "tests/ground",
    "tests/config",
    "tests/test_tidy.py",
    "tests/pages/test_hostile.py",
)
"""Browsers, minutes, and what executes no line of a read. Servers that tests start see no fault."""
OURS = "not browser and not redis"
PYTEST = ["-q", "--no-header", "-p", "no:cacheprovider", "-m", OURS]
SECONDS_AT_MOST = 900
SECONDS = int(os.environ.get("MUTATION_SECONDS", "90"))

modules = files
Found = TypeVar("Found")


def prepare(seconds: int, *, anew: bool, short: bool = False, guessed: bool = False) -> None:
    """The map and the template, where they are not there yet; ``short``: without the long tests."""
    os.environ["MUTATION_SECONDS"] = str(seconds)
    globals()["SECONDS"] = seconds
    FOLDER.mkdir(parents=True, exist_ok=True)
    if guessed:
        guess()
    elif anew or not MAP.exists():
        left_out = [word for path in NOT_TRACED for word in ("--ignore", path)]
        left_out += ["-m", f"{OURS} and not long"] if short else []
        _pytest("-p", "bench.covering", "--lines-to", str(MAP), "-n", "2", "--dist", "worksteal", *left_out)
        joined(MAP)
    _pytest("--create-db", "--reuse-db", "tests/tournament/test_database.py", "-x")


def guess() -> None:
    """A map without a trace: the tests of a module are those named as it, that import it, or of its folder.

    Quick to make, and it asks fewer tests than a trace would: what it says is the least.
    """
    command = [sys.executable, "-m", "pytest", "--collect-only", *PYTEST]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    by_file: dict[str, list[int]] = {}
    tests: list[list[Any]] = []
    for node in told.stdout.splitlines():
        path = node.split("::")[0]
        if "::" in node and not path.startswith(NOT_TRACED):
            by_file.setdefault(path, []).append(len(tests))
            tests.append([node, 1.0])
    known = {path: imported(ROOT / path) for path in by_file}
    near: dict[str, list[int]] = {}
    for module in modules():
        stem, dotted = module.rsplit("/", 1)[-1].removesuffix(".py"), module_of(module)
        folder = "tests/" + "/".join(module.split("/")[: 2 if module.startswith("pages/") else 1]) + "/"
        rank = {
            path: (f"test_{stem}." in path) * 4 + (dotted in known[path]) * 2 + path.startswith(folder)
            for path in by_file
        }
        files_near = sorted((path for path in by_file if rank[path]), key=lambda path: -rank[path])
        near[module] = [n for path in files_near for n in by_file[path]]
    MAP.write_text(json.dumps({"tests": tests, "lines": {}, "near": near}))


def _pytest(*words: str) -> None:
    command = [sys.executable, "-m", "pytest", *PYTEST, *words]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "TEST_DATABASE_NAME": TEMPLATE}, check=False)


# -- Which tests ---------------------------------------------------------------------------------------


@cache
def _map() -> tuple[list[tuple[str, float]], dict[str, dict[str, list[int]]]]:
    found = json.loads(MAP.read_text())
    return [(node, seconds) for node, seconds in found["tests"]], found["lines"]


@cache
def _near() -> dict[str, list[int]]:
    """The tests of a module as they were guessed, where there was no time for a trace."""
    near: dict[str, list[int]] = json.loads(MAP.read_text()).get("near", {})
    return near


def tests_of(module: str, line: int) -> list[tuple[str, float]]:
    """The tests that execute this line, or the module if the line is outside of functions.

    First those that are about the module, by the share of their lines that are in it, and quick: the long
    ones have their turn when the others have not noticed it.

    A line of which nothing was traced is part of a longer statement: then those of the statement.
    """
    tests, lines = _map()
    if module in _near():
        return [tests[n] for n in _near()[module]]
    by_line = lines.get(module, {})
    for first, last in _spans(module, line):
        numbers = {n for at in range(first, last + 1) for n in by_line.get(str(at), [])}
        if numbers:
            here = _executed(module)
            return [tests[n] for n in sorted(numbers, key=lambda n: -here[n] / _all()[n] / tests[n][1])]
    return []


@cache
def _executed(module: str) -> Counter[int]:
    """How many lines of a module each test executes."""
    return Counter(n for numbers in _map()[1].get(module, {}).values() for n in numbers)


@cache
def _all() -> Counter[int]:
    """How many lines each test executes in all modules."""
    return sum((_executed(module) for module in _map()[1]), Counter[int]())


def _spans(module: str, line: int) -> Iterable[tuple[int, int]]:
    """The line, its statement without what hangs below it; outside of functions the whole module."""
    tree = ast.parse((ROOT / module).read_text())
    bodies = [
        (node.body[0].lineno, node.end_lineno or 0)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    if not any(first <= line <= last for first, last in bodies):
        return [(1, 100_000)]
    around = [
        (
            node.lineno,
            getattr(node, "body", [node])[0].lineno - 1 if hasattr(node, "body") else node.end_lineno or 0,
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    within = [span for span in around if span[0] <= line <= span[1]]
    return [(line, line), *sorted(within, key=lambda span: span[1] - span[0])]


# -- One fault -----------------------------------------------------------------------------------------


class Chosen:
    """Runs the chosen tests in this order, and none after the time is over."""

    def __init__(self, nodes: list[str]) -> None:
        self.order = {node: at for at, node in enumerate(nodes)}
        self.ends = time.monotonic() + (SECONDS if nodes else 3600)
        self.noticed_by, self.over = "", False

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.order:
            items[:] = sorted(
                (i for i in items if i.nodeid in self.order), key=lambda i: self.order[i.nodeid]
            )

    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        if time.monotonic() > self.ends:
            self.over = True
            item.session.shouldstop = "the time is over"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.noticed_by:
            self.noticed_by = report.nodeid


def notices(place: Place, line: int) -> str:
    """The test that noticed the fault, or "" if none did. Runs in a process of its own."""
    put_in(place, reads=True)
    return passes(place, line)


def passes(place: Place, line: int) -> str:
    """The test of those of a line that failed, or "" if all passed."""
    chosen = tests_of(place[0], line)
    if not chosen:
        return NOT_EXECUTED
    return with_database(lambda: _failed_of(_in_time(chosen)))


def with_database(run: Callable[[], Found]) -> Found:
    """Run tests on a database of this process, which is a copy of the template."""
    name = f"mutant_{os.getpid()}"
    os.environ["TEST_DATABASE_NAME"] = name
    _database(f'CREATE DATABASE "{name}" TEMPLATE "{TEMPLATE}"')
    _keep_the_database()
    try:
        return run()
    finally:
        _database(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def _in_time(chosen: list[tuple[str, float]]) -> list[str]:
    """As many as fit the time, by what they took when they were traced."""
    found, total = list[str](), 0.0
    for node, seconds in chosen:
        total += seconds
        if found and total > 2 * SECONDS:
            break
        found.append(node)
    return found


def _failed_of(nodes: list[str]) -> str:
    chosen = Chosen(nodes)
    paths = sorted({node.split("::")[0] for node in nodes})
    code = pytest.main([*PYTEST, "-x", *paths], plugins=[chosen])
    if chosen.noticed_by:
        return chosen.noticed_by
    if chosen.over:
        return OUT_OF_TIME
    return "" if code in (0, 5) else f"pytest ended with {code}"


def _keep_the_database() -> None:
    """The copy of the template is the test database."""
    from django.conf import settings
    from django.db.backends.base.creation import BaseDatabaseCreation

    def create(self: Any, *_: Any, **__: Any) -> str:
        name = self._get_test_db_name()
        self.connection.close()
        settings.DATABASES[self.connection.alias]["NAME"] = name
        self.connection.settings_dict["NAME"] = name
        return str(name)

    BaseDatabaseCreation.create_test_db = create
    BaseDatabaseCreation.destroy_test_db = lambda *_, **__: None  # type: ignore[assignment]  # dropped in `passes`


def _database(sql: str) -> None:
    from config.launch.embedded import ensure

    with psycopg.connect(
        host=str(ensure().socket_dir), user="cutline", dbname="postgres", autocommit=True
    ) as base:
        base.execute(sql)  # type: ignore[call-overload]  # names made above
