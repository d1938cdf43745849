"""`make check`: its steps side by side."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from config.check import run_side_by_side
from tests.conftest import files_are_named, how_soon

SAYS = [sys.executable, "-c"]


def test_steps_side_by_side_say_in_their_order_what_they_found_and_one_that_fails_stops_none(capfd) -> None:
    late = "import time; time.sleep(1); print('late')"
    wrong = "import os, sys; print(os.environ['WORD'], file=sys.stderr); sys.exit(3)"
    steps = [
        ("one", [*SAYS, late], {}),
        ("two", [*SAYS, wrong], {"WORD": "wrong"}),
        ("three", [*SAYS, ""], {}),
    ]
    rows = run_side_by_side(steps)
    assert [(name, good) for name, good, _ in rows] == [("one", True), ("two", False), ("three", True)]
    assert rows[0][2] >= 1 > rows[2][2] > 0
    assert capfd.readouterr().out == "== one\nlate\n== two\nwrong\n== three\n"


@pytest.mark.parametrize(
    ("args", "named"),
    [
        ([], False),
        (["tests"], False),
        (["tests/pages"], False),
        (["tests/pages/test_hostile.py"], True),
        (["tests/long/test_kills_long.py", "tests/pages/test_look.py::test_it[a]"], True),
        (["tests/pages/test_look.py", "tests/tables"], False),
    ],
)
def test_whoever_names_a_file_of_long_tests_has_them_run(args: list[str], named: bool) -> None:
    assert files_are_named(args) == named


def test_a_test_of_minutes_is_begun_before_one_of_seconds_and_that_before_the_others() -> None:
    """Whoever is last with a long one keeps everybody waiting."""

    def item(nodeid: str, *, long: bool) -> Any:
        return SimpleNamespace(nodeid=nodeid, get_closest_marker=lambda name: long or None)

    begun = [
        item("tests/long/test_kills_long.py::test_it", long=True),
        item("tests/pages/test_hostile.py::test_it", long=True),
        item("tests/e2e/test_axe.py::test_it", long=True),
        item("tests/tables/test_sheets.py::test_it", long=True),
        item("tests/e2e/test_script.py::test_it", long=False),
        item("tests/games/test_it.py::test_it", long=False),
    ]
    found = [begun[n] for n in (3, 5, 0, 4, 2, 1)]
    assert sorted(found, key=how_soon) == begun
