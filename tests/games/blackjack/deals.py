"""Short ways to write deals in tests."""

from collections.abc import Mapping
from typing import Any

import pytest

from games.blackjack.chosen import rules_make
from games.blackjack.deal import (
    CardDrawn,
    Deal,
    Decision,
    HoleCard,
    InsuranceClosed,
    LookedUnder,
    Op,
    apply,
    deal_start,
)
from games.blackjack.record import rules_of
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


def played_live(written: Mapping[str, Any]) -> Deal:
    """A record played at a table, operation by operation; the hole card stays down until it is turned."""
    rules = rules_of(written)
    by_box = {
        name: {int(seat): value for seat, value in written[name].items()}
        for name in ("side_bets", "line_chips")
        if name in written
    }
    bets = {int(seat): chips for seat, chips in written["bets"].items()}
    stacks = {int(s): c for s, c in written["stacks"].items()} if "stacks" in written else None
    deal = deal_start(rules, bets, stacks, **by_box)
    cards = list(written["cards"])
    hole = cards.pop(2 * len(bets) + 1) if rules.hole_card else ""
    decisions = list(written.get("decisions", ()))
    while deal.needs.kind != "done":
        deal = apply(deal, _next_op(deal, cards, hole, decisions))
    assert not cards
    assert not decisions
    return deal


def _next_op(deal: Deal, cards: list[str], hole: str, decisions: list[dict[str, Any]]) -> Any:
    needs = deal.needs
    if needs.kind == "card" and needs.step == "dealer" and decisions:
        word = decisions.pop(0)
        return Decision(word["seat"], word["action"], word.get("amount"))
    if needs.kind == "card":
        return HoleCard(hole) if needs.hole else CardDrawn(cards.pop(0))
    if needs.kind == "look":
        up = deal.dealer[0]
        return LookedUnder("A" in (up[0], hole[0]) and (up[0] in "TJQK" or hole[0] in "TJQK"))
    if needs.step == "insurance" and not (
        decisions and decisions[0]["action"] in ("insurance", "even_money")
    ):
        return InsuranceClosed()
    word = decisions.pop(0)
    return Decision(word["seat"], word["action"], word.get("amount"))


def code_of(name: object, **settings: Any) -> str:
    with pytest.raises(Refused) as no:
        rules_make(name, **settings)
    return no.value.code
