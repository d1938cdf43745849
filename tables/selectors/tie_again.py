"""A sudden death corrected by two persons after its close: changed places and prizes (T17, T33).

A sudden death has no cut; ``cut_again`` does the same for rounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tables.models import Deal
from tables.selectors.corrections_asked import AFTER_CLOSE
from tournament.models import Event, Request, Round
from tournament.selectors.waiting import effects_kept


@dataclass(frozen=True)
class PutRight:
    """A hand corrected after the close; ``kept``: its changes as the second person saw them."""

    deal: Deal
    request: Request
    kept: Mapping[str, Any]


@dataclass(frozen=True)
class TieAgain:
    """A sudden death that was closed and corrected, with each correction in order.

    ``is_open``: a tie in it is open again.
    """

    round: Round
    corrected: tuple[PutRight, ...]
    is_open: bool


def tie_again(round_: Round) -> TieAgain | None:
    """Return what corrections changed in a sudden death after its close; None without one."""
    if round_.kind != Round.Kind.SUDDEN_DEATH:
        return None
    deals = Deal.objects.filter(shoe__round=round_).select_related("shoe__table").in_bulk()
    approved = Request.objects.filter(
        event=round_.event_id, kind=AFTER_CLOSE, status=Request.Status.APPROVED, body__deal__in=list(deals)
    )
    corrected = tuple(
        PutRight(deals[each.body["deal"]], each, effects_kept(each) or each.body)
        for each in approved.order_by("decided_at", "pk")
    )
    return TieAgain(round_, corrected, round_.closed_at is None) if corrected else None


def ties_again_now(event: Event) -> list[TieAgain]:
    """Return the same for every sudden death of an event, until it is paid."""
    if event.status not in (Event.Status.RUNNING, Event.Status.FINISHED):
        return []
    stages = event.rounds.filter(kind=Round.Kind.SUDDEN_DEATH).order_by("pk")
    return [found for found in map(tie_again, stages) if found is not None]
