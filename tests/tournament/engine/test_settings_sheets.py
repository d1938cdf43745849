"""The sheet of an event, its options and the ladder that goes with it (T10, T12, T16, A7)."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from games.blackjack.chosen import rules_make
from games.blackjack.options import option_catalogue
from games.blackjack.posted import decks_and_bets
from games.blackjack.rules import SHEETS
from games.said import Chips
from ground.refused import Refused
from tournament.engine.settings import (
    DEFAULTS,
    LIMITS,
    EventSettings,
    changed,
    from_dict,
    hand_rules,
    options_kept,
    settings_hash,
    sheet_defaults,
    to_dict,
    validate,
)


def of_sheet(sheet: str, **given: Any) -> EventSettings:
    return from_dict({**sheet_defaults(sheet), **given})


def codes(settings: EventSettings) -> list[tuple[str, str]]:
    return [(field, code) for field, code, _ in validate(settings)]


@pytest.mark.parametrize("sheet", SHEETS)
def test_T16_every_sheet_can_be_posted_with_its_own_ladder(sheet: str) -> None:
    settings = of_sheet(sheet)
    assert validate(settings) == []
    assert hand_rules(settings) == SHEETS[sheet]
    assert settings.starting_chips == settings.play_off_chips == 5 * settings.bet_max_chips


def test_T3_the_defaults_are_those_of_the_main_sheet() -> None:
    assert of_sheet("wonder") == DEFAULTS


@pytest.mark.parametrize("sheet", SHEETS)
def test_T16_every_value_of_every_option_is_one_that_can_be_posted(sheet: str) -> None:
    needs = {"double_soft_low": {"double": "9-11"}}
    for option in option_catalogue(SHEETS[sheet]):
        for value in option.values:
            if value is None or value == option.default:
                continue
            settings = of_sheet(sheet, options={**needs.get(option.name, {}), option.name: value})
            assert validate(settings) == [], (option.name, value)
            assert getattr(hand_rules(settings), option.name) == value
            assert settings_hash(settings) != settings_hash(of_sheet(sheet))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"soft17": "sometimes"}, "soft17"),
        ({"weather": "fair"}, "weather"),
        ({"surrender": "not_against_ace"}, "surrender"),
        ({"double_soft_low": True}, "9-11"),
    ],
)
def test_T16_an_option_that_cannot_be_is_refused(options: dict[str, Any], says: str) -> None:
    ((field, code, sentence),) = validate(replace(DEFAULTS, options=options))
    assert (field, code) == ("options", "bad_options")
    assert says in sentence


def test_T16_an_option_set_to_the_sheets_own_is_not_kept() -> None:
    chosen = replace(DEFAULTS, options={"soft17": "hit", "max_hands": 2})
    assert options_kept(chosen) == {"max_hands": 2}


@pytest.mark.parametrize(("sheet", "decks"), [("eca", 8), ("banco", 4), ("wonder", 4)])
def test_T10_decks_are_those_that_the_sheet_allows(sheet: str, decks: int) -> None:
    assert codes(of_sheet(sheet, decks=decks)) == [("decks", "not_a_choice")]
    assert validate(of_sheet("ggpoker", decks=4)) == []


def test_A7_halves_are_whole_chips_but_for_the_sheet_with_a_line() -> None:
    assert codes(of_sheet("eca", bet_step_chips=5, bet_min_chips=5)) == [("bet_step_chips", "not_twice_chip")]
    assert validate(of_sheet("banco", bet_step_chips=5, bet_min_chips=5)) == []
    assert codes(of_sheet("banco", bet_step_chips=7)) == [("bet_step_chips", "not_whole_chips")]


def test_A7_a_ladder_of_odd_chips_can_be_posted_once_halves_are_rounded() -> None:
    ladder = {"bet_min_chips": 25, "bet_step_chips": 25, "chip_value_chips": 5}
    assert codes(of_sheet("wonder", **ladder)) == [("bet_step_chips", "not_twice_chip")]
    assert validate(of_sheet("wonder", **ladder, options={"halves": "player"})) == []
    assert hand_rules(of_sheet("wonder", **ladder, options={"halves": "house"})).natural_pay(25) == 35
    assert codes(of_sheet("wonder", **ladder, options={"halves": "up"})) == [
        ("bet_step_chips", "not_twice_chip"),
        ("options", "bad_options"),
    ]
    assert codes(of_sheet("banco", options={"halves": "player"})) == [("options", "bad_options")]


def test_T16_rules_posted_before_an_option_was_there_keep_their_hash() -> None:
    frozen = {name: value for name, value in SHEETS["wonder"].to_dict().items() if name != "halves"}
    snapshot = to_dict(replace(DEFAULTS, house_rules=frozen))
    read = from_dict(snapshot)
    assert settings_hash(read) == settings_hash(snapshot)
    assert hand_rules(read) == SHEETS["wonder"]


def test_T3_stacks_are_whole_chips_of_the_event() -> None:
    assert codes(of_sheet("eca", starting_chips=1_002)) == [("starting_chips", "not_whole_chips")]


def test_T12_another_sheet_brings_its_own_ladder_and_says_so() -> None:
    before = to_dict(replace(DEFAULTS, options={"max_hands": 2}))
    after, taken = changed(before, {**before, "sheet": "eca", "buy_in_cents": 2_500, "bet_max_chips": 300})
    assert (after["bet_min_chips"], after["bet_step_chips"], after["chip_value_chips"]) == (10, 10, 5)
    assert (after["bet_max_chips"], after["buy_in_cents"], after["options"]) == (300, 2_500, {})
    assert {"bet_min_chips", "starting_chips", "options"} <= set(taken)
    assert "bet_max_chips" not in taken
    assert changed(after, {"bet_min_chips": 20}) == ({**after, "bet_min_chips": 20}, [])


def test_T16_snapshots_from_before_the_options_are_still_read() -> None:
    old = {name: value for name, value in to_dict(DEFAULTS).items() if name != "options"}
    assert from_dict(old) == DEFAULTS
    frozen = SHEETS["wonder"].to_dict()
    for later in ("natural_paid", "split_aces", "late_natural", "shared_max", "irregularities"):
        del frozen[later]
    assert hand_rules(from_dict({**old, "house_rules": frozen})) == SHEETS["wonder"]


@pytest.mark.parametrize("sheet", sorted(SHEETS))
def test_A7_T12_an_event_takes_the_bet_limits_that_the_engine_takes_and_no_others(sheet: str) -> None:
    taken = 0
    for low, high, step, chip in product(
        (100, 200, 300), (100, 200, 1_000, 1_100), (50, 100, 200), (50, 100)
    ):
        limits = {"min": low, "max": high, "step": step, "chip": chip}
        try:
            rules_make(sheet, limits=limits)
        except Refused as no:
            refused = no.code
        else:
            refused = ""
        said = [
            code
            for name, code in codes(of_sheet(sheet, **{LIMITS[word]: limits[word] for word in LIMITS}))
            if name in LIMITS.values()
        ]
        assert bool(said) == bool(refused), (limits, said, refused)
        taken += not refused
    assert taken > 5


def test_T12_a_maximum_between_two_steps_is_posted_with_the_largest_bet_that_can_be_made() -> None:
    for high, top in ((900, 800), (1_000, None), (1_100, 1_000)):
        said = decks_and_bets(
            rules_make("wonder", limits={"min": 200, "max": high, "step": 200, "chip": 100})
        )
        assert said[1].figures.get("top") == (top and Chips(top))
