"""Chance that anybody can repeat: a stream of numbers from a seed, and commitments to secrets.

The house commits to a secret by posting its SHA-256 before anything else is known; a seed is mixed from the
secret and from public choices. All chance in Cutline comes from such a seed.
"""

import hmac
import re
from collections.abc import Iterable
from typing import Any, TypeVar

from ground.canonical import canonical_json, sha256_hex
from ground.refused import Refused

Item = TypeVar("Item")

SECRET_BYTES = 32
BLOCK_VALUES = 1 << 64


class Stream:
    """Numbers drawn from a seed, in an order that anybody with the seed can repeat.

    Block ``n`` is the first eight bytes, big-endian, of HMAC-SHA256(seed, n as eight bytes).
    """

    __slots__ = ("_next", "_seed")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._next = 0

    def block(self) -> int:
        """Return the next number below 2^64."""
        message = self._next.to_bytes(8, "big")
        self._next += 1
        return int.from_bytes(hmac.digest(self._seed, message, "sha256")[:8], "big")

    def below(self, k: int) -> int:
        """Return a number from 0 to ``k`` − 1, every one equally likely; ``k`` is 1 to 2^64."""
        if not 1 <= k <= BLOCK_VALUES:
            raise ValueError(f"cannot draw a number below {k}")
        # The top of the range would make small remainders more likely than large ones: draw again.
        limit = BLOCK_VALUES - BLOCK_VALUES % k
        number = self.block()
        while number >= limit:
            number = self.block()
        return number % k


def shuffle(items: Iterable[Item], stream: Stream) -> list[Item]:
    """Return a shuffled copy of ``items``: Fisher-Yates from the last place down."""
    shuffled = list(items)
    for i in range(len(shuffled) - 1, 0, -1):
        j = stream.below(i + 1)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return shuffled


def seed_make(
    secret: bytes, event: str, number: int, roster: Iterable[str], cards: str, *extra: Any
) -> bytes:
    """Return the seed of one draw, 32 bytes.

    ``event``: the posted code of the event. ``number``: the number of the draw. ``cards``: the five public
    cards or the empty string. ``extra``: names a further use of the same draw (a button).
    """
    message = canonical_json([event, number, sorted(roster), cards, *extra])
    return hmac.digest(secret, message.encode(), "sha256")


def commitment(secret: bytes) -> str:
    """Return the commitment to post before the draw: the SHA-256 of the secret, in hexadecimal."""
    secret_check(secret)
    return sha256_hex(secret)


def secret_parse(text: str) -> bytes:
    """Return the secret typed as 64 hexadecimal digits."""
    if not re.fullmatch(r"[0-9A-Fa-f]{64}", text):
        raise Refused(
            "secret_bad",
            "The secret must be 64 hexadecimal digits (32 bytes); this has %(n)s "
            "characters or one that is not 0–9 or a–f. Copy it whole from the draw's page.",
            n=len(text),
        )
    return bytes.fromhex(text)


def secret_check(secret: bytes) -> None:
    """Refuse a secret that is not 32 bytes long."""
    if len(secret) != SECRET_BYTES:
        raise Refused(
            "secret_bad",
            "The secret must be %(secret_bytes)s bytes long, not %(n)s.",
            secret_bytes=SECRET_BYTES,
            n=len(secret),
        )
