"""Hands of the other game, dealt at a table."""

from __future__ import annotations

from typing import Any

from games.protocol import Json
from tables.models import Deal, Shoe
from tables.services import dealing
from tests.cast import floor as cast
from tests.cast.factories import new_key
from tournament.engine.settings import sheet_defaults


def rouge(**chosen: Any) -> dict[str, Any]:
    """The settings of an event of colour with its sheet's own bets and stacks."""
    return {**sheet_defaults("rouge"), **chosen}


def tap(deal: Deal, **op: Any) -> Json:
    """One tap from a screen that has seen them all."""
    deal.refresh_from_db()
    return dealing.deal_tap(deal_id=deal.pk, seen=len(deal.taps), nonce=new_key(), op=op)


def dealt(shoe: Shoe, bets: dict[int, int], calls: dict[int, str], card: str) -> Deal:
    """A hand tap by tap, settled."""
    deal = cast.opened(shoe, bets)
    for box, called in calls.items():
        assert not tap(deal, op="decision", seat=box, action=called)["done"]
    assert tap(deal, op="card", card=card)["done"]
    dealing.deal_settle(deal_id=deal.pk, key=new_key(), actor=None)
    deal.refresh_from_db()
    return deal
