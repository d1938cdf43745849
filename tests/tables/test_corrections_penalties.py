"""A tie is looked at again with the penalties that were given in it, each at its place (T17, T26)."""

from __future__ import annotations

import pytest

from tables.models import Deal
from tables.services import (
    corrections,
)
from tests.cast.corrected import books_agree
from tests.cast.corrected_ties import BETS3, correct, fresh, outcomes, words
from tests.cast.floor import chips_at, hand, shoe_of
from tests.cast.leaving import forgive, penalise, seats
from tests.cast.tied import play_off
from tournament.models import Penalty

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def test_T17_T26_a_hand_before_a_penalty_is_put_right_and_the_later_hand_still_has_its_chips():
    stage = play_off()
    one, two, three = seats(stage, 3)
    first = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    penalise(stage, 1, 400)
    second = hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="win")
    assert outcomes(stage) == {one: "cut", two: "advanced", three: "advanced"}
    correct(first, outcomes=words(b1="win", b2="win", b3="win"))
    second.refresh_from_db()
    assert (second.status, second.stacks) == ("settled", {"1": 4800, "2": 5200, "3": 5200})
    assert {s.entry.code: s.closed_chips for s in stage.stacks.all()} == {one: 5000, two: 5400, three: 5400}
    assert books_agree(stage.event)


def test_T17_T26_a_penalty_given_after_the_tie_was_decided_is_cancelled():
    """In truth the first hand had decided it: the phone rang at a table that was over."""
    stage = play_off()
    one, two, three = seats(stage, 3)
    first = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    penalty = penalise(stage, 3, 400)
    hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="win")
    anew = words(b1="win", b2="win", b3="lose")
    seen = corrections.correction_preview(deal_id=first.pk, outcomes=anew)
    assert [each.pk for each, _why in seen.dropped] == [penalty]
    correct(first, outcomes=anew)
    assert Penalty.objects.get(pk=penalty).cancelled_at is not None
    assert (fresh(stage), outcomes(stage)) == ("counted", {one: "advanced", two: "advanced", three: "cut"})
    assert {s.entry.code: s.closed_chips for s in stage.stacks.all()} == {one: 5200, two: 5200, three: 4800}
    assert stage.event.journal.latest("seq").body["noted"]["penalties_cancelled"] == [penalty]
    assert books_agree(stage.event)
    # Looked at again the cancelled penalty is none.
    again = Deal.objects.get(corrects=first)
    correct(again, outcomes=words(b1="win", b2="push", b3="push"))
    assert [chips_at(stage, box) for box in (1, 2, 3)] == [0, 5000, 5000]
    assert books_agree(stage.event)


@pytest.mark.parametrize(("taken", "stands"), [(100, True), (200, True), (300, False)])
def test_T17_T26_a_penalty_stands_as_long_as_its_chips_would_have_been_there(taken: int, stands: bool):
    """One chip fewer than the stack, all of it, one more: 200 are left of 400 after the hand put right."""
    stage = play_off(play_off_chips=400)
    first = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    penalty = penalise(stage, 1, taken)
    anew = words(b1="lose", b2="lose", b3="lose")
    seen = corrections.correction_preview(deal_id=first.pk, outcomes=anew)
    assert [each.pk for each, _why in seen.dropped] == ([] if stands else [penalty])
    correct(first, outcomes=anew)
    assert chips_at(stage, 1) == (200 - taken if stands else 200)
    assert (Penalty.objects.get(pk=penalty).cancelled_at is None) == stands
    assert books_agree(stage.event)


def test_T17_T26_a_cancelled_penalty_of_somebody_decided_since_is_handed_in_with_the_rest():
    stage = play_off()
    one, two, three = seats(stage, 3)
    hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    penalties = [penalise(stage, box, 400) for box in (1, 2, 3)]
    old = hand(shoe_of(stage), BETS3, b1="push", b2="push", b3="push")
    for penalty in penalties:
        forgive(penalty)
    assert [chips_at(stage, box) for box in (1, 2, 3)] == [5000, 5000, 5000]
    correct(old, outcomes=words(b1="win", b2="win", b3="lose"))
    assert (fresh(stage), outcomes(stage)) == ("counted", {one: "advanced", two: "advanced", three: "cut"})
    assert {s.entry.code: s.closed_chips for s in stage.stacks.all()} == {one: 4800, two: 4800, three: 4400}
    assert sum(chips_at(stage, box) for box in (1, 2, 3)) == 0
    assert books_agree(stage.event)
    made = Deal.objects.get(corrects=old)
    correct(made, outcomes=words(b1="push", b2="push", b3="push"))
    assert [chips_at(stage, box) for box in (1, 2, 3)] == [5000, 5000, 5000]
    assert books_agree(stage.event)
