"""Legal moves of every status."""

from itertools import pairwise

import pytest

from ground.refused import Refused
from tournament.engine.stages import MOVES, can_move, move_check


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("event", ("draft", "open", "running", "finished", "paid")),
        ("round", ("seated", "playing", "counted", "playing_off", "closed")),
        ("round", ("counted", "closed")),
        ("shoe", ("dealing", "over", "counted", "over")),
        ("deal", ("open", "settled", "reversed")),
        ("draw", ("planned", "locked", "confirmed", "drawn", "superseded")),
        ("payout", ("live", "superseded")),
        ("request", ("open", "approved")),
        ("request", ("open", "refused")),
    ],
)
def test_T19_the_usual_path_is_open(kind, path):
    assert all(can_move(kind, a, b) for a, b in pairwise(path))


@pytest.mark.parametrize("status", ["draft", "open", "running", "finished"])
def test_T8_event_can_be_called_off_at_any_time_before_payment(status):
    assert can_move("event", status, "called_off")


def test_T8_paid_event_cannot_be_called_off_nor_a_called_off_one_go_on():
    assert not can_move("event", "paid", "called_off")
    assert MOVES["event"]["called_off"] == frozenset()


def test_T19_a_round_is_never_closed_before_it_is_counted():
    assert not can_move("round", "seated", "closed")
    assert not can_move("round", "playing", "closed")


def test_T17_T18_a_closed_round_is_opened_only_to_be_counted_or_played_for_again():
    assert can_move("round", "counted", "playing")
    assert MOVES["round"]["closed"] == {"counted", "playing"}


def test_T17_places_that_are_paid_stay_decided():
    assert can_move("event", "finished", "running")
    assert not can_move("event", "paid", "running")


def test_T26_a_paid_event_is_left_only_to_be_paid_again():
    assert MOVES["event"]["paid"] == {"finished"}


def test_T6_alternate_takes_a_seat_and_a_no_show_does_not_come_back():
    assert can_move("entry", "waiting", "live")
    # Not into the line of the alternates; at a free box, before the first bet, a no-show may sit down.
    assert MOVES["entry"]["no_show"] == {"live", "disqualified"}


def test_T7_live_and_waiting_entries_can_be_withdrawn():
    assert can_move("entry", "live", "withdrawn")
    assert can_move("entry", "waiting", "withdrawn")


def test_T26_a_disqualification_stands():
    assert can_move("entry", "live", "disqualified")
    assert MOVES["entry"]["disqualified"] == frozenset()


def test_T17_a_deal_once_reversed_or_void_stays_so():
    assert can_move("deal", "open", "void")
    assert not can_move("deal", "open", "reversed")
    assert MOVES["deal"]["void"] == MOVES["deal"]["reversed"] == frozenset()


@pytest.mark.parametrize("kind", sorted(MOVES))
def test_every_status_that_can_be_reached_has_its_own_row(kind):
    reached = set().union(*MOVES[kind].values())
    assert reached <= set(MOVES[kind])
    assert all(status not in following for status, following in MOVES[kind].items())


def test_illegal_move_is_refused_as_come_too_late():
    with pytest.raises(Refused, match="move_not_allowed") as refused:
        move_check("round", "closed", "seated")
    assert (refused.value.code, refused.value.status) == ("move_not_allowed", 409)
    move_check("round", "seated", "playing")


def test_unknown_status_moves_nowhere():
    assert not can_move("round", "lost", "closed")
