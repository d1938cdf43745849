"""`make check`: its steps side by side."""

from __future__ import annotations

import sys

from config.check import run_side_by_side

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
