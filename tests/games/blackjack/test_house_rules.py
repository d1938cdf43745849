"""The house-rule sheets by row (1–25) and clause (A1–A8), where no vector and no second opinion looks.

The worked vectors (``tests/vectors``) go through each sheet row by row, the second opinion plays all options.
"""

from typing import Any

import pytest

from games.blackjack import event_rules
from games.blackjack.event_rules import OPTION_NAMES, options_differing, rules_make, rules_record
from games.blackjack.options import option_catalogue, option_values
from games.blackjack.record import answer
from games.blackjack.results import hands_at_most
from games.blackjack.rules import FIRST_FIELDS, SHEETS, HouseRules
from ground.refused import Refused
from tests.games.blackjack import second_sheets
from tests.games.blackjack.deals import code_of, record

NO_DOUBLE, SURPLUS = "double_not_allowed", "decisions_left_over"
LOW = {"double_soft_low": True}
TEN_QUEEN = "Ts 6h Qd 9s 9c Th Td"


def came_to(sheet: str, cards: str, moves: str = "", **more: Any) -> Any:
    """What box 1 wins in chips, or the code of the refusal."""
    bets = more.pop("bets", {1: 200 if sheet == "wonder" else 20})
    got = answer(record(sheet, bets, cards, moves, **more))
    return got["error"] if "error" in got else got["net"]["1"]


# -- the table as data -------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", list(SHEETS))
def test_row1_every_sheet_is_what_was_written_down_a_second_time(sheet: str) -> None:
    rules, second = SHEETS[sheet], second_sheets.SHEETS[sheet]
    otherwise = ("decks", "limits", "side_bets", "insurance_closes")
    same = [name for name in second if hasattr(rules, name) and name not in otherwise]
    assert len(same) == 25
    assert [getattr(rules, name) for name in same] == [second[name] for name in same]
    assert (rules.decks_allowed, tuple(rules.limits.values())) == (second["decks"], second["limits"])
    assert (rules.decks, rules.looks_under, rules.irregularities) == (6, second["looks"], second["knows"])
    assert rules.insurance_from_half_minimum == second["insurance_floor"]
    assert rules.insurance_closes == {"wonder": "look"}.get(sheet, second["insurance_closes"])
    assert bool(rules.side_bets) == rules.joker == second["side_bets"]
    assert (rules.players_per_box or 7) == second["players"]


def test_row2_a_bet_at_the_limits_and_one_step_beyond() -> None:
    bets = (100, 200, 300, 1000, 1200)
    assert [came_to("wonder", "As 6h Kd Tc", bets={1: bet}) for bet in bets] == [
        "bet_below_minimum",
        300,
        "bet_not_in_increment",
        1500,
        "bet_above_maximum",
    ]


@pytest.mark.parametrize(
    ("sheet", "chips"),
    [("wonder", {1: 5}), ("banco", {1: 3}), ("banco", {1: -5}), ("banco", {2: 5}), ("banco", {1: 205})],
)
def test_row23_chips_that_cannot_be_on_the_line(sheet: str, chips: dict[int, int]) -> None:
    assert came_to(sheet, "Ts 9h 9d 9c", "1 stand", line_chips=chips) == "bad_record"
    assert came_to("banco", "Ts 9h 9d 9c", "1 stand", line_chips={1: 200}) == 220


@pytest.mark.parametrize("chips", [0, 5, 15, 110, -10])
def test_row24_a_side_bet_is_10_to_100_in_tens(chips: int) -> None:
    play = ("wiesbaden", "Ts 9h 8d 9c", "1 stand")
    assert came_to(*play, side_bets={1: {"twins": chips}}) == "side_bet_amount"
    assert [came_to(*play, side_bets={1: {"twins": most}}) for most in (10, 100)] == [-10, -100]


def test_row24_a_side_bet_needs_the_sheet_a_bet_and_the_chips() -> None:
    play, twins = ("Ts 9h 9d 9c", "1 stand"), {"twins": 10}
    assert came_to("eca", *play, side_bets={1: twins}) == "side_bet_not_offered"
    assert came_to("eca", "JK Ts 9h 9d 9c", "1 stand") == "bad_card"
    for seat, bet in ((2, twins), (1, {"lucky": 10})):
        assert came_to("wiesbaden", *play, side_bets={seat: bet}) == "side_bet_not_offered"
    assert came_to("wiesbaden", "JK Ts 9h JK 9d 9c", "1 stand") == "impossible_card"
    assert came_to("wiesbaden", *play, side_bets={1: twins}, stacks={1: 29}) == "not_enough_chips"
    assert came_to("wiesbaden", *play, side_bets={1: twins}, stacks={1: 30}) == 10


# -- for all sheets ----------------------------------------------------------------------------------


def test_A3_boxes_play_lowest_first() -> None:
    for moves in ("3 stand, 1 stand", "2 stand"):
        assert came_to("eca", "Ts Th 9d 8c 8s 9h", moves, bets={1: 20, 3: 20}) == "out_of_turn"


def test_A5_nothing_is_drawn_when_no_result_depends_on_it() -> None:
    assert came_to("eca", "As Kh Qd 5c") == 30
    assert came_to("eca", "Ts 6h 6d Tc", "1 hit") == -20
    assert came_to("eca", "Ts 6h 6d Tc Kc", "1 hit") == "cards_left_over"


def test_A7_limits_need_all_four_and_halves_that_are_whole_chips() -> None:
    good = {"min": 200, "max": 1000, "step": 200, "chip": 100}
    assert rules_make("eca", limits=good).limits == good
    most = {"min": 10, "max": 10**12, "step": 10, "chip": 5}
    assert rules_make("eca", limits=most).max_chips == 10**12
    assert rules_make("eca", limits={**good, "max": 200}).max_chips == 200
    bad: list[Any] = [
        *([], "200", {"min": 200, "max": 1000, "step": 200}, {**good, "more": 1}),
        *({**good, "min": 1200}, {**good, "min": 200.0}, {**good, "min": 100, "step": 200, "chip": 50}),
        *({**good, "chip": 0}, {**good, "chip": 200}, {**good, "step": 300}, {**good, "max": True}),
        {**most, "max": 10**12 + 1},
    ]
    for limits in bad:
        assert code_of("eca", limits=limits) == "bad_limits", limits
    row = {"min": 3, "max": 120, "step": 3, "chip": 1}
    assert rules_make("banco", limits=row).step_chips == 3
    assert code_of("eca", limits=row) == "bad_limits"


# -- rules by name, kept and frozen ------------------------------------------------------------------


def test_the_same_settings_after_a_lookalike_are_still_refused() -> None:
    rules_make("wonder", decks=8)
    for decks in (8.0, True, 4):
        assert code_of("wonder", decks=decks) == "decks_not_allowed"


def test_many_settings_are_not_kept_for_ever() -> None:
    for chips in range(1, 1100):
        limits = {"min": 2 * chips, "max": 10**6, "step": 2 * chips, "chip": chips}
        assert rules_make("eca", limits=limits).chip_chips == chips
    assert len(event_rules._made) <= event_rules._MADE_AT_MOST


@pytest.mark.parametrize("sheet", list(SHEETS))
def test_a_record_says_what_differs_from_the_sheet_and_a_snapshot_all(sheet: str) -> None:
    assert rules_record(SHEETS[sheet]) == {"rules": sheet}
    limits = {"min": 400, "max": 800, "step": 400, "chip": 100}
    rules = rules_make(sheet, limits=limits, options={"max_hands": 3, "soft17": "stand"})
    said = rules_record(rules)
    assert said["limits"] == limits
    assert rules_make(said.pop("rules"), **said) == HouseRules.from_dict(rules.to_dict()) == rules
    with pytest.raises(Refused):
        HouseRules.from_dict({"name": sheet})


# -- what a director may set otherwise ---------------------------------------------------------------


@pytest.mark.parametrize("sheet", list(SHEETS))
def test_every_value_of_the_catalogue_can_be_set_and_comes_back_in_a_record(sheet: str) -> None:
    for option in option_catalogue(SHEETS[sheet]):
        assert len(set(option.sentences)) == len(option.values) > 1
        assert option.default in option.values
        for value in option.values:
            options = options_differing(SHEETS[sheet], {option.name: value})
            if value == option.default:
                assert options == {}
                continue
            beside = {"double_soft_low": {"double": "9-11"}}.get(option.name, {})
            rules = rules_make(sheet, options={**options, **beside})
            assert getattr(rules, option.name) == value
            said = rules_record(rules)
            assert rules_make(said.pop("rules"), **said) == rules
            assert HouseRules.from_dict(rules.to_dict()) == rules


def test_row16_the_catalogue_goes_by_the_rows_and_shows_no_limit_where_the_sheet_has_none() -> None:
    rows = {name: [option.row for option in option_catalogue(rules)] for name, rules in SHEETS.items()}
    assert rows == {name: sorted(found) for name, found in rows.items()}
    assert {each.name for rules in SHEETS.values() for each in option_catalogue(rules)} == set(OPTION_NAMES)
    found = {o.name: o for o in option_catalogue(SHEETS["eca"])}["max_hands"]
    assert (found.values, found.default) == ((2, 3, 4, None), None)
    assert option_values(SHEETS["eca"], "max_hands") == (2, 3, 4)
    assert (hands_at_most(SHEETS["eca"]), hands_at_most(SHEETS["wonder"])) == (96, 4)


@pytest.mark.parametrize(
    ("sheet", "options"),
    [
        ("wonder", {"double_soft_low": True}),
        ("eca", {"double": "any", "double_soft_low": True}),
        ("banco", {"surrender": "none", "surrender_after_split": True}),
        ("wonder", {"even_money": False, "even_money_returns_insurance": False}),
        ("wonder", {"hole_card": True}),
        ("wonder", {"halves": None}),
        ("eca", {"max_hands": None}),
        ("eca", {"surrender": "late"}),
        ("eca", {"hole_card": 1}),
        *(("wonder", {"max_hands": hands}) for hands in (0, 5, True, 2.0)),
        *(("wonder", options) for options in ([], {"soft17": "maybe"}, {"split": ["rank"]}, {1: 2})),
    ],
)
def test_options_that_say_nothing_there_are_refused(sheet: str, options: Any) -> None:
    assert code_of(sheet, options=options) == "bad_options"


def test_a_snapshot_from_before_an_option_existed_plays_as_it_did() -> None:
    for name, rules in SHEETS.items():
        old = {field: value for field, value in rules.to_dict().items() if field in FIRST_FIELDS}
        assert HouseRules.from_dict(old) == rules, name
    with pytest.raises(Refused):
        HouseRules.from_dict({**SHEETS["eca"].to_dict(), "unknown": 1})
    with pytest.raises(Refused):
        HouseRules.from_dict({k: v for k, v in SHEETS["eca"].to_dict().items() if k != "soft17"})


@pytest.mark.parametrize(
    ("cards", "moves", "options", "expected"),
    [
        # A soft 17 is drawn to until it is hard, and a soft 18 stands.
        ("Ts 6h Td Ac As 9s", "1 stand", {"soft17": "until_hard"}, 20),
        ("Ts 7h Td Ac", "1 stand", {"soft17": "until_hard"}, 20),
        ("Ts 6h Td Ac As 9s", "1 stand", {"soft17": "hit"}, "cards_left_over"),
        # A natural that is paid at the end waits for the dealer's second card.
        *(("As 6h Kd", "", {}, 30), ("As 6h Kd", "", {"natural_paid": "at_end"}, "cards_missing")),
        # An ace may count 1 for doubling on 9 to 11.
        *((f"{two} Tc Ts Th", "1 double", LOW, 40) for two in ("As 6h 8d", "5s 6h 6d")),
        *((f"{two} Tc Ts Th", "1 double", LOW, NO_DOUBLE) for two in ("As 6h 7d", "2s 6h Td")),
        ("As 6h 8d Tc Ts", "1 double", {}, NO_DOUBLE),
        # Ten and queen are a pair by value, not by rank.
        (TEN_QUEEN, "1 split, 1 stand, 1 stand", {"split": "value"}, 40),
        (TEN_QUEEN, "1 split, 1 stand, 1 stand", {"split": "rank"}, "split_not_allowed"),
        # Aces are split again, or played on, only where it is said.
        ("As 6h Ad Ac 9s Th Td", "1 split, 1 split", {"resplit_aces": False}, SURPLUS),
        ("As 6h Ad Ac 9s Th Td", "1 split, 1 stand", {"resplit_aces": True}, 40),
        ("As 6h Ad Ac 9s Th Td", "1 split, 1 hit", {"resplit_aces": True}, "hit_not_allowed"),
        ("As 6h Ad 3c 5s 9h Th Td", "1 split, 1 hit, 1 stand, 1 stand", {"split_aces": "play_on"}, 40),
        ("As 6h Ad Kc 9s Th Td", "1 split", {"split_natural": True}, 50),
        ("7s 6h 7d 7c Ts", "1 hit, 1 hit", {"draw_on_21": True}, -20),
        ("7s 6h 7d 7c Ts 5h", "1 hit, 1 hit", {"draw_on_21": False}, SURPLUS),
        ("6s Kh 5d Tc Ac", "1 double", {"late_natural": "original"}, -20),
    ],
)
def test_row5_row7_row12_row15_row17_row19_row21_row22_options_card_by_card(
    cards: str, moves: str, options: dict[str, Any], expected: Any
) -> None:
    assert came_to("eca", cards, moves, options=options) == expected


@pytest.mark.parametrize(
    ("sheet", "halves", "limits", "amounts"),
    [
        ("wonder", None, None, (100, 200, 300, 400, 500)),
        ("eca", None, (20, 70, 20), (10, 20, 30)),
        ("eca", "house", (25, 100, 25), (10, 25, 35, 50)),
        ("wiesbaden", "player", (15, 45, 15), (5, 10, 15, 20)),
        ("banco", None, (15, 45, 15), (10, 15, 20)),
    ],
)
def test_row8_every_amount_that_a_bet_of_the_table_can_be_insured_for(
    sheet: str, halves: str | None, limits: Any, amounts: tuple[int, ...]
) -> None:
    table = dict(zip(("min", "max", "step", "chip"), (*limits, 5), strict=True)) if limits else None
    rules = rules_make(sheet, limits=table, options={"halves": halves} if halves else None)
    assert rules.insurances(8) == rules.insurances(len(amounts)) == amounts
    assert rules.insurances(len(amounts) - 1) == ()
    endless = {"min": 25, "max": 10**9, "step": 25, "chip": 5}
    assert rules_make("eca", limits=endless, options={"halves": "player"}).insurances(8) == ()
