"""The operations of a deal, one small frozen object each, and their JSON.

The list of operations is the deal: a replay gives the deal again, and undo is a replay without the last one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ground.refused import Refused
from ground.words import shown


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """The next card out of the shoe, dealt face up to the hand that ``Deal.needs`` names."""

    card: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of box ``seat``: an action of the hand record, with whole chips if it takes any.

    On a shared box (row 25) ``player`` names the player whose decision it is, unless that is the player who
    decides for the box. ``along`` lists the players who join a double or split, as pairs of name and chips.
    """

    seat: int
    action: str
    amount: int | None = None
    player: str | None = None
    along: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class LookedUnder:
    """The dealer checked the hole card. ``natural``: whether the dealer has a blackjack."""

    natural: bool


@dataclass(frozen=True, slots=True)
class HoleCard:
    """The hole card, turned over."""

    card: str


@dataclass(frozen=True, slots=True)
class InsuranceClosed:
    """The dealer closed the offer of insurance and even money; play goes on."""


@dataclass(frozen=True, slots=True)
class CardBurned:
    """The next card lay face up in the shoe and is burned; another one takes its place.

    After the end of the hand it is a card that came out too many.
    """

    card: str


@dataclass(frozen=True, slots=True)
class CardExposed:
    """A card was dealt in error while a box was deciding; it is played as the next card.

    ``refused``: the boxes, this one first, that refuse the card and get no further one.
    """

    card: str
    refused: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class NotDealt:
    """Box ``seat`` is dealt no cards: it sits the hand out and gets its bet back."""

    seat: int


@dataclass(frozen=True, slots=True)
class HoleTurned:
    """The hole card was turned over before every box had acted. It stays face up, and the boxes play on."""

    card: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """Box ``seat`` was passed over: it acts after box ``behind``, or stands if that is None."""

    seat: int
    behind: int | None = None


Op = (
    CardBurned
    | CardExposed
    | NotDealt
    | CardDrawn
    | Decision
    | LookedUnder
    | HoleCard
    | InsuranceClosed
    | HoleTurned
    | Skipped
)


def op_to_dict(op: Op) -> dict[str, Any]:
    """Return ``op`` as JSON, like ``{"op": "card", "card": "Ah"}``."""
    match op:
        case CardDrawn(card):
            return {"op": "card", "card": card}
        case Decision():
            return {"op": "decision", **decision_to_dict(op)}
        case CardBurned(card):
            return {"op": "burned", "card": card}
        case CardExposed(card, refused):
            return {"op": "exposed", "card": card, "refused": list(refused)}
        case NotDealt(seat):
            return {"op": "not_dealt", "seat": seat}
        case LookedUnder(natural):
            return {"op": "looked", "natural": natural}
        case HoleCard(card):
            return {"op": "hole", "card": card}
        case InsuranceClosed():
            return {"op": "insurance_closed"}
        case HoleTurned(card):
            return {"op": "hole_turned", "card": card}
        case Skipped(seat, behind):
            return {"op": "skipped", "seat": seat} | ({} if behind is None else {"behind": behind})


def decision_to_dict(op: Decision) -> dict[str, Any]:
    """Return a decision in the form of the hand record."""
    found: dict[str, Any] = {"seat": op.seat, "action": op.action}
    if op.amount is not None:
        found["amount"] = op.amount
    if op.player is not None:
        found["player"] = op.player
    if op.along:
        found["with"] = dict(op.along)
    return found


def _decision(data: Mapping[str, Any]) -> Decision | None:
    """Return the decision in ``data``, or None if it is not one."""
    seat, action, amount = data.get("seat"), data.get("action"), data.get("amount")
    player, along = data.get("player"), data.get("with", {})
    if not set(data) <= {"op", "seat", "action", "amount", "player", "with"}:
        return None
    if type(seat) is not int or type(action) is not str or not (amount is None or type(amount) is int):
        return None
    if not (player is None or type(player) is str) or type(along) is not dict:
        return None
    if not all(type(chips) is int for chips in along.values()):
        return None
    return Decision(seat, action, amount, player, tuple(along.items()))


def op_from_dict(data: Mapping[str, Any]) -> Op:
    """Return the operation that ``op_to_dict`` wrote. Raises Refused ``bad_operation`` for anything else."""
    match dict(data):
        case {"op": "card", "card": str(card), **rest} if not rest:
            return CardDrawn(card)
        case {"op": "decision"}:
            decision = _decision(data)
            if decision is not None:
                return decision
        case {"op": "burned", "card": str(card), **rest} if not rest:
            return CardBurned(card)
        case {"op": "exposed", "card": str(card), "refused": list(refused), **rest} if not rest and all(
            type(seat) is int for seat in refused
        ):
            return CardExposed(card, tuple(refused))
        case {"op": "not_dealt", "seat": int(seat), **rest} if not rest and type(seat) is int:
            return NotDealt(seat)
        case {"op": "looked", "natural": bool(natural), **rest} if not rest:
            return LookedUnder(natural)
        case {"op": "hole", "card": str(card), **rest} if not rest:
            return HoleCard(card)
        case {"op": "insurance_closed", **rest} if not rest:
            return InsuranceClosed()
        case {"op": "hole_turned", "card": str(card), **rest} if not rest:
            return HoleTurned(card)
        case {"op": "skipped", "seat": int(seat), **rest} if set(rest) <= {"behind"}:
            numbers = (seat, *rest.values())
            if all(type(number) is int for number in numbers):
                return Skipped(*numbers)
    raise Refused("bad_operation", "This cannot happen in a hand: %(dict)s.", dict=shown(dict(data)))


def op_words(op: Op) -> str:
    """Return a phrase for an operation."""
    match op:
        case CardDrawn(card):
            return f"card {card}"
        case HoleCard(card):
            return f"hole card {card}"
        case CardBurned(card):
            return f"{card} lay face up and is burned"
        case CardExposed(card):
            return f"{card} came out in error"
        case NotDealt(seat):
            return f"box {seat} was not dealt to"
        case LookedUnder(natural):
            return "the dealer checked: blackjack" if natural else "the dealer checked: no blackjack"
        case InsuranceClosed():
            return "insurance closed"
        case HoleTurned(card):
            return f"the hole card {card} was turned too early"
        case Skipped(seat, None):
            return f"box {seat} was skipped"
        case Skipped(seat, behind):
            return f"box {seat} was skipped and acts behind box {behind}"
        case Decision(seat, action, amount):
            chips = f" {amount:,}" if amount else ""
            return f"box {seat}: {action.replace('_', ' ')}{chips}"


def op_kind(op: Op) -> str:
    """Return the name of an operation in its JSON."""
    return {
        CardDrawn: "card",
        Decision: "decision",
        LookedUnder: "looked",
        HoleCard: "hole",
        InsuranceClosed: "insurance_closed",
        CardBurned: "burned",
        CardExposed: "exposed",
        NotDealt: "not_dealt",
        HoleTurned: "hole_turned",
        Skipped: "skipped",
    }[type(op)]
