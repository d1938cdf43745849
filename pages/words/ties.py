"""What the pages say of a sudden death that was put right after its close (T17, T33)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pages.words.naming import entries_named
from pages.words.requests import rank_and_cut_words
from tables.selectors.tie_again import TieAgain
from tournament.selectors.prizes import currency_of
from tournament.selectors.stage_ranking import stage_ranking


def tie_told(found: TieAgain) -> dict[str, Any]:
    """A sudden death put right: each correction with whose rank, side or prize it changed, in words."""
    event = found.round.event
    currency = currency_of(event)
    codes = {line["entry"] for each in found.corrected for line in each.kept.get("seen", ())}
    named = entries_named(event, codes)
    told = [
        {"deal": each.deal, "request": each.request, "moved": _moved(each.kept, named, currency)}
        for each in found.corrected
    ]
    return {"round": found.round, "is_open": found.is_open, "corrected": told, "others": _others(found)}


def _others(found: TieAgain) -> bool:
    """Whether somebody has another place by now than before the first correction."""
    was: dict[str, int] = {}
    for each in found.corrected:
        for line in each.kept.get("seen", ()):
            was.setdefault(line["entry"], line["rank"][0])
    now = {row.code: row.place for row in stage_ranking(found.round).rows}
    return any(now.get(code) != place for code, place in was.items())


def _moved(kept: Any, named: Mapping[str, str], currency: str) -> list[str]:
    codes = [each["entry"] for each in kept.get("seen", ())]
    words = [(code, rank_and_cut_words(kept, code, currency)) for code in codes]
    return [f"{named.get(code, code)}: {said}" for code, said in words if said]
