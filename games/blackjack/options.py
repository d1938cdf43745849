"""The options that an event may set differently from its sheet, with their values and their sentences.

An option is a field of ``HouseRules`` of the same name. ``option_catalogue`` is for the set-up page and the
posted rules; ``options_check`` checks hand records and an event's settings. ``question`` and ``sentences``
are marked for translation; a page translates them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from games.blackjack.rules import HouseRules
from games.blackjack.words import QUESTIONS
from games.protocol import Option
from ground.refused import Refused
from ground.words import shown


def _always(sheet: HouseRules) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Where:
    """The sheets that an option makes sense on, and on which it can have some of its values."""

    offered: Callable[[HouseRules], bool] = _always
    own_only: tuple[object, ...] = ()  # values that no other sheet can be set to


def _hole_card_is_open(sheet: HouseRules) -> bool:
    """A dealer without a hole card could not check it, and nobody would see a joker that lies face down."""
    return not sheet.looks_under and not sheet.joker


def _no_look_at_ace(sheet: HouseRules) -> bool:
    """If the dealer checks under an ace, the check ends insurance."""
    return "A" not in sheet.looks_under


def _natural_can_be_late(sheet: HouseRules) -> bool:
    return not {"A", "T"} <= set(sheet.looks_under)


def _surrenders(sheet: HouseRules) -> bool:
    return sheet.surrender != "none"


def _has_line(sheet: HouseRules) -> bool:
    return sheet.line_chip


def _has_no_line(sheet: HouseRules) -> bool:
    """Several blackjacks would leave several chips on one line, and a half on the line is not rounded."""
    return not sheet.line_chip


def _shares(sheet: HouseRules) -> bool:
    return sheet.players_per_box != 1


EVERYWHERE = Where()
ONLY: dict[str, Where] = {
    "hole_card": Where(_hole_card_is_open),
    "insurance_closes": Where(_no_look_at_ace, own_only=("look",)),
    "max_hands": Where(own_only=(None,)),
    "split_natural": Where(_has_no_line),
    "surrender": Where(own_only=("late", "not_against_ace")),
    "surrender_after_split": Where(_surrenders),
    "late_natural": Where(_natural_can_be_late),
    "line_chip_push": Where(_has_line),
    "halves": Where(_has_no_line, own_only=(None,)),
    "shared_max": Where(_shares),
}
"""The options that make sense only on some sheets; all others of ``words.QUESTIONS`` make sense on each."""

NEEDS: dict[tuple[str, object], tuple[str, Callable[[HouseRules], bool]]] = {
    ("double_soft_low", True): ("double 9-11", lambda rules: rules.double == "9-11"),
    ("surrender_after_split", True): ("surrender", _surrenders),
    ("even_money_returns_insurance", False): ("even_money", lambda rules: rules.even_money),
}
"""Options that only have an effect together with another one, and that other one."""


def option_values(sheet: HouseRules, option: str) -> tuple[object, ...]:
    """Return the values that a record may give ``option`` on ``sheet``; none if the option makes no sense
    there."""
    known = ONLY.get(option, EVERYWHERE)
    if not known.offered(sheet):
        return ()
    own = getattr(sheet, option)
    return tuple(
        value
        for value in QUESTIONS[option].says
        if value not in known.own_only or (value is not None and value == own)
    )


def option_catalogue(sheet: HouseRules) -> list[Option]:
    """Return every option that a director may choose on ``sheet``, in the order of the rows."""
    found = []
    for name in QUESTIONS:
        default = getattr(sheet, name)
        values = option_values(sheet, name)
        if default not in values:
            values = (*values, default)
        if len(values) < 2:
            continue
        asked = QUESTIONS[name]
        sentences = tuple(asked.says[value] for value in values)
        found.append(Option(name, asked.row, values, default, asked.asks, sentences))
    return found


def options_check(sheet: HouseRules, options: object) -> dict[str, Any]:
    """Return ``options`` of an event or a record, after checking that each is known and has a possible value.

    Raises Refused ``bad_options``.
    """
    if not isinstance(options, dict):
        raise Refused("bad_options", "Options are an object of option and value.")
    for option, value in options.items():
        if option not in QUESTIONS:
            raise Refused(
                "bad_options",
                "Option %(option)s is not known; there are: %(questions)s.",
                option=shown(option),
                questions=", ".join(QUESTIONS),
            )
        allowed = option_values(sheet, option)
        if not allowed:
            raise Refused(
                "bad_options",
                "Option %(option)s has no meaning with %(sheet)s; leave it out.",
                option=option,
                sheet=sheet.name,
            )
        if not any(type(value) is type(ok) and value == ok for ok in allowed):
            words = ", ".join(str(ok) for ok in allowed)
            raise Refused(
                "bad_options",
                "Option %(option)s can be %(words)s with %(sheet)s, not %(value)s.",
                option=option,
                words=words,
                sheet=sheet.name,
                value=shown(value),
            )
    return dict(options)


def options_fit(rules: HouseRules, options: Mapping[str, Any]) -> None:
    """Refuse ``bad_options`` if one of ``options`` has no effect with the others in ``rules``."""
    for option, value in options.items():
        needed = NEEDS.get((option, value))
        if needed is not None and not needed[1](rules):
            raise Refused(
                "bad_options",
                "Option %(option)s as %(value)s needs %(needed)s; leave it out.",
                option=option,
                value=value,
                needed=needed[0],
            )
