"""Events whose prizes are posted."""

from __future__ import annotations

from tables.services.nights import (
    Night,
    night_buy_in,
    night_open,
    night_play,
    night_post_payouts,
    round_1_over,
)
from tests.cast.worlds import kept
from tournament.models import Event


@kept
def night(entrants: int = 8, **settings):
    """Simulated entrants with the desk open; a rehearsal, which is played by nobody in particular."""
    chosen = {"cut_after_round_1": 6, "cut_after_round_2": 4, "public_input": False, **settings}
    made = night_open(name="Night", code="NIGHT", kind=Event.Kind.REHEARSAL, luck="luck", settings=chosen)
    night_buy_in(made, entrants)
    return made


@kept
def after_round_1(entrants: int = 8, **settings) -> Night:
    made = night(entrants, **settings)
    night_play(made, until=round_1_over)
    return made


@kept
def finished(**settings) -> Event:
    made = after_round_1(**settings)
    night_post_payouts(made)
    night_play(made)
    assert made.event.status == Event.Status.FINISHED
    return made.event
