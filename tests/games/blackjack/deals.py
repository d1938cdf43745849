"""Short ways to write deals in tests."""

from collections.abc import Mapping
from typing import Any

import pytest

from games.blackjack.deal import CardDrawn, Deal, Op, apply, deal_start
from games.blackjack.event_rules import rules_make
from ground.refused import Refused


def record(
    rules: str, bets: Mapping[int, int], cards: str, decisions: str = "", **more: Any
) -> dict[str, Any]:
    """A hand record from ``"8h 9c As"`` and ``"1 split, 1 double 100"``."""
    made = []
    for words in (part.split() for part in decisions.split(",") if part.strip()):
        amount = {"amount": int(words[2])} if len(words) > 2 else {}
        made.append({"seat": int(words[0]), "action": words[1], **amount})
    by_box: dict[str, Any] = {
        name: {str(seat): value for seat, value in more.pop(name).items()}
        for name in ("stacks", "side_bets", "line_chips")
        if name in more
    }
    return {
        "rules": rules,
        "bets": {str(seat): chips for seat, chips in bets.items()},
        "cards": cards.split(),
        "decisions": made,
        **by_box,
        **more,
    }


def started(sheet: str, bets: Mapping[int, int], cards: str = "", **options: Any) -> Deal:
    """A hand at a table as far as ``cards``."""
    deal = deal_start(rules_make(sheet, options=options or None), bets)
    return after(deal, *(CardDrawn(card) for card in cards.split()))


def after(deal: Deal, *ops: Op) -> Deal:
    """The hand after these operations."""
    for op in ops:
        deal = apply(deal, op)
    return deal


def refusal(deal: Deal, op: Op) -> str | None:
    """The code with which ``op`` is refused, or None."""
    try:
        apply(deal, op)
    except Refused as no:
        return no.code
    return None


def code_of(name: object, **settings: Any) -> str:
    with pytest.raises(Refused) as no:
        rules_make(name, **settings)
    return no.value.code
