"""The draw that players can check: one generator for seats, buttons and simulated shoes (T4, T14, T21).

A secret is committed to (its SHA-256 is posted), the roster is locked, five cards are cut in public,
and only then is everything mixed into a seed. Neither the house, who knew the secret, nor a player,
who chose the cards, can steer what comes out. Ten lines of anybody's code repeat it.
"""

import hmac
import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from tournament.engine.canonical import canonical_json, sha256_hex
from tournament.engine.refused import Refused

Item = TypeVar("Item")

SECRET_BYTES = 32
PUBLIC_CARDS = 5
BLOCK_VALUES = 1 << 64
RANKS = "A23456789TJQK"
SUITS = "CDHS"


class Stream:
    """Numbers drawn from a seed, in an order that anybody with the seed can repeat.

    Block ``n`` is the first eight bytes, big-endian, of HMAC-SHA256(seed, n as eight bytes).
    """

    __slots__ = ("_next", "_seed")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._next = 0

    def block(self) -> int:
        """The next number below 2^64."""
        message = self._next.to_bytes(8, "big")
        self._next += 1
        return int.from_bytes(hmac.digest(self._seed, message, "sha256")[:8], "big")

    def below(self, k: int) -> int:
        """A number from 0 to ``k`` − 1, every one equally likely; ``k`` is 1 to 2^64."""
        if not 1 <= k <= BLOCK_VALUES:
            raise ValueError(f"cannot draw a number below {k}")
        # The top of the range would make small remainders likelier than large ones: draw again.
        limit = BLOCK_VALUES - BLOCK_VALUES % k
        number = self.block()
        while number >= limit:
            number = self.block()
        return number % k


def shuffle(items: Iterable[Item], stream: Stream) -> list[Item]:
    """A shuffled copy of ``items``: Fisher-Yates from the last place down."""
    shuffled = list(items)
    for i in range(len(shuffled) - 1, 0, -1):
        j = stream.below(i + 1)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return shuffled


def seed_make(
    secret: bytes, event: str, number: int, roster: Iterable[str], cards: str, *extra: Any
) -> bytes:
    """The seed of one draw, 32 bytes.

    ``event`` is the posted code of the event, ``number`` the number of the draw, ``cards`` the five
    public cards or the empty string; ``extra`` names a further use of the same draw (a button).
    """
    message = canonical_json([event, number, sorted(roster), cards, *extra])
    return hmac.digest(secret, message.encode(), "sha256")


def draw_order(secret: bytes, event: str, number: int, entries: Sequence[str], cards: str) -> list[str]:
    """The entries in the order in which they take the open seats (T4, T21).

    Refuses a secret that is not 32 bytes, an entry that is there twice, and a draw of nobody.
    """
    secret_check(secret)
    roster_check(entries)
    stream = Stream(seed_make(secret, event, number, entries, cards))
    return shuffle(sorted(entries), stream)


def button_box(
    secret: bytes,
    event: str,
    number: int,
    roster: Sequence[str],
    cards: str,
    table: int,
    occupied: Iterable[int],
) -> int:
    """The box whose player bets first at ``table`` (T14), one of the occupied boxes."""
    secret_check(secret)
    roster_check(roster)
    boxes = sorted(occupied)
    if not boxes:
        raise Refused("table_empty", f"Table {table} has nobody seated, so no button can be drawn for it.")
    stream = Stream(seed_make(secret, event, number, roster, cards, "button", table))
    return boxes[stream.below(len(boxes))]


def commitment(secret: bytes) -> str:
    """What is posted before the draw: the SHA-256 of the secret, in hexadecimal."""
    secret_check(secret)
    return sha256_hex(secret)


def secret_parse(text: str) -> bytes:
    """A secret typed as 64 hexadecimal digits."""
    if not re.fullmatch(r"[0-9A-Fa-f]{64}", text):
        raise Refused(
            "secret_bad",
            f"The secret must be 64 hexadecimal digits (32 bytes); this has {len(text)} characters"
            " or one that is not 0–9 or a–f. Copy it whole from the draw's page.",
        )
    return bytes.fromhex(text)


def secret_check(secret: bytes) -> None:
    """Refuse a secret that is not 32 bytes long."""
    if len(secret) != SECRET_BYTES:
        raise Refused("secret_bad", f"The secret must be {SECRET_BYTES} bytes long, not {len(secret)}.")


def roster_check(entries: Sequence[str]) -> None:
    """Refuse a roster that is empty, names an entry twice or has a blank or broken code."""
    if not entries:
        raise Refused("roster_empty", "There is no entry to draw a seat for.")
    seen: set[str] = set()
    for code in entries:
        if not code or not code.isprintable() or any(sign.isspace() for sign in code):
            raise Refused("entry_bad", f"{code!a} is not an entry code: a code has no spaces, like E001.")
        if code in seen:
            raise Refused("entry_twice", f"Entry {code} is on the roster twice; every entry draws one seat.")
        seen.add(code)


def cards_parse(text: str) -> str:
    """Five cards of the public cut as they are hashed: ``kh 4d,7s ac 10d`` → ``KH 4D 7S AC TD``.

    Lower case and 10 are understood. Refuses any other number of cards, an unknown card and, as the
    deck that is cut is a single one, a card that is there twice.
    """
    typed = [word for word in re.split(r"[\s,]+", text) if word]
    if len(typed) != PUBLIC_CARDS:
        raise Refused(
            "cards_count",
            f"The cut exposes exactly {PUBLIC_CARDS} cards; {len(typed)} are typed. Like: KH 4D 7S AC 2D.",
        )
    cards = [_card_parse(word) for word in typed]
    for i, card in enumerate(cards):
        if card in cards[:i]:
            raise Refused(
                "cards_twice",
                f"{card} is there twice, and a single deck has it once. Look at the cards again.",
            )
    return " ".join(cards)


def _card_parse(word: str) -> str:
    card = word.upper()
    if card.startswith("10"):
        card = "T" + card[2:]
    if len(card) != 2 or card[0] not in RANKS or card[1] not in SUITS:
        raise Refused(
            "cards_bad",
            f"{word!a} is not a card: a rank (A 2–9 T J Q K) and a suit (C D H S), like KH or 7S.",
        )
    return card
