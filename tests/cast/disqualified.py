"""Disqualified players of an event without tables."""

from __future__ import annotations

from typing import Any

from tables.services.closing import round_close
from tests.cast import playing
from tests.cast.factories import UserFactory, new_key, round_seat, round_to
from tests.cast.worlds import kept
from tournament.models import Entry, Event, Round
from tournament.services import entries


def close(stage: Round) -> dict[str, Any]:
    done: dict[str, Any] = round_close(round_id=stage.pk, key=new_key(), actor=None)
    stage.refresh_from_db()
    stage.event.refresh_from_db()
    return done


@kept
def play_off(entrants: int = 6, seats: int = 3) -> tuple[Event, Round, Round]:
    """E001 and E002 advance; the others play off for the remaining seats."""
    event = playing.event_with(entrants, cut_after_round_1=seats, cut_after_round_2=2)
    round_ = round_seat(event)
    playing.win(round_, E001=1000, E002=800)
    round_to(round_, "playing", "counted")
    stage = round_seat(event)
    round_to(stage, "playing")
    round_.refresh_from_db()
    return event, round_, stage


@kept
def sudden_death(
    nets: dict[str, int], entrants: int = 7, amounts: tuple[int, ...] = (4000, 3000, 2000, 1000)
) -> tuple[Event, Round]:
    """End the last round with these nets, all others level at the bottom, and seat the tie."""
    shares = {"kind": "shares", "amounts": list(amounts)}
    event = playing.event_with(entrants, stacks="reset", cut_after_round_1=7, cut_after_round_2=7)
    for number in (1, 2, 3):
        round_ = round_seat(event)
        playing.win(round_, **(nets if number == 3 else {"E001": 200}))
        playing.close(round_)
        if number == 1:
            playing.post(event, shares)
        event.refresh_from_db()
    stage = round_seat(event)
    assert stage.kind == Round.Kind.SUDDEN_DEATH
    round_to(stage, "playing")
    return event, stage


NETS = {"E001": 2000, "E002": 1000, "E003": 1000, "E004": 1000, "E005": 400, "E006": 200}


def places(event: Event) -> dict[str, int | None]:
    return dict(event.entries.values_list("code", "place"))


PRIZES = {"kind": "fixed", "amounts": [20_000, 15_000, 10_000, 5_000]}

LISTED = playing.promised(20_000, 15_000, 10_000, 5_000)


def withdraw(event: Event, code: str, *, refund: bool = False) -> Entry:
    entry: Entry = event.entries.get(code=code)
    entries.entry_withdraw(
        entry_id=entry.pk, reason="went home", refund=refund, key=new_key(), actor=UserFactory()
    )
    return entry


def gone_in_round_2() -> Event:
    """E004 withdrew in the middle of round 2, with round 1 behind it, and holds the fourth place or worse."""
    event = playing.round_1_closed(6, stacks="reset", **LISTED)
    playing.post(event, PRIZES)
    round_ = round_seat(event)
    round_to(round_, "playing")
    withdraw(event, "E004")
    playing.win(round_, E001=600, E002=400, E003=200)
    round_to(round_, "counted")
    close(round_)
    event.refresh_from_db()
    return event
