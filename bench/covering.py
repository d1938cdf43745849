"""Which test executes which line: a pytest plugin, ``-p bench.covering --lines-to FILE``.

Written for ``bench/mutation.py``, which then runs only the tests that execute the line of a fault. Lines of
functions only: what a module does when it is imported belongs to no test. The file that comes out is JSON::

    {"tests": [[node id, seconds], …], "lines": {"pages/dealer/views/felt.py": {"12": [0, 5], …}, …}}

Only tests that passed are in it, and that took the processor for at most ``LONGEST`` seconds; those of a
function of which every line has ``ENOUGH`` already are not. ``seconds`` are those of a traced run. Of tests
side by side each process writes a file of its own, which ``joined`` makes one of.
"""

import json
import pathlib
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = [
    "pages",
    *(f"{app}/{layer}" for app in ("tables", "tournament") for layer in ("selectors", "services")),
]
LONGEST, ENOUGH = 60, 40
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
        self.entered: dict[CodeType, set[int]] = {}
        self.full: set[CodeType] = set()

    @staticmethod
    def _tracer(seen: set[int]) -> Any:
        def trace(frame: FrameType, event: str, _arg: Any) -> Any:
            if event == "line":
                seen.add(frame.f_lineno)
            return trace

        return trace

    def _trace(self, frame: FrameType, _event: str, _arg: Any) -> Any:
        code = frame.f_code
        tracer = self.tracers.get(code.co_filename)
        if tracer is None or code in self.full or not code.co_flags & OF_A_FUNCTION:
            return None
        if code not in self.entered:
            self.entered[code] = {line for _, _, line in code.co_lines() if line} - {code.co_firstlineno}
        return tracer

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
        self._look_which_are_full()

    def _look_which_are_full(self) -> None:
        for code, numbers in list(self.entered.items()):
            found = self.lines[str(pathlib.Path(code.co_filename).relative_to(ROOT))]
            if all(len(found.get(line, ())) >= ENOUGH for line in numbers):
                self.full.add(code)
                del self.entered[code]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        """A test that takes longer is ended, and is not written down."""
        signal.signal(signal.SIGPROF, lambda *_: pytest.fail("It takes too long to be run for every fault."))
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        yield
        signal.setitimer(signal.ITIMER_PROF, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or not report.passed

    def pytest_sessionfinish(self) -> None:
        self.to.write_text(json.dumps({"tests": self.tests, "lines": self.lines}))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where the map goes."""
    parser.addoption("--lines-to", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Begin, where a file is named; of tests side by side each process for itself."""
    to = config.getoption("--lines-to")
    side_by_side = getattr(config.option, "numprocesses", None)
    if to and not side_by_side:
        worker = getattr(config, "workerinput", {}).get("workerid", "")
        config.pluginmanager.register(Lines(pathlib.Path(f"{to}{worker}")))


def joined(to: pathlib.Path) -> None:
    """One file of those of all processes, which go."""
    tests: list[list[Any]] = []
    lines: dict[str, dict[str, list[int]]] = {}
    for part in sorted(to.parent.glob(f"{to.name}gw*")):
        found, begun = json.loads(part.read_text()), len(tests)
        tests += found["tests"]
        for name, numbers in found["lines"].items():
            here = lines.setdefault(name, {})
            for line, which in numbers.items():
                here.setdefault(line, []).extend(n + begun for n in which)
        part.unlink()
    to.write_text(json.dumps({"tests": tests, "lines": lines}))
