"""The seed of all tests that draw at random: 0 in the gate, another one in each run of `make soak`.

A run names its seed at the top; ``make soak SEED=…`` plays it again.
"""

import os
import random
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
NAME = "CUTLINE_SEED"


def run_seed() -> int:
    """Return the seed of this run."""
    return int(os.environ.get(NAME, "0"))


def chance_of(what: str) -> random.Random:
    """Return a source of chance for ``what``: the same one for the same seed."""
    return random.Random(f"{what} {run_seed()}")


def turn(values: Sequence[T], many: int, *, after: int = 0) -> list[T]:
    """Return ``many`` of the values; the next seed, and the next ``after``, gives the values behind them."""
    start = (run_seed() + after) * many
    return [values[(start + n) % len(values)] for n in range(min(many, len(values)))]


@contextmanager
def drawn_from(what: str) -> Iterator[None]:
    """Let ``secrets`` draw from the seed and ``what``, so that every run draws the same seats and shoes."""
    chance = chance_of(what)

    def token_bytes(nbytes: int | None = None) -> bytes:
        return chance.randbytes(32 if nbytes is None else nbytes)

    before: Callable[..., bytes] = secrets.token_bytes
    secrets.token_bytes = token_bytes  # its neighbours token_hex and token_urlsafe call it
    try:
        yield
    finally:
        secrets.token_bytes = before
