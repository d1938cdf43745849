"""Which test executes which line: a pytest plugin, ``-p bench.covering --lines-to FILE``.

Written for ``bench/mutation.py``, which then runs only the tests that execute the line of a fault. Lines of
functions only: what a module does when it is imported belongs to no test. The file that comes out is JSON::

    {"tests": [[node id, seconds], …], "lines": {"pages/dealer/views/felt.py": {"12": [0, 5], …}, …}}

Only tests that passed are in it. ``seconds`` are those of a traced run, which takes about twice as long.
"""

import json
import pathlib
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = [
    "pages",
    *(f"{app}/{layer}" for app in ("tables", "tournament") for layer in ("selectors", "services")),
]
OF_A_FUNCTION = 0x1
"""``CO_OPTIMIZED``: bodies of modules and of classes do not have it."""


def files() -> list[str]:
    """Every module whose lines are written down, by its path from the root."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    return sorted(str(path.relative_to(ROOT)) for path in found if path.read_text().strip())


class Lines:
    """Writes down the lines that each test executes."""

    def __init__(self, to: pathlib.Path) -> None:
        self.to = to
        self.tests: list[tuple[str, float]] = []
        self.lines: dict[str, dict[int, list[int]]] = {name: defaultdict(list) for name in files()}
        self.here: dict[str, set[int]] = {name: set() for name in self.lines}
        self.tracers = {str(ROOT / name): self._tracer(seen) for name, seen in self.here.items()}
        self.failed = False

    @staticmethod
    def _tracer(seen: set[int]) -> Any:
        def trace(frame: FrameType, event: str, _arg: Any) -> Any:
            if event == "line":
                seen.add(frame.f_lineno)
            return trace

        return trace

    def _trace(self, frame: FrameType, _event: str, _arg: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in self.tracers or not code.co_flags & OF_A_FUNCTION:
            return None
        return self.tracers[code.co_filename]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        for seen in self.here.values():
            seen.clear()
        self.failed, started = False, time.monotonic()
        threading.settrace(self._trace)
        sys.settrace(self._trace)
        yield
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]  # that is how it is taken off again
        if self.failed:
            return
        number = len(self.tests)
        self.tests.append((item.nodeid, round(time.monotonic() - started, 3)))
        for name, seen in self.here.items():
            for line in seen:
                self.lines[name][line].append(number)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or not report.passed

    def pytest_sessionfinish(self) -> None:
        self.to.write_text(json.dumps({"tests": self.tests, "lines": self.lines}))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where the map goes."""
    parser.addoption("--lines-to", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Begin, where a file is named."""
    if config.getoption("--lines-to"):
        config.pluginmanager.register(Lines(pathlib.Path(config.getoption("--lines-to"))))
