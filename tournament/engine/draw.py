"""The draw that players can verify: one generator for seats, buttons and simulated shoes (T4, T14, T21).

The house commits to a secret by posting its SHA-256, the roster is locked, five cards are cut in public, and
only then are all of them mixed into a seed. Neither the house, which knew the secret, nor a player, who chose
the cards, can steer the result. Ten lines of code in any language repeat it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from ground.chance import Stream, secret_check, seed_make, shuffle
from ground.refused import Refused

PUBLIC_CARDS = 5
RANKS = "A23456789TJQK"
SUITS = "CDHS"


def draw_order(secret: bytes, event: str, number: int, entries: Sequence[str], cards: str) -> list[str]:
    """Return the entries in the order in which they take the open seats (T4, T21).

    Refuses a secret that is not 32 bytes, an entry listed twice, and an empty roster.
    """
    secret_check(secret)
    roster_check(entries)
    stream = Stream(seed_make(secret, event, number, entries, cards))
    return shuffle(sorted(entries), stream)


def seats_drawn(
    secret: bytes, event: str, number: int, roster: Sequence[str], cards: str, seats: Iterable[Sequence[int]]
) -> tuple[list[tuple[str, int, int]], dict[int, int]]:
    """Return entry, table and box in the order of the draw, and the button of every table (T4, T14, T21).

    Refuses what ``draw_order`` refuses. Raises ValueError if the number of open seats is not that of entries.
    """
    order = draw_order(secret, event, number, roster, cards)
    drawn = [(code, table, box) for code, (table, box) in zip(order, seats, strict=True)]
    boxes = defaultdict[int, list[int]](list)
    for _code, table, box in drawn:
        boxes[table].append(box)
    mixed = (secret, event, number, roster, cards)
    return drawn, {table: button_drawn(*mixed, (table,), boxes[table]) for table in sorted(boxes)}


def button_drawn(
    secret: bytes,
    event: str,
    number: int,
    roster: Sequence[str],
    cards: str,
    at: tuple[int, ...],
    occupied: Iterable[int],
) -> int:
    """Return the button that the draw gives a table: one of its occupied boxes, at least one (T14).

    ``at``: the table, and of a further shoe its number too. Anybody with the posted draw can repeat it.
    """
    boxes = sorted(occupied)
    stream = Stream(seed_make(secret, event, number, roster, cards, "button", *at))
    return boxes[stream.below(len(boxes))]


def roster_check(entries: Sequence[str]) -> None:
    """Refuse a roster that is empty, names an entry twice or has a blank or broken code."""
    if not entries:
        raise Refused("roster_empty", "There is no entry to draw a seat for.")
    seen: set[str] = set()
    for code in entries:
        if not code or not code.isprintable() or any(sign.isspace() for sign in code):
            raise Refused(
                "entry_bad",
                "%(what)s is not an entry code: a code has no spaces, like E001.",
                what=f"{code!a}",
            )
        if code in seen:
            raise Refused(
                "entry_twice", "Entry %(what)s is on the roster twice; every entry draws one seat.", what=code
            )
        seen.add(code)


def cards_parse(text: str) -> str:
    """Return the five cards of the public cut in the form that is hashed: ``kh 4d,7s ac 10d`` → ``KH 4D 7S AC
    TD``.

    Lower case and 10 are accepted. Refuses any other number of cards, an unknown card and, since a single
    deck is cut, a card listed twice.
    """
    typed = [word for word in re.split(r"[\s,]+", text) if word]
    if len(typed) != PUBLIC_CARDS:
        raise Refused(
            "cards_count",
            "Type exactly %(public_cards)s cards, like KH 4D 7S AC 2D. You typed %(n)s.",
            public_cards=PUBLIC_CARDS,
            n=len(typed),
        )
    cards = [_card_parse(word) for word in typed]
    for i, card in enumerate(cards):
        if card in cards[:i]:
            raise Refused(
                "cards_twice",
                "%(card)s is there twice, and a single deck has it once. Look at the cards again.",
                card=card,
            )
    return " ".join(cards)


def _card_parse(word: str) -> str:
    card = word.upper()
    if card.startswith("10"):
        card = "T" + card[2:]
    if len(card) != 2 or card[0] not in RANKS or card[1] not in SUITS:
        raise Refused(
            "cards_bad",
            "%(word)s is not a card: a rank (A 2–9 T J Q K) and a suit (C D H S), like KH or 7S.",
            word=f"{word!a}",
        )
    return card
