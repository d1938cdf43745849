"""The bet limits of a table, in the words that every game's record and every event's settings share (T12)."""

from __future__ import annotations

from collections.abc import Mapping

from ground.words import Sentence
from ground.words import gettext_noop as _

MOST_CHIPS = 10**12
"""More than any table has; beyond it a limit is a slip of the hand."""

LIMIT_WORDS = {
    "min": Sentence(_("The smallest bet")),
    "max": Sentence(_("The largest bet")),
    "step": Sentence(_("The step of bets")),
    "chip": Sentence(_("The value of the smallest chip")),
}
"""The limits in the words of the hand record → how a sentence names them."""

Wrong = tuple[str, str, Sentence]
"""(limit, code, sentence)."""


def largest_bet(limits: Mapping[str, int]) -> int:
    """The largest bet that can be made, in chips: the last step at or below the maximum (T12)."""
    return limits["max"] - limits["max"] % limits["step"]
