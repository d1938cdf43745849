"""What holds for every sheet: limits, options, snapshots; and the side bets of one of them."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from games.blackjack import chosen as chosen_module
from games.blackjack.chosen import rules_make, rules_record
from games.blackjack.options import option_values
from games.blackjack.record import settle
from games.blackjack.rules import SHEETS, HouseRules
from ground.refused import Refused
from tests.games.blackjack.deals import code_of, dealer, net, record, refused

# -- Wiesbaden's side bets ---------------------------------------------------------------------------


def side(cards: str, moves: str, **bets: int) -> int:
    made = record("wiesbaden", {1: 20}, cards, moves, side_bets={1: bets})
    return int(settle(made)["side_bets"]["1"])


def test_row24_twins_pays_11_and_200_with_the_joker() -> None:
    assert side("8s 9h 8d 9c", "1 stand", twins=10) == 110
    assert side("8s 9h 7d 9c", "1 stand", twins=10) == -10
    assert side("Ts 9h Kd 8c", "1 stand", twins=10) == -10
    assert side("JK 8s 9h 8d 9c", "1 stand", twins=10) == 2000
    assert side("8s 9h JK 8d 9c", "1 stand", twins=10) == 2000


def test_row24_crazy_twins_needs_the_dealers_rank_and_a_box_that_does_not_lose() -> None:
    assert side("9s 9h 9d 8c", "1 stand", crazy_twins=10) == 220
    assert side("9s 9h 8d 8c", "1 stand", crazy_twins=10) == 220
    assert side("9s 9h 7d 8c", "1 stand", crazy_twins=10) == -10
    assert side("9s 9h JK 9d 8c", "1 stand", crazy_twins=10) == 4000


def test_row24_the_joker_beside_the_dealer_or_a_later_card_counts_for_nobody() -> None:
    assert side("8s JK 9h 8d 9c", "1 stand", twins=10) == 110
    assert side("8s 9h 8d JK 2s 9c", "1 hit, 1 stand", twins=10) == 110


def test_row24_the_joker_is_replaced_by_the_next_card_and_is_in_no_hand() -> None:
    answer = settle(record("wiesbaden", {1: 20}, "JK Ts 9h 8d 9c", "1 stand"))
    assert answer["hands"]["1"][0]["cards"] == ["Ts", "8d"]


def test_row24_there_is_one_joker_and_only_at_wiesbaden() -> None:
    refused("impossible_card", "wiesbaden", {1: 20}, "JK Ts 9h JK 8d 9c", "1 stand")
    refused("bad_card", "eca", {1: 20}, "JK Ts 9h 8d 9c", "1 stand")


@pytest.mark.parametrize("chips", [0, 5, 15, 110, -10])
def test_row24_a_side_bet_is_10_to_100_in_tens(chips: int) -> None:
    refused(
        "side_bet_amount", "wiesbaden", {1: 20}, "Ts 9h 8d 9c", "1 stand", side_bets={1: {"twins": chips}}
    )


def test_row24_side_bets_are_not_offered_elsewhere_nor_on_a_box_out_of_play() -> None:
    cards = "Ts 9h 8d 9c"
    refused("side_bet_not_offered", "eca", {1: 20}, cards, "1 stand", side_bets={1: {"twins": 10}})
    refused("side_bet_not_offered", "wiesbaden", {1: 20}, cards, "1 stand", side_bets={2: {"twins": 10}})
    refused("side_bet_not_offered", "wiesbaden", {1: 20}, cards, "1 stand", side_bets={1: {"lucky": 10}})


def test_row24_side_bets_are_part_of_what_the_box_has_put_up() -> None:
    more = {"side_bets": {1: {"twins": 10}}}
    refused("not_enough_chips", "wiesbaden", {1: 20}, "Ts 9h 8d 9c", "1 stand", stacks={1: 29}, **more)
    assert net("wiesbaden", {1: 20}, "Ts 9h 9d 9c", "1 stand", stacks={1: 30}, **more) == 10


def test_row25_how_many_may_share_a_box() -> None:
    assert {name: rules.players_per_box for name, rules in SHEETS.items()} == {
        "wonder": 1,
        "eca": 4,
        "banco": 3,
        "ggpoker": 1,
        "wiesbaden": None,
    }


# -- for all sheets ----------------------------------------------------------------------------------


def test_A1_one_card_to_each_box_then_the_dealer_then_the_second_cards_then_the_hole_card() -> None:
    answer = settle(record("wonder", {3: 200, 1: 200}, "2s 3s 9s Ts Ks 8s", "1 stand, 3 stand"))
    assert answer["hands"]["1"][0]["cards"] == ["2s", "Ts"]
    assert answer["hands"]["3"][0]["cards"] == ["3s", "Ks"]
    assert answer["dealer"] == ["9s", "8s"]


def test_A2_ace_counts_11_until_that_is_over_21() -> None:
    assert net("wonder", {1: 200}, "As 9h 8d Tc Kh", "1 hit, 1 stand") == 0
    assert net("wonder", {1: 200}, "As 9h 9d Tc", "1 stand") == 200


def test_A3_boxes_play_lowest_first() -> None:
    cards = "Ts Th 9d 8c 8s 9h"
    message = refused("out_of_turn", "eca", {1: 20, 3: 20}, cards, "3 stand, 1 stand")
    assert "Decision 1" in message
    assert "box 1" in message
    refused("out_of_turn", "eca", {1: 20, 3: 20}, cards, "2 stand")


def test_A4_over_21_loses_at_once_and_a_dealer_over_21_pays_everybody_left() -> None:
    bets = {1: 200, 2: 200}
    cards = "Ts 7s 6h 6d 5d Tc Kh Td"
    assert net("wonder", bets, cards, "1 hit, 2 stand") == {"1": -200, "2": 200}


def test_A4_equal_totals_push_and_a_natural_beats_21() -> None:
    assert net("wonder", {1: 200}, "Ts 9h 8d 9c", "1 stand") == 0
    assert net("ggpoker", {1: 10}, "7s Th 7d Ac 7c", "1 hit") == -10


def test_A5_nothing_is_drawn_when_no_result_depends_on_it() -> None:
    assert dealer("wonder", {1: 200}, "Ts 6h 6d Tc", "1 surrender") == "6h Tc"
    assert dealer("eca", {1: 20}, "Ts 6h 6d Tc", "1 hit") == "6h"


def test_A5_without_hole_card_only_the_second_card_is_drawn_for_naturals_and_insurance() -> None:
    assert dealer("eca", {1: 20}, "As Kh Qd 5c") == "Kh 5c"
    assert dealer("eca", {1: 20}, "Ts Ah 6d 9c 5h", "1 insurance 10, 1 hit") == "Ah 5h"


def test_A6_double_split_and_insurance_need_the_chips() -> None:
    double = "6s 6h 5d Tc Ts Th"
    refused("not_enough_chips", "wonder", {1: 400}, double, "1 double", stacks={1: 799})
    assert net("wonder", {1: 400}, double, "1 double", stacks={1: 800}) == 800
    refused("not_enough_chips", "wonder", {1: 200}, "8s 6h 8d Tc", "1 split", stacks={1: 300})
    refused("not_enough_chips", "wonder", {1: 200}, "Ts Ah 9d Kc", "1 insurance 100", stacks={1: 200})
    refused("not_enough_chips", "wonder", {1: 200}, "Ts 6h 9d Kc", "1 stand", stacks={1: 100})


def test_A6_half_of_a_surrendered_hand_may_be_put_up_again() -> None:
    """Banco: 20 split is 40 out, 10 of it comes back: a double of 20 needs a stack of 50."""
    cards, moves = "9h 6d 9s 5c 2d Kh Tc 8d", "2 split, 2 surrender, 2 double"
    refused("not_enough_chips", "banco", {2: 20}, cards, moves, stacks={2: 45})
    assert net("banco", {2: 20}, cards, moves, stacks={2: 50}) == 30
    assert net("banco", {2: 20}, cards, moves, stacks={2: 55}) == 30


def test_A6_what_comes_back_of_an_odd_bet_is_rounded_for_the_player() -> None:
    """Of 15 the house keeps 5: 30 out, 10 back, and 15 more need 35."""
    cards, moves = "9h 6d 9s 5c 2d Kh Tc 8d", "2 split, 2 surrender, 2 double"
    refused("not_enough_chips", "banco", {2: 15}, cards, moves, stacks={2: 30})
    assert net("banco", {2: 15}, cards, moves, stacks={2: 35}) == 25


def test_A6_what_comes_back_may_pay_for_another_split() -> None:
    cards, moves = "9h 6d 9s 5c 9d 3h Th 8d Kc Ac", "2 split, 2 surrender, 2 split, 2 stand, 2 stand"
    refused("not_enough_chips", "banco", {2: 20}, cards, moves, stacks={2: 45})
    assert net("banco", {2: 20}, "9h 6d 9s 5c 9d 3h Th Tc 8d", moves, stacks={2: 50}) == 30


def test_A6_what_comes_back_to_one_of_a_shared_box_is_theirs_alone() -> None:
    players = {"2": [{"name": "anna", "bet": 20}, {"name": "ben", "bet": 20, "stack": 50}]}
    cards = "9h 6d 9s 5c 2d Kh Tc 8d"
    both = [
        {"seat": 2, "action": "split", "with": {"ben": 20}},
        {"seat": 2, "action": "surrender", "player": "anna"},
        {"seat": 2, "action": "stand"},
        {"seat": 2, "action": "double", "with": {"ben": 20}},
    ]
    alone = record("banco", {2: 20}, cards, "", stacks={2: 50}, players=players)
    with pytest.raises(Refused) as no:
        settle({**alone, "decisions": both})
    assert no.value.code == "not_enough_chips"
    both[1:3] = [{"seat": 2, "action": "surrender", "player": name} for name in ("anna", "ben")]
    assert settle({**alone, "decisions": both})["net"] == {"2": 30}


def test_A6_a_lost_insurance_still_counts_as_put_up() -> None:
    moves = "1 insurance 100, 1 double"
    refused("not_enough_chips", "wonder", {1: 200}, "6s Ah 5d 7c Ts", moves, stacks={1: 400})
    assert net("wonder", {1: 200}, "6s Ah 5d 7c Ts", moves, stacks={1: 500}) == 300


def test_A7_limits_need_all_four_and_halves_that_are_whole_chips() -> None:
    good = {"min": 200, "max": 1000, "step": 200, "chip": 100}
    assert rules_make("eca", limits=good).limits == good
    bad: list[Any] = [
        [],
        "200",
        {**good, "min": 1200},
        {**good, "chip": 0},
        {**good, "chip": 200},
        {**good, "step": 300},
        {**good, "min": 200.0},
        {**good, "max": True},
        {**good, "min": 100, "step": 200, "chip": 50},
        {**good, "more": 1},
        {"min": 200, "max": 1000, "step": 200},
        {**good, "max": 10**13},
    ]
    for limits in bad:
        assert code_of("eca", limits=limits) == "bad_limits", limits


def test_A7_banco_may_have_bets_whose_half_is_no_whole_chip() -> None:
    row = {"min": 3, "max": 120, "step": 3, "chip": 1}
    assert rules_make("banco", limits=row).step_chips == 3
    assert code_of("eca", limits=row) == "bad_limits"


def test_A7_limits_end_at_a_slip_of_the_hand() -> None:
    most = {"min": 10, "max": 10**12, "step": 10, "chip": 5}
    assert rules_make("eca", limits=most).max_chips == 10**12
    assert code_of("eca", limits={**most, "max": 10**12 + 1}) == "bad_limits"


def test_A8_no_card_more_often_than_there_are_decks() -> None:
    message = refused("impossible_card", "eca", {1: 20}, "8s 8s 8s 8s 8s 8s 8s", "1 stand")
    assert "8s appears 7 times" in message


# -- options and snapshots ---------------------------------------------------------------------------


def test_options_that_are_not_known_or_cannot_be_are_refused() -> None:
    bad: list[Any] = [
        [],
        {"hit_on_blackjack": True},
        {"max_hands": 0},
        {"max_hands": 5},
        {"max_hands": True},
        {"max_hands": 2.0},
        {"soft17": "maybe"},
        {"surrender": "early"},
        {"even_money": "yes"},
        {"draw_on_21": 1},
        {"split": ["rank"]},
        {1: 2},
    ]
    for options in bad:
        assert code_of("wonder", options=options) == "bad_options", options


def test_option_surrender_is_none_or_the_sheets_own() -> None:
    assert option_values(SHEETS["wonder"], "surrender") == ("none", "late")
    assert option_values(SHEETS["banco"], "surrender") == ("none", "not_against_ace")
    assert option_values(SHEETS["eca"], "surrender") == ("none",)
    assert rules_make("wonder", options={"surrender": "late"}) == SHEETS["wonder"]
    assert code_of("eca", options={"surrender": "late"}) == "bad_options"


def test_the_same_settings_after_a_lookalike_are_still_refused() -> None:
    rules_make("wonder", options={"max_hands": 2})
    assert code_of("wonder", options={"max_hands": 2.0}) == "bad_options"
    rules_make("wonder", decks=8)
    assert code_of("wonder", decks=8.0) == "decks_not_allowed"


@pytest.mark.parametrize("name", [None, "", "vegas", 3, ["wonder"], "Wonder"])
def test_unknown_rules(name: object) -> None:
    assert code_of(name) == "unknown_rules"


@pytest.mark.parametrize("sheet", list(SHEETS))
def test_a_snapshot_gives_the_same_rules_again(sheet: str) -> None:
    rules = rules_make(sheet, options={"max_hands": 3, "soft17": "hit"})
    assert HouseRules.from_dict(rules.to_dict()) == rules
    with pytest.raises(FrozenInstanceError):
        rules.decks = 1  # type: ignore[misc]  # that it cannot be set is the point
    with pytest.raises(Refused):
        HouseRules.from_dict({"name": sheet})


@pytest.mark.parametrize("sheet", list(SHEETS))
def test_a_record_says_what_differs_from_the_sheet(sheet: str) -> None:
    assert rules_record(SHEETS[sheet]) == {"rules": sheet}
    limits = {"min": 400, "max": 800, "step": 400, "chip": 100}
    rules = rules_make(sheet, limits=limits, options={"max_hands": 3, "soft17": "stand"})
    said = rules_record(rules)
    assert said["limits"] == limits
    assert rules_make(said.pop("rules"), **said) == rules


def test_many_settings_are_not_kept_for_ever() -> None:
    for chips in range(1, 1100):
        limits = {"min": 2 * chips, "max": 10**6, "step": 2 * chips, "chip": chips}
        assert rules_make("eca", limits=limits).chip_chips == chips
    assert len(chosen_module._made) <= chosen_module._MADE_AT_MOST
    first = rules_make("eca", decks=6)
    rules_make("wonder", decks=8)
    assert rules_make("eca", decks=6) is first
