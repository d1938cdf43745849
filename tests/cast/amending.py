"""Taps of an open hand, written as words."""

from __future__ import annotations

from typing import Any

from tables.models import Deal
from tables.selectors.deals import taps_standing
from tables.services import dealing
from tests.cast.factories import new_key


def op_of(word: str) -> dict[str, Any]:
    """``9s``, ``look:no`` or ``stand:1``."""
    if len(word) == 2:
        return {"op": "card", "card": word}
    if word == "close_insurance":
        return {"op": "insurance_closed"}
    action, seat = word.split(":")
    if action == "look":
        return {"op": "looked", "natural": seat == "yes"}
    return {"op": "decision", "seat": int(seat), "action": action}


def tapped(deal: Deal, words: str) -> Deal:
    for word in words.split():
        deal.refresh_from_db()
        dealing.deal_tap(deal_id=deal.pk, seen=len(deal.taps), nonce=new_key(), op=op_of(word))
    deal.refresh_from_db()
    return deal


def words(deal: Deal) -> str:
    """The taps that stand, a hit by its card."""
    ops = [ops[-1] for ops in taps_standing(deal.taps)]
    return " ".join(op.get("card") or f"{op['action']}:{op['seat']}" for op in ops)
