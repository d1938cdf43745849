"""``manage.py cut``: one answer a line, what it refuses, and the exit code."""

from __future__ import annotations

import copy
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from tests.cast.calls import answered
from tournament.engine.advance_lines import answer

GOOD: dict[str, Any] = {
    "id": "a",
    "advance": {"top": 1},
    "smallest_bet": None,
    "sessions": [{"tables": {"1": [{"entry": "A", "chips": 500}, {"entry": "B", "chips": 400}]}}],
}
ANSWER = {
    "id": "a",
    "advanced": [{"entry": "A", "by": "top"}],
    "ties": [],
    "drawn_from": [],
    "not_through": [["B"]],
}


run = partial(answered, "cut")


def test_every_line_is_answered_in_order_and_a_refused_one_is_exit_0(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    bad = {**GOOD, "id": "b", "advance": {"best": 1}}
    file.write_text("\n\n".join(json.dumps(line) for line in (GOOD, bad, GOOD)))
    answers, code = run(str(file))
    assert code == 0
    assert [answer["id"] for answer in answers] == ["a", "b", "a"]
    assert answers[0] == answers[2] == ANSWER
    assert answers[1]["error"] == "bad_advance"


def test_a_line_that_is_no_json_is_answered_and_the_exit_is_2(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_bytes(b"nonsense\n\xff\n[" + b"[" * 100_000 + b"\n" + json.dumps(GOOD).encode())
    answers, code = run(str(file))
    assert code == 2
    assert [answer.get("error") for answer in answers] == ["bad_advance"] * 3 + [None]
    assert answers[0]["message"] == "Line 1 is not a JSON value."
    assert answers[3] == ANSWER


def test_no_such_file_is_exit_2(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="Cannot read") as no:
        run(str(tmp_path / "nothing-here.jsonl"))
    assert no.value.returncode == 2


@pytest.mark.parametrize("line", [None, 5, "x", [], True])
def test_a_line_that_is_no_object_has_no_id(line: Any) -> None:
    found = answer(line)
    assert (found["id"], found["error"]) == (None, "bad_advance")


A = {"entry": "A", "chips": 1}


@pytest.mark.parametrize(
    ("path", "value", "code", "says"),
    [
        (["advance"], None, "bad_advance", "'advance' is an object"),
        (["advance"], [], "bad_advance", "'advance' is an object"),
        (["advance"], {"best": 1}, "bad_advance", "'best' is no part"),
        (["advance"], {"top": -1}, "bad_advance", "'top' is a whole number from 0 on. It is -1."),
        (["advance"], {"top": 1.0}, "bad_advance", "It is 1.0."),
        (["advance"], {"top": True}, "bad_advance", "It is True."),
        (["advance"], {"top": "1"}, "bad_advance", "It is '1'."),
        (["smallest_bet"], -1, "bad_advance", "'smallest_bet' is a whole number"),
        (["smallest_bet"], False, "bad_advance", "'smallest_bet' is a whole number"),
        (["smalest_bet"], 200, "bad_advance", "'smalest_bet' is no part of a line"),
        (["sessions"], None, "bad_sessions", "at least one session"),
        (["sessions"], [], "bad_sessions", "at least one session"),
        (["sessions"], {}, "bad_sessions", "at least one session"),
        (["sessions", 0], [], "bad_sessions", "Session 1"),
        (["sessions", 0], {}, "bad_sessions", "Session 1"),
        (["sessions", 0], {"tables": {}, "time": 1}, "bad_sessions", "nothing else"),
        (["sessions", 0, "tables"], [], "bad_sessions", "Session 1"),
        *(
            (["sessions", 0, "tables"], {name: []}, "bad_sessions", "number from 1 on")
            for name in ("x", "", "0", "01", "-1", "1.0", "²", "١", "9999999999")
        ),
        (["sessions", 0, "tables", "1"], {}, "bad_sessions", "table 1 is a list"),
        (["sessions", 0, "tables", "1", 0], None, "bad_entry", "Session 1, table 1: an entry is an object"),
        (["sessions", 0, "tables", "1", 0], {"chips": 1}, "bad_entry", "an entry is an object"),
        (["sessions", 0, "tables", "1", 0], {**A, "name": "Ann"}, "bad_entry", "an entry is an object"),
        (["sessions", 0, "tables", "1", 0, "entry"], "", "bad_entry", "no code"),
        (["sessions", 0, "tables", "1", 0, "entry"], 7, "bad_entry", "an entry is an object"),
        (["sessions", 0, "tables", "1", 0, "chips"], -1, "bad_entry", "'chips' of 'A'"),
        (["sessions", 0, "tables", "1", 0, "chips"], 1.5, "bad_entry", "'chips' of 'A'"),
        (["sessions", 0, "tables", "1", 0, "chips"], True, "bad_entry", "'chips' of 'A'"),
        (["sessions", 0, "tables", "1", 0, "disqualified"], 1, "bad_entry", "true or false"),
        *(
            (["sessions", 0, "tables", "1", 0, "out"], out, "bad_entry", "'hand', a number from 1 on")
            for out in (
                {},
                True,
                {"hand": 3},
                {"hand": 0, "before": 0},
                {"hand": 1, "before": -1},
                {"hand": 1, "before": 1, "after": 0},
                {"hand": True, "before": 1},
            )
        ),
        (["sessions", 0, "tables", "1", 1, "entry"], "A", "entry_twice", "'A' is there twice"),
        (["sessions", 0, "tables", "2"], [A], "entry_twice", "'A' is there twice"),
    ],
)
def test_a_line_with_a_fault_is_told_what_is_wrong_and_where(
    path: list[Any], value: Any, code: str, says: str
) -> None:
    line = copy.deepcopy(GOOD)
    place = line
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    found = answer(line)
    assert (found["id"], found["error"]) == ("a", code)
    assert says in found["message"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["smallest_bet"], 0),
        (["answer"], {}),
        (["why"], "text"),
        (["sessions", 0, "tables", "7"], []),
        (["sessions", 0, "tables", "1", 1, "out"], None),
        (["sessions", 0, "tables", "1", 1, "disqualified"], False),
        (["sessions", 0, "tables", "1", 1, "out"], {"hand": 1, "before": 0}),
        (["sessions", 0, "tables", "1", 1, "chips"], 10**30),
    ],
)
def test_what_is_at_the_edge_is_taken(path: list[Any], value: Any) -> None:
    line = copy.deepcopy(GOOD)
    place = line
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert "error" not in answer(line)


def test_parts_and_smallest_bet_left_out_are_none() -> None:
    line = {"id": 1, "advance": {}, "sessions": GOOD["sessions"]}
    assert answer(line) == {
        "id": 1,
        "advanced": [],
        "ties": [],
        "drawn_from": [],
        "not_through": [["A"], ["B"]],
    }
