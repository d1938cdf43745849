"""Legal moves of every status."""

import pytest

from ground.refused import Refused
from tournament.engine.stages import MOVES, move_check


@pytest.mark.parametrize(
    ("kind", "status", "following"),
    [
        # T8: called off at any time before payment. T17, T26: paid places stay, unless two persons take back.
        ("event", "draft", "open called_off"),
        ("event", "open", "running called_off draft"),
        ("event", "running", "finished called_off"),
        ("event", "finished", "paid called_off running"),
        ("event", "paid", "finished"),
        ("event", "called_off", ""),
        # T19: never closed before it is counted.
        ("round", "seated", "playing"),
        ("round", "playing", "counted"),
        ("round", "closed", "counted playing"),
        # T6: at a free box, before the first bet, a no-show may sit down. T26: a disqualification stands.
        ("entry", "live", "withdrawn no_show disqualified waiting"),
        ("entry", "waiting", "live withdrawn"),
        ("entry", "no_show", "live disqualified"),
        ("entry", "disqualified", ""),
        # T17: a deal is never edited.
        ("deal", "open", "settled void"),
        ("deal", "void", ""),
        ("deal", "reversed", ""),
        ("request", "approved", ""),
        ("request", "refused", ""),
    ],
)
def test_T6_T7_T8_T17_T18_T19_T26_a_status_is_left_for_these_alone(kind, status, following):
    assert set(MOVES[kind][status]) == set(following.split())


@pytest.mark.parametrize("kind", sorted(MOVES))
def test_every_status_that_can_be_reached_has_its_own_row(kind):
    reached = set().union(*MOVES[kind].values())
    assert reached <= set(MOVES[kind])
    assert all(status not in following for status, following in MOVES[kind].items())


@pytest.mark.parametrize("status", ["closed", "lost"])
def test_illegal_move_is_refused_as_come_too_late(status):
    with pytest.raises(Refused) as refused:
        move_check("round", status, "seated")
    assert (refused.value.code, refused.value.status) == ("move_not_allowed", 409)
    move_check("round", "seated", "playing")
