"""Celery tasks of the floor. Each is one call of a service, and harmless if run twice."""

from __future__ import annotations

from celery import shared_task

from ground.refused import Refused
from tables.selectors.corrections_later import shoes_to_correct
from tables.selectors.draws import draws_waiting
from tables.services.correction_later import corrections_carry_out
from tables.services.draws import round_seat
from tables.services.hand import WAITING
from tournament.tasks import sweeper, warn_once


@shared_task(name="tables.seat_round")
def seat_round(draw_id: int) -> None:
    """Carry out a confirmed draw (verifiable draw, step 4)."""
    try:
        round_seat(draw_id=draw_id)
    except Refused as no:
        # The draw's page shows the director this refusal; a retry would change nothing.
        warn_once(f"Draw {draw_id} was not carried out. {no.message}")


@shared_task(name=WAITING)
def correct_waiting(shoe_id: int) -> None:
    """Make the corrections that waited for the end of a hand of this shoe (T17)."""
    corrections_carry_out(shoe_id=shoe_id)


@sweeper
def corrections_sweep() -> None:
    """Make waiting corrections whose process died after their hand had ended (faults)."""
    for shoe_id in shoes_to_correct():
        correct_waiting(shoe_id)


@sweeper
def draws_sweep() -> None:
    """Carry out draws whose task was lost with the broker or a worker (faults)."""
    for draw_id in draws_waiting():
        seat_round(draw_id)
