"""A simulated shoe: all its cards in the order shuffled by a recorded seed (T10, T11)."""

from dataclasses import dataclass

from games.blackjack.cards import DECK, JOKER
from ground.chance import Stream, shuffle
from ground.refused import Refused

CUT_FROM_END_CARDS = 52
"""About one deck lies behind the cut card (T11)."""

BURNED_CARDS = 1
DECKS_ALLOWED = (4, 6, 8)


@dataclass(frozen=True, slots=True)
class Shoe:
    """``cards`` in the order in which they leave, the burned one first; ``cut`` cards are before the cut
    card."""

    seed: bytes
    decks: int
    cards: tuple[str, ...]
    cut: int

    @property
    def burned(self) -> str:
        """The card that is burned before the first deal (T11)."""
        return self.cards[0]

    def cut_is_out(self, dealt: int) -> bool:
        """Whether the cut card is out once ``dealt`` cards, including the burned one, are gone.

        The deal in which it comes is finished, and is the last one (T11).
        """
        return dealt >= self.cut


def shoe_make(
    seed: bytes, decks: int, cut_from_end: int = CUT_FROM_END_CARDS, *, joker: bool = False
) -> Shoe:
    """Return the shoe shuffled by ``seed``: the generator of the public draw, Fisher-Yates over whole decks.

    ``decks`` 4, 6 or 8; ``joker`` adds the joker of a sheet that has one. Raises Refused
    ``decks_not_allowed`` or ``bad_cut``.
    """
    if decks not in DECKS_ALLOWED:
        raise Refused("decks_not_allowed", "A shoe holds 4, 6 or 8 decks, not %(decks)s.", decks=decks)
    ordered = [*DECK * decks, *([JOKER] if joker else [])]
    if not 0 <= cut_from_end < len(ordered) - BURNED_CARDS:
        raise Refused(
            "bad_cut",
            "The cut card cannot lie %(cut_from_end)s cards from the end of %(n)s.",
            cut_from_end=cut_from_end,
            n=len(ordered),
        )
    cards = shuffle(ordered, Stream(seed))
    return Shoe(seed=seed, decks=decks, cards=tuple(cards), cut=len(cards) - cut_from_end)
