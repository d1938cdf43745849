"""The sheet of an event, its options and the ladder that goes with it (T10, T12, T16, A7)."""

from dataclasses import replace
from itertools import product

import pytest

from games.blackjack.event_rules import rules_make
from games.blackjack.options import option_catalogue
from games.blackjack.posted import decks_and_bets
from games.blackjack.rules import SHEETS
from games.rule_text import Chips
from ground.refused import Refused
from tournament.engine.settings import (
    DEFAULTS,
    LIMITS,
    changed,
    from_dict,
    hand_rules,
    options_differing,
    settings_hash,
    sheet_defaults,
    to_dict,
    validate,
)


def of_sheet(sheet, **given):
    return from_dict({**sheet_defaults(sheet), **given})


def codes(settings):
    return [(field, code) for field, code, _ in validate(settings)]


@pytest.mark.parametrize("sheet", SHEETS)
def test_T3_T16_every_sheet_can_be_posted_with_its_own_ladder_and_every_value_of_its_options(sheet):
    own = of_sheet(sheet)
    assert validate(own) == []
    assert hand_rules(own) == SHEETS[sheet]
    assert own.starting_chips == own.play_off_chips == 5 * own.bet_max_chips
    assert (own == DEFAULTS) == (sheet == "wonder")
    needs = {"double_soft_low": {"double": "9-11"}}
    for option in option_catalogue(SHEETS[sheet]):
        for value in option.values:
            if value is None or value == option.default:
                continue
            settings = of_sheet(sheet, options={**needs.get(option.name, {}), option.name: value})
            assert validate(settings) == [], (option.name, value)
            assert getattr(hand_rules(settings), option.name) == value
            assert settings_hash(settings) != settings_hash(own)


ODD = {"bet_min_chips": 25, "bet_step_chips": 25, "chip_value_chips": 5}


@pytest.mark.parametrize(
    ("sheet", "given", "problems"),
    [
        ("wonder", {"options": {"soft17": "sometimes"}}, {"options": "bad_options"}),
        ("wonder", {"options": {"weather": "fair"}}, {"options": "bad_options"}),
        ("wonder", {"options": {"surrender": "not_against_ace"}}, {"options": "bad_options"}),
        ("wonder", {"options": {"double_soft_low": True}}, {"options": "bad_options"}),
        # T10: decks are those that the sheet allows.
        *(
            (sheet, {"decks": decks}, {"decks": "not_a_choice"})
            for sheet, decks in (("eca", 8), ("banco", 4))
        ),
        ("ggpoker", {"decks": 4}, {}),
        # A7: halves are whole chips, but for the sheet with a line and where halves are rounded.
        ("eca", {"bet_step_chips": 5, "bet_min_chips": 5}, {"bet_step_chips": "not_twice_chip"}),
        ("banco", {"bet_step_chips": 5, "bet_min_chips": 5}, {}),
        ("banco", {"bet_step_chips": 7}, {"bet_step_chips": "not_whole_chips"}),
        ("wonder", ODD, {"bet_step_chips": "not_twice_chip"}),
        ("wonder", {**ODD, "options": {"halves": "player"}}, {}),
        (
            "wonder",
            {**ODD, "options": {"halves": "up"}},
            {"bet_step_chips": "not_twice_chip", "options": "bad_options"},
        ),
        ("banco", {"options": {"halves": "player"}}, {"options": "bad_options"}),
        ("eca", {"starting_chips": 1_002}, {"starting_chips": "not_whole_chips"}),
    ],
)
def test_A7_T10_T16_what_a_sheet_does_not_allow_is_refused(sheet, given, problems):
    assert codes(of_sheet(sheet, **given)) == list(problems.items())


def test_T16_options_of_the_sheet_are_not_kept_and_rounded_halves_are_played():
    assert options_differing(replace(DEFAULTS, options={"soft17": "hit", "max_hands": 2})) == {"max_hands": 2}
    assert hand_rules(of_sheet("wonder", **ODD, options={"halves": "house"})).natural_pay(25) == 35


def test_T12_another_sheet_brings_its_own_ladder_and_says_so():
    before = to_dict(replace(DEFAULTS, options={"max_hands": 2}))
    after, taken = changed(before, {**before, "sheet": "eca", "buy_in_cents": 2_500, "bet_max_chips": 300})
    assert (after["bet_min_chips"], after["bet_step_chips"], after["chip_value_chips"]) == (10, 10, 5)
    assert (after["bet_max_chips"], after["buy_in_cents"], after["options"]) == (300, 2_500, {})
    assert {"bet_min_chips", "starting_chips", "options"} <= set(taken)
    assert "bet_max_chips" not in taken
    assert changed(after, {"bet_min_chips": 20}) == ({**after, "bet_min_chips": 20}, [])


def test_T16_rules_posted_before_an_option_was_there_are_read_and_keep_their_hash():
    old = {name: value for name, value in to_dict(DEFAULTS).items() if name != "options"}
    assert from_dict(old) == DEFAULTS
    frozen = SHEETS["wonder"].to_dict()
    for later in ("halves", "natural_paid", "split_aces", "late_natural", "shared_max", "irregularities"):
        del frozen[later]
    snapshot = to_dict(replace(DEFAULTS, house_rules=frozen))
    read = from_dict(snapshot)
    assert settings_hash(read) == settings_hash(snapshot)
    assert hand_rules(read) == SHEETS["wonder"]


@pytest.mark.parametrize("sheet", sorted(SHEETS))
def test_A7_T12_an_event_takes_the_bet_limits_that_the_engine_takes_and_no_others(sheet):
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
        settings = of_sheet(sheet, **{LIMITS[word]: limits[word] for word in LIMITS})
        said = [code for name, code in codes(settings) if name in LIMITS.values()]
        assert bool(said) == bool(refused), (limits, said, refused)
        taken += not refused
    assert taken > 5


def test_T12_a_maximum_between_two_steps_is_posted_with_the_largest_bet_that_can_be_made():
    for high, top in ((900, 800), (1_000, None), (1_100, 1_000)):
        limits = {"min": 200, "max": high, "step": 200, "chip": 100}
        said = decks_and_bets(rules_make("wonder", limits=limits))
        assert said[1].figures.get("top") == (top and Chips(top))
