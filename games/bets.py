"""The bet limits of a table, with the same keys in every game's record and every event's settings (T12)."""

from __future__ import annotations

from collections.abc import Mapping

from ground.words import Sentence

MOST_CHIPS = 10**12
"""More than any table has; a larger limit is a typing error."""

LIMIT_WORDS = {
    "min": Sentence("The smallest bet"),
    "max": Sentence("The largest bet"),
    "step": Sentence("The step of bets"),
    "chip": Sentence("The value of the smallest chip"),
}
"""The keys of the limits in a hand record → their names in a sentence."""

Wrong = tuple[str, str, Sentence]
"""(limit, code, sentence)."""


def largest_bet(limits: Mapping[str, int]) -> int:
    """Return the largest possible bet, in chips: the last step at or below the maximum (T12)."""
    return limits["max"] - limits["max"] % limits["step"]
