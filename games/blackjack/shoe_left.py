"""The cards that have left a real shoe: none more often than it holds, none after the last (T10, T11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from games.blackjack.cards import DECK, JOKER
from games.blackjack.shoe import BURNED_CARDS, CUT_FROM_END_CARDS
from ground.refused import Refused

CARDS_A_HAND_LEAST = 3
"""One box with two cards and the dealer's first: no settled hand takes fewer."""
CARDS_A_BOX_MAX = 5
"""If a hand's cards are unknown, the most that each of its boxes and the dealer had on average."""


def shoe_size(decks: int, *, joker: bool) -> int:
    """Return the number of cards in a full shoe."""
    return len(DECK) * decks + joker


def cards_check(out: Mapping[str, int], cards: Sequence[str], decks: int, *, joker: bool) -> None:
    """Refuse ``cards`` that cannot come from a shoe that ``out`` has left, one card burned unseen.

    Raises Refused ``shoe_empty`` for a card after the last, ``card_used_up`` for a card that is no longer in
    the shoe.
    """
    size, before = shoe_size(decks, joker=joker), BURNED_CARDS + sum(out.values())
    if before + len(cards) > size:
        raise Refused(
            "shoe_empty",
            "The shoe holds %(size)s cards and %(before)s of them had left it before this "
            "hand, which cannot have %(n)s. Look at the cards of this hand and of those "
            "before.",
            size=size,
            before=before,
            n=len(cards),
        )
    for card, now in Counter(cards).items():
        held = 1 if card == JOKER else decks
        if out.get(card, 0) + now > held:
            raise Refused(
                "card_used_up",
                "%(card)s would have left this shoe %(given)s times, which holds it once."
                " Look at the cards of this hand and of those before."
                if held == 1
                else "%(card)s would have left this shoe %(given)s times, which holds it %(held)s times."
                " Look at the cards of this hand and of those before.",
                card=card,
                given=out.get(card, 0) + now,
                held=held,
            )


def why_not_over(out: int, boxes: Collection[int], decks: int, *, joker: bool) -> Refused | None:
    """Return why a shoe cannot end without a reason: its cut card cannot be out yet (T11).

    ``out``: the number of cards known to have left it. ``boxes``: the number of bets in each hand with
    unknown cards. The cut card lies about a deck from the end, so with more than two full decks left it
    cannot be out.
    """
    size = shoe_size(decks, joker=joker)
    at_most = BURNED_CARDS + out + sum(CARDS_A_BOX_MAX * (n + 1) for n in boxes)
    if at_most >= size - 2 * CUT_FROM_END_CARDS:
        return None
    return Refused(
        "cut_card_not_out",
        "At most %(at_most)s of the %(size)s cards can have left this shoe, so its cut card is not out"
        " yet. To end it all the same, give the reason."
        if boxes
        else "%(at_most)s of the %(size)s cards can have left this shoe, so its cut card is not out yet."
        " To end it all the same, give the reason.",
        at_most=at_most,
        size=size,
    )


def hands_most(out: int, hands: int, decks: int, *, joker: bool) -> int:
    """Return an upper bound of the hands left in a shoe, wherever its cut card lies (T11).

    ``out``: the number of cards known to have left it. ``hands``: the number of settled hands, whose cards
    may be unknown.
    """
    gone = max(out, BURNED_CARDS + CARDS_A_HAND_LEAST * hands)
    return max(0, shoe_size(decks, joker=joker) - gone) // CARDS_A_HAND_LEAST
