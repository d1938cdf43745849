"""The operation that dealt each card on the table, for a page on which a person taps a card.

And the other way: the operations by which a hand that is recorded could have been tapped.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.blackjack.deal import Deal, deal_replay
from games.blackjack.legal import insurance_legal
from games.blackjack.ops import (
    CardBurned,
    CardDrawn,
    CardExposed,
    Decision,
    HoleCard,
    HoleTurned,
    InsuranceClosed,
    LookedUnder,
    Op,
    op_to_dict,
)
from games.blackjack.play import INSURANCE, Decided, Play
from games.blackjack.record import boxes_of, cards_of, rules_of, settle
from games.blackjack.sources import RecordSource


class _Dealt(str):
    """A card that knows the operation that dealt it; otherwise it is the card."""

    at: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """The number of the operation of every card, counted from 0: box → hand → card, and the dealer's.

    None for a card that lies face down.
    """

    boxes: dict[int, list[list[int | None]]]
    dealer: list[int | None]


def dealt_by(deal: Deal) -> Dealt:
    """The operations of the cards of a hand, also where a split has moved a card to another hand."""
    marked = deal_replay(
        deal.rules,
        deal.bets,
        deal.stacks,
        [_marked(op, at) for at, op in enumerate(deal.ops)],
        side_bets=deal.side_bets,
        line_chips=deal.line_chips,
        players=deal.players,
    )
    boxes = {box.seat: [[_at(card) for card in hand.cards] for hand in box.hands] for box in marked.boxes}
    return Dealt(boxes, [_at(card) for card in marked.dealer])


def _marked(op: Op, at: int) -> Op:
    if not isinstance(op, CardDrawn | CardBurned | CardExposed | HoleCard | HoleTurned):
        return op
    card = _Dealt(op.card)
    card.at = at
    return replace(op, card=card)


def _at(card: str) -> int | None:
    return card.at if isinstance(card, _Dealt) else None


# -- A record as taps ---------------------------------------------------------------------------------


class _Tapped:
    """The source of a record, and each thing that it gives as the operation of a table."""

    def __init__(self, inner: RecordSource) -> None:
        self.inner = inner
        self.ops: list[Op] = []

    def card(self) -> str:
        """The next card, face up."""
        card: str = self.inner.card()
        self.ops.append(CardDrawn(card))
        return card

    def hole(self) -> str:
        """The hole card lies face down: nobody taps it."""
        return self.inner.hole()

    def looked(self, up: str, hole: str) -> bool:
        """What the look showed."""
        natural = self.inner.looked(up, hole)
        self.ops.append(LookedUnder(natural))
        return natural

    def turned(self, hole: str) -> str:
        """The hole card, turned over."""
        self.ops.append(HoleCard(hole))
        return hole

    def insurance(self, play: Play) -> Decided | None:
        """The next word on insurance; an offer that somebody could still take is closed by a tap."""
        decided = self.inner.insurance(play)
        if decided is not None:
            return self._kept(decided)
        if play.step == INSURANCE and any(insurance_legal(play, box) for box in play.boxes):
            self.ops.append(InsuranceClosed())
        return None

    def decision(self, play: Play) -> Decided | None:
        """The next decision; a hit is tapped by its card alone."""
        decided = self.inner.decision(play)
        return decided if decided is None or decided[1] == "hit" else self._kept(decided)

    def _kept(self, decided: Decided) -> Decided:
        seat, action, amount, _player, _along = decided
        self.ops.append(Decision(seat, action, amount))
        return decided

    def where(self) -> str:
        """Where in the record a refusal is."""
        return self.inner.where()


def taps_of(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The taps by which a whole record is entered at a table. Raises Refused what settling it raises.

    The record has no irregularities and no shared boxes.
    """
    settle(record)
    rules = rules_of(record)
    source = _Tapped(RecordSource(iter(cards_of(record, rules)), list(record.get("decisions", []))))
    Play(rules, boxes_of(record, rules), source).run()
    return [op_to_dict(op) for op in source.ops]
