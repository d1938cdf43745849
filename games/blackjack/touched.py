"""The operation that dealt each card on the table, for a page on which a person taps a card."""

from dataclasses import dataclass, replace

from games.blackjack.deal import Deal, deal_replay
from games.blackjack.ops import CardBurned, CardDrawn, CardExposed, HoleCard, HoleTurned, Op


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
