"""The house-rule sheets row by row: each test is named after the row (1–25) or clause (A1–A8) it checks."""

import pytest

from games.blackjack.record import settle
from games.blackjack.rules import SHEETS
from tests.games.blackjack.deals import code_of, dealer, net, record, refused

# -- the table as data -------------------------------------------------------------------------------


def test_row1_decks_of_each_sheet() -> None:
    allowed = {name: rules.decks_allowed for name, rules in SHEETS.items()}
    assert allowed == {
        "wonder": (6, 8),
        "eca": (6,),
        "banco": (6,),
        "ggpoker": (4, 6, 8),
        "wiesbaden": (4, 6, 8),
    }
    assert {rules.decks for rules in SHEETS.values()} == {6}
    assert [name for name, rules in SHEETS.items() if rules.joker] == ["wiesbaden"]


@pytest.mark.parametrize("decks", [4, 7, 0, "6", 6.0, True, [6]])
def test_row1_decks_not_of_the_sheet_are_refused(decks: object) -> None:
    assert code_of("wonder", decks=decks) == "decks_not_allowed"


def test_row1_eight_decks_allow_eight_copies() -> None:
    cards = "8s 8s 8s 8s 8s 8s 8s"
    refused("impossible_card", "wonder", {1: 200}, cards, "1 stand")
    assert refused("cards_left_over", "wonder", {1: 200}, cards, "1 stand", decks=8)


def test_row2_limits_of_each_sheet() -> None:
    limits = {name: tuple(rules.limits.values()) for name, rules in SHEETS.items()}
    assert limits == {
        "wonder": (200, 1000, 200, 100),
        "eca": (10, 500, 10, 5),
        "banco": (5, 200, 5, 5),
        "ggpoker": (10, 1000, 10, 1),
        "wiesbaden": (10, 500, 10, 5),
    }


@pytest.mark.parametrize(
    ("bet", "code"),
    [
        (0, "bet_below_minimum"),
        (100, "bet_below_minimum"),
        (300, "bet_not_in_increment"),
        (1200, "bet_above_maximum"),
    ],
)
def test_row2_a_bet_outside_the_limits_is_refused(bet: int, code: str) -> None:
    assert "Box 1" in refused(code, "wonder", {1: bet}, "Ts Kh 6d 7c", "1 stand")


def test_row3_a_hole_card_is_part_of_the_deal_and_no_hole_card_is_drawn_after_the_players() -> None:
    assert dealer("wonder", {1: 200}, "Ts 6h 6d Tc Ks", "1 hit") == "6h Tc"
    assert dealer("eca", {1: 20}, "Ts 6h 6d Tc", "1 hit") == "6h"
    assert dealer("eca", {1: 20}, "Ts 6h 8d Tc 5c", "1 stand") == "6h Tc 5c"


def test_row4_wonder_looks_under_ace_and_ten_and_ggpoker_under_the_ace_only() -> None:
    assert net("wonder", {1: 200}, "Ts Kh 6d Ac") == -200
    refused("decisions_left_over", "wonder", {1: 200}, "Ts Kh 6d Ac", "1 stand")
    refused("decisions_missing", "ggpoker", {1: 10}, "Ts Kh 6d Ac")
    assert net("ggpoker", {1: 10}, "Ts Ah 6d Kc") == -10


def test_row4_what_each_sheet_looks_under() -> None:
    found = {name: rules.looks_under for name, rules in SHEETS.items()}
    assert found == {"wonder": "AT", "eca": "", "banco": "", "ggpoker": "A", "wiesbaden": ""}


def test_row4_no_look_under_a_nine() -> None:
    refused("decisions_missing", "wonder", {1: 200}, "Ts 9h 6d Ac")


def test_row5_wonder_hits_soft_17_and_only_that() -> None:
    assert dealer("wonder", {1: 200}, "Ts 6h Td Ac 4s", "1 stand") == "6h Ac 4s"
    assert dealer("wonder", {1: 200}, "Ts Ah 9d 6c As", "1 stand") == "Ah 6c As"
    assert dealer("wonder", {1: 200}, "Ts Ah 8d 6c Ts", "1 stand") == "Ah 6c Ts"


@pytest.mark.parametrize("sheet", ["eca", "banco", "wiesbaden", "ggpoker"])
def test_row5_the_others_stand_on_soft_17(sheet: str) -> None:
    assert SHEETS[sheet].soft17 == "stand"
    assert dealer(sheet, {1: 20}, "Ts 6h 8d Ac", "1 stand") == "6h Ac"


def test_row5_option_soft17() -> None:
    assert dealer("eca", {1: 20}, "Ts 6h 8d Ac 2s", "1 stand", options={"soft17": "hit"}) == "6h Ac 2s"
    assert dealer("wonder", {1: 200}, "Ts 6h Td Ac", "1 stand", options={"soft17": "stand"}) == "6h Ac"


@pytest.mark.parametrize("sheet", list(SHEETS))
def test_row6_a_natural_pays_three_to_two(sheet: str) -> None:
    bet = SHEETS[sheet].min_chips * 2
    hole = " Tc" if SHEETS[sheet].hole_card else ""
    assert net(sheet, {1: bet}, "As 6h Kd" + hole) == bet * 3 // 2


@pytest.mark.parametrize("up", ["2h", "5h", "9h"])
def test_row7_against_2_to_9_a_natural_is_paid_at_once_and_the_dealer_draws_nothing_for_it(up: str) -> None:
    assert dealer("eca", {1: 20}, f"As {up} Kd") == up


def test_row7_against_ten_or_ace_a_natural_waits_for_the_dealers_hand() -> None:
    assert dealer("eca", {1: 20}, "As Kh Qd 5c") == "Kh 5c"
    assert net("eca", {1: 20}, "As Kh Qd Ac") == 0
    assert net("wonder", {1: 200}, "As Kh Kd 9c") == 300
    assert net("ggpoker", {1: 10}, "As Th Kd Ac") == 0


def test_row8_insurance_is_for_an_ace_only() -> None:
    refused("insurance_not_offered", "eca", {1: 20}, "Ts Kh 9d 8c", "1 insurance 10, 1 stand")


def test_row8_up_to_half_in_whole_chips() -> None:
    ace = "Ts Ah 9d Kc"
    assert net("wonder", {1: 400}, ace, "1 insurance 100") == -200
    for amount in ("0", "-100", "150", "300"):
        refused("insurance_amount", "wonder", {1: 400}, ace, f"1 insurance {amount}")
    refused("insurance_amount", "wonder", {1: 400}, ace, "1 insurance")


def test_row8_exactly_half() -> None:
    assert net("eca", {1: 20}, "Ts Ah 9d Kc", "1 insurance 10, 1 stand") == 0
    for amount in ("5", "15"):
        refused("insurance_amount", "eca", {1: 20}, "Ts Ah 9d Kc", f"1 insurance {amount}, 1 stand")


def test_row8_banco_at_least_half_the_table_minimum() -> None:
    table = {"min": 20, "max": 800, "step": 5, "chip": 5}
    refused("insurance_amount", "banco", {1: 40}, "Ts Ah 9d Kc", "1 insurance 5, 1 stand", limits=table)
    assert net("banco", {1: 40}, "Ts Ah 9d Kc", "1 insurance 10, 1 stand", limits=table) == -20


def test_row8_a_bet_whose_half_is_no_whole_chip_cannot_be_insured() -> None:
    assert "whole chips" in refused("insurance_amount", "banco", {1: 5}, "Ts Ah 9d Kc", "1 insurance 2")


def test_row8_a_box_insures_once() -> None:
    refused("insurance_not_offered", "wonder", {1: 400}, "Ts Ah 9d Kc", "1 insurance 100, 1 insurance 100")


def test_row9_a_natural_may_insure_but_not_at_banco() -> None:
    assert net("wonder", {1: 200}, "As Ah Kd Kc", "1 insurance 100") == 200
    refused("insurance_not_offered", "banco", {1: 20}, "As Ah Kd 9c", "1 insurance 10")
    assert net("banco", {1: 20}, "As Ah Kd 9c", "1 insurance 10", options={"natural_may_insure": True}) == 20


@pytest.mark.parametrize("sheet", ["wonder", "eca", "ggpoker", "wiesbaden"])
def test_row10_insurance_is_closed_once_somebody_played(sheet: str) -> None:
    bet = SHEETS[sheet].min_chips * 2
    more = " 7h" if SHEETS[sheet].hole_card else ""
    for late in (f"2 insurance {bet // 2}", "2 even_money"):
        refused("insurance_closed", sheet, {1: bet, 2: bet}, "Ts Th Ad 9c 8s" + more, f"1 stand, {late}")


INSURES, STANDS, BOTH_STAND = "2 insurance 10", "1 stand", "1 stand, 2 stand"


def test_row10_banco_insures_until_a_third_card_is_out() -> None:
    bets = {1: 20, 2: 20}
    assert net("banco", bets, "Ts Th Ad 9c 8s Kh", f"1 stand, {INSURES}, 2 stand") == {"1": -20, "2": 0}
    refused("insurance_closed", "banco", bets, "Ts Th Ad 2c 8s 5h Kh", f"1 hit, {INSURES}, 1 stand, 2 stand")


def test_row10_banco_insures_until_the_dealer_draws() -> None:
    bets = {1: 20, 2: 20}
    assert net("banco", bets, "Ts Th Ad 9c 8s Kh", f"{BOTH_STAND}, 1 insurance 10") == {"1": 0, "2": -20}
    late = "1 insurance 10, 2 insurance 10"
    assert net("banco", bets, "Ts Th Ad 9c 8s Kh", f"1 stand, 2 stand, {late}") == {"1": 0, "2": 0}
    refused("insurance_not_offered", "banco", bets, "Ts Th Ad 9c 8s Kh", f"1 stand, 2 stand, {late}, {late}")
    refused("decisions_left_over", "banco", bets, "Ts Th Ad 9c 2s 5h Kh", f"1 stand, 2 hit, 2 stand, {late}")
    # A natural waits for the dealer: even money is taken as long as the dealer has not drawn.
    assert net("banco", bets, "As Th Ad Kc 8s Kh", "2 stand, 1 even_money") == {"1": 20, "2": -20}


def test_row10_each_sheet_says_when_insurance_closes() -> None:
    assert {name: rules.insurance_closes for name, rules in SHEETS.items()} == {
        "wonder": "look",
        "eca": "play",
        "banco": "third_card",
        "ggpoker": "play",
        "wiesbaden": "play",
    }


@pytest.mark.parametrize(
    ("cards", "moves"),
    [
        ("8s Th 6d 8d 8c Tc", "1 split"),
        ("6s Th 6d 5d 8c Tc", "1 double"),
        ("6s Th 6d 5d 8c Tc", "1 hit"),
        ("6s Th 6d 5d 8c", "1 stand"),
    ],
)
def test_row10_whatever_was_played_closes_insurance_also_without_an_ace(cards: str, moves: str) -> None:
    bets = {1: 20, 2: 20}
    refused("insurance_closed", "eca", bets, cards, f"{moves}, 2 insurance 10")


def test_row10_boxes_insure_in_any_order() -> None:
    assert net("wonder", {1: 200, 2: 200}, "Ts Th Ad 9c 8s Kh", "2 insurance 100, 1 insurance 100") == {
        "1": 0,
        "2": 0,
    }


def test_row11_even_money_pays_the_bet_at_once() -> None:
    assert net("wonder", {1: 200}, "As Ah Kd Kc", "1 even_money") == 200
    assert net("banco", {1: 20}, "As Ah Kd", "1 even_money") == 20


def test_row11_even_money_returns_the_insurance() -> None:
    answer = settle(record("eca", {1: 20}, "As Ah Kd", "1 insurance 10, 1 even_money"))
    assert answer["net"] == {"1": 20}
    assert "insurance" not in answer
    refused("insurance_not_offered", "eca", {1: 20}, "As Ah Kd", "1 even_money, 1 insurance 10")


def test_row11_even_money_needs_a_natural_an_ace_and_the_option() -> None:
    for cards in ("9s Ah Kd 9c", "As Th Kd 9c"):
        refused("even_money_not_offered", "eca", {1: 20}, cards, "1 even_money")
    refused(
        "even_money_not_offered", "eca", {1: 20}, "As Ah Kd", "1 even_money", options={"even_money": False}
    )
    refused("even_money_not_offered", "eca", {1: 20}, "As Ah Kd", "1 even_money, 1 even_money")


def test_row12_double_on_any_two_cards_or_9_to_11() -> None:
    assert net("wonder", {1: 200}, "7s 6h 5d Tc Ts", "1 double") == -400
    refused("double_not_allowed", "eca", {1: 20}, "7s 6h 5d Tc", "1 double")
    refused("double_not_allowed", "wonder", {1: 200}, "2s 6h 3d Tc 5c", "1 hit, 1 double")
    option = {"double": "9-11"}
    refused("double_not_allowed", "wonder", {1: 200}, "7s 6h 5d Tc Ts", "1 double", options=option)


@pytest.mark.parametrize(("low", "allowed"), [("3s", False), ("4s", True), ("6s", True), ("7s", False)])
def test_row12_the_total_of_9_to_11_is_exact(low: str, allowed: bool) -> None:
    cards = f"{low} 6h 5d Ts Th 4h"
    if allowed:
        assert net("eca", {1: 20}, cards, "1 double") in (-40, 40)
    else:
        refused("double_not_allowed", "eca", {1: 20}, cards, "1 double")


def test_row12_soft_19_counts_19_for_doubling() -> None:
    refused("double_not_allowed", "eca", {1: 20}, "As 6h 8d Tc Ts Th", "1 double")


def test_row13_the_double_is_the_same_again_or_up_to_it() -> None:
    cards = "6s 6h 5d Tc Ts Th"
    assert net("wonder", {1: 200}, cards, "1 double 200") == 400
    for amount in ("100", "0", "400"):
        refused("double_amount", "wonder", {1: 200}, cards, f"1 double {amount}")
    assert net("ggpoker", {1: 10}, cards, "1 double 4") == 14
    for amount in ("0", "-1", "11"):
        refused("double_amount", "ggpoker", {1: 10}, cards, f"1 double {amount}")


def test_row13_less_than_the_bet_is_still_whole_chips() -> None:
    table = {"min": 200, "max": 1000, "step": 200, "chip": 100}
    refused("double_amount", "ggpoker", {1: 200}, "6s 6h 5d Tc Ts Th", "1 double 150", limits=table)


def test_row14_double_after_a_split() -> None:
    cards = "8s 6h 8d Tc 3s Th Td 3c"
    moves = f"1 split, 1 double, {STANDS}"
    assert net("wonder", {1: 200}, cards, moves) == 200
    refused("double_not_allowed", "wonder", {1: 200}, cards, moves, options={"double_after_split": False})
    refused("double_not_allowed", "ggpoker", {1: 10}, "8s 6h 8d Tc 3s Th Td 3c", moves)


def test_row15_same_rank_or_same_value() -> None:
    cards = "Ks 6h Qd Tc As 9h 4s"
    refused("split_not_allowed", "wonder", {1: 200}, cards, "1 split")
    option = {"split": "value", "draw_on_21": False}
    assert net("wonder", {1: 200}, cards, "1 split, 1 stand", options=option) == 0
    refused("split_not_allowed", "eca", {1: 20}, "9s 6h Td 5c 5s Th", "1 split")
    refused("split_not_allowed", "eca", {1: 20}, "Ks 6h Qd Th", "1 split", options={"split": "rank"})


def test_row15_only_two_cards_are_split() -> None:
    refused("split_not_allowed", "eca", {1: 20}, "4s 6h 4d 4c", "1 hit, 1 split")


def test_row16_at_most_four_hands_two_or_no_limit() -> None:
    cards = "8s 6h 8d Tc 8s 8h 8d"
    four = ", ".join(["1 split"] * 4)
    assert "4 hands" in refused("split_not_allowed", "wonder", {1: 200}, cards, four)
    refused("split_not_allowed", "ggpoker", {1: 10}, "8s 6h 8d Tc 8s Th", "1 split, 1 split")
    refused("cards_missing", "eca", {1: 10}, "8s 6h 8d Tc 8s 8h 8d".replace(" Tc", ""), four)
    refused("split_not_allowed", "eca", {1: 10}, "8s 6h 8d 8c", "1 split, 1 split", options={"max_hands": 2})


def test_row17_split_aces_get_one_card_each() -> None:
    cards = "As 6h Ad Tc Ks 5h 4d"
    assert net("wonder", {1: 200}, cards, "1 split") == 0
    refused("decisions_left_over", "wonder", {1: 200}, cards, "1 split, 1 hit")


def test_row17_aces_are_split_again_only_where_the_sheet_says_so() -> None:
    assert net("eca", {1: 10}, "As 6h Ad Ac Ks 2h 3d Tc 4s", "1 split, 1 split") == -10
    assert net("eca", {1: 10}, "As 6h Ad Ac 9s Th Td", "1 split, 1 stand") == 20
    for action, code in (("hit", "hit_not_allowed"), ("double", "double_not_allowed")):
        refused(code, "eca", {1: 10}, "As 6h Ad Ac 9s Th Td", f"1 split, 1 {action}")
    refused("decisions_left_over", "wiesbaden", {1: 20}, "As 6h Ad Ac 9s Th Td", "1 split, 1 split")
    again = {"resplit_aces": True}
    two_aces = "As 6h Ad Tc Ac 9s Th Td"
    refused("double_not_allowed", "wonder", {1: 200}, two_aces, "1 split, 1 double", options=again)
    refused("hit_not_allowed", "wonder", {1: 200}, two_aces, "1 split, 1 hit", options=again)
    assert net("wiesbaden", {1: 20}, "As 6h Ad Ac 9s Th Td", "1 split, 1 stand", options=again) == 40


def test_row17_no_ace_is_split_past_the_most_hands() -> None:
    option = {"max_hands": 2}
    assert net("eca", {1: 10}, "As 6h Ad Ac 9s Th Td", "1 split", options=option) == 20


def test_row18_the_second_card_comes_when_the_hand_is_reached() -> None:
    cards = "8s 6h 8d Tc 2s 9h 3d Tc 5s"
    answer = settle(record("wonder", {1: 200}, cards, "1 split, 1 hit, 1 stand, 1 hit, 1 stand"))
    assert [hand["cards"] for hand in answer["hands"]["1"]] == [["8s", "2s", "9h"], ["8d", "3d", "Tc"]]


def test_row18_ggpoker_deals_both_second_cards_at_once() -> None:
    answer = settle(record("ggpoker", {1: 10}, "8s 6h 8d Tc 3s Th 9d 5c", "1 split, 1 hit, 1 stand, 1 stand"))
    assert [hand["cards"] for hand in answer["hands"]["1"]] == [["8s", "3s", "9d"], ["8d", "Th"]]


def test_row19_ace_and_ten_after_a_split_is_21_and_no_natural() -> None:
    assert net("wonder", {1: 200}, "As 6h Ad Tc Ks 5h 4d", "1 split") == 0
    assert net("banco", {1: 20}, "As Th Ad Kc 5s Ah", "1 split") == -40


def test_row20_wonder_surrenders_after_the_look_on_two_cards_unsplit() -> None:
    assert net("wonder", {1: 200}, "Ts Kh 6d 7c", "1 surrender") == -100
    assert net("wonder", {1: 200}, "Ts Ah 6d 7c", "1 surrender") == -100
    refused("surrender_not_allowed", "wonder", {1: 200}, "2s Kh 6d 7c 5s", "1 hit, 1 surrender")
    refused("surrender_not_allowed", "wonder", {1: 200}, "8s Kh 8d 7c 5s", "1 split, 1 surrender")
    refused(
        "surrender_not_allowed",
        "wonder",
        {1: 200},
        "Ts Kh 6d 7c",
        "1 surrender",
        options={"surrender": "none"},
    )


def test_row20_banco_surrenders_split_hands_but_not_against_an_ace() -> None:
    assert net("banco", {1: 20}, "8s 9h 8d 7c Ts 8h", f"1 split, 1 surrender, {STANDS}") == 10
    refused("surrender_not_allowed", "banco", {1: 20}, "Ts Ah 6d", "1 surrender")
    refused("surrender_not_allowed", "banco", {1: 20}, "2s Kh 6d 5c", "1 hit, 1 surrender")
    again = {"resplit_aces": True}
    refused("surrender_not_allowed", "banco", {1: 20}, "As 9h Ad Ac", "1 split, 1 surrender", options=again)


def test_row20_bancos_half_is_kept_even_if_the_dealer_then_has_a_natural() -> None:
    bets = {1: 20, 2: 20}
    assert net("banco", bets, "Ts 9h Kd 6d Tc Ac", "1 surrender, 2 stand") == {"1": -10, "2": -20}


@pytest.mark.parametrize("sheet", ["eca", "ggpoker", "wiesbaden"])
def test_row20_no_surrender_elsewhere(sheet: str) -> None:
    refused("surrender_not_allowed", sheet, {1: 20}, "Ts Th 6d 7c", "1 surrender")


def test_row21_drawing_on_21() -> None:
    assert net("wiesbaden", {1: 20}, "7s 6h 7d 7c Ts", "1 hit, 1 hit") == -20
    assert net("eca", {1: 20}, "7s Th 7d 7c As", "1 hit") == -20
    refused("decisions_left_over", "ggpoker", {1: 10}, "7s 6h 7d Tc 7s 5h", "1 hit, 1 hit")
    option = {"draw_on_21": False}
    assert net("wonder", {1: 200}, "7s 6h 7d Tc 7s 5h", "1 hit", options=option) == 0


def test_row21_a_split_21_may_be_doubled_at_wonder() -> None:
    assert net("wonder", {1: 200}, "Ks 6h Kd Tc As 5h 9h 3d", f"1 split, 1 double, {STANDS}") == -400


@pytest.mark.parametrize("sheet", ["eca", "banco", "ggpoker", "wiesbaden"])
def test_row22_a_late_natural_takes_doubles_and_splits(sheet: str) -> None:
    hole = SHEETS[sheet].hole_card
    double = "6s Kh 5d Ac Tc" if hole else "6s Kh 5d Tc Ac"
    split = "8s Kh 8d Ac Tc 9s" if hole else "8s Kh 8d Tc 9s Ac"
    assert net(sheet, {1: 20}, double, "1 double") == -40
    assert net(sheet, {1: 20}, split, f"1 split, {STANDS}, {STANDS}") == -40


def test_row22_a_late_natural_beats_21_and_pushes_a_natural() -> None:
    assert net("eca", {1: 20}, "7s Th 7d 7c As", "1 hit") == -20
    assert net("banco", {1: 25}, "As Th Kd Ac") == 0


def test_row22_insurance_is_won_at_two_to_one_even_by_a_bust_box() -> None:
    assert net("eca", {1: 20}, "Ts Ah 6d 9c Kc", "1 insurance 10, 1 hit") == 0
    assert net("eca", {1: 20}, "Ts Ah 6d 9c 9h", "1 insurance 10, 1 hit") == -30


def test_row23_the_odd_half_of_a_natural_is_a_chip_on_the_line() -> None:
    answer = settle(record("banco", {1: 25}, "As 6h Kd"))
    assert answer["net"] == {"1": 35}
    assert answer["line_chip"] == {"1": 5}
    assert "line_chip" not in settle(record("banco", {1: 20}, "As 6h Kd"))
    assert "line_chip" not in settle(record("banco", {1: 25}, "As Th Kd Ac"))


@pytest.mark.parametrize(
    ("cards", "change", "left"),
    [("Ts 9h 9d 9c", 25, None), ("Ts 9h 7d 9c", -20, None), ("Ts 9h 8d 9c", 0, 5)],
)
def test_row23_the_boxs_next_hand_decides_the_chip(cards: str, change: int, left: int | None) -> None:
    answer = settle(record("banco", {1: 20}, cards, "1 stand", line_chips={1: 5}))
    assert answer["net"] == {"1": change}
    assert answer.get("line_chip") == (None if left is None else {"1": left})


def test_row23_a_surrender_is_rounded_for_the_customer() -> None:
    assert net("banco", {1: 25}, "Ts 9h 6d", "1 surrender") == -10


@pytest.mark.parametrize(
    ("sheet", "chips"),
    [("wonder", {1: 5}), ("banco", {1: 3}), ("banco", {1: -5}), ("banco", {2: 5}), ("banco", {1: 500})],
)
def test_row23_chips_that_cannot_be_on_the_line(sheet: str, chips: dict[int, int]) -> None:
    refused("bad_record", sheet, {1: SHEETS[sheet].min_chips}, "Ts 9h 9d 9c", "1 stand", line_chips=chips)
