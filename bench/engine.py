"""Whether a fault of ``games/blackjack`` is noticed: by vectors, second opinion or its own tests."""

import contextlib
import json
import os
import pathlib
import signal
from typing import Any

import hypothesis  # noqa: F401 - imported once, before the forks
import pytest

from bench.faults import Place
from bench.faulty import put_in

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINE = ROOT / "games" / "blackjack"
TESTS = ROOT / "tests" / "games" / "blackjack"
SECONDS_PER_MUTANT = 120
SECONDS_AT_MOST = SECONDS_PER_MUTANT + 60
ROUNDS, LIVE_ROUNDS = 150, 4
SEEN = ("test_engine_vectors", "test_settle_command", "test_second_opinion")
LAST = ("test_engine_properties", "test_record_schema")


def modules() -> list[str]:
    """The modules of the engine, by path."""
    return [str(path.relative_to(ROOT)) for path in sorted(ENGINE.glob("*.py")) if path.stem != "__init__"]


def notices(place: Place, _line: int) -> str:
    """What noticed the fault, or "" if nothing did. Runs in a process of its own."""
    signal.signal(signal.SIGALRM, _too_long)
    put_in(place, reads=False)
    signal.alarm(SECONDS_PER_MUTANT)
    try:
        return _noticed_by()
    except BaseException as fault:
        return f"{type(fault).__name__}"


def _too_long(*_: Any) -> None:
    raise TimeoutError


def _noticed_by() -> str:
    from games.blackjack.record import answer

    for name in ("worked", "random"):
        for line in (ROOT / "tests" / "vectors" / f"{name}.jsonl").read_text().splitlines():
            vector = json.loads(line)
            record = {field: v for field, v in vector.items() if field not in ("expect", "why")}
            got, want = answer(record), vector["expect"]
            got.pop("id")
            if (got.get("error") != want["error"]) if "error" in want else (got != want):
                return "vectors"
    from tests.games.blackjack.opinions import Live, check_round

    for seed in range(ROUNDS):
        check_round(seed)
    for seed in range(LIVE_ROUNDS):
        Live(seed).check()
    return _tests_fail()


def _tests_fail() -> str:
    arguments = ["-x", "-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:django", "--noconftest"]
    found = [path for path in TESTS.glob("test_*.py") if path.stem not in SEEN]
    files = [str(path) for path in sorted(found, key=lambda path: (path.stem in LAST, path.stem))]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        code = pytest.main([*arguments, "-c", os.devnull, "--rootdir", str(ROOT), *files])
    return "tests" if code else ""
