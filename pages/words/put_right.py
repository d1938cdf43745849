"""Stages that were corrected after their close, in words (T17, T33)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pages.words.naming import entries_named
from pages.words.requests import rank_and_cut_words
from tables.selectors.correction_requests import CorrectionRequest, StagePutRight
from tournament.models import Round
from tournament.selectors.prizes import currency_of
from tournament.selectors.stage_ranking import stage_ranking


def put_right_words(found: StagePutRight) -> dict[str, Any]:
    """Return a corrected stage: each correction with the ranks, sides and prizes that it changed, in
    words."""
    event = found.round.event
    currency = currency_of(event)
    codes = {line.entry for each in found.corrected for line in each.lines}
    named = entries_named(event, codes)
    lines = [
        {
            "stage": each.stage,
            "deal": each.deal,
            "request": each.request,
            "moved": _moved(each, named, currency),
        }
        for each in found.corrected
    ]
    return {"round": found.round, "is_open": found.is_open, "corrected": lines, "others": _others(found)}


def _others(found: StagePutRight) -> bool:
    """Whether any player's place differs from that before the first correction."""
    was: dict[tuple[Round, str], int | None] = {}
    for each in found.corrected:
        for line in each.lines:
            was.setdefault((each.stage, line.entry), line.before.rank)
    stages = {stage for stage, _code in was}
    now = {(stage, row.code): row.place for stage in stages for row in stage_ranking(stage).rows}
    return any(now.get(key) != place for key, place in was.items())


def _moved(made: CorrectionRequest, named: Mapping[str, str], currency: str) -> list[str]:
    codes = [line.entry for line in made.lines]
    words = [(code, rank_and_cut_words(made.kept, code, currency)) for code in codes]
    return [f"{named.get(code, code)}: {said}" for code, said in words if said]
