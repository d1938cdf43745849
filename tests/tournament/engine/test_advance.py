"""Who goes on by an advance rule: the published vectors, a second opinion, and ties that are decided."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from tests.seed import run_seed
from tests.tournament.engine.second_cut import round_made, second_answer
from tournament.engine.advance import (
    Advance,
    Advanced,
    Decided,
    Finish,
    PartTie,
    Through,
    WentOut,
    advance,
)
from tournament.engine.advance_lines import answer
from tournament.engine.ranking import Standing, cut

HERE = Path(__file__).resolve().parent
VECTORS = [json.loads(line) for line in (HERE.parents[1] / "vectors" / "cut.jsonl").read_text().splitlines()]
ROUNDS = 25_000
"""Of the long walk of one day; 100,000 in four days."""


def table(**chips: int) -> list[Finish]:
    return [Finish(entry, stack) for entry, stack in chips.items()]


def through(decided: Advanced) -> str:
    """The codes of those through, in their order: ``A B``."""
    return " ".join(each.entry for each in decided.through)


# The vectors and the second opinion ----------------------------------------------------------------------


def test_F10_F11_F12_F13_F14_F15_F16_F17_every_vector_has_its_answer() -> None:
    assert len(VECTORS) == 300
    for line in VECTORS:
        expected, found = {"id": line["id"], **line["answer"]}, answer(line)
        if "error" in expected:
            assert found.pop("message")
        assert found == expected, line["id"]


def test_the_second_opinion_uses_nothing_of_the_engine() -> None:
    source = (HERE / "second_cut.py").read_text()
    assert not re.search(r"(import|from) (tournament|tables|games)", source)
    assert "sort(" not in source


def test_F10_F17_rounds_come_out_as_in_the_second_opinion() -> None:
    for seed in range(3_000):
        line = round_made(seed)
        assert answer(line) == second_answer(line), f"seed {seed}"


@pytest.mark.soak
def test_F10_F17_other_rounds_come_out_as_in_the_second_opinion() -> None:
    first = (1 + run_seed()) * ROUNDS
    for seed in range(first, first + ROUNDS):
        line = round_made(seed)
        assert answer(line) == second_answer(line), f"seed {seed}"


def test_F12_T20_T23_a_rule_of_the_best_alone_is_the_cut_of_the_sheet() -> None:
    chance = random.Random(12)
    for _ in range(2_000):
        stacks = [
            Standing(f"E{n:02d}", chance.randrange(0, 1_000, 100)) for n in range(chance.randint(1, 20))
        ]
        seats, least = chance.randint(1, 12), chance.choice((None, 200))
        old = cut(stacks, seats, least)
        new = advance(Advance(top=seats), [{1: [Finish(each.entry, each.chips) for each in stacks]}], least)
        assert tuple(each.entry for each in new.through) == old.advance
        assert [(tie.entries, tie.seats) for tie in new.ties] == (
            [(old.tied, old.contested_seats)] if old.tied else []
        )
        assert {*old.advance, *old.tied}.isdisjoint(old.out)
        assert len(old.advance) + len(old.tied) + len(old.out) == len(stacks)


# The rules in one round each -----------------------------------------------------------------------------


def test_F10_F13_the_parts_are_taken_in_their_order_and_nobody_twice() -> None:
    sessions = [{2: table(D=600, E=100), 1: table(A=700, B=900, C=800)}, {1: table(F=50, G=40, H=30)}]
    decided = advance(Advance(per_table=1, per_session=1, top=1, fill_to=7), sessions)
    assert decided.through == (
        Through("B", "per_table"),
        Through("D", "per_table"),
        Through("F", "per_table"),
        Through("C", "per_session"),
        Through("G", "per_session"),
        Through("A", "top"),
        Through("E", "fill_to"),
    )
    assert decided.not_through == (("H",),)
    assert len(advance(Advance(per_table=1, fill_to=2), sessions).through) == 3, "never cut down"


@pytest.mark.parametrize(
    ("smallest_bet", "expected"), [(None, ("A", "C", "D", "E")), (0, ("A", "C", "D")), (200, ("A",))]
)
def test_F14_whoever_is_left_can_be_drawn_and_with_a_smallest_bet_who_covers_it(
    smallest_bet: int | None, expected: tuple[str, ...]
) -> None:
    out = Finish("E", 500, WentOut(8, 100))
    gone = Finish("X", 900, disqualified=True)
    session = {1: [*table(A=200, B=900, C=199, D=0), out, gone]}
    decided = advance(Advance(top=1, drawn=2), [session], smallest_bet)
    assert (through(decided), decided.drawn_from) == ("B", expected)


def test_F15_T26_best_is_in_before_out_then_chips_then_the_later_hand_then_the_larger_stack() -> None:
    session = {
        1: [
            Finish("A", 9_000, WentOut(8, 400)),
            Finish("B", 0, WentOut(16, 100)),
            Finish("C", 0, WentOut(8, 401)),
            Finish("D", 0, WentOut(8, 400)),
            Finish("E", 9_999, disqualified=True),
            Finish("F", 1, WentOut(20, 9), disqualified=True),
            *table(G=0, H=5),
        ]
    }
    assert advance(Advance(), [session]).not_through == (
        ("H",),
        ("G",),
        ("B",),
        ("C",),
        ("A", "D"),
        ("E", "F"),
    )
    assert through(advance(Advance(top=1), [session], 5)) == "H"
    assert through(advance(Advance(top=1), [session], 6)) == ""


def test_F16_a_tie_holds_up_the_parts_after_it_and_every_tie_of_its_part_is_named() -> None:
    session = {1: table(A=5, B=5), 2: table(C=7, D=1), 3: table(E=4, F=4, G=4)}
    decided = advance(Advance(per_table=1, top=2, drawn=1), [session])
    assert decided == Advanced(
        (Through("C", "per_table"),),
        (PartTie("per_table", ("A", "B"), 1, 1, 1), PartTie("per_table", ("E", "F", "G"), 1, 1, 3)),
    )


# Ties that are decided ------------------------------------------------------------------------------------


def decided(level: str, winners: str) -> Decided:
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
def test_F16_T23_who_won_a_tie_goes_on_and_who_lost_it_may_by_a_later_part(
    rule: Advance, ties: list[Decided], expected: str
) -> None:
    found = advance(rule, LEVEL_AT_A_TABLE, decided=ties)
    assert (through(found), found.ties) == (expected, ())


@pytest.mark.parametrize("ties", [[], [decided("A B", "B")], [decided("B C D", "C")], [decided("B C", "")]])
def test_F16_T23_a_decision_counts_only_where_exactly_those_are_level(ties: list[Decided]) -> None:
    found = advance(Advance(per_table=2), LEVEL_AT_A_TABLE, decided=ties)
    assert found.ties == (PartTie("per_table", ("B", "C"), 1, 1, 1),)


def test_F16_T23_T26_who_is_left_of_a_tie_is_level_for_the_seats_that_are_left() -> None:
    tables = [{1: table(A=500, B=500, C=500, D=500)}]
    found = advance(Advance(top=3), tables, decided=[decided("A B C D", "B")])
    assert (through(found), found.ties) == ("B", (PartTie("top", ("A", "C", "D"), 2),))
    found = advance(Advance(top=3), tables, decided=[decided("A B C D", "B"), decided("A C D", "A D")])
    assert (through(found), found.not_through) == ("B A D", (("C",),))
