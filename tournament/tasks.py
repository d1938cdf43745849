"""Tasks of the tournament: thin callers of services, safe to run twice and in any order."""

import logging
from collections.abc import Callable
from functools import cache, partial

from celery import shared_task

from ground.refused import Refused
from tournament.models import Event
from tournament.services.heads import heads_append, heads_sweep
from tournament.services.standings import standings_behind, standings_recompute

logger = logging.getLogger(__name__)

Sweeper = Callable[[], None]
_sweepers: list[Sweeper] = []


def sweeper(function: Sweeper) -> Sweeper:
    """Register another function that the sweep calls, for example for draws that wait for their task."""
    if function not in _sweepers:
        _sweepers.append(function)
    return function


@shared_task(name="tournament.recompute_standings", acks_late=True, ignore_result=True)
def recompute_standings(event_id: int) -> None:
    """Bring the standings of an event up to date."""
    standings_recompute(event_id=event_id)


@shared_task(name="tournament.keep_heads", acks_late=True, ignore_result=True)
def keep_heads(event_id: int) -> None:
    """Append the heads of an event that ``HEADS_FILE`` lacks."""
    heads_append(event_id=event_id)


@shared_task(name="tournament.sweep", acks_late=True, ignore_result=True)
def sweep() -> None:
    """Make up for tasks that were lost with a broker or a worker: standings, and the registered sweepers.

    An event or a sweeper that fails does not delay the others (faults).
    """
    for event_id in standings_behind():
        _try(partial(_standings, event_id))
    # Last, since a disk that hangs then delays nothing but the heads.
    for each in (*_sweepers, heads_sweep):
        _try(each)


def _standings(event_id: int) -> None:
    try:
        standings_recompute(event_id=event_id)
    except Refused as no:
        slug = Event.objects.values_list("slug", flat=True).get(pk=event_id)
        warn_once(f"The standings of {slug} are not made. {no.message} The event can be called off.")


@cache
def warn_once(words: str) -> None:
    """Log a refusal once in each process: the sweep meets it again every ten seconds."""
    logger.warning(words)


def _try(act: Callable[[], object]) -> None:
    try:
        act()
    except Exception:
        logger.exception("The sweep could not make up for something; it tries again.")
