"""Who goes on by an advance rule: the published vectors, the cut of the sheet, and ties that are decided."""

import json
from pathlib import Path

import pytest

from tournament.engine.advance import Advance, Decided, Finish, PartTie, advance
from tournament.engine.advance_lines import answer

CUTS = Path(__file__).resolve().parents[2] / "vectors" / "cut.jsonl"
VECTORS = [json.loads(line) for line in CUTS.read_text().splitlines()]


def table(**chips):
    return [Finish(entry, stack) for entry, stack in chips.items()]


def through(decided):
    """The codes of those through, in their order: ``A B``."""
    return " ".join(each.entry for each in decided.through)


def test_F10_F11_F12_F13_F14_F15_F16_F17_every_vector_has_its_answer():
    assert len(VECTORS) == 300
    for line in VECTORS:
        expected, found = {"id": line["id"], **line["answer"]}, answer(line)
        if "error" in expected:
            assert found.pop("message")
        assert found == expected, line["id"]


def decided(level, winners):
    return Decided(frozenset(level.split()), frozenset(winners.split()))


LEVEL_AT_A_TABLE = [{1: table(A=900, B=500, C=500), 2: table(D=800, E=700)}]


@pytest.mark.parametrize(
    ("rule", "ties", "expected"),
    [
        (Advance(per_table=2), [decided("B C", "C")], "A C D E"),
        (Advance(per_table=2), [decided("B C", "B C")], "A B C D E"),
        (Advance(per_table=2, top=1), [decided("B C", "C")], "A C D E B"),
        (Advance(per_table=1, top=2), [decided("B C", "C")], "A D E C"),
    ],
)
def test_F16_T23_who_won_a_tie_goes_on_and_who_lost_it_may_by_a_later_part(rule, ties, expected):
    found = advance(rule, LEVEL_AT_A_TABLE, decided=ties)
    assert (through(found), found.ties) == (expected, ())


@pytest.mark.parametrize("ties", [[], [decided("A B", "B")], [decided("B C D", "C")], [decided("B C", "")]])
def test_F16_T23_a_decision_counts_only_where_exactly_those_are_level(ties):
    found = advance(Advance(per_table=2), LEVEL_AT_A_TABLE, decided=ties)
    assert found.ties == (PartTie("per_table", ("B", "C"), 1, 1, 1),)


def test_F16_T23_T26_who_is_left_of_a_tie_is_level_for_the_seats_that_are_left():
    tables = [{1: table(A=500, B=500, C=500, D=500)}]
    found = advance(Advance(top=3), tables, decided=[decided("A B C D", "B")])
    assert (through(found), found.ties) == ("B", (PartTie("top", ("A", "C", "D"), 2),))
    found = advance(Advance(top=3), tables, decided=[decided("A B C D", "B"), decided("A C D", "A D")])
    assert (through(found), found.not_through) == ("B A D", (("C",),))
