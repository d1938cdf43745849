"""What the long walks try today: each day other rounds, values and races, so that days add up to all of them.

The same draw again would tell nothing new. A run says its day at the top; ``CUTLINE_LONG_DAY`` plays that day
again, anywhere.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import TypeVar

T = TypeVar("T")
NAME = "CUTLINE_LONG_DAY"


def settle_day() -> int:
    """The day of this run, for all its processes, also where it goes on past midnight."""
    days = (datetime.now(UTC).date() - date(2026, 1, 1)).days
    return int(os.environ.setdefault(NAME, str(days)))


def today() -> int:
    """The number of the day."""
    return settle_day()


def chance_of(what: str) -> random.Random:
    """The day's luck for ``what``."""
    return random.Random(f"{what} {today()}")


def turn(values: Sequence[T], many: int, *, after: int = 0) -> list[T]:
    """``many`` of the values, the next ones tomorrow; ``after`` begins further on, for who tries others."""
    start = (today() + after) * many
    return [values[(start + n) % len(values)] for n in range(min(many, len(values)))]
