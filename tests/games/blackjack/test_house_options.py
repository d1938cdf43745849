"""What a director may set otherwise than the sheet: each test is named after the row it belongs to."""

from typing import Any

import pytest

from games.blackjack.chosen import OPTION_NAMES, options_differing, rules_make, rules_record
from games.blackjack.deal import CardDrawn, Decision, apply, deal_start, legal
from games.blackjack.options import option_catalogue, option_values
from games.blackjack.posted import posted
from games.blackjack.record import settle
from games.blackjack.results import hands_at_most, net_bounds, results_settle
from games.blackjack.rules import FIRST_FIELDS, SHEETS, HouseRules
from ground.refused import Refused
from tests.games.blackjack.deals import dealer, net, record, refused


def code_of(name: str, options: Any) -> str:
    with pytest.raises(Refused) as no:
        rules_make(name, options=options)
    return no.value.code


def hands(*args: Any, **more: Any) -> list[str]:
    found = settle(record(*args, **more))["hands"]["1"]
    return [" ".join(hand["cards"]) for hand in found]


# -- the catalogue -----------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", list(SHEETS))
def test_every_option_of_the_catalogue_has_words_for_each_value(sheet: str) -> None:
    for option in option_catalogue(SHEETS[sheet]):
        assert option.question.endswith("?")
        assert len(set(option.sentences)) == len(option.values) > 1
        assert option.default in option.values
        for value, words in zip(option.values, option.sentences, strict=True):
            assert words.endswith(".")
            assert option.sentence(value) == words


@pytest.mark.parametrize("sheet", list(SHEETS))
def test_every_value_of_the_catalogue_can_be_set_and_comes_back_in_a_record(sheet: str) -> None:
    for option in option_catalogue(SHEETS[sheet]):
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
    rows = {name: [option.row for option in option_catalogue(rules)] for name, rules in SHEETS.items()}
    assert all(found == sorted(found) for found in rows.values())
    offered = {name: {o.name for o in option_catalogue(rules)} for name, rules in SHEETS.items()}
    assert set().union(*offered.values()) == set(OPTION_NAMES)
    assert "hole_card" not in offered["wonder"] | offered["ggpoker"] | offered["wiesbaden"]
    assert "insurance_closes" not in offered["wonder"] | offered["ggpoker"]
    assert "late_natural" not in offered["wonder"]
    assert "surrender" not in offered["eca"]
    assert "split_natural" not in offered["banco"]
    assert [name for name, found in offered.items() if "line_chip_push" in found] == ["banco"]
    assert [name for name, found in offered.items() if "halves" not in found] == ["banco"]
    assert [name for name, found in offered.items() if "shared_max" in found] == ["eca", "banco", "wiesbaden"]


def test_row16_the_catalogue_shows_no_limit_where_the_sheet_has_none() -> None:
    found = {o.name: o for o in option_catalogue(SHEETS["eca"])}["max_hands"]
    assert found.values == (2, 3, 4, None)
    assert found.default is None
    assert code_of("eca", {"max_hands": None}) == "bad_options"
    assert option_values(SHEETS["eca"], "max_hands") == (2, 3, 4)


@pytest.mark.parametrize(
    ("sheet", "options"),
    [
        ("wonder", {"double_soft_low": True}),
        ("eca", {"double": "any", "double_soft_low": True}),
        ("banco", {"surrender": "none", "surrender_after_split": True}),
        ("wonder", {"even_money": False, "even_money_returns_insurance": False}),
        ("wonder", {"hole_card": True}),
        ("wonder", {"insurance_closes": "third_card"}),
        ("eca", {"surrender_after_split": True}),
        ("eca", {"line_chip_push": "player"}),
        ("banco", {"split_natural": True}),
        ("banco", {"halves": "player"}),
        ("wonder", {"halves": None}),
        ("wonder", {"late_natural": "original"}),
        ("ggpoker", {"shared_max": "player"}),
        ("eca", {"hole_card": 1}),
        ("eca", {"soft17": "hit_all"}),
    ],
)
def test_options_that_say_nothing_there_are_refused(sheet: str, options: dict[str, object]) -> None:
    assert code_of(sheet, options) == "bad_options"


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


def test_row3_a_hole_card_where_the_sheet_is_silent() -> None:
    options = {"hole_card": True}
    assert dealer("banco", {1: 20}, "Ts 6h 8d Kc 5s", "1 stand", options=options) == "6h Kc 5s"
    assert net("banco", {1: 20}, "Ts Ah 8d Kc", "1 stand", options=options) == -20


def test_row5_until_hard_draws_on_from_a_soft_17_but_not_from_a_soft_18() -> None:
    options = {"soft17": "until_hard"}
    assert dealer("wonder", {1: 200}, "Ts 6h Td Ac As 9s", "1 stand", options=options) == "6h Ac As 9s"
    drawn = "6h Ac 4s Tc"
    assert dealer("wonder", {1: 200}, "Ts 6h Td Ac 4s Tc", "1 stand", options=options) == drawn
    assert dealer("wonder", {1: 200}, "Ts 7h Td Ac", "1 stand", options=options) == "7h Ac"
    assert dealer("wonder", {1: 200}, "Ts 6h Td Ac Th", "1 stand", options=options) == "6h Ac Th"
    assert dealer("wonder", {1: 200}, "Ts 6h Td Ac As", "1 stand") == "6h Ac As"


def test_row7_a_natural_that_is_paid_at_the_end_waits_for_the_dealers_second_card() -> None:
    at_end = {"natural_paid": "at_end"}
    assert dealer("eca", {1: 20}, "As 6h Kd") == "6h"
    assert dealer("eca", {1: 20}, "As 6h Kd Tc", options=at_end) == "6h Tc"
    assert net("eca", {1: 20}, "As 6h Kd Tc", options=at_end) == 30
    assert net("wonder", {1: 200}, "As Kh Kd 9c", options=at_end) == 300


def test_row10_insurance_until_a_third_card_or_before_anybody_plays() -> None:
    bets = {1: 20, 2: 20}
    late = "1 stand, 2 insurance 10, 2 stand"
    options = {"insurance_closes": "third_card"}
    assert net("wiesbaden", bets, "Ts Th Ad 9c 8s Kh", late, options=options) == {"1": -20, "2": 0}
    refused("insurance_closed", "wiesbaden", bets, "Ts Th Ad 9c 8s Kh", late)
    refused(
        "insurance_closed", "banco", bets, "Ts Th Ad 9c 8s Kh", late, options={"insurance_closes": "play"}
    )


def test_row11_an_insurance_may_stay_when_even_money_is_taken() -> None:
    options = {"even_money_returns_insurance": False}
    moves = "1 insurance 10, 1 even_money"
    lost = settle(record("eca", {1: 20}, "As Ah Kd 9c", moves, options=options))
    assert (lost["net"], lost["insurance"]) == ({"1": 10}, {"1": -10})
    assert net("eca", {1: 20}, "As Ah Kd Kc", moves, options=options) == 40


def test_row12_an_ace_may_count_1_for_doubling() -> None:
    low = {"double_soft_low": True}
    assert net("eca", {1: 20}, "As 6h 8d Tc Ts Th", "1 double", options=low) == 40
    assert net("eca", {1: 20}, "As 6h 9d Tc Ts Th", "1 double", options=low) == 40
    for cards in ("As 6h 7d Tc Ts Th", "As 6h Ad Tc Ts Th"):
        refused("double_not_allowed", "eca", {1: 20}, cards, "1 double", options=low)
    assert net("eca", {1: 20}, "5s 6h 6d Tc Ts Th", "1 double", options=low) == 40


def test_row13_a_double_for_less_where_the_director_allows_it() -> None:
    cards = "6s 6h 5d Ts Tc Th"
    refused("double_amount", "banco", {1: 20}, cards, "1 double 10")
    assert net("banco", {1: 20}, cards, "1 double 10", options={"double_amount": "up_to"}) == 30


def test_row17_split_aces_may_be_played_on() -> None:
    options = {"split_aces": "play_on"}
    cards = "As 6h Ad 3c 5s 9h Tc Th Td"
    moves = "1 split, 1 hit, 1 stand, 1 double"
    assert hands("banco", {1: 20}, cards, moves, options=options) == ["As 3c 5s", "Ad 9h Tc"]
    refused("hit_not_allowed", "eca", {1: 20}, "As 6h Ad Ac 5s 9h Tc Th", "1 split, 1 hit")
    refused("split_not_allowed", "banco", {1: 20}, "As 6h Ad Ac Th", "1 split, 1 split", options=options)


def test_row18_both_second_cards_at_once() -> None:
    cards = "8s 6h 8d 3s Th 9d Tc 5c"
    options = {"split_cards": "both"}
    assert hands("eca", {1: 10}, cards, "1 split, 1 hit, 1 stand, 1 stand", options=options) == [
        "8s 3s 9d",
        "8d Th",
    ]


def test_row19_ace_and_ten_after_a_split_may_be_a_natural() -> None:
    options = {"split_natural": True}
    assert net("eca", {1: 20}, "As 6h Ad Kc 9s Th Td", "1 split", options=options) == 50
    assert net("eca", {1: 20}, "As Th Ad Kc 9s Ah", "1 split", options=options) == -20
    assert net("eca", {1: 20}, "Ks 6h Kd Ac 9s Th Td", "1 split, 1 stand", options=options) == 50
    assert net("wonder", {1: 200}, "As Th Ad 9h Kc 9s", "1 split", options=options) == 500


def test_row20_surrender_after_a_split() -> None:
    allowed = {"surrender_after_split": True}
    cards = "8s Kh 8d 7c 5s 9h"
    assert net("wonder", {1: 200}, cards, "1 split, 1 surrender, 1 stand", options=allowed) == -100
    refused("surrender_not_allowed", "wonder", {1: 200}, cards, "1 split, 1 surrender, 1 stand")
    refused(
        "surrender_not_allowed",
        "banco",
        {1: 20},
        "8s 9h 8d 7c Ts 8h",
        "1 split, 1 surrender, 1 stand",
        options={"surrender_after_split": False},
    )


def test_row22_a_late_natural_may_take_the_original_bet_only() -> None:
    options = {"late_natural": "original"}
    assert net("eca", {1: 20}, "6s Kh 5d Tc Ac", "1 double", options=options) == -20
    split = settle(record("eca", {1: 20}, "8s Kh 8d Tc 9s Ac", "1 split, 1 stand, 1 stand", options=options))
    assert [hand["net"] for hand in split["hands"]["1"]] == [-20, 0]
    busted = "8s Kh 8d 6c Tc 9s Ac"
    assert net("eca", {1: 20}, busted, "1 split, 1 hit, 1 stand", options=options) == -20
    over = "8s Kh 8d Tc 6c Ts Ac"
    assert net("eca", {1: 20}, over, "1 split, 1 stand, 1 hit", options=options) == -40
    assert net("eca", {1: 20}, "6s Kh 6d 2c Tc Ac", "1 split, 1 stand, 1 stand", options=options) == -20


def test_row22_results_of_a_late_natural_that_takes_the_original_bet_only() -> None:
    rules = rules_make("eca", options={"late_natural": "original"})
    outcome = {
        "hands": [{"result": "lose"}, {"result": "push"}],
        "insurance": 10,
        "insurance_won": True,
    }
    assert results_settle(rules, {1: 20}, None, {1: outcome})["net"] == {"1": 0}
    with pytest.raises(Refused):
        results_settle(SHEETS["eca"], {1: 20}, None, {1: outcome})


@pytest.mark.parametrize(
    ("push", "change", "left"), [("stays", 0, 5), ("player", 5, None), ("house", 0, None)]
)
def test_row23_what_a_push_does_to_the_chip_on_the_line(push: str, change: int, left: int | None) -> None:
    options = {"line_chip_push": push}
    answer = settle(record("banco", {1: 20}, "Ts 9h 8d 9c", "1 stand", line_chips={1: 5}, options=options))
    assert answer["net"] == {"1": change}
    assert answer.get("line_chip", {}).get("1") == left
    got = results_settle(
        rules_make("banco", options=options),
        {1: 20},
        None,
        {1: {"hands": [{"result": "push"}]}},
        line_chips={1: 5},
    )
    assert got["net"] == {"1": change}
    assert got.get("line_chip", {}).get("1") == left


def test_row19_results_and_bounds_know_naturals_after_splits() -> None:
    rules = rules_make("wonder", options={"split_natural": True, "double_after_split": False})
    outcome = {"hands": [{"result": "natural"}, {"result": "win"}]}
    assert results_settle(rules, {1: 200}, None, {1: outcome})["net"] == {"1": 500}
    with pytest.raises(Refused):
        results_settle(SHEETS["wonder"], {1: 200}, None, {1: outcome})
    assert net_bounds(rules, 200)[1] == 1200


def test_row20_a_surrender_that_cannot_be_says_why() -> None:
    split = {"hands": [{"result": "surrender"}, {"result": "win"}]}
    for sheet, outcome, words in (
        ("eca", {"hands": [{"result": "surrender"}]}, "there is no surrender at this table."),
        ("eca", split, "there is no surrender at this table."),
        ("wonder", split, "there is no surrender after a split."),
    ):
        with pytest.raises(Refused) as no:
            results_settle(SHEETS[sheet], {1: 200}, None, {1: outcome})
        assert no.value.message.endswith(words)


def test_row20_even_money_of_another_box_shows_an_ace_against_which_nobody_surrenders() -> None:
    outcomes = {1: {"hands": [{"result": "even_money"}]}, 2: {"hands": [{"result": "surrender"}]}}
    with pytest.raises(Refused) as no:
        results_settle(SHEETS["banco"], {1: 20, 2: 20}, None, outcomes)
    assert no.value.code == "surrender_not_allowed"


def test_row16_without_a_limit_a_box_has_as_many_hands_as_there_are_ten_values() -> None:
    assert hands_at_most(SHEETS["eca"]) == 96
    assert hands_at_most(SHEETS["wonder"]) == 4


def test_row20_results_of_a_surrender_after_a_split() -> None:
    rules = rules_make("wonder", options={"surrender_after_split": True})
    outcome = {"hands": [{"result": "surrender"}, {"result": "win"}]}
    assert results_settle(rules, {1: 200}, None, {1: outcome})["net"] == {"1": 100}


def test_row17_played_on_aces_are_offered_every_action() -> None:
    deal = deal_start(rules_make("banco", options={"split_aces": "play_on"}), {1: 20})
    for card in ("As", "6h", "Ad"):
        deal = apply(deal, CardDrawn(card))
    deal = apply(apply(deal, Decision(1, "split")), CardDrawn("5c"))
    assert [offer.action for offer in legal(deal)] == ["stand", "hit", "double"]


# -- halves (row 23, A7) -----------------------------------------------------------------------------

ODD = {"min": 25, "max": 500, "step": 25, "chip": 5}


def odd(name: str, halves: str | None, **options: Any) -> HouseRules:
    """A sheet with bets from 25 in 25s, of which half is no whole chip."""
    chosen = options | ({"halves": halves} if halves else {})
    return rules_make(name, limits=ODD, options=chosen)


def test_A7_a_ladder_of_odd_chips_needs_somebody_for_whom_halves_are_rounded() -> None:
    with pytest.raises(Refused) as no:
        odd("wonder", None)
    assert no.value.code == "bad_limits"
    assert "or halves must be rounded for the players or for the house" in no.value.message
    assert odd("wonder", "player").limits == odd("wonder", "house").limits == ODD
    with pytest.raises(Refused) as no:
        rules_make("wonder", limits=ODD | {"step": 7, "min": 7}, options={"halves": "house"})
    assert no.value.message == "The step of bets must be a multiple of 5, the chip."


@pytest.mark.parametrize(("halves", "won"), [("player", 40), ("house", 35)])
def test_row6_a_half_of_a_natural_is_rounded(halves: str, won: int) -> None:
    options = {"halves": halves}
    assert net("eca", {1: 25}, "As 9h Kd", limits=ODD, options=options) == won
    assert net("eca", {1: 50}, "As 9h Kd", limits=ODD, options=options) == 75
    natural = {1: {"hands": [{"result": "natural"}]}}
    assert results_settle(odd("eca", halves), {1: 25}, None, natural)["net"] == {"1": won}
    assert net_bounds(odd("eca", halves, max_hands=2, double_after_split=False), 25)[1] == 50


@pytest.mark.parametrize(("halves", "won"), [("player", 80), ("house", 70)])
def test_row19_each_natural_after_a_split_is_rounded_by_itself(halves: str, won: int) -> None:
    options = {"halves": halves, "split_natural": True}
    assert net("eca", {1: 25}, "As 6h Ad Kc Qc", "1 split", limits=ODD, options=options) == won


@pytest.mark.parametrize(("halves", "lost"), [("player", 10), ("house", 15)])
def test_row20_what_a_surrender_hands_back_is_rounded(halves: str, lost: int) -> None:
    options = {"halves": halves}
    assert net("wonder", {1: 25}, "Ts 9h 6d Tc", "1 surrender", limits=ODD, options=options) == -lost
    given_up = {1: {"hands": [{"result": "surrender"}]}}
    assert results_settle(odd("wonder", halves), {1: 25}, None, given_up)["net"] == {"1": -lost}


def test_row20_A6_what_is_handed_back_rounded_may_be_put_up_again() -> None:
    cards = "8s 6h 8d Tc 4c 3c Td 9d"
    moves = "1 split, 1 surrender, 1 double"
    stacks = {"1": 60}
    options = {"halves": "player", "surrender_after_split": True}
    assert net("wonder", {1: 25}, cards, moves, limits=ODD, stacks=stacks, options=options) == 40
    options["halves"] = "house"
    refused("not_enough_chips", "wonder", {1: 25}, cards, moves, limits=ODD, stacks=stacks, options=options)


@pytest.mark.parametrize("halves", ["player", "house"])
def test_row8_the_insurance_is_the_whole_chips_in_half_of_the_bet(halves: str) -> None:
    options = {"halves": halves}
    for sheet, fits in (("eca", (10,)), ("wiesbaden", (5, 10))):
        for chips in (5, 10, 12, 13, 15):
            play = (sheet, {1: 25}, "Ts Ah 9d Kc", f"1 insurance {chips}, 1 stand")
            if chips in fits:
                assert net(*play, limits=ODD, options=options) == 2 * chips - 25
            else:
                refused("insurance_amount", *play, limits=ODD, options=options)
    assert odd("eca", halves).insurance_range(50) == (25, 25, 5)
    low, high, _step = rules_make(
        "eca", limits={"min": 5, "max": 50, "step": 5, "chip": 5}, options=options
    ).insurance_range(5)
    assert low > high, "half of one chip cannot be insured"


@pytest.mark.parametrize(
    ("sheet", "halves", "limits", "amounts"),
    [
        ("wonder", None, None, (100, 200, 300, 400, 500)),
        ("eca", None, {"min": 20, "max": 70, "step": 20, "chip": 5}, (10, 20, 30)),
        ("eca", "house", {"min": 25, "max": 100, "step": 25, "chip": 5}, (10, 25, 35, 50)),
        ("wiesbaden", "player", {"min": 15, "max": 45, "step": 15, "chip": 5}, (5, 10, 15, 20)),
        ("banco", None, {"min": 15, "max": 45, "step": 15, "chip": 5}, (10, 15, 20)),
    ],
)
def test_row8_every_amount_that_a_bet_of_the_table_can_be_insured_for(
    sheet: str, halves: str | None, limits: Any, amounts: tuple[int, ...]
) -> None:
    options = {"halves": halves} if halves else None
    assert rules_make(sheet, limits=limits, options=options).insurances(8) == amounts


def test_row8_more_amounts_than_can_be_shown_are_none_also_where_the_ladder_has_no_end() -> None:
    endless = {"min": 25, "max": 10**9, "step": 25, "chip": 5}
    for sheet in ("eca", "wonder"):
        assert rules_make(sheet, limits=endless, options={"halves": "player"}).insurances(8) == ()
    assert SHEETS["wonder"].insurances(4) == ()
    assert SHEETS["wonder"].insurances(5) == (100, 200, 300, 400, 500)


def test_row23_the_dealer_and_each_player_of_a_shared_box_get_whole_chips() -> None:
    players = {"1": [{"name": "anna", "bet": 25}, {"name": "ben", "bet": 75}]}
    found = settle(
        record("eca", {1: 25}, "As 9h Kd", limits=ODD, options={"halves": "house"}, players=players)
    )
    assert found["players"]["1"] == [{"name": "anna", "net": 35}, {"name": "ben", "net": 110}]


def test_row23_the_posted_rules_say_for_whom_a_half_is_rounded() -> None:
    for rules in (SHEETS["eca"], odd("eca", "player"), odd("eca", "house")):
        said = [each.settings["halves"] for each in posted(rules) if "halves" in each.settings]
        assert said == [rules.halves]
