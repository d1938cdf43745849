"""A stage put right after its close is told on Tonight and on its own page (T17, T33)."""

from __future__ import annotations

import pytest

from tables.services import dealing
from tests.cast.corrected import SWAPPED, again, pages, put_right, round_1, words
from tests.cast.factories import new_key
from tests.cast.floor import close, hand, shoe_of
from tests.cast.tied import sudden_death
from tournament.models import Round

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def closed() -> tuple[Round, object]:
    stage = sudden_death()
    old = hand(shoe_of(stage), {1: 200, 2: 200}, b1="win", b2="lose")
    close(stage)
    return stage, old


def test_T17_T33_tonight_says_whose_places_and_prizes_a_correction_made_others():
    stage, old = closed()
    assert again(pages(stage)) == [[], []]
    put_right(old, outcomes=words(b1="lose", b2="win"))
    told = pages(stage)
    assert again(told) == [["others"], ["others"]]
    for page in told:
        assert "1 → 2" in page and "$400.00 → $300.00" in page
        assert "2 → 1" in page and "$300.00 → $400.00" in page


@pytest.mark.parametrize("other", [True, False])
def test_T17_T33_a_tie_that_comes_to_light_is_open_again_until_it_is_decided(other: bool):
    stage, old = closed()
    put_right(old, void=True)
    assert again(pages(stage)) == [["open"], ["open"]]
    dealing.shoe_next(round_id=stage.pk, table_id=old.shoe.table_id, key=new_key(), actor=None)
    won = {"b1": "lose", "b2": "win"} if other else {"b1": "win", "b2": "lose"}
    hand(shoe_of(stage), {1: 200, 2: 200}, **won)
    close(stage)
    assert again(pages(stage)) == [["others" if other else "same"]] * 2


def test_T17_a_round_says_who_goes_on_by_a_correction():
    round_, old = round_1()
    put_right(old, outcomes=SWAPPED)
    told = pages(round_)
    assert again(told) == [["others"], ["others"]]
    assert all("Out → Advances" in page for page in told)
