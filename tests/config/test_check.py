"""`make check`: its steps side by side."""

from __future__ import annotations

import sys

import pytest

from config.check import run_side_by_side
from tests.conftest import files_are_named

SAYS = [sys.executable, "-c"]


def test_steps_side_by_side_say_in_their_order_what_they_found_and_one_that_fails_stops_none(capfd) -> None:
    wrong = "import os, sys; print(os.environ['WORD'], file=sys.stderr); sys.exit(3)"
    steps = [
        ("one", [*SAYS, "print('first')"], {}),
        ("two", [*SAYS, wrong], {"WORD": "wrong"}),
        ("three", [*SAYS, ""], {}),
    ]
    rows = run_side_by_side(steps)
    assert [(name, good) for name, good, _ in rows] == [("one", True), ("two", False), ("three", True)]
    assert capfd.readouterr().out == "== one\nfirst\n== two\nwrong\n== three\n"


@pytest.mark.parametrize(
    ("args", "named"),
    [
        ([], False),
        (["tests"], False),
        (["tests/pages"], False),
        (["tests/pages/test_hostile.py"], True),
        (["tests/soak/test_kills.py", "tests/pages/test_look.py::test_it[a]"], True),
        (["tests/pages/test_look.py", "tests/tables"], False),
    ],
)
def test_a_named_file_runs_all_its_tests(args: list[str], named: bool) -> None:
    assert files_are_named(args) == named
