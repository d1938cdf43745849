"""Hands: the one on the table, and those before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from games.blackjack import deal as engine
from games.blackjack.ops import (
    CardBurned,
    CardDrawn,
    CardExposed,
    Decision,
    HoleCard,
    InsuranceClosed,
    LookedUnder,
    Op,
    op_from_dict,
)
from games.blackjack.rules import HouseRules
from tables.models import Deal, Shoe
from tables.selectors.floor import house_rules

Taps = Iterable[Mapping[str, Any]]


@dataclass(frozen=True)
class DealView:
    """A hand on the table, as a screen shows it.

    ``seen`` goes back with the next tap, ``state`` is the engine's, ``legal`` its choices.

    ``said`` are the taps that count, in words, oldest first. ``state`` is None for a hand recorded by
    results.
    """

    deal: Deal
    seen: int
    state: engine.Deal | None
    legal: tuple[engine.Legal, ...]
    said: tuple[str, ...]


def ops_of(taps: Taps) -> list[Op]:
    """The operations that stand once every undo has taken its own back."""
    ops: list[Op] = []
    for tap in taps:
        if tap.get("undo"):
            ops.pop()
        else:
            ops.append(op_from_dict(tap["op"]))
    return ops


def boxed(values: Mapping[str, Any]) -> dict[int, Any]:
    """JSON keys back to boxes."""
    return {int(box): value for box, value in values.items()}


def line_chips(shoe: Shoe, rules: HouseRules, *, before: int | None = None) -> dict[int, int]:
    """Box → chips on its line (row 23), from the last settled hand that the box bet in.

    They belong to the bank until they are won, and with it stay where the shoe ends first. ``before``: as it
    was before the hand of that number.
    """
    if not rules.line_chip:
        return {}
    settled = Deal.objects.filter(shoe=shoe, status=Deal.Status.SETTLED).order_by("-number")
    if before is not None:
        settled = settled.filter(number__lt=before)
    found: dict[int, int] = {}
    for bets, on_line in settled.values_list("bets", "answer__line_chip"):
        for box in bets:
            found.setdefault(int(box), (on_line or {}).get(box, 0))
    return {box: chips for box, chips in sorted(found.items()) if chips}


def deal_play(deal: Deal) -> engine.Deal:
    """The hand so far, replayed from its taps: the engine's view of it."""
    rules = house_rules(deal.shoe.round.event)
    bets = boxed(deal.bets)
    on_line = line_chips(deal.shoe, rules, before=deal.number)
    return engine.deal_replay(
        rules,
        bets,
        boxed(deal.stacks),
        ops_of(deal.taps),
        line_chips={box: chips for box, chips in on_line.items() if box in bets} or None,
    )


def deal_view(deal: Deal) -> DealView:
    """What the table's screen shows of a hand."""
    said = tuple(op_words(op) for op in ops_of(deal.taps))
    if deal.mode == Deal.Mode.RESULTS:
        return DealView(deal, len(deal.taps), None, (), said)
    state = deal_play(deal)
    return DealView(deal, len(deal.taps), state, tuple(engine.legal(state)), said)


def hands(shoe: Shoe) -> list[Deal]:
    """The hands of a shoe, newest first, those reversed or void too."""
    return list(Deal.objects.filter(shoe=shoe).order_by("-number", "-id"))


def tap_words(tap: Mapping[str, Any]) -> str:
    """A tap as a sentence says it."""
    return "the last entry was taken back" if tap.get("undo") else op_words(op_from_dict(tap["op"]))


def op_words(op: Op) -> str:
    """What happened, as a sentence says it."""
    match op:
        case CardDrawn(card):
            return f"card {card}"
        case HoleCard(card):
            return f"hole card {card}"
        case CardBurned(card):
            return f"{card} lay face up and is burned"
        case CardExposed(card):
            return f"{card} came out in error"
        case LookedUnder(natural):
            return "the dealer looked: a natural" if natural else "the dealer looked: no natural"
        case InsuranceClosed():
            return "insurance closed"
        case Decision(seat, action, amount):
            chips = f" {amount:,}" if amount else ""
            return f"box {seat}: {action.replace('_', ' ')}{chips}"
