"""The settings of an event, which the director chooses before the first buy-in; the posted rules show them.

One frozen object with named fields. When the rules are posted it is stored in the event as a snapshot and
hashed. A field added later has a default, so that older snapshots can be read. The hash is always that of the
posted snapshot, never of one that was read and written again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from itertools import pairwise
from typing import Any, Final

from games import registry
from games.bets import LIMIT_WORDS
from games.protocol import Rules
from ground.canonical import json_hash
from ground.refused import Refused
from ground.words import Sentence
from ground.words import gettext_noop as _
from tournament.engine.advance import RANKING_PARTS, TOP
from tournament.engine.format import (
    BET_WORDS,
    RESET,
    ROUNDS_LEAST,
    ROUNDS_MOST,
    SHORT,
    STACKS,
    THE_STACK,
    THREE_ROUNDS,
    Bets,
    Format,
    RoundSettings,
    plan_of_dict,
    plan_put,
    plan_to_dict,
    planned,
)
from tournament.engine.promise import ALL_OF_POOL, PROMISES, Promise, promise_wrong

STACK_IN_LARGEST_BETS: Final = 5  # T3: 5,000 where the largest bet is 1,000
PLAY_OFF: Final = "play_off"
ALL_ADVANCE: Final = "all_advance"
DIRECTOR: Final = "director"
TIE_AT_CUT: Final = (PLAY_OFF, ALL_ADVANCE, DIRECTOR)
PRIZES_DIFFER: Final = "prizes"
STACKS_DIFFER: Final = "stacks"
FROZEN: Final = "frozen"
SUDDEN_DEATH_UNTIL: Final = (PRIZES_DIFFER, STACKS_DIFFER, FROZEN)
FEWEST: Final = "fewest"
AS_POSTED: Final = "posted"
TIE_TABLES: Final = (FEWEST, AS_POSTED)
OUT: Final = "out"
RANKED: Final = "ranked"
NO_HAND: Final = (OUT, RANKED)
HANDS: Final = "hands"
COUNTS: Final = "counts"
RECORD_MODES: Final = (HANDS, COUNTS)

BOXES_MAX: Final = 7
TABLES_MAX: Final = 200
ENTRANTS_MAX: Final = 1_000
CHIPS_MAX: Final = 1_000_000
CENTS_MAX: Final = 100_000_000

LIMITS: Final = {
    "min": "bet_min_chips",
    "max": "bet_max_chips",
    "step": "bet_step_chips",
    "chip": "chip_value_chips",
}
"""Bet limits of a hand record → the settings that they come from (A7)."""
STACK_FIELDS: Final = ("starting_chips", "play_off_chips", "sudden_death_chips")

Problem = tuple[str, str, Sentence]
"""(field, code, sentence)."""


def _setting(default: Any, label: str, **constraints: Any) -> Any:
    """Return a field of ``EventSettings``, with its name in refusals.

    ``choices``: the allowed words. ``limits``: least and most. ``cents_from``: the smallest amount of money.
    """
    metadata = {"label": label, **constraints}
    if default == {}:
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class EventSettings:
    """The settings of one event. The defaults are those of the sheet, and ours if the sheet says nothing."""

    sheet: str = _setting("wonder", _("The sheet of rules"))  # T16
    # T16: options that differ from those of the sheet
    options: Mapping[str, Any] = _setting({}, _("The options of the sheet"))
    decks: int = _setting(6, _("The number of decks"))  # T10
    starting_chips: int = _setting(5_000, _("The starting stack"))  # T3
    chip_value_chips: int = _setting(100, LIMIT_WORDS["chip"])  # T3, T12
    bet_min_chips: int = _setting(200, LIMIT_WORDS["min"])  # T12
    bet_max_chips: int = _setting(1_000, LIMIT_WORDS["max"])
    bet_step_chips: int = _setting(200, LIMIT_WORDS["step"])
    plan: tuple[RoundSettings, ...] = _setting(THREE_ROUNDS, _("The number of rounds"))  # F1, T20, T22
    # T15: a player who has played no hand of a round
    no_hand: str = _setting(OUT, _("The rule for a player without a hand"), choices=NO_HAND)
    min_entrants: int = _setting(2, _("The smallest number of entrants"), limits=(2, ENTRANTS_MAX))  # T24
    # T4: None is the fewest that hold the round
    tables_count: int | None = _setting(None, _("The number of tables"), limits=(1, TABLES_MAX))
    # T4
    boxes_per_table: int = _setting(BOXES_MAX, _("The number of boxes at a table"), limits=(1, BOXES_MAX))
    tie_at_cut: str = _setting(PLAY_OFF, _("The rule for a tie at the cut"), choices=TIE_AT_CUT)  # T23
    play_off_chips: int = _setting(5_000, _("The stack of a play-off"))  # T23
    sudden_death_chips: int = _setting(5_000, _("The stack of sudden death"))  # T33
    # T33
    sudden_death_until: str = _setting(
        PRIZES_DIFFER, _("The end of sudden death"), choices=SUDDEN_DEATH_UNTIL
    )
    # T23, T33: the fewest, or the posted number of tables
    tie_tables: str = _setting(FEWEST, _("The tables of a tie"), choices=TIE_TABLES)
    # T18: an event may run on counts alone
    record_mode: str = _setting(HANDS, _("The way of recording"), choices=RECORD_MODES)
    public_input: bool = _setting(True, _("The public cards of the draw"))  # the five cards of the draw
    buy_in_cents: int = _setting(10_000, _("The buy-in"), cents_from=0)  # T2
    fee_cents: int = _setting(0, _("The fee"), cents_from=0)  # T32: part of the buy-in
    guarantee_cents: int = _setting(0, _("The guaranteed pool"), cents_from=0)
    prizes_promised: str = _setting(ALL_OF_POOL, _("The promise about prizes"), choices=PROMISES)  # T32
    # T32: for a promised share of the pool
    promised_share_bp: int | None = _setting(None, _("The promised share of the pool"))
    # T32: for a promised list, first place first
    promised_prizes_cents: tuple[int, ...] = _setting((), _("The list of promised prizes"))
    prize_unit_cents: int = _setting(1, _("The unit of prizes"), cents_from=1)
    # T35
    second_person_from_cents: int | None = _setting(
        None, _("The prize that needs a second person"), cents_from=0
    )
    tax_notice_from_cents: int | None = _setting(None, _("The prize that needs a tax form"), cents_from=0)
    # the rules of the house, as they were on that day
    house_rules: Mapping[str, Any] = _setting({}, _("The house's own rules"))


DEFAULTS: Final = EventSettings()
_METADATA: Final = {each.name: each.metadata for each in fields(EventSettings)}


def to_dict(settings: EventSettings) -> dict[str, Any]:
    """Return the settings as the snapshot that is stored and posted: plain JSON values, one key per field."""
    plain = {each.name: getattr(settings, each.name) for each in fields(EventSettings) if each.name != "plan"}
    mappings = {"options": dict(settings.options), "house_rules": dict(settings.house_rules)}
    listed = {"promised_prizes_cents": list(settings.promised_prizes_cents)}
    return {**plain, **mappings, **listed, **plan_to_dict(settings.plan)}


def from_dict(snapshot: Mapping[str, Any]) -> EventSettings:
    """Return settings from a snapshot: missing fields get their defaults, unknown ones are refused.

    Raises Refused ``settings_unknown``, and what ``plan_of_dict`` raises for the rounds.
    """
    unknown = sorted(set(snapshot) - {each.name for each in fields(EventSettings)} - set(SHORT))
    if unknown:
        raise Refused(
            "settings_unknown", "There is no setting called %(unknown)s.", unknown=", ".join(unknown)
        )
    values = {name: value for name, value in snapshot.items() if name not in SHORT}
    if isinstance(values.get("promised_prizes_cents"), list):
        values["promised_prizes_cents"] = tuple(values["promised_prizes_cents"])
    return EventSettings(**{**values, "plan": plan_of_dict(snapshot)})


def format_of(settings: EventSettings) -> Format:
    """Return the plan that the settings of an event describe (F1)."""
    return planned(settings.plan, starting_chips=settings.starting_chips, bets=bets_of(settings))


def bets_of(settings: EventSettings) -> Bets:
    """Return the bets of a round without its own (T12)."""
    return Bets(settings.bet_min_chips, settings.bet_max_chips, settings.bet_step_chips)


def promise_of(settings: EventSettings) -> Promise:
    """Return the promise of the rules about the pool (T32)."""
    return Promise(settings.prizes_promised, settings.promised_share_bp, settings.promised_prizes_cents)


def sheets() -> tuple[str, ...]:
    """Return the names of the rule sheets of all games."""
    return tuple(registry.sheets())


def sheet_of(settings: EventSettings) -> Rules | None:
    """Return the sheet of an event as printed; None if the sheet is not known."""
    return registry.sheets().get(settings.sheet)


def hand_rules(settings: EventSettings) -> Rules:
    """Return the rules of the hand (T16): as they were frozen, or as they would be frozen now.

    Frozen rules name their game; before that the sheet does. Raises Refused as the game's ``rules_make`` does
    for invalid settings, and ``unknown_game`` for a game that is not installed.
    """
    if settings.house_rules:
        frozen: Rules | None = registry.game_of_snapshot(settings.house_rules).rules_frozen(
            settings.house_rules
        )
        if frozen is not None:
            return frozen
    limits = {word: getattr(settings, name) for word, name in LIMITS.items()}
    options = dict(settings.options) or None
    return _made(settings.sheet, decks=settings.decks, limits=limits, options=options)


def round_rules(settings: EventSettings, number: int) -> Rules:
    """Return ``hand_rules`` with the bets of this round, or of the stage after the last round (F5, T12)."""
    rules, bets = hand_rules(settings), format_of(settings).of(number).bets
    if bets == bets_of(settings):
        return rules
    limited: Rules = registry.game_of(rules).rules_limited(rules, _limits(settings, bets))
    return limited


def _limits(settings: EventSettings, bets: Bets) -> dict[str, int]:
    """Return bets as the limits of a hand record; if the whole stack may be bet, more than any stack can
    be."""
    return {
        "min": bets.min_chips,
        "max": CHIPS_MAX if bets.max_chips is THE_STACK else bets.max_chips,
        "step": bets.step_chips,
        "chip": settings.chip_value_chips,
    }


def _made(sheet: str, **otherwise: Any) -> Rules:
    rules: Rules = registry.game_of_sheet(sheet).rules_make(sheet, **otherwise)
    return rules


def sheet_defaults(sheet: str) -> dict[str, Any]:
    """Return the settings that go with a sheet: its decks and bets, stacks of five largest bets, no option.

    Raises Refused ``unknown_rules``.
    """
    rules = _made(sheet)
    limits = {name: rules.limits[word] for word, name in LIMITS.items()}
    stacks = dict.fromkeys(STACK_FIELDS, STACK_IN_LARGEST_BETS * rules.max_chips)
    return {"sheet": sheet, "decks": rules.decks, "options": {}, **limits, **stacks}


def changed(before: Mapping[str, Any], chosen: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return a snapshot with ``chosen`` put in, and the settings that a change of the sheet brought.

    With another sheet, decks, bets, stacks and options become those of the sheet, except the ones in
    ``chosen``.
    """
    sheet = chosen.get("sheet", before.get("sheet", DEFAULTS.sheet))
    if sheet == before.get("sheet", DEFAULTS.sheet) or sheet not in registry.sheets():
        return plan_put(before, chosen), []
    own = sheet_defaults(sheet)
    meant = {
        name: value
        for name, value in chosen.items()
        if name not in own or name not in before or value != before[name]
    }
    after = plan_put({**before, **own}, meant)
    return after, [name for name in own if name not in meant and after[name] != before.get(name)]


def options_differing(settings: EventSettings) -> dict[str, Any]:
    """Return the options that differ from those of the sheet, so that equal rules have the same hash."""
    sheet = sheet_of(settings)
    return dict(settings.options) if sheet is None else _differing(sheet, settings.options)


def _differing(sheet: Rules, options: Mapping[str, Any]) -> dict[str, Any]:
    known = {name: value for name, value in options.items() if hasattr(sheet, name)}
    unknown = {name: value for name, value in options.items() if name not in known}
    return {**registry.game_of(sheet).options_differing(sheet, known), **unknown}


def settings_hash(snapshot: Mapping[str, Any] | EventSettings) -> str:
    """Return the hash on the posted rules: SHA-256 of the snapshot's canonical JSON."""
    return json_hash(to_dict(snapshot) if isinstance(snapshot, EventSettings) else dict(snapshot))


def validate(settings: EventSettings, day_limit_cents: int | None = None) -> list[Problem]:
    """Return all mistakes in the settings, by field; an empty list if they can be posted.

    ``day_limit_cents``: the house's limit per person and gaming day (T2), if it is known.
    """
    ill_typed = _types(settings)
    if ill_typed:
        return ill_typed
    checks = (_choices, _ranges, _chips, _bets, _options, _plan, _money)
    problems = [problem for check in checks for problem in check(settings)]
    if day_limit_cents is not None and settings.buy_in_cents > day_limit_cents:
        over = Sentence("The buy-in is more than a person may spend on buy-ins in a gaming day.")
        problems.append(("buy_in_cents", "over_day_limit", over))
    return problems


def _types(s: EventSettings) -> list[Problem]:
    wanted: dict[str, tuple[type, ...]] = {}
    for each in fields(EventSettings):
        default = getattr(DEFAULTS, each.name)
        wanted[each.name] = (int, type(None)) if default is None else (type(default),)
    wanted["house_rules"] = wanted["options"] = (Mapping,)
    problems = []
    for name, types in wanted.items():
        value = getattr(s, name)
        # True is an int to Python, but not a number to a director.
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            text = Sentence("%(label)s cannot be %(value)s.", label=_label(name), value=f"{value!a}")
            problems.append((name, "wrong_kind", text))
    return problems


def _choices(s: EventSettings) -> list[Problem]:
    rules = sheet_of(s)
    choices: dict[str, tuple[Any, ...]] = {
        "sheet": sheets(),
        "decks": rules.decks_allowed if rules else _decks_anywhere(),
        **{name: each["choices"] for name, each in _METADATA.items() if "choices" in each},
    }
    return [
        _not_a_choice(name, _label(name), allowed)
        for name, allowed in choices.items()
        if getattr(s, name) not in allowed
    ]


def _not_a_choice(name: str, label: Sentence, allowed: tuple[Any, ...]) -> Problem:
    sentence = Sentence("%(label)s must be %(allowed)s.", label=label, allowed=_or(allowed))
    return (name, "not_a_choice", sentence)


def _decks_anywhere() -> tuple[int, ...]:
    return tuple(sorted({decks for rules in registry.sheets().values() for decks in rules.decks_allowed}))


def _ranges(s: EventSettings) -> list[Problem]:
    # T30: at least two places are paid, so at least two players must be able to win them.
    ranges = {name: each["limits"] for name, each in _METADATA.items() if "limits" in each}
    return [
        _out_of_range(name, _label(name), low, high)
        for name, (low, high) in ranges.items()
        if (value := getattr(s, name)) is not None and not low <= value <= high
    ]


def _out_of_range(name: str, label: Sentence, low: int, high: int) -> Problem:
    sentence = Sentence(
        "%(label)s must be from %(low)s to %(high)s.", label=label, low=f"{low:,}", high=f"{high:,}"
    )
    return (name, "out_of_range", sentence)


def _chips(s: EventSettings) -> list[Problem]:
    stacks = ((name, _label(name), getattr(s, name)) for name in STACK_FIELDS)
    return [problem for each in stacks for problem in _stack_wrong(s, *each)]


def _stack_wrong(
    s: EventSettings, name: str, label: Sentence, stack_chips: int, least_chips: int | None = None
) -> list[Problem]:
    """Return the mistakes in a starting stack (T3): too large, not divisible into chips, below a bet."""
    if not 1 <= stack_chips <= CHIPS_MAX:
        return [_out_of_range(name, label, 1, CHIPS_MAX)]
    if s.chip_value_chips >= 1 and stack_chips % s.chip_value_chips:
        sentence = Sentence(
            "%(label)s must be paid out in whole chips of %(chip_value_chips)s.",
            label=label,
            chip_value_chips=f"{s.chip_value_chips:,}",
        )
        return [(name, "not_whole_chips", sentence)]
    return _not_covered(name, label, stack_chips, s.bet_min_chips if least_chips is None else least_chips)


def _not_covered(name: str, label: Sentence, stack_chips: int, least_chips: int) -> list[Problem]:
    sentence = Sentence(
        "%(label)s must cover at least the smallest bet, %(bet_min_chips)s.",
        label=label,
        bet_min_chips=f"{least_chips:,}",
    )
    return [(name, "below_bet_min", sentence)] if stack_chips < least_chips else []


def _bets(s: EventSettings) -> list[Problem]:
    """A7, T12: the game decides which bet limits are possible."""
    limits = {word: getattr(s, name) for word, name in LIMITS.items()}
    wrong = registry.game_of_sheet(s.sheet).limits_wrong(limits, _with_options(s), CHIPS_MAX)
    return [(LIMITS[word], code, sentence) for word, code, sentence in wrong]


def _with_options(s: EventSettings) -> Rules | None:
    """Return the sheet with the options of the event; without them if they are not valid (see
    ``_options``)."""
    sheet = sheet_of(s)
    if sheet is None:
        return None
    try:
        return _made(s.sheet, options=dict(s.options))
    except Refused:
        return sheet


def _options(s: EventSettings) -> list[Problem]:
    """T16: the sheet must leave every option to the director, and allow its value."""
    if sheet_of(s) is None:
        return []  # ``_bets`` reports it
    try:
        _made(s.sheet, options=dict(s.options))
    except Refused as no:
        return [("options", no.code, no.message)]
    return []


def _plan(s: EventSettings) -> list[Problem]:
    """F1, T20, T22: the rounds can be played one after the other."""
    last = len(s.plan)
    if not ROUNDS_LEAST <= last <= ROUNDS_MOST:
        return [_out_of_range("plan", _label("plan"), ROUNDS_LEAST, ROUNDS_MOST)]
    problems = [
        problem
        for number, each in enumerate(s.plan, start=1)
        for problem in (
            *_advance_wrong(number, each, last),
            *_round_bets_wrong(s, number, each),
            *_round_stack_wrong(s, number, each),
        )
    ]
    return problems or [*_rising(s), *([] if _bets(s) or _chips(s) else _ties_covered(s))]


def _advance_wrong(number: int, each: RoundSettings, last: int) -> list[Problem]:
    name = f"round_{number}_top"
    label = Sentence("The number of players who advance after round %(n)s", n=number)
    if (each.advance is None) != (number == last):
        sentence = Sentence("From every round but the last somebody advances; the last ranks its players.")
        return [(name, "advance_missing" if each.advance is None else "advance_after_last", sentence)]
    if each.advance is None:
        return []
    parts = {part: getattr(each.advance, part) for part in (*RANKING_PARTS, "drawn")}
    if any(taken for part, taken in parts.items() if part != TOP):
        sentence = Sentence("Round %(n)s: only the number with the most chips can be posted.", n=number)
        return [(name, "part_not_played", sentence)]
    return [] if 2 <= each.advance.top <= ENTRANTS_MAX else [_out_of_range(name, label, 2, ENTRANTS_MAX)]


def _round_stack_wrong(s: EventSettings, number: int, each: RoundSettings) -> list[Problem]:
    name, label = f"round_{number}_stack", Sentence("The stack of round %(n)s", n=number)
    if number == 1 and each.stack != RESET:
        sentence = Sentence("Round 1 is played with the starting stack.")
        return [(name, "stack_of_round_1", sentence)]
    least_chips = (each.bets or bets_of(s)).min_chips
    if isinstance(each.stack, str):
        if each.stack not in STACKS:
            return [_not_a_choice(name, label, (*STACKS, "chips"))]
        afresh = each.stack == RESET and each.bets is not None
        return _not_covered(name, label, s.starting_chips, least_chips) if afresh else []
    return _stack_wrong(s, f"{name}_chips", label, each.stack, least_chips)


def _round_bets_wrong(s: EventSettings, number: int, each: RoundSettings) -> list[Problem]:
    """F5, A7: the game decides which bets are possible with the chips of the event."""
    if each.bets is None:
        return []
    wrong = registry.game_of_sheet(s.sheet).limits_wrong(_limits(s, each.bets), _with_options(s), CHIPS_MAX)
    text = _("Round %(n)s: %(sentence)s")
    return [
        (f"round_{number}_bet_{word}", code, Sentence(text, n=number, sentence=sentence))
        for word, code, sentence in wrong
        if word in BET_WORDS  # a wrong chip is reported for the event
    ]


def _ties_covered(s: EventSettings) -> list[Problem]:
    """F5, T23, T33: players in a tie can cover the bets of its round."""
    least = [each.bets.min_chips for each in format_of(s).rounds]
    return [
        *_not_covered("play_off_chips", _label("play_off_chips"), s.play_off_chips, max(least[:-1])),
        *_not_covered("sudden_death_chips", _label("sudden_death_chips"), s.sudden_death_chips, least[-1]),
    ]


def _rising(s: EventSettings) -> list[Problem]:
    tops = [each.advance.top for each in s.plan if each.advance]
    rises = [n for n, (before, after) in enumerate(pairwise(tops), start=2) if after > before]
    sentence = _("No more can advance after round %(n)s than after round %(before)s.")
    return [(f"round_{n}_top", "cut_rising", Sentence(sentence, n=n, before=n - 1)) for n in rises]


def _money(s: EventSettings) -> list[Problem]:
    problems = []
    lowest = {name: each["cents_from"] for name, each in _METADATA.items() if "cents_from" in each}
    for name, low in lowest.items():
        cents = getattr(s, name)
        if cents is not None and not low <= cents <= CENTS_MAX:
            sentence = Sentence(
                "%(label)s must be from 0.%(low)s to %(cents_max)s.00.",
                label=_label(name),
                low=f"{low:02}",
                cents_max=f"{CENTS_MAX // 100:,}",
            )
            problems.append((name, "out_of_range", sentence))
    if s.fee_cents > max(s.buy_in_cents, 0):
        over = Sentence("The fee is part of the buy-in and cannot be more than it.")
        problems.append(("fee_cents", "over_buy_in", over))
    return [*problems, *promise_wrong(promise_of(s))]


def _label(name: str) -> Sentence:
    return Sentence(_METADATA[name]["label"])


def _or(allowed: tuple[Any, ...]) -> str:
    words = [str(each).replace("_", " ") for each in allowed]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
