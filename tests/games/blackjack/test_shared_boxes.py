"""Row 25: boxes shared by several players, in the record and at the table."""

import json
from typing import Any

import pytest

from games.blackjack.deal import (
    CardDrawn,
    Deal,
    Decision,
    Legal,
    apply,
    deal_record,
    deal_start,
    legal,
    op_from_dict,
    op_to_dict,
)
from games.blackjack.record import answer, settle
from ground.refused import Refused
from tests.games.blackjack.deals import record

ANNA = {"name": "anna", "bet": 20}
BEN = {"name": "ben", "bet": 40}
CARL = {"name": "carl", "bet": 10, "stack": 25}


def shared(sheet: str, cards: str, moves: list[dict[str, Any]], *players: Any, **more: Any) -> dict[str, Any]:
    """A record of box 1, shared; ``moves`` are its decisions without the seat."""
    made = record(sheet, {1: players[0]["bet"]}, cards, **more)
    made["players"] = {"1": list(players)}
    made["decisions"] = [{"seat": 1, **move} for move in moves]
    return made


def nets(*args: Any, **more: Any) -> list[int]:
    """What the players of box 1 win, the owner first; the box's own net is the owner's."""
    settled = settle(shared(*args, **more))
    found = [each["net"] for each in settled["players"]["1"]]
    assert settled["net"]["1"] == found[0]
    return found


def code(*args: Any, **more: Any) -> str | None:
    return answer(shared(*args, **more)).get("error")


STAND = [{"action": "stand"}]
WIN = "Ts 6h 9d Tc 5s"  # 19 against 21: lost; the dealer draws 5
LOST = [-20, -40, -10]


def test_row25_each_player_wins_or_loses_the_own_bet() -> None:
    assert nets("eca", WIN, STAND, ANNA, BEN, CARL) == LOST
    assert nets("eca", "As 6h Kd", [], ANNA, BEN, CARL) == [30, 60, 15]
    assert nets("eca", "Ts 6h 5d Tc", [{"action": "hit"}], ANNA, BEN) == [-20, -40]


def test_row25_the_names_come_back_in_the_order_of_the_box() -> None:
    settled = settle(shared("eca", WIN, STAND, ANNA, BEN))
    assert settled["players"] == {"1": [{"name": "anna", "net": -20}, {"name": "ben", "net": -40}]}
    assert settled["hands"]["1"][0]["net"] == -20


@pytest.mark.parametrize(("sheet", "most"), [("eca", 4), ("banco", 3), ("wonder", 1), ("ggpoker", 1)])
def test_row25_how_many_may_share_a_box(sheet: str, most: int) -> None:
    bet = {"wonder": 200}.get(sheet, 10)
    cards = "Ts 6h 9d Tc 5s"
    players = [{"name": f"p{n}", "bet": bet} for n in range(most + 1)]
    assert code(sheet, cards, STAND, *players) == "players_not_allowed"
    assert code(sheet, cards, STAND, *players[:-1]) is None


def test_row25_wiesbaden_sets_no_number_of_players() -> None:
    players = [{"name": f"p{n}", "bet": 10} for n in range(9)]
    assert nets("wiesbaden", WIN, STAND, *players) == [-10] * 9


def test_row25_the_maximum_is_the_boxs_unless_the_director_sets_otherwise() -> None:
    big = [{"name": "anna", "bet": 120}, {"name": "ben", "bet": 85}]
    assert code("banco", WIN, STAND, *big) == "bet_above_maximum"
    assert nets("banco", WIN, STAND, *big, options={"shared_max": "player"}) == [-120, -85]
    full = [{"name": "anna", "bet": 115}, {"name": "ben", "bet": 85}]
    assert nets("banco", WIN, STAND, *full) == [-115, -85]
    assert code("banco", WIN, STAND, ANNA, {"name": "ben", "bet": 0}) == "bet_below_minimum"


def test_row25_who_does_not_double_keeps_the_bet_and_gets_the_one_card() -> None:
    cards = "6s 6h 5d Ts Tc Th"
    assert nets("eca", cards, [{"action": "double", "with": {"ben": 40}}], ANNA, BEN, CARL) == [40, 80, 10]
    assert nets("eca", cards, [{"action": "double"}], ANNA, BEN) == [40, 40]
    wrong = [{"action": "double", "with": {"ben": 20}}]
    assert code("eca", cards, wrong, ANNA, BEN) == "double_amount"
    assert nets("eca", cards, wrong, ANNA, BEN, options={"double_amount": "up_to"}) == [40, 60]


def test_row25_who_does_not_split_keeps_one_hand_on_the_left() -> None:
    cards = "8s 6h 8d Tc 2s Th"
    moves = [{"action": "split", "with": {"ben": 40}}, {"action": "stand"}, {"action": "stand"}]
    # 18 on the left, 10 on the right; the dealer has 16 and draws a ten.
    assert nets("eca", cards + " Tc", moves, ANNA, BEN, CARL) == [40, 80, 10]
    lost = "8s 6h 8d 2c Ts Tc 5h"
    # 10 on the left loses to 21, 18 on the right loses too.
    assert nets("eca", lost, moves, ANNA, BEN, CARL) == [-40, -80, -10]
    assert (
        code("eca", cards + " Tc", [{"action": "split", "with": {"ben": 20}}], ANNA, BEN)
        == "split_not_allowed"
    )


def test_row25_who_stayed_on_the_left_has_no_part_in_the_hands_to_the_right() -> None:
    cards = "8s 6h 8d Tc 8c Th 9s Kc Kh"
    moves = [{"action": "split"}, {"action": "stand"}, {"action": "split", "with": {"ben": 40}}]
    assert code("eca", cards, moves, ANNA, BEN) == "unknown_player"
    moves = [{"action": "split"}, {"action": "stand"}, {"action": "split"}, *STAND, *STAND]
    assert nets("eca", cards, moves, ANNA, BEN) == [60, 40]


def test_row25_each_player_insures_the_own_bet() -> None:
    moves = [{"action": "insurance", "amount": 20, "player": "ben"}, *STAND]
    settled = settle(shared("eca", "Ts Ah 9d Kc", moves, ANNA, BEN))
    assert settled["players"]["1"] == [
        {"name": "anna", "net": -20},
        {"name": "ben", "net": 0, "insurance": 40},
    ]
    assert "insurance" not in settled
    named = [{"action": "insurance", "amount": 10, "player": "anna"}, *STAND]
    assert settle(shared("eca", "Ts Ah 9d Kc", named, ANNA, BEN))["insurance"] == {"1": 20}
    twice = [moves[0], *moves]
    assert code("eca", "Ts Ah 9d Kc", twice, ANNA, BEN) == "insurance_not_offered"
    half = [{"action": "insurance", "amount": 10, "player": "ben"}, *STAND]
    assert code("eca", "Ts Ah 9d Kc", half, ANNA, BEN) == "insurance_amount"
    nobody = [{"action": "insurance", "amount": 20, "player": "zoe"}, *STAND]
    assert code("eca", "Ts Ah 9d Kc", nobody, ANNA, BEN) == "unknown_player"


def test_row25_insurance_of_a_player_alone_makes_the_dealer_draw() -> None:
    moves = [{"action": "insurance", "amount": 20, "player": "ben"}, {"action": "hit"}]
    assert nets("eca", "Ts Ah 6d 9c Kc", moves, ANNA, BEN) == [-20, 0]
    assert code("eca", "Ts Ah 6d 9c Kc", [{"action": "hit"}], ANNA, BEN) == "cards_left_over"


def test_row25_even_money_is_each_players_own() -> None:
    moves = [{"action": "even_money", "player": "ben"}]
    assert nets("eca", "As Ah Kd Qc", moves, ANNA, BEN) == [0, 40]
    assert nets("eca", "As Ah Kd 9c", moves, ANNA, BEN) == [30, 40]
    assert nets("eca", "As Ah Kd 9c", [{"action": "even_money"}], ANNA, BEN) == [20, 60]
    assert nets("eca", "As Ah Kd", [{"action": "even_money"}, *moves], ANNA, BEN) == [20, 40]
    assert code("eca", "As Ah Kd 9c", [*moves, *moves], ANNA, BEN) == "even_money_not_offered"
    looks = {"options": {"natural_paid": "at_end"}}
    assert nets("eca", "As Ah Kd 9c", [{"action": "even_money"}], ANNA, BEN, **looks) == [20, 60]


def test_row25_the_first_player_may_surrender_and_the_one_behind_play_on_and_the_other_way_round() -> None:
    cards = "Ts 9h 6d 4c Ts"
    first = [{"action": "surrender"}, {"action": "hit"}, {"action": "stand"}]
    assert nets("banco", cards, first, ANNA, BEN) == [-10, 40]
    behind = [{"action": "surrender", "player": "ben"}, {"action": "hit"}, {"action": "stand"}]
    assert nets("banco", cards, behind, ANNA, BEN) == [20, -20]
    both = [{"action": "surrender", "player": "ben"}, {"action": "surrender"}]
    assert nets("banco", "Ts 9h 6d", both, ANNA, BEN) == [-10, -20]
    assert code("banco", cards, [behind[0], behind[0]], ANNA, BEN) == "unknown_player"
    assert (
        code("banco", cards, [first[0], {"action": "surrender", "player": "anna"}], ANNA, BEN)
        == "unknown_player"
    )
    assert code("banco", cards, [{"action": "hit"}, behind[0]], ANNA, BEN) == "surrender_not_allowed"


def test_row25_once_the_owner_has_surrendered_the_next_player_decides() -> None:
    cards = "8s 9h 8d Ts Tc Th"
    moves = [{"action": "surrender"}, {"action": "split"}, *STAND, *STAND]
    assert nets("banco", cards, moves, ANNA, BEN) == [-10, -80]
    named = [moves[0], {"action": "split", "player": "ben"}, *STAND, *STAND]
    assert nets("banco", cards, named, ANNA, BEN) == [-10, -80]
    hands = settle(shared("banco", cards, moves, ANNA, BEN))["hands"]["1"]
    assert [hand["net"] for hand in hands] == [-10, 0]
    double = [moves[0], {"action": "double"}]
    assert nets("banco", "6s 9h 5d Ts Tc", double, ANNA, BEN) == [-10, 80]


def test_row25_only_the_owner_decides() -> None:
    assert code("eca", WIN, [{"action": "stand", "player": "ben"}], ANNA, BEN) == "out_of_turn"
    assert code("eca", WIN, [{"action": "stand", "player": "zoe"}], ANNA, BEN) == "unknown_player"
    assert nets("eca", WIN, [{"action": "stand", "player": "anna"}], ANNA, BEN) == [-20, -40]


def test_row25_a_player_cannot_put_up_more_than_the_stack() -> None:
    cards = "6s 6h 5d Ts Tc Th"
    double = [{"action": "double", "with": {"carl": 10}}]
    assert nets("eca", cards, double, ANNA, CARL) == [40, 20]
    poor = {**CARL, "stack": 19}
    assert code("eca", cards, double, ANNA, poor) == "not_enough_chips"
    assert code("eca", cards, double, ANNA, {**CARL, "stack": 9}) == "not_enough_chips"


def test_row25_A6_the_owners_stack_stands_in_the_records_own_field() -> None:
    assert code("eca", WIN, STAND, ANNA, BEN, stacks={1: 10}) == "not_enough_chips"
    assert code("eca", WIN, STAND, {**ANNA, "stack": 30}, BEN) == "bad_record"


def test_row25_row22_of_a_shared_box_the_original_bets_lie_on_the_left() -> None:
    moves = [{"action": "split", "with": {"ben": 40}}, *STAND, *STAND]
    options = {"late_natural": "original"}
    assert nets("eca", "8s Kh 8d Tc 9s Ac", moves, ANNA, BEN, CARL, options=options) == [-20, -40, -10]


def test_row25_row23_each_player_has_an_own_chip_on_the_line() -> None:
    five = {"name": "anna", "bet": 25}
    settled = settle(shared("banco", "As 6h Kd", [], five, {"name": "ben", "bet": 5, "line_chip": 5}))
    assert settled["line_chip"] == {"1": 5}
    assert settled["players"]["1"] == [
        {"name": "anna", "net": 35},
        {"name": "ben", "net": 10, "line_chip": 5},
    ]
    even = [{"action": "even_money", "player": "ben"}]
    settled = settle(shared("banco", "As Ah Kd 9c", even, five, {"name": "ben", "bet": 5}))
    assert settled["players"]["1"][1] == {"name": "ben", "net": 5}
    assert code("banco", "As 6h Kd", [], five, {**BEN, "line_chip": 3}) == "bad_record"
    assert code("eca", "As 6h Kd", [], ANNA, {**BEN, "line_chip": 5}) == "bad_record"


def test_row25_row24_twins_of_all_players_are_at_most_200_a_box() -> None:
    def with_twins(*chips: int) -> list[dict[str, Any]]:
        others = [{"name": f"p{n}", "bet": 10, "side_bets": {"twins": c}} for n, c in enumerate(chips)]
        return [{"name": "anna", "bet": 10}, *others]

    cards = "8s 9h 8d 9c"
    one = {"side_bets": {1: {"twins": 100}}}
    settled = settle(shared("wiesbaden", cards, STAND, *with_twins(100), **one))
    assert settled["players"]["1"][1] == {"name": "p0", "net": 1090, "side_bets": 1100}
    assert code("wiesbaden", cards, STAND, *with_twins(100, 10), **one) == "side_bet_amount"
    assert code("wiesbaden", cards, STAND, *with_twins(100), {"name": "zoe", "bet": 10}, **one) is None
    assert code("wiesbaden", cards, STAND, *with_twins(110)) == "side_bet_amount"
    assert (
        code("wiesbaden", cards, STAND, ANNA, {**BEN, "side_bets": {"lucky": 10}}) == "side_bet_not_offered"
    )
    poor = {**BEN, "side_bets": {"twins": 10}, "stack": 49}
    assert code("wiesbaden", cards, STAND, ANNA, poor) == "not_enough_chips"
    assert code("wiesbaden", cards, STAND, ANNA, {**poor, "stack": 50}) is None
    crazy = {**BEN, "side_bets": {"crazy_twins": 100}}
    third = {"name": "carl", "bet": 10, "side_bets": {"crazy_twins": 100}}
    more = {"name": "dora", "bet": 10, "side_bets": {"crazy_twins": 100}}
    assert nets("wiesbaden", "9s 9h 9d 8c", STAND, ANNA, crazy, third, more) == [20, 2240, 2210, 2210]


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        ([], "bad_record"),
        ({}, "bad_record"),
        ([ANNA, "ben"], "bad_record"),
        ([ANNA, {"name": "ben"}], "bad_record"),
        ([ANNA, {"name": "ben", "bet": "20"}], "bad_record"),
        ([ANNA, {"name": "ben", "bet": True}], "bad_record"),
        ([ANNA, {"name": "", "bet": 20}], "bad_record"),
        ([ANNA, {"name": 7, "bet": 20}], "bad_record"),
        ([ANNA, {"name": "anna", "bet": 20}], "bad_record"),
        ([ANNA, {**BEN, "hat": 1}], "bad_record"),
        ([ANNA, {**BEN, "stack": None}], "bad_record"),
        ([ANNA, {**BEN, "side_bets": []}], "bad_record"),
        ([{"name": "anna", "bet": 30}, BEN], "bad_record"),
        ([{"name": "anna"}, BEN], "bad_record"),
        ([ANNA, {**BEN, "bet": 15}], "bet_not_in_increment"),
    ],
)
def test_row25_players_of_the_wrong_shape_are_refused(players: Any, expected: str) -> None:
    made = record("eca", {1: 20}, WIN, "1 stand", players={"1": players})
    assert answer(made)["error"] == expected


@pytest.mark.parametrize("players", [None, 7, [], "anna"])
def test_row25_players_are_an_object_of_boxes(players: Any) -> None:
    assert answer(record("eca", {1: 20}, WIN, "1 stand", players=players))["error"] == "bad_record"
    elsewhere = record("eca", {1: 20}, WIN, "1 stand", players={"2": [ANNA]})
    assert answer(elsewhere)["error"] == "bad_seat"


@pytest.mark.parametrize("words", [{"with": ["ben"]}, {"with": {"ben": None}}, {"with": 7}, {"player": 7}])
def test_row25_words_of_the_wrong_shape_are_refused(words: dict[str, Any]) -> None:
    assert code("eca", "6s 6h 5d Ts Tc Th", [{"action": "double", **words}], ANNA, BEN) == "bad_record"


def test_row25_a_record_without_players_reads_as_it_always_did() -> None:
    made = record("eca", {1: 20}, WIN, "1 stand")
    made["decisions"][0] |= {"player": "E001", "with": 7}
    assert answer(made)["net"] == {"1": -20}


# -- at the table ------------------------------------------------------------------------------------


def started(sheet: str, cards: str, *players: Any, **more: Any) -> Deal:
    deal = deal_start(rules(sheet, more), {1: players[0]["bet"]}, None, players={1: players})
    for card in cards.split():
        deal = apply(deal, CardDrawn(card))
    return deal


def rules(sheet: str, options: dict[str, Any]) -> Any:
    from games.blackjack.chosen import rules_make

    return rules_make(sheet, options=options or None)


def test_row25_the_table_says_who_decides_and_who_may_go_along() -> None:
    deal = started("eca", "6s 6h 5d", ANNA, BEN, CARL)
    assert deal.needs.player == "anna"
    offers = {offer.action: offer for offer in legal(deal)}
    assert offers["double"] == Legal(1, "double", 20, 20, 5, None, (("ben", 40, 40), ("carl", 10, 10)))
    less = {
        offer.action: offer
        for offer in legal(started("eca", "6s 6h 5d", ANNA, BEN, CARL, double_amount="up_to"))
    }
    assert less["double"].along == (("ben", 5, 40), ("carl", 5, 10))
    broke = {**CARL, "stack": 10}
    offers = {offer.action: offer for offer in legal(started("eca", "6s 6h 5d", ANNA, broke))}
    assert offers["double"].along == ()


def test_row25_the_table_offers_insurance_and_even_money_to_each_player() -> None:
    deal = started("eca", "As Ah Kd", ANNA, BEN)
    found = [(offer.action, offer.player) for offer in legal(deal)]
    assert found == [
        ("insurance", None),
        ("even_money", None),
        ("insurance", "ben"),
        ("even_money", "ben"),
        ("close_insurance", None),
    ]
    deal = apply(deal, Decision(1, "even_money", player="ben"))
    assert [(offer.action, offer.player) for offer in legal(deal)][:-1] == found[:2]


def test_row25_the_table_shows_what_each_player_has_on_each_hand() -> None:
    deal = started("eca", "8s 6h 8d", ANNA, BEN, CARL)
    deal = apply(deal, Decision(1, "split", along=(("ben", 40),)))
    ben, carl = deal.boxes[0].players
    assert (ben.name, ben.bets_chips, ben.put_up_chips) == ("ben", (40, 40), 80)
    assert (carl.bets_chips, carl.put_up_chips, carl.stack_chips, carl.net_chips) == (
        (10, None),
        10,
        25,
        None,
    )
    for card in ("Ts", "Tc"):
        deal = apply(apply(deal, CardDrawn(card)), Decision(1, "stand"))
    for card in ("Kc", "9c"):
        deal = apply(deal, CardDrawn(card))
    assert [player.net_chips for player in deal.boxes[0].players] == [80, 10]
    written = json.loads(json.dumps(deal_record(deal)))
    assert written["decisions"][0] == {"seat": 1, "action": "split", "with": {"ben": 40}}
    assert written["players"] == {"1": [ANNA, BEN, CARL]}
    assert settle(written)["players"] == deal.answer["players"]  # type: ignore[index]  # it is done


def test_row25_a_surrender_is_offered_to_each_player_and_passes_the_decision_on() -> None:
    deal = started("banco", "Ts 9h 6d", ANNA, BEN)
    assert [(o.action, o.player) for o in legal(deal)][-2:] == [("surrender", None), ("surrender", "ben")]
    deal = apply(deal, Decision(1, "surrender"))
    assert deal.needs.player == "ben"
    assert deal.boxes[0].players[0].bets_chips == (40,)
    assert [(o.action, o.player) for o in legal(deal)][-1] == ("surrender", None)


def test_row25_a_decision_of_a_player_is_small_json_and_back() -> None:
    for op in (
        Decision(1, "insurance", 20, "ben"),
        Decision(1, "double", along=(("ben", 40), ("carl", 10))),
    ):
        assert op_from_dict(json.loads(json.dumps(op_to_dict(op)))) == op
    for bad in ({"player": 7}, {"with": ["ben"]}, {"with": {"ben": "40"}}, {"amount": "4"}, {"more": 1}):
        with pytest.raises(Refused) as no:
            op_from_dict({"op": "decision", "seat": 1, "action": "double", **bad})
        assert no.value.code == "bad_operation"
