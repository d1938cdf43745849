"""Penalties and disqualifications in a tie, each given as a director would, and a second person."""

from __future__ import annotations

from typing import Any

from tests.cast.factories import new_key
from tests.cast.floor import (
    confirm,
    draw_and_seat,
    hand,
    person,
    play_and_count,
    seated,
    shoe_of,
    stack_at,
    take_chips,
)
from tests.cast.tied import sudden_death
from tournament.models import Event, Round
from tournament.services.entries import entry_disqualify_request
from tournament.services.penalties import penalty_cancel
from tournament.services.requests import request_decide


def penalise(stage: Round, box: int, chips: int) -> int:
    return int(take_chips(stack_at(stage, box).entry, chips, "phone")["penalty"])


def forgive(penalty: int) -> None:
    confirm(penalty_cancel(penalty_id=penalty, reason="it was not theirs", key=new_key(), actor=None))


def ahead_and_tied(entrants: int = 4, cut: int = 2, **settings: Any) -> Round:
    """One has won round 1, the others are level for the seats that are left, and play off for them."""
    round_ = seated(entrants, cut_after_round_1=cut, cut_after_round_2=2, **settings)
    hand(shoe_of(round_), {1: 400}, b1="win")
    play_and_count(round_)
    return draw_and_seat(round_.event)


def three_level(**settings: Any) -> Round:
    """Three are level for places 1 to 3, which pay 400, 300 and 200."""
    return sudden_death(3, **settings)


def ask(event: Event, code: str, reason: str = "marked a card") -> int:
    entry = event.entries.get(code=code)
    asked = entry_disqualify_request(
        entry_id=entry.pk, reason=reason, key=new_key(), actor=person("director")
    )
    return int(asked["request"])


def answer(asked: int, approve: bool = True) -> Any:
    return request_decide(request_id=asked, approve=approve, key=new_key(), actor=person("manager"))
