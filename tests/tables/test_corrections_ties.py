"""Hands of a tie, and of somebody who has left, put right through the services (T17, T26).

The rules are those of ``tests/tournament/engine/test_corrections.py``; ``test_corrections_any.py`` plays
them at random and compares.
"""

from __future__ import annotations

import pytest

from tables.services import corrections
from tests.cast.corrected import BETS3, books_agree, correct_now, outcomes, status, words
from tests.cast.floor import chips_at, hand, shoe_of
from tests.cast.tied import code_at, play_off

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def test_T17_a_later_hand_that_others_would_have_played_is_void():
    """Hand 1 put 1 in and left 2 and 3; hand 2 decided between them. In truth 1 and 2 had to play on."""
    stage = play_off()
    one, two, three = (code_at(stage, box) for box in (1, 2, 3))
    first = hand(shoe_of(stage), BETS3, b1="win", b2="push", b3="push")
    second = hand(shoe_of(stage), {2: 200, 3: 200}, b2="win", b3="lose")
    assert outcomes(stage) == {one: "advanced", two: "advanced", three: "cut"}
    anew = words(b1="push", b2="push", b3="win")
    seen = corrections.correction_preview(deal_id=first.pk, outcomes=anew)
    assert [deal.number for deal, _why in seen.void] == [2]
    assert seen.goes_on
    assert correct_now(first, outcomes=anew)["void"] == 1
    assert (status(stage), outcomes(stage)) == ("playing", {one: "", two: "", three: "advanced"})
    second.refresh_from_db()
    assert (second.status, second.corrected_by.status, second.corrected_by.number) == ("reversed", "void", 2)
    assert [chips_at(stage, box) for box in (1, 2, 3)] == [5000, 5000, 0]
    assert books_agree(stage.event)
