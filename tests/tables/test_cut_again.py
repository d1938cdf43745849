"""A closed round put right before the next is seated: what was corrected, who goes on by it (T17)."""

from __future__ import annotations

import pytest

from tables.selectors.cut_again import CutAgain, cut_again
from tests.cast.corrected import again, pages, post, put_right, round_1, words
from tests.cast.floor import close, draw_and_seat, hand, play_and_count, shoe_of
from tests.cast.tied import code_at
from tournament.models import Event, Round

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def found_of(round_: Round) -> CutAgain | None:
    return cut_again(Round.objects.get(pk=round_.pk))


def test_T17_the_last_round_says_whose_place_is_another():
    round_, _old = round_1()
    post(round_.event, 30_000, 10_000)
    play_and_count(draw_and_seat(round_.event)), close(Round.objects.get(event=round_.event, number=2))
    third = draw_and_seat(round_.event)
    final = hand(shoe_of(third), {1: 200, 2: 200}, b1="win", b2="lose")
    play_and_count(third), close(third)
    one, two = code_at(third, 1), code_at(third, 2)
    before = {e.code: e.place for e in third.event.entries.all()}
    put_right(final, outcomes=words(b1="lose", b2="natural"))
    after = {e.code: e.place for e in Event.objects.get(pk=third.event_id).entries.all()}
    moved = sorted((code, before[code], after[code]) for code in (one, two) if before[code] != after[code])
    found = found_of(third)
    assert found is not None
    assert moved and sorted((each.entry.code, each.before, each.after) for each in found.moved) == moved
    assert again(pages(third)) == [["others"], ["others"]]
