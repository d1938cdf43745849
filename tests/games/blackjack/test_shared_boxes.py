"""Row 25: boxes shared by several players, where the second opinion, which has them too, does not look."""

import json
from typing import Any

import pytest

from games.blackjack.deal import CardDrawn, Deal, Decision, deal_record, deal_start, legal
from games.blackjack.event_rules import rules_make
from games.blackjack.record import answer, settle
from tests.games.blackjack.deals import after, record

ANNA = {"name": "anna", "bet": 20}
BEN = {"name": "ben", "bet": 40}
CARL = {"name": "carl", "bet": 10, "stack": 25}
STAND = [{"action": "stand"}]
WIN = "Ts 6h 9d Tc 5s"  # 19 against 21: lost; the dealer draws 5


def came_to(sheet: str, cards: str, moves: list[dict[str, Any]], *players: Any, **more: Any) -> Any:
    """What the players of box 1 win, the owner first, or the code of the refusal."""
    made = record(sheet, {1: players[0]["bet"]}, cards, **more)
    made["players"] = {"1": list(players)}
    made["decisions"] = [{"seat": 1, **move} for move in moves]
    got = answer(made)
    if "error" in got:
        return got["error"]
    return [each["net"] for each in got.get("players", {"1": [{"net": got["net"]["1"]}]})["1"]]


@pytest.mark.parametrize(
    ("sheet", "most"), [("eca", 4), ("banco", 3), ("wonder", 1), ("ggpoker", 1), ("wiesbaden", None)]
)
def test_row25_how_many_may_share_a_box(sheet: str, most: int | None) -> None:
    bet = {"wonder": 200}.get(sheet, 10)
    players = [{"name": f"p{n}", "bet": bet} for n in range((most or 9) + 1)]
    assert came_to(sheet, WIN, STAND, *players) == ("players_not_allowed" if most else [-10] * 10)
    assert came_to(sheet, WIN, STAND, *players[:-1]) == [-bet] * len(players[:-1])


def test_row25_the_maximum_is_for_the_box_together_unless_it_is_each_players() -> None:
    full, over = ([{"name": "anna", "bet": bet}, {"name": "ben", "bet": 85}] for bet in (115, 120))
    assert came_to("banco", WIN, STAND, *full) == [-115, -85]
    assert came_to("banco", WIN, STAND, *over) == "bet_above_maximum"
    assert came_to("banco", WIN, STAND, *over, options={"shared_max": "player"}) == [-120, -85]


def test_row25_row24_twins_of_all_players_are_at_most_200_a_box() -> None:
    def twins(name: str, chips: int, kind: str = "twins") -> dict[str, Any]:
        return {"name": name, "bet": 10, "side_bets": {kind: chips}}

    cards, one = "8s 9h 8d 9c", {"side_bets": {1: {"twins": 100}}}
    anna = {"name": "anna", "bet": 10}
    assert came_to("wiesbaden", cards, STAND, anna, twins("ben", 100), **one) == [1090, 1090]
    assert came_to("wiesbaden", cards, STAND, anna, twins("ben", 100), twins("c", 10), **one) == (
        "side_bet_amount"
    )
    assert came_to("wiesbaden", cards, STAND, anna, twins("ben", 110)) == "side_bet_amount"
    assert came_to("wiesbaden", cards, STAND, anna, twins("ben", 10, "lucky")) == "side_bet_not_offered"
    poor = twins("ben", 10)
    assert came_to("wiesbaden", cards, STAND, anna, {**poor, "stack": 19}) == "not_enough_chips"
    assert came_to("wiesbaden", cards, STAND, anna, {**poor, "stack": 20}) == [-10, 100]
    crazy = [twins(name, 100, "crazy_twins") for name in ("ben", "carl", "dora")]
    assert came_to("wiesbaden", "9s 9h 9d 8c", STAND, anna, *crazy) == [10, 2210, 2210, 2210]


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        *(([ANNA, each], "bad_record") for each in ("ben", {"name": "ben"}, ANNA, {**BEN, "hat": 1})),
        *(([ANNA, {**BEN, "bet": bet}], "bad_record") for bet in ("20", True)),
        *(([ANNA, {**BEN, "name": name}], "bad_record") for name in ("", 7)),
        *(([ANNA, {**BEN, field: None}], "bad_record") for field in ("stack", "side_bets")),
        *(([owner, BEN], "bad_record") for owner in ({**ANNA, "bet": 30}, {"name": "anna"})),
        ([{**ANNA, "stack": 30}, BEN], "bad_record"),  # it stands in the record's own field
        ([ANNA, {**BEN, "line_chip": 5}], "bad_record"),
        *(([], "bad_record"), ({}, "bad_record")),
        ([ANNA, {**BEN, "bet": 15}], "bet_not_in_increment"),
        ([ANNA, {**BEN, "bet": 0}], "bet_below_minimum"),
        ([ANNA, {**CARL, "stack": 9}], "not_enough_chips"),
    ],
)
def test_row25_players_of_the_wrong_shape_are_refused(players: Any, expected: str) -> None:
    assert answer(record("eca", {1: 20}, WIN, "1 stand", players={"1": players}))["error"] == expected


def test_row25_players_are_an_object_of_boxes_and_nothing_where_there_are_none() -> None:
    for players in (None, 7, [], "anna"):
        assert answer(record("eca", {1: 20}, WIN, "1 stand", players=players))["error"] == "bad_record"
    elsewhere = record("eca", {1: 20}, WIN, "1 stand", players={"2": [ANNA]})
    assert answer(elsewhere)["error"] == "bad_seat"
    made = record("eca", {1: 20}, WIN, "1 stand")
    made["decisions"][0] |= {"player": "E001", "with": 7}
    assert answer(made)["net"] == {"1": -20}


@pytest.mark.parametrize("words", [{"with": ["ben"]}, {"with": {"ben": None}}, {"with": 7}, {"player": 7}])
def test_row25_words_of_the_wrong_shape_are_refused(words: dict[str, Any]) -> None:
    assert came_to("eca", "6s 6h 5d Ts Tc Th", [{"action": "double", **words}], ANNA, BEN) == "bad_record"


def test_row25_only_the_owner_decides_and_only_a_player_is_named() -> None:
    assert came_to("eca", WIN, [{"action": "stand", "player": "ben"}], ANNA, BEN) == "out_of_turn"
    assert came_to("eca", WIN, [{"action": "stand", "player": "zoe"}], ANNA, BEN) == "unknown_player"
    assert came_to("eca", WIN, [{"action": "stand", "player": "anna"}], ANNA, BEN) == [-20, -40]


# -- at the table ------------------------------------------------------------------------------------


def started(sheet: str, cards: str, *players: Any, **options: Any) -> Deal:
    rules = rules_make(sheet, options=options or None)
    deal = deal_start(rules, {1: players[0]["bet"]}, None, players={1: players})
    return after(deal, *(CardDrawn(card) for card in cards.split()))


def test_row25_the_table_says_who_decides() -> None:
    deal = started("banco", "Ts 9h 6d", ANNA, BEN)
    assert deal.needs.player == "anna"
    deal = after(deal, Decision(1, "surrender"))
    assert deal.needs.player == "ben"
    assert [(o.action, o.player) for o in legal(deal)][-1] == ("surrender", None)


def test_row25_the_table_shows_what_each_player_has_on_each_hand() -> None:
    deal = started("eca", "8s 6h 8d", ANNA, BEN, CARL)
    deal = after(deal, Decision(1, "split", along=(("ben", 40),)))
    shown = [(each.name, each.put_up_chips, each.net_chips) for each in deal.boxes[0].players]
    assert shown == [("ben", 80, None), ("carl", 10, None)]
    for card in ("Ts", "Tc"):
        deal = after(deal, CardDrawn(card), Decision(1, "stand"))
    deal = after(deal, CardDrawn("Kc"), CardDrawn("9c"))
    assert [player.net_chips for player in deal.boxes[0].players] == [80, 10]
    written = json.loads(json.dumps(deal_record(deal)))
    assert written["decisions"][0] == {"seat": 1, "action": "split", "with": {"ben": 40}}
    assert written["players"] == {"1": [ANNA, BEN, CARL]}
    assert settle(written)["players"] == deal.answer["players"]  # type: ignore[index]  # it is done
