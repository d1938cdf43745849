"""The bet limits of a table, and why some of them are impossible (A7, T12).

The hand record, the sheets and an event's settings all use this module.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.bets import LIMIT_WORDS, MOST_CHIPS, Wrong
from ground.words import Sentence


def limits_wrong(limits: Mapping[str, int], *, odd_halves: bool, most_chips: int = MOST_CHIPS) -> list[Wrong]:
    """Return the mistakes in the limits of a table, in chips: one per limit, empty if they can be played.

    ``odd_halves``: half a bet need not be whole chips, because it stays on the line or is rounded (row 23,
    A7). The largest bet need not be a multiple of the step: T12 requires it of the smallest and of every bet,
    and ``largest_bet`` returns the possible maximum. ``most_chips`` bounds them all.
    """
    found = {
        word: (
            word,
            "out_of_range",
            Sentence(
                "%(limit)s must be from 1 to %(most_chips)s.",
                limit=LIMIT_WORDS[word],
                most_chips=f"{most_chips:,}",
            ),
        )
        for word in LIMIT_WORDS
        if not 1 <= limits[word] <= most_chips
    }
    low, high, step, chip = (limits[word] for word in ("min", "max", "step", "chip"))
    if "chip" in found:
        return list(found.values())  # nothing can be a multiple of it
    unit, code = (chip, "not_whole_chips") if odd_halves else (2 * chip, "not_twice_chip")
    if step < 1 or step % unit:
        sentence = Sentence(
            "%(limit)s must be a multiple of %(unit)s, the chip."
            if odd_halves
            else "%(limit)s must be a multiple of %(unit)s, twice the chip, so that half a bet is whole "
            "chips, or halves must be rounded for the players or for the house.",
            limit=LIMIT_WORDS["step"],
            unit=f"{unit:,}",
        )
        found["step"] = ("step", code, sentence)
    elif "min" not in found and low % step:
        sentence = Sentence(
            "%(limit)s must be a multiple of the step, %(step)s.", limit=LIMIT_WORDS["min"], step=f"{step:,}"
        )
        found["min"] = ("min", "not_on_step", sentence)
    if high < low and not {"min", "max"} & set(found):
        sentence = Sentence(
            "%(limit)s must be at least the smallest bet, %(low)s.", limit=LIMIT_WORDS["max"], low=f"{low:,}"
        )
        found["max"] = ("max", "below_bet_min", sentence)
    return list(found.values())
