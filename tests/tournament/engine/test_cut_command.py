"""`manage.py cut`: one answer a line, what it refuses, and the exit code."""

from __future__ import annotations

import copy
import json
from functools import partial
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
NOBODY = {"id": "a", "advanced": [], "ties": [], "drawn_from": [], "not_through": [["A"], ["B"]]}
ANSWER = {**NOBODY, "advanced": [{"entry": "A", "by": "top"}], "not_through": [["B"]]}

run = partial(answered, "cut")


def test_every_line_is_answered_in_order_and_a_refused_one_is_exit_0(tmp_path):
    file = tmp_path / "rounds.jsonl"
    bad = {**GOOD, "id": "b", "advance": {"best": 1}}
    bare = {"id": "a", "advance": {}, "sessions": GOOD["sessions"]}
    file.write_text("\n\n".join(json.dumps(line) for line in (GOOD, bad, bare)))
    (first, second, third), code = run(str(file))
    assert (code, first, third) == (0, ANSWER, NOBODY)
    assert (second["id"], second["error"]) == ("b", "bad_advance")


def test_a_line_that_is_no_json_is_answered_and_the_exit_is_2(tmp_path):
    file = tmp_path / "rounds.jsonl"
    file.write_bytes(b"nonsense\n\xff\n[" + b"[" * 100_000 + b"\n[]\n" + json.dumps(GOOD).encode())
    answers, code = run(str(file))
    assert code == 2
    assert [answer.get("error") for answer in answers] == ["bad_advance"] * 4 + [None]
    assert answers[4] == ANSWER
    with pytest.raises(CommandError) as no:
        run(str(tmp_path / "nothing-here.jsonl"))
    assert no.value.returncode == 2


A = {"entry": "A", "chips": 1}
TABLES: list[Any] = ["sessions", 0, "tables"]
FIRST: list[Any] = [*TABLES, "1", 0]
FAULTS = {
    "bad_advance": [
        *((["advance"], bad) for bad in (None, [], {"best": 1})),
        *((["advance"], {"top": bad}) for bad in (-1, 1.0, True, "1")),
        *((["smallest_bet"], bad) for bad in (-1, False)),
        (["smalest_bet"], 200),
    ],
    "bad_sessions": [
        *((["sessions"], bad) for bad in (None, [], {})),
        *((["sessions", 0], bad) for bad in ([], {}, {"tables": {}, "time": 1})),
        (TABLES, []),
        *((TABLES, {bad: []}) for bad in ("x", "", "0", "01", "-1", "1.0", "²", "١", "9999999999")),
        ([*TABLES, "1"], {}),
    ],
    "bad_entry": [
        *((FIRST, bad) for bad in (None, {"chips": 1}, {**A, "name": "Ann"})),
        *(([*FIRST, "entry"], bad) for bad in ("", 7)),
        *(([*FIRST, "chips"], bad) for bad in (-1, 1.5, True)),
        ([*FIRST, "disqualified"], 1),
        *(([*FIRST, "out"], bad) for bad in ({}, True, {"hand": 3}, {"hand": 0, "before": 0})),
        ([*FIRST, "out"], {"hand": 1, "before": -1}),
        ([*FIRST, "out"], {"hand": 1, "before": 1, "after": 0}),
        ([*FIRST, "out"], {"hand": True, "before": 1}),
    ],
    "entry_twice": [([*TABLES, "1", 1, "entry"], "A"), ([*TABLES, "2"], [A])],
    "": [
        (["smallest_bet"], 0),
        (["answer"], {}),
        ([*TABLES, "999999999"], []),
        ([*FIRST, "out"], None),
        ([*FIRST, "out"], {"hand": 1, "before": 0}),
        ([*FIRST, "chips"], 10**30),
    ],
}


@pytest.mark.parametrize("code", FAULTS)
def test_a_line_with_a_fault_is_refused_with_its_code_and_at_the_edge_it_is_taken(code):
    for path, value in FAULTS[code]:
        line = copy.deepcopy(GOOD)
        place = line
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        found = answer(line)
        assert (found["id"], found.get("error", "")) == ("a", code), (path, value)
