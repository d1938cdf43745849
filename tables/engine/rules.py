"""House rules: one frozen object of settings per sheet, and nothing that looks at a sheet's name.

Each field is a row of the house-rule table. ``SHEETS`` holds the five posted sheets as data;
``rules_make`` takes one and applies what an event sets otherwise (decks, limits, options).
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from tables.engine.words import shown
from tournament.engine.refused import Refused

MOST_CHIPS = 10**12
"""More than any table has; beyond it a limit is a slip of the hand."""

LIMIT_FIELDS = {
    "min": "min_chips",
    "max": "max_chips",
    "step": "step_chips",
    "chip": "chip_chips",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """Everything an engine has to know about the game at one table. Amounts are whole chips.

    The number in a comment is the row of the house-rule table.
    """

    name: str
    decks: int  # 1
    decks_allowed: tuple[int, ...]  # 1
    joker: bool = False  # 1: one joker in the shuffler
    min_chips: int  # 2
    max_chips: int  # 2
    step_chips: int  # 2
    chip_chips: int  # 2: value of the smallest chip
    hole_card: bool  # 3: the dealer's second card is dealt face down before play
    looks_under: str = ""  # 4: first cards, "A" and "T" (any ten-value), under which the dealer looks
    soft17: str = "stand"  # 5: "hit" or "stand"
    natural_pays: tuple[int, int] = (3, 2)  # 6
    paid_at_once: tuple[int, int] = (2, 9)  # 7: dealer's first cards against which a natural is paid at once
    insurance: str = "half"  # 8: "half" exactly, or "up_to_half"
    insurance_from_half_minimum: bool = False  # 8: at least half the table's minimum
    natural_may_insure: bool = True  # 9
    insurance_closes: str = "play"  # 10: "look", "play" (before anyone plays) or "third_card"
    even_money: bool = True  # 11
    even_money_returns_insurance: bool = True  # 11
    double: str = "any"  # 12: "any" or "9-11"
    double_amount: str = "equal"  # 13: "equal" or "up_to"
    double_after_split: bool = True  # 14
    split: str = "value"  # 15: "value" or "rank"
    max_hands: int | None = 4  # 16: None is no limit
    resplit_aces: bool = False  # 17
    split_cards: str = "reached"  # 18: second cards "reached" (when the hand is) or "both" at once
    surrender: str = "none"  # 20: "none", "late" (after the look, unsplit) or "not_against_ace"
    draw_on_21: bool = True  # 21
    line_chip: bool = False  # 23: odd halves of a natural lie on the line
    side_bets: tuple[str, ...] = ()  # 24
    players_per_box: int | None = 1  # 25: None is no limit

    @property
    def limits(self) -> dict[str, int]:
        """The bet limits in the words of the hand record."""
        return {word: getattr(self, field) for word, field in LIMIT_FIELDS.items()}

    def insurance_range(self, bet_chips: int) -> tuple[int, int, int]:
        """Least, most and step of the insurance of a bet, in chips (row 8); none if least is above most."""
        chip = self.chip_chips
        if self.insurance == "half":
            return (bet_chips // 2, bet_chips // 2, 1) if bet_chips % 2 == 0 else (chip, 0, chip)
        low = -(-self.min_chips // 2) if self.insurance_from_half_minimum else chip
        return -(-low // chip) * chip, bet_chips // 2 // chip * chip, chip

    def to_dict(self) -> dict[str, Any]:
        """All settings as JSON values, for an event to snapshot and hash."""
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()}

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> "HouseRules":
        """The rules that ``to_dict`` wrote.

        Raises Refused ``bad_options`` if a setting is missing or not one of ours.
        """
        if set(settings) != {field.name for field in fields(cls)}:
            raise Refused("bad_options", "These are not the settings of one house-rule sheet.")
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in settings.items()}
        return cls(**values)


SHEETS: dict[str, HouseRules] = {
    rules.name: rules
    for rules in (
        HouseRules(
            name="wonder",
            decks=6,
            decks_allowed=(6, 8),
            min_chips=200,
            max_chips=1000,
            step_chips=200,
            chip_chips=100,
            hole_card=True,
            looks_under="AT",
            soft17="hit",
            insurance="up_to_half",
            insurance_closes="look",
            split="rank",
            surrender="late",
        ),
        HouseRules(
            name="eca",
            decks=6,
            decks_allowed=(6,),
            min_chips=10,
            max_chips=500,
            step_chips=10,
            chip_chips=5,
            hole_card=False,
            double="9-11",
            max_hands=None,
            resplit_aces=True,
            draw_on_21=False,
            players_per_box=4,
        ),
        HouseRules(
            name="banco",
            decks=6,
            decks_allowed=(6,),
            min_chips=5,
            max_chips=200,
            step_chips=5,
            chip_chips=5,
            hole_card=False,
            insurance="up_to_half",
            insurance_from_half_minimum=True,
            natural_may_insure=False,
            insurance_closes="third_card",
            surrender="not_against_ace",
            line_chip=True,
            players_per_box=3,
        ),
        HouseRules(
            name="ggpoker",
            decks=6,
            decks_allowed=(4, 6, 8),
            min_chips=10,
            max_chips=1000,
            step_chips=10,
            chip_chips=1,
            hole_card=True,
            looks_under="A",
            double_amount="up_to",
            double_after_split=False,
            max_hands=2,
            split_cards="both",
            draw_on_21=False,
        ),
        HouseRules(
            name="wiesbaden",
            decks=6,
            decks_allowed=(4, 6, 8),
            joker=True,
            min_chips=10,
            max_chips=500,
            step_chips=10,
            chip_chips=5,
            hole_card=False,
            insurance="up_to_half",
            double="9-11",
            side_bets=("twins", "crazy_twins"),
            players_per_box=None,
        ),
    )
}

OPTION_VALUES: dict[str, tuple[object, ...]] = {
    "soft17": ("hit", "stand"),
    "draw_on_21": (True, False),
    "double": ("any", "9-11"),
    "double_after_split": (True, False),
    "surrender": ("none",),  # and the sheet's own
    "split": ("rank", "value"),
    "max_hands": (2, 3, 4),
    "resplit_aces": (True, False),
    "even_money": (True, False),
    "natural_may_insure": (True, False),
}


def option_values(sheet: HouseRules, option: str) -> tuple[object, ...]:
    """What ``option`` may be set to on ``sheet``: surrender is none, or the one that the sheet knows."""
    values = OPTION_VALUES[option]
    own = getattr(sheet, option)
    return (*values, own) if option == "surrender" and own not in values else values


def rules_make(
    name: object, *, decks: object = None, limits: object = None, options: object = None
) -> HouseRules:
    """The sheet called ``name`` with an event's decks, bet limits and options; None leaves the sheet's own.

    ``limits`` is ``{"min", "max", "step", "chip"}`` in chips (A7); ``options`` as in the hand record.
    Raises Refused ``unknown_rules``, ``decks_not_allowed``, ``bad_limits`` or ``bad_options``.
    """
    sheet = SHEETS.get(name) if isinstance(name, str) else None
    if sheet is None:
        raise Refused(
            "unknown_rules", f"Rules {shown(name)} are not known; choose one of: {', '.join(SHEETS)}."
        )
    if decks is None and limits is None and options is None:
        return sheet
    return _made_once(sheet, decks, limits, options)


_made: dict[object, HouseRules] = {}
_MADE_AT_MOST = 1024


def _made_once(sheet: HouseRules, decks: object, limits: object, options: object) -> HouseRules:
    """What these settings came to the last time, or come to now: an event's records repeat the same few."""
    try:
        # The text tells 1 from True and from 1.0, which a dictionary key would not.
        key = (sheet.name, repr(decks), repr(limits), repr(options))
    except (ValueError, RecursionError):
        # Too long or too deep to be written out, so nothing that can be set.
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
    if limits is not None:
        changes.update(_limits(sheet, limits))
    if options is not None:
        changes.update(_options(sheet, options))
    return replace(sheet, **changes)


def _decks(sheet: HouseRules, decks: object) -> int:
    if type(decks) is not int or decks not in sheet.decks_allowed:
        allowed = " or ".join(str(n) for n in sheet.decks_allowed)
        raise Refused(
            "decks_not_allowed", f"{sheet.name} is played with {allowed} decks, not {shown(decks)}."
        )
    return decks


def _limits(sheet: HouseRules, limits: object) -> dict[str, int]:
    """An event's limits, all four given, such that every half is whole chips where it must be (A7, T12)."""
    if not isinstance(limits, dict) or set(limits) != set(LIMIT_FIELDS):
        raise Refused("bad_limits", "Limits are an object with min, max, step and chip, all four.")
    for word, chips in limits.items():
        if type(chips) is not int or not 1 <= chips <= MOST_CHIPS:
            raise Refused(
                "bad_limits", f"Limit {word} must be 1 to {MOST_CHIPS} whole chips, not {shown(chips)}."
            )
    if limits["min"] > limits["max"]:
        raise Refused("bad_limits", f"The minimum {limits['min']} is above the maximum {limits['max']}.")
    unit = limits["chip"] if sheet.line_chip else 2 * limits["chip"]
    for word in ("min", "step"):
        if limits[word] % unit:
            raise Refused("bad_limits", f"Limit {word} {limits[word]} must be a multiple of {unit}.")
    if limits["min"] % limits["step"]:
        raise Refused(
            "bad_limits", f"The minimum {limits['min']} must be a multiple of the step {limits['step']}."
        )
    return {LIMIT_FIELDS[word]: chips for word, chips in limits.items()}


def _options(sheet: HouseRules, options: object) -> dict[str, object]:
    """The options of an event, each one known and set to a value that it can have."""
    if not isinstance(options, dict):
        raise Refused("bad_options", "Options are an object of option and value.")
    for option, value in options.items():
        if option not in OPTION_VALUES:
            raise Refused(
                "bad_options", f"Option {shown(option)} is not known; there are: {', '.join(OPTION_VALUES)}."
            )
        allowed = option_values(sheet, option)
        if not any(type(value) is type(ok) and value == ok for ok in allowed):
            words = ", ".join(str(ok) for ok in allowed)
            raise Refused(
                "bad_options", f"Option {option} can be {words} with {sheet.name}, not {shown(value)}."
            )
    return dict(options)


def rules_record(rules: HouseRules) -> dict[str, Any]:
    """The fields of a hand record that say these rules: ``rules``, and what differs from the sheet.

    ``rules_make`` makes the same rules from them again.
    """
    sheet = SHEETS[rules.name]
    fields_of_record: dict[str, Any] = {"rules": rules.name}
    if rules.decks != sheet.decks:
        fields_of_record["decks"] = rules.decks
    if rules.limits != sheet.limits:
        fields_of_record["limits"] = rules.limits
    changed = {o: getattr(rules, o) for o in OPTION_VALUES if getattr(rules, o) != getattr(sheet, o)}
    if changed:
        fields_of_record["options"] = changed
    return fields_of_record
