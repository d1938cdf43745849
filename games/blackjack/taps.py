"""The operation that dealt each card on the table, for a page on which a person taps a card.

And conversely: the operations by which a recorded hand could have been tapped.
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
    """A card that also knows the operation that dealt it."""

    at: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """The number of the operation of every card, counted from 0: box → hand → card, and the dealer's.

    None for a card that lies face down.
    """

    boxes: dict[int, list[list[int | None]]]
    dealer: list[int | None]


def dealt_by(deal: Deal) -> Dealt:
    """Return the operations of the cards of a hand, including cards that a split moved to another hand."""
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
    """The source of a record that also lists each card and decision as an operation of a table."""

    def __init__(self, inner: RecordSource) -> None:
        self.inner = inner
        self.ops: list[Op] = []

    def card(self) -> str:
        """Return the next card, face up."""
        card: str = self.inner.card()
        self.ops.append(CardDrawn(card))
        return card

    def hole(self) -> str:
        """Return the hole card, which lies face down: nobody taps it."""
        return self.inner.hole()

    def looked(self, up: str, hole: str) -> bool:
        """Return whether the dealer found a natural."""
        natural = self.inner.looked(up, hole)
        self.ops.append(LookedUnder(natural))
        return natural

    def turned(self, hole: str) -> str:
        """Return the hole card, turned over."""
        self.ops.append(HoleCard(hole))
        return hole

    def insurance(self, play: Play) -> Decided | None:
        """Return the next answer to the insurance; an offer that a box could still take is closed by a
        tap."""
        decided = self.inner.insurance(play)
        if decided is not None:
            return self._kept(decided)
        if play.step == INSURANCE and any(insurance_legal(play, box) for box in play.boxes):
            self.ops.append(InsuranceClosed())
        return None

    def decision(self, play: Play) -> Decided | None:
        """Return the next decision; a hit is tapped by its card alone."""
        decided = self.inner.decision(play)
        return decided if decided is None or decided[1] == "hit" else self._kept(decided)

    def _kept(self, decided: Decided) -> Decided:
        seat, action, amount, _player, _along = decided
        self.ops.append(Decision(seat, action, amount))
        return decided

    def where(self) -> str:
        """Return the place of a refusal in the record."""
        return self.inner.where()


def taps_of(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the taps by which a whole record is entered at a table. Raises Refused as settling it does.

    The record has no irregularities and no shared boxes.
    """
    settle(record)
    rules = rules_of(record)
    source = _Tapped(RecordSource(iter(cards_of(record, rules)), list(record.get("decisions", []))))
    Play(rules, boxes_of(record, rules), source).run()
    return [op_to_dict(op) for op in source.ops]
