"""What may happen next in an event, at each boundary, without a database (T4–T35)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournament.engine.one_table import ONE, TWO, counted, hand, opened, seated
from tournament.engine import facts
from tournament.engine.fold import fold
from tournament.engine.next_steps import NextStep, next_steps
from tournament.engine.state import START

OFF, SUDDEN = (1, "play_off", 1), (3, "sudden_death", 1)
STRUCTURE = ("post_payouts", (0, "", 0))
AHEAD, LEVEL = {1: 400, 2: 200, 3: 0}, {1: 400, 2: 0, 3: 0}
PAYS = facts.Posted((20_000, 10_000))


def does(log: list[Any]) -> list[tuple[str, Any]]:
    return [(str(each.do), each.stage) for each in next_steps(fold(log))]


def played(stage: Any, nets: dict[int, int], *codes: str) -> list[Any]:
    """These players are seated in a stage and play a hand of it."""
    seats = tuple((code, 1, box) for box, code in enumerate(codes, start=1))
    return [facts.Seated(stage, seats, ((1, 1),)), facts.Began(stage), hand(nets, stage=stage)]


def round_1(nets: dict[int, int], **settings: Any) -> list[Any]:
    """Three players, of whom two go on, up to the counts."""
    log = [*seated(3, **settings), facts.Began(ONE), hand(nets)]
    return [*log, *counted(fold(log))]


CLOSED = [*round_1(AHEAD), facts.Closed(ONE, ("E001", "E002"))]


def test_T4_T8_the_rules_are_posted_entries_sold_and_seats_drawn_or_buy_ins_given_back():
    assert [each.do for each in next_steps(START)] == ["post_rules"]
    log = [opened(), facts.Sold("E001", 10_000, waits=False), facts.Sold("E002", 10_000, waits=True)]
    assert next_steps(fold(log)) == (NextStep("seat", ONE, ("E001",)), NextStep("sell"))
    assert does(seated(3)) == [("play", ONE)]
    assert next_steps(fold([*log, facts.CalledOff()])) == (NextStep("refund"),)


@pytest.mark.parametrize(
    ("method", "boxes", "nets", "step"),
    [
        ("play_off", None, AHEAD, NextStep("close", ONE)),
        ("play_off", None, LEVEL, NextStep("seat", OFF, ("E002", "E003"), 1)),
        ("director", None, LEVEL, NextStep("rule", ONE, ("E002", "E003"), 1)),
        ("all_advance", 3, LEVEL, NextStep("close", ONE)),
        ("all_advance", 2, LEVEL, NextStep("seat", OFF, ("E002", "E003"), 1)),
    ],
)
def test_T19_T23_a_counted_round_is_closed_unless_its_tie_is_open(method, boxes, nets, step):
    log = round_1(nets, tie_at_cut=method)
    assert next_steps(fold(log), boxes) == (step,)
    assert does([*log, facts.TieRuled(ONE, ("E003",))]) == [("close", ONE)]


def test_T23_a_play_off_is_played_and_closed_before_its_round():
    log = [*round_1(LEVEL), *played(OFF, {1: 200, 2: 0}, "E002", "E003")]
    assert (does(log[:-2]), does(log)) == ([("play", OFF)], [("close", OFF)])
    assert does([*log, facts.Closed(OFF, ("E002",))]) == [("close", ONE)]


def test_T20_T31_the_structure_is_posted_and_the_next_round_seated_while_two_are_left_in():
    assert does(CLOSED) == [STRUCTURE, ("seat", TWO)]
    assert next_steps(fold([*CLOSED, PAYS])) == (NextStep("seat", TWO, ("E001", "E002")),)
    alone = [*CLOSED, facts.Withdrawn("E002", 0)]
    assert (does(alone), does([*alone, PAYS])[0][0]) == ([STRUCTURE], "pay")
    assert does([*CLOSED, *played(TWO, {1: 0, 2: 0}, "E001", "E002")]) == [STRUCTURE, ("play", TWO)]


@pytest.mark.parametrize(("net", "prizes", "tied"), [(200, (2, 1), 1), (0, (2, 1), 0), (200, (1, 1), 0)])
def test_T33_T35_a_tie_for_money_is_played_and_then_prizes_are_paid(net, prizes, tied):
    log = [*CLOSED, facts.Posted(tuple(10_000 * each for each in prizes))]
    log += played(TWO, {1: 0, 2: net}, "E001", "E002")
    log += [*counted(fold(log), TWO), facts.Closed(TWO, ())]
    assert does(log[:-1]) == [("close", TWO)]
    if tied:
        (seat,) = next_steps(fold(log))
        assert (seat.stage, seat.groups[0].places, seat.entries) == (SUDDEN, (1, 2), ("E001", "E002"))
        log += played(SUDDEN, {1: 200, 2: 0}, "E001", "E002")
        assert (does(log[:-2]), does(log)) == ([("play", SUDDEN)], [("close", SUDDEN)])
        log += [facts.Closed(SUDDEN, ())]
    assert does(log)[0][0] == "pay"
    paid = [facts.Paid(code, 10_000 * each) for code, each in zip(("E001", "E002"), prizes, strict=True)]
    assert (does([*log, *paid[:1]])[0][0], does([*log, *paid])) == ("pay", [])
