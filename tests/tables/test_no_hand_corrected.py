"""T15, T17: a hand that a correction makes void was played by nobody."""

from __future__ import annotations

import pytest

from tables.services import corrections
from tests.cast.factories import new_key
from tests.cast.floor import by_results, hand, play_and_count, result, seated, shoe_of, stack_at
from tournament.models import Round
from tournament.selectors.stage_ranking import stage_ranking
from tournament.selectors.stages import round_cut

pytestmark = pytest.mark.django_db
TWO_ADVANCE = {"no_hand": "out", "cut_after_round_1": 2, "cut_after_round_2": 2}


def without_hand(round_: Round) -> list[str]:
    return [row.code for row in stage_ranking(round_).rows if row.no_hand]


def code(round_: Round, box: int) -> str:
    return stack_at(round_, box).entry.code


@pytest.mark.parametrize("word", ["win", "push"])
def test_T15_T17_whose_only_hand_is_made_void_has_played_none(word):
    round_ = seated(4, **TWO_ADVANCE)
    only = hand(shoe_of(round_), {1: 200}, b1=word)
    by_results(shoe_of(round_), dict.fromkeys((2, 3, 4), 200), {box: result("lose") for box in (2, 3, 4)})
    corrections.deal_correct(deal_id=only.pk, void=True, reason="a misdeal", key=new_key(), actor=None)
    play_and_count(round_)
    assert without_hand(round_) == [code(round_, 1)]
    assert code(round_, 1) not in round_cut(round_).entries
