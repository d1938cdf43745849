"""What can happen in a deal, one small frozen object each, and the same as JSON.

The list of operations is the deal: replaying it gives the deal again, and undo is a replay without
the last one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tables.engine.words import shown
from tournament.engine.refused import Refused


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """The next card out of the shoe, face up, for whom ``Deal.needs`` says."""

    card: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What box ``seat`` does: an action of the hand record, with whole chips where it takes any."""

    seat: int
    action: str
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class LookedUnder:
    """The dealer looked at the hole card: whether the hand is a natural."""

    natural: bool


@dataclass(frozen=True, slots=True)
class HoleCard:
    """The hole card, turned over."""

    card: str


@dataclass(frozen=True, slots=True)
class InsuranceClosed:
    """The dealer closed the offer of insurance and even money; play goes on."""


Op = CardDrawn | Decision | LookedUnder | HoleCard | InsuranceClosed


def op_to_dict(op: Op) -> dict[str, Any]:
    """``op`` as small JSON: ``{"op": "card", "card": "Ah"}`` and the like."""
    match op:
        case CardDrawn(card):
            return {"op": "card", "card": card}
        case Decision(seat, action, None):
            return {"op": "decision", "seat": seat, "action": action}
        case Decision(seat, action, amount):
            return {"op": "decision", "seat": seat, "action": action, "amount": amount}
        case LookedUnder(natural):
            return {"op": "looked", "natural": natural}
        case HoleCard(card):
            return {"op": "hole", "card": card}
        case InsuranceClosed():
            return {"op": "insurance_closed"}


def op_from_dict(data: Mapping[str, Any]) -> Op:
    """The operation that ``op_to_dict`` wrote. Raises Refused ``bad_operation`` for anything else."""
    match dict(data):
        case {"op": "card", "card": str(card), **rest} if not rest:
            return CardDrawn(card)
        case {"op": "decision", "seat": int(seat), "action": str(action), **rest} if (
            set(rest) <= {"amount"} and type(seat) is int
        ):
            amount = rest.get("amount")
            if amount is None or type(amount) is int:
                return Decision(seat, action, amount)
        case {"op": "looked", "natural": bool(natural), **rest} if not rest:
            return LookedUnder(natural)
        case {"op": "hole", "card": str(card), **rest} if not rest:
            return HoleCard(card)
        case {"op": "insurance_closed", **rest} if not rest:
            return InsuranceClosed()
    raise Refused("bad_operation", f"This is not something that happens in a deal: {shown(dict(data))}.")
