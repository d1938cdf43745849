"""'Play has begun' in an event on counts alone, and its undoing until the first count (T6, T18, T19)."""

from __future__ import annotations

import pytest

from tables.selectors.play_begun import begin_check, play_press, undo_check
from tables.services import counts
from tables.services.play_begun import round_play_undo
from tests.cast.alternates import alone, begin, fill, no_show, status, told
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import draw_and_seat, event_make, opened, refusal, seated, shoe_of, shoe_over
from tournament.models import Round

pytestmark = pytest.mark.django_db


def undo(round_: Round) -> None:
    round_play_undo(round_id=round_.pk, key=new_key(), actor=None)


def press(round_: Round) -> str:
    return play_press(Round.objects.select_related("event").get(pk=round_.pk))


def test_T6_play_begins_by_a_press_and_is_undone_until_the_first_count():
    round_ = draw_and_seat(event_make(3, record_mode="counts", tables_count=1, boxes_per_table=2))
    assert (press(round_), status(round_), told(round_.event)) == ("begin", "seated", [("open", 0)])
    begin(round_)
    assert (press(round_), status(round_), told(round_.event)) == ("undo", "playing", [("closed", 0)])
    with refusal("first_bet_called", 409):
        no_show(round_, 1)
    undo(round_)
    assert (press(round_), status(round_), told(round_.event)) == ("begin", "seated", [("open", 0)])
    no_show(round_, 1)
    fill(round_, 1)
    begin(round_)
    assert (press(round_), status(round_)) == ("undo", "playing")


def test_T6_after_the_first_count_play_has_begun_for_good():
    round_ = alone(8)
    shoe = shoe_of(round_, 2)
    begin(round_)
    shoe_over(shoe)
    with refusal("shoe_over", 409):
        undo(round_)
    assert press(round_) == ""
    chips = {seat.box: 5_000 for seat in round_.seats.filter(table=shoe.table_id)}
    counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=UserFactory())
    with refusal("counted_already", 409):
        undo(round_)
    counts.count_reopen(shoe_id=shoe.pk, reason="a slip", key=new_key(), actor=None)
    with refusal("counted_already", 409):
        undo(round_)
    assert status(round_) == "playing"


def test_T6_what_has_not_begun_is_not_undone_and_what_has_begun_does_not_begin_again():
    hands = seated(3)
    assert press(hands) == ""
    for check in (begin_check, undo_check):
        with refusal("not_counts_alone"):
            check(hands)
    round_ = alone()
    with refusal("counts_only"):
        opened(shoe_of(round_), {1: 200})
    with refusal("round_not_playing", 409):
        undo(round_)
    begin(round_)
    with refusal("round_not_seated", 409):
        begin(round_)
    round_.refresh_from_db()
    with refusal("first_bet_called", 409):
        begin_check(round_)
