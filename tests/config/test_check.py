"""`make check`: its steps side by side."""

import sys

import pytest

from config.check import run_side_by_side
from tests.conftest import files_are_named

SAYS = [sys.executable, "-c"]


def test_steps_side_by_side_say_in_their_order_what_they_found_and_one_that_fails_stops_none(capfd):
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
        *(("", False), ("tests", False), ("tests/a/test_b.py tests/tables", False)),
        ("tests/a/test_b.py tests/c/test_d.py::test_e[f]", True),
    ],
)
def test_a_named_file_runs_all_its_tests(args, named):
    assert files_are_named(args.split()) == named
