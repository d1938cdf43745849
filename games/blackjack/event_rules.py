"""The rules of an event: a sheet with the event's decks, bet limits and options, and their record.

``rules_make`` applies an event's choices to a sheet of ``rules.SHEETS``.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.bets import LIMIT_WORDS
from games.blackjack.limits import limits_wrong
from games.blackjack.options import options_check, options_fit
from games.blackjack.rules import LIMIT_FIELDS, SHEETS, HouseRules
from games.blackjack.words import QUESTIONS
from ground.refused import Refused
from ground.words import shown

OPTION_NAMES = tuple(QUESTIONS)
"""Every option, in the order of the rows."""


def rules_make(
    name: object, *, decks: object = None, limits: object = None, options: object = None
) -> HouseRules:
    """Return the sheet called ``name`` with an event's decks, bet limits and options; None keeps those of the
    sheet.

    ``limits`` is ``{"min", "max", "step", "chip"}`` in chips (A7); ``options`` as in the hand record. Raises
    Refused ``unknown_rules``, ``decks_not_allowed``, ``bad_limits`` or ``bad_options``.
    """
    sheet = SHEETS.get(name) if isinstance(name, str) else None
    if sheet is None:
        raise Refused(
            "unknown_rules",
            "Rules %(name)s are not known; choose one of: %(sheets)s.",
            name=shown(name),
            sheets=", ".join(SHEETS),
        )
    if decks is None and limits is None and options is None:
        return sheet
    return _made_once(sheet, decks, limits, options)


_made: dict[object, HouseRules] = {}
_MADE_AT_MOST = 1024


def _made_once(sheet: HouseRules, decks: object, limits: object, options: object) -> HouseRules:
    """Return the rules of these settings from a cache: an event's records repeat the same few."""
    try:
        # Unlike a dictionary key, the text distinguishes 1, True and 1.0.
        key = (sheet.name, repr(decks), repr(limits), repr(options))
    except (ValueError, RecursionError):
        # Too long or too deep for a text, so they are no valid settings.
        return _make(sheet, decks, limits, options)
    rules = _made.get(key)
    if rules is None:
        rules = _make(sheet, decks, limits, options)
        if len(_made) >= _MADE_AT_MOST:
            _made.clear()
        _made[key] = rules
    return rules


def _make(sheet: HouseRules, decks: object, limits: object, options: object) -> HouseRules:
    changes: dict[str, Any] = {}
    if decks is not None:
        changes["decks"] = _decks(sheet, decks)
    if options is not None:
        changes.update(options_check(sheet, options))
    if limits is not None:
        changes.update(_limits(replace(sheet, **changes), limits))
    rules = replace(sheet, **changes)
    if isinstance(options, dict):
        options_fit(rules, options)
    return rules


def _decks(sheet: HouseRules, decks: object) -> int:
    if type(decks) is not int or decks not in sheet.decks_allowed:
        allowed = " or ".join(str(n) for n in sheet.decks_allowed)
        raise Refused(
            "decks_not_allowed",
            "%(sheet)s is played with %(allowed)s decks, not %(decks)s.",
            sheet=sheet.name,
            allowed=allowed,
            decks=shown(decks),
        )
    return decks


def _limits(rules: HouseRules, limits: object) -> dict[str, int]:
    """Return an event's limits, all four given; halves must be whole chips if the rules need it (A7, T12).

    ``rules`` have the options already, which decide about halves.
    """
    if not isinstance(limits, dict) or set(limits) != set(LIMIT_FIELDS):
        raise Refused("bad_limits", "Limits are an object with min, max, step and chip, all four.")
    for word, chips in limits.items():
        if type(chips) is not int:
            raise Refused(
                "bad_limits",
                "%(limit_words)s must be whole chips, not %(chips)s.",
                limit_words=LIMIT_WORDS[word],
                chips=shown(chips),
            )
    wrong = limits_wrong(limits, odd_halves=rules.odd_halves)
    if wrong:
        raise Refused("bad_limits", wrong[0][2])
    return {LIMIT_FIELDS[word]: chips for word, chips in limits.items()}


def rules_record(rules: HouseRules) -> dict[str, Any]:
    """Return the fields of a hand record for these rules: ``rules``, and the differences to the sheet.

    ``rules_make`` makes equal rules from these fields.
    """
    sheet = SHEETS[rules.name]
    fields_of_record: dict[str, Any] = {"rules": rules.name}
    if rules.decks != sheet.decks:
        fields_of_record["decks"] = rules.decks
    if rules.limits != sheet.limits:
        fields_of_record["limits"] = rules.limits
    changed = options_differing(sheet, {name: getattr(rules, name) for name in OPTION_NAMES})
    if changed:
        fields_of_record["options"] = changed
    return fields_of_record


def options_differing(sheet: HouseRules, chosen: Mapping[str, object]) -> dict[str, object]:
    """Return the options in ``chosen`` that differ from the sheet: the ``options`` of a record."""
    return {name: value for name, value in chosen.items() if value != getattr(sheet, name)}
