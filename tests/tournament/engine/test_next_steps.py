"""What may happen next in an event, at each boundary, without a database (T4–T35)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournament.engine.one_table import ONE, TWO, counted, hand, opened, seated
from tournament.engine import facts
from tournament.engine.fold import fold
from tournament.engine.next_steps import NextStep, next_steps
from tournament.engine.state import START

OFF, SUDDEN, NOTHING = (1, "play_off", 1), (3, "sudden_death", 1), (0, "", 0)
AHEAD, LEVEL = {1: 400, 2: 200, 3: 0}, {1: 400, 2: 0, 3: 0}
PAYS = facts.Posted((20_000, 10_000))


def does(log: list[Any]) -> list[tuple[str, Any]]:
    return [(str(each.do), each.stage) for each in next_steps(fold(log))]


def played(log: list[Any], stage: Any, nets: dict[int, int]) -> list[Any]:
    """A hand of the stage, and its counts if it is a round."""
    log = [*log, facts.Began(stage), hand(nets, stage=stage)]
    return [*log, *(counted(fold(log), stage) if stage[1] == "round" else [])]


def sat(stage: Any, *codes: str) -> facts.Seated:
    return facts.Seated(stage, tuple((code, 1, box) for box, code in enumerate(codes, start=1)), ((1, 1),))


CLOSED = [*played(seated(3), ONE, AHEAD), facts.Closed(ONE, ("E001", "E002"))]


def test_T4_T8_the_rules_are_posted_entries_sold_and_seats_drawn_or_buy_ins_given_back():
    assert [each.do for each in next_steps(START)] == ["post_rules"]
    log = [opened(), facts.Sold("E001", 10_000, waits=False), facts.Sold("E002", 10_000, waits=True)]
    assert next_steps(fold(log)) == (NextStep("seat", ONE, ("E001",)), NextStep("sell"))
    # T6: only in round 1, and not in a play-off of it, a player who buys in late is seated.
    assert [NextStep("seat", key).late_seated for key in (ONE, OFF, TWO)] == [True, False, False]
    assert does(seated(3)) == [("play", ONE)]
    log += [facts.CalledOff(), facts.HandedOut("E001", 10_000)]
    assert does(log) == [("refund", NOTHING)] and does([*log, facts.HandedOut("E002", 10_000)]) == []


@pytest.mark.parametrize(
    ("method", "boxes", "nets", "do"),
    [
        ("play_off", None, AHEAD, "close"),
        ("play_off", None, LEVEL, "seat"),
        ("director", None, LEVEL, "rule"),
        ("all_advance", 3, LEVEL, "close"),
        ("all_advance", 2, LEVEL, "seat"),
    ],
)
def test_T19_T23_a_counted_round_is_closed_unless_its_tie_is_open(method, boxes, nets, do):
    log = played(seated(3, tie_at_cut=method), ONE, nets)
    tied = () if do == "close" else (("E002", "E003"), 1)
    assert next_steps(fold(log), boxes) == (NextStep(do, OFF if do == "seat" else ONE, *tied),)
    assert does([*log, facts.TieRuled(ONE, ("E003",))]) == [("close", ONE)]
    if method == "play_off" and tied:
        log += [sat(OFF, "E002", "E003")]
        decided = played(log, OFF, {1: 200, 2: 0})
        assert (does(log), does(decided)) == ([("play", OFF)], [("close", OFF)])
        assert does([*decided, facts.Closed(OFF, ("E002",))]) == [("close", ONE)]


def test_T20_T31_the_structure_is_posted_and_the_next_round_seated_while_two_are_left_in():
    post, alone = ("post_payouts", NOTHING), [*CLOSED, facts.Withdrawn("E002", 0)]
    assert (does(CLOSED), does(alone)) == ([post, ("seat", TWO)], [post])
    assert next_steps(fold([*CLOSED, PAYS])) == (NextStep("seat", TWO, ("E001", "E002")),)
    assert does([*alone, PAYS]) == [("pay", NOTHING)]
    assert does([*CLOSED, sat(TWO, "E001", "E002")]) == [post, ("play", TWO)]


@pytest.mark.parametrize(("net", "prizes", "tied"), [(200, (2, 1), 1), (0, (2, 1), 0), (200, (1, 1), 0)])
def test_T33_T35_a_tie_for_money_is_played_and_then_prizes_are_paid(net, prizes, tied):
    log = played([*CLOSED, facts.Posted(prizes), sat(TWO, "E001", "E002")], TWO, {1: 0, 2: net})
    assert does(log) == [("close", TWO)]
    log += [facts.Closed(TWO, ())]
    if tied:
        (seat,) = next_steps(fold(log))
        assert (seat.stage, seat.groups[0].places, seat.entries) == (SUDDEN, (1, 2), ("E001", "E002"))
        log += [sat(SUDDEN, "E001", "E002")]
        decided = played(log, SUDDEN, {1: 200, 2: 0})
        assert (does(log), does(decided)) == ([("play", SUDDEN)], [("close", SUDDEN)])
        log = [*decided, facts.Closed(SUDDEN, ())]
    first, second = facts.Paid("E001", prizes[0]), facts.Paid("E002", prizes[1])
    assert does(log) == does([*log, first]) == [("pay", NOTHING)] and does([*log, first, second]) == []
    gone = [*log, *(facts.Disqualified(code, 1) for code in ("E001", "E002", "E003"))]
    assert does(gone) == [("supersede", NOTHING)]
