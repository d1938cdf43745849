"""Hands of a tie that are put right."""

from __future__ import annotations

from typing import Any

from tables.models import Deal
from tables.services import (
    corrections,
)
from tests.cast.factories import new_key
from tests.cast.floor import (
    result,
)
from tournament.models import Round


def correct(deal: Deal, **anew: Any) -> dict[str, Any]:
    return corrections.deal_correct(
        deal_id=deal.pk, reason="two boxes were mixed up", key=new_key(), actor=None, **anew
    )


def words(**boxes: str) -> dict[int, Any]:
    return {int(box[1:]): result(word) for box, word in boxes.items()}


def outcomes(stage: Round) -> dict[str, str]:
    return {s.entry.code: s.outcome for s in stage.stacks.select_related("entry")}


def fresh(stage: Round) -> str:
    stage.refresh_from_db()
    return str(stage.status)


BETS3 = {1: 200, 2: 200, 3: 200}
