"""A tie played again from its hands: what stands, what does not, and why (T17, T19, T23, T26, T33)."""

from __future__ import annotations

import pytest

from tournament.engine.settings import PRIZES_DIFFER
from tournament.engine.tie_again import (
    OVER,
    TOO_FEW,
    ChipPosting,
    Docked,
    Left,
    Looked,
    Move,
    Terms,
    TieHand,
    TiePlay,
    tie_play,
)
from tournament.engine.ties import TieGroup

ONE_SEAT = Terms({"a": 1, "b": 1, "c": 1}, fresh_chips=1000, minimum_chips=200, until=PRIZES_DIFFER, seats=1)


def dealt(number: int, table: int = 1, **nets: int) -> TieHand:
    """A hand by what it did to each stack; all who play at the table are seated."""
    return TieHand(number, table, tuple(sorted(nets)), nets)


def level(number: int) -> TieHand:
    return dealt(number, a=0, b=0, c=0)


def played(*hands: TieHand, moves: tuple[Move, ...] = (), terms: Terms = ONE_SEAT) -> TiePlay:
    return tie_play(terms, hands, moves)


def outcomes(play: TiePlay) -> dict[str, str]:
    return {code: each.outcome for code, each in play.decided.items()}


# A play-off --------------------------------------------------------------------------------------------


def test_T23_who_is_behind_is_out_and_the_others_play_on_until_one_is_ahead():
    play = played(dealt(1, a=200, b=200, c=-200))
    assert (outcomes(play), play.in_play, play.seats, play.over) == ({"c": "cut"}, {"a", "b"}, 1, False)
    assert play.chips == {"a": 1200, "b": 1200, "c": 800}
    assert play.postings[-1] == ChipPosting(False, {"c": 800}), "handed in as they are out"
    play = played(dealt(1, a=200, b=200, c=-200), dealt(2, a=200, b=-200))
    assert outcomes(play) == {"c": "cut", "a": "advanced", "b": "cut"}
    assert (play.over, play.before[2]) == (True, {"a": 1200, "b": 1200})
    assert play.chips == {"a": 1400, "b": 1000, "c": 800}, "what each ended with"


@pytest.mark.parametrize(
    ("chips", "left", "why"), [(-999, 1, None), (-1000, 0, None), (-1001, 1000, TOO_FEW)]
)
def test_T26_a_penalty_takes_what_is_there_to_the_last_chip_and_no_more(
    chips: int, left: int, why: str | None
):
    play = played(level(1), moves=(Docked(1, "a", chips, penalty=7),))
    assert (play.chips["a"], play.dropped.get(7)) == (left, why)


def test_T26_what_a_dropped_penalty_had_taken_does_not_come_back_and_after_the_decision_nothing_is_taken():
    back = Docked(1, "a", 1001, penalty=7, nth=1)
    assert played(level(1), moves=(Docked(1, "a", -1001, penalty=7), back)).chips["a"] == 1000
    late = played(dealt(1, a=200, b=200, c=-200), moves=(Docked(1, "c", -200, penalty=7),))
    assert (late.dropped, late.chips["c"]) == ({7: OVER}, 800)
    given = played(
        dealt(1, a=200, b=200, c=-200),
        moves=(Docked(0, "c", -100, penalty=7), Docked(1, "c", 100, penalty=7)),
    )
    assert given.postings[-1] == ChipPosting(False, {"c": 100}), "handed in with the rest"


def test_T26_who_is_disqualified_in_it_leaves_with_what_was_in_front_and_the_others_play_on():
    gone = Left(1, "c", place=12, tied=("a", "b"), contested=1)
    play = played(level(1), moves=(gone,))
    assert (play.gone, play.in_play, play.left, play.chips["c"]) == ({"c"}, {"a", "b"}, {"c": 1000}, 0)
    assert (play.had("c"), play.had("a"), outcomes(play)) == (1000, 1000, {})


# Who can bet, and when a tie is looked at ---------------------------------------------------------------


@pytest.mark.parametrize(("net", "able"), [(-799, {"a", "b"}), (-800, {"a", "b"}), (-801, {"b"})])
def test_T13_a_stack_that_just_covers_the_smallest_bet_can_bet_in_the_next_hand(net: int, able: set[str]):
    both = Terms({"a": 1, "b": 1}, fresh_chips=1000, minimum_chips=200, until=PRIZES_DIFFER, seats=1)
    docked = Docked(1, "a", net, penalty=1)
    play = played(dealt(1, a=0, b=0), dealt(2, a=0, b=0), terms=both, moves=(docked,))
    assert play.able[2] == able


TWO_TIES = Terms(
    {"a": 1, "b": 1, "c": 2, "d": 2},
    fresh_chips=1000,
    minimum_chips=200,
    until=PRIZES_DIFFER,
    groups=(TieGroup((1, 2), ("a", "b"), (300, 200)), TieGroup((3, 4), ("c", "d"), (100, 0))),
)


def test_T19_a_hand_of_one_tie_says_nothing_of_the_other_where_somebody_is_absent():
    absent = Looked(1, frozenset({"d"}))
    play = played(dealt(1, 1, a=0, b=0), moves=(absent,), terms=TWO_TIES)
    assert (outcomes(play), play.in_play) == ({}, {"a", "b", "c", "d"})
    play = played(
        dealt(1, 1, a=0, b=0),
        dealt(2, 2, c=0),
        moves=(absent, Looked(2, frozenset({"d"}))),
        terms=TWO_TIES,
    )
    assert {code: each.place for code, each in play.decided.items()} == {"c": 3, "d": 4}, "T33: behind"


def test_T19_a_tie_at_two_tables_waits_until_both_have_played_the_hand():
    apart = Terms({"a": 1, "b": 2}, fresh_chips=1000, minimum_chips=200, until=PRIZES_DIFFER, seats=1)
    assert outcomes(played(dealt(1, 1, a=200), terms=apart)) == {}
    assert outcomes(played(dealt(1, 1, a=200), dealt(2, 2, b=0), terms=apart)) == {
        "a": "advanced",
        "b": "cut",
    }
