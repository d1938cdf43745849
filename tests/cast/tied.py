"""Ties that are played for: a play-off of round 1, a sudden death of one group or of two at a table each."""

from __future__ import annotations

from collections.abc import Sequence
from unittest.mock import patch

from tables.models import Seat
from tests.cast.factories import new_key
from tests.cast.floor import draw_and_seat, hand, play_and_close, play_and_count, seated, shoe_of
from tests.cast.worlds import kept
from tournament.engine import draw
from tournament.engine.steps.places import money_ties_open
from tournament.models import Event, Round, Stack
from tournament.selectors.stages import state_of
from tournament.services.payouts import payouts_post

AMOUNTS = (40_000, 30_000, 20_000, 10_000)
CUTS = {"cut_after_round_1": 2, "cut_after_round_2": 2}


@kept
def play_off(entrants: int = 3, **settings: object) -> Round:
    """Everybody of round 1 is level, and plays off for two seats at one table."""
    round_ = seated(entrants, **{**CUTS, **settings})
    play_and_count(round_)
    return draw_and_seat(round_.event)


@kept
def sudden_death(
    entrants: int = 2, *, groups: int = 1, amounts: Sequence[int] = AMOUNTS, **settings: object
) -> Round:
    """Three rounds without a hand, but for one that makes two groups; all are tied for money.

    With two groups each has a table of its own: places 1 and 2 at table 1, 3 and 4 at table 2. ``amounts``
    are the fixed prizes.
    """
    event = tied_for_money(entrants, groups=groups, amounts=amounts, **settings)
    if groups == 1:
        return draw_and_seat(event)
    first, second = (group.entries for group in money_ties_open(state_of(event)))
    order = [code for pair in zip(first, second, strict=True) for code in pair]
    with patch.object(draw, "draw_order", return_value=order):
        return draw_and_seat(event)


@kept
def tied_for_money(
    entrants: int = 2, *, groups: int = 1, amounts: Sequence[int] = AMOUNTS, **settings: object
) -> Event:
    """Make the tie for money, before the draw of the sudden death."""
    tables = {"boxes_per_table": 2} if groups == 2 else {}
    round_ = seated(entrants, **{**tables, **settings})
    for number in (1, 2, 3):
        if number > 1:
            round_ = draw_and_seat(round_.event)
        if number == 3 and groups == 2:
            for table in (1, 2):
                hand(shoe_of(round_, table), {1: 200}, b1="win")
        play_and_close(round_)
        if number == 1:
            structure = {"kind": "fixed", "amounts": list(amounts[:entrants])}
            payouts_post(event_id=round_.event_id, structure=structure, key=new_key(), actor=None)
    round_.event.refresh_from_db()
    return round_.event


def code_at(round_: Round, box: int, table: int = 1) -> str:
    """Return the code of the entry at a box."""
    return str(Seat.objects.get(round=round_, table__number=table, box=box).entry.code)


def places(round_: Round) -> dict[str, int | None]:
    return {s.entry.code: s.place for s in Stack.objects.filter(round=round_).select_related("entry")}
