"""The place of somebody who is disqualified while a round is played: last of it, from then on (T20, T26)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cast.corrected import post
from tests.cast.floor import close, draw_and_seat, hand, play_and_count, seated, shoe_of
from tests.cast.leaving import disqualify
from tests.cast.playing import promised
from tests.cast.tied import code_at
from tournament.models import Event, Round
from tournament.selectors.stages import places_so_far

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def places(round_: Round) -> dict[str, int]:
    return {each.entry: each.place for each in places_so_far(Event.objects.get(pk=round_.event_id))}


def begun(second: Round) -> None:
    hand(shoe_of(second), {1: 200, 2: 200, 3: 200}, b1="win", b2="push", b3="lose")


@pytest.mark.parametrize("when", [lambda second: None, begun], ids=["seated", "begun"])
def test_T26_the_leader_disqualified_in_round_2_is_last_of_it_at_once_and_after_its_close(
    when: Callable[[Round], None],
):
    round_ = seated(5, cut_after_round_1=3, cut_after_round_2=2, **promised(30_000, 10_000))
    bets = {1: 1000, 2: 400, 3: 200, 4: 200, 5: 400}
    hand(shoe_of(round_), bets, b1="win", b2="win", b3="win", b4="lose", b5="lose")
    play_and_count(round_), close(round_)
    post(round_.event, 30_000, 10_000)
    one, *others = (code_at(round_, box) for box in (1, 2, 3, 4, 5))
    assert places(round_) == {one: 1, others[0]: 2, others[1]: 3, others[2]: 4, others[3]: 5}
    second = draw_and_seat(round_.event)
    when(second)
    disqualify(second, one)
    # Ahead of both who were cut in round 1, behind both who play on.
    after = {others[0]: 1, others[1]: 2, one: 3, others[2]: 4, others[3]: 5}
    assert places(round_) == after
    play_and_count(second), close(second)
    settled = places(round_)
    assert settled[one] == 3
    assert {code: settled[code] for code in others[2:]} == {others[2]: 4, others[3]: 5}
