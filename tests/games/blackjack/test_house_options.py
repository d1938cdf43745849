"""What a director may set otherwise than the sheet: each test is named after the row it belongs to.

That options pay as they say, card by card and by results, is held by the second opinion, which has them all.
"""

from typing import Any

import pytest

from games.blackjack.chosen import OPTION_NAMES, options_differing, rules_make, rules_record
from games.blackjack.options import option_catalogue, option_values
from games.blackjack.posted import posted
from games.blackjack.results import hands_at_most, net_bounds, results_settle
from games.blackjack.rules import FIRST_FIELDS, SHEETS, HouseRules
from ground.refused import Refused
from tests.games.blackjack.deals import code_of, net, refused

# -- the catalogue -----------------------------------------------------------------------------------


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


def test_the_catalogue_goes_by_the_rows_of_the_table() -> None:
    found = {name: option_catalogue(rules) for name, rules in SHEETS.items()}
    for options in found.values():
        assert [each.row for each in options] == sorted(each.row for each in options)
    assert {each.name for options in found.values() for each in options} == set(OPTION_NAMES)


def test_row16_the_catalogue_shows_no_limit_where_the_sheet_has_none() -> None:
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


def test_options_that_lean_on_another_one_hold_together_with_it() -> None:
    assert rules_make("wonder", options={"double": "9-11", "double_soft_low": True}).double_soft_low
    assert rules_make("banco", options={"surrender": "none"}).surrender == "none"


def test_a_snapshot_from_before_an_option_existed_plays_as_it_did() -> None:
    for name, rules in SHEETS.items():
        old = {field: value for field, value in rules.to_dict().items() if field in FIRST_FIELDS}
        assert HouseRules.from_dict(old) == rules, name
    with pytest.raises(Refused):
        HouseRules.from_dict({**SHEETS["eca"].to_dict(), "unknown": 1})
    with pytest.raises(Refused):
        HouseRules.from_dict({k: v for k, v in SHEETS["eca"].to_dict().items() if k != "soft17"})


# -- row by row --------------------------------------------------------------------------------------


def test_row5_until_hard_draws_on_from_a_soft_17_but_not_from_a_soft_18() -> None:
    until_hard = {"soft17": "until_hard"}
    assert net("wonder", {1: 200}, "Ts 6h Td Ac As 9s", "1 stand", options=until_hard) == 200
    assert net("wonder", {1: 200}, "Ts 7h Td Ac", "1 stand", options=until_hard) == 200
    refused("cards_left_over", "wonder", {1: 200}, "Ts 6h Td Ac As 9s", "1 stand")


def test_row7_a_natural_that_is_paid_at_the_end_waits_for_the_dealers_second_card() -> None:
    assert net("eca", {1: 20}, "As 6h Kd") == 30
    refused("cards_missing", "eca", {1: 20}, "As 6h Kd", options={"natural_paid": "at_end"})


@pytest.mark.parametrize(
    ("cards", "low"), [("As 6h 7d", 8), ("As 6h 8d", 9), ("5s 6h 6d", 11), ("2s 6h Td", 12)]
)
def test_row12_an_ace_may_count_1_for_doubling_on_9_to_11(cards: str, low: int) -> None:
    play = ("eca", {1: 20}, f"{cards} Tc Ts Th", "1 double")
    if 9 <= low <= 11:
        assert net(*play, options={"double_soft_low": True}) in (-40, 40)
    else:
        refused("double_not_allowed", *play, options={"double_soft_low": True})


def test_row17_aces_are_split_again_or_played_on_only_where_it_is_said() -> None:
    aces = "As 6h Ad Ac 9s Th Td"
    refused("decisions_left_over", "banco", {1: 20}, aces, "1 split, 1 split")
    assert net("banco", {1: 20}, aces, "1 split, 1 stand", options={"resplit_aces": True}) == 40
    refused("hit_not_allowed", "banco", {1: 20}, aces, "1 split, 1 hit", options={"resplit_aces": True})
    hits = ("As 6h Ad 3c 5s 9h Th Td", "1 split, 1 hit, 1 stand, 1 stand")
    assert net("banco", {1: 20}, *hits, options={"split_aces": "play_on"}) == 40


def came_to(sheet: str, *outcomes: dict[str, Any], bet: int = 20, **rules: Any) -> Any:
    """What the boxes win by results, or the code of the refusal."""
    boxes = range(1, len(outcomes) + 1)
    made = rules_make(sheet, **rules)
    try:
        found = results_settle(made, dict.fromkeys(boxes, bet), None, dict(zip(boxes, outcomes, strict=True)))
    except Refused as no:
        return no.code
    return list(found["net"].values())


def test_row20_an_ace_against_which_nobody_surrenders_is_shown_by_even_money_of_another_box() -> None:
    even, given_up = ({"hands": [{"result": word}]} for word in ("even_money", "surrender"))
    assert came_to("banco", even, given_up) == "surrender_not_allowed"
    assert came_to("banco", {"hands": [{"result": "win"}]}, given_up) == [20, -10]


def test_row22_results_of_a_late_natural_that_takes_the_original_bet_only() -> None:
    hands = {"hands": [{"result": "lose"}, {"result": "push"}], "insurance": 10, "insurance_won": True}
    assert came_to("eca", hands, options={"late_natural": "original"}) == [0]
    assert came_to("eca", hands) == "result_impossible"


def test_row19_results_and_bounds_know_naturals_after_splits() -> None:
    options = {"split_natural": True, "double_after_split": False}
    hands = {"hands": [{"result": "natural"}, {"result": "win"}]}
    assert came_to("wonder", hands, bet=200, options=options) == [500]
    assert came_to("wonder", hands, bet=200) == "result_impossible"
    assert net_bounds(rules_make("wonder", options=options), 200)[1] == 1200


# -- halves (row 23, A7) -----------------------------------------------------------------------------

ODD = {"min": 25, "max": 500, "step": 25, "chip": 5}


def test_A7_a_ladder_of_odd_chips_needs_somebody_for_whom_halves_are_rounded() -> None:
    assert code_of("wonder", limits=ODD) == "bad_limits"
    for halves in ("player", "house"):
        assert rules_make("wonder", limits=ODD, options={"halves": halves}).limits == ODD
    assert code_of("wonder", limits=ODD | {"step": 7, "min": 7}, options={"halves": "house"}) == "bad_limits"


@pytest.mark.parametrize(("halves", "natural", "surrender"), [("player", 40, -10), ("house", 35, -15)])
def test_row6_row20_a_half_is_rounded(halves: str, natural: int, surrender: int) -> None:
    odd: dict[str, Any] = {"limits": ODD, "options": {"halves": halves}}
    assert net("eca", {1: 25}, "As 9h Kd", **odd) == natural
    assert net("eca", {1: 50}, "As 9h Kd", **odd) == 75
    assert came_to("eca", {"hands": [{"result": "natural"}]}, bet=25, **odd) == [natural]
    assert net("wonder", {1: 25}, "Ts 9h 6d Tc", "1 surrender", **odd) == surrender
    assert came_to("wonder", {"hands": [{"result": "surrender"}]}, bet=25, **odd) == [surrender]


@pytest.mark.parametrize("halves", ["player", "house"])
def test_row8_the_insurance_is_the_whole_chips_in_half_of_the_bet(halves: str) -> None:
    odd: dict[str, Any] = {"limits": ODD, "options": {"halves": halves}}
    for sheet, fits in (("eca", (10,)), ("wiesbaden", (5, 10))):
        for chips in (5, 10, 12, 13, 15):
            play = (sheet, {1: 25}, "Ts Ah 9d Kc", f"1 insurance {chips}, 1 stand")
            if chips in fits:
                assert net(*play, **odd) == 2 * chips - 25
            else:
                refused("insurance_amount", *play, **odd)
    assert rules_make("eca", **odd).insurance_range(50) == (25, 25, 5)
    low, high, _step = rules_make("eca", **odd).insurance_range(5)
    assert low > high, "half of one chip cannot be insured"


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


def test_row23_the_posted_rules_say_for_whom_a_half_is_rounded() -> None:
    for halves in (None, "player", "house"):
        rules = rules_make("eca", options={"halves": halves} if halves else None)
        said = [each.settings["halves"] for each in posted(rules) if "halves" in each.settings]
        assert said == [halves]
