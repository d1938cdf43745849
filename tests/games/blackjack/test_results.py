"""Recording by results: what it pays, and what it refuses as impossible."""

from typing import Any

import pytest

from games.blackjack.chosen import rules_make
from games.blackjack.record import settle
from games.blackjack.results import net_bounds, results_settle
from games.blackjack.rules import SHEETS
from ground.refused import Refused
from tests.games.blackjack.deals import record

WONDER = SHEETS["wonder"]


def hands(*results: str, **more: Any) -> dict[str, Any]:
    """``"win"``, or ``"win:200"`` for a hand doubled for 200."""
    made = []
    for word in results:
        result, _, doubled = word.partition(":")
        made.append({"result": result, "doubled": int(doubled)} if doubled else {"result": result})
    return {"hands": made, **more}


def net(sheet: str, bet: int, outcome: dict[str, Any], stack: int | None = None) -> int:
    stacks = None if stack is None else {1: stack}
    return int(results_settle(SHEETS[sheet], {1: bet}, stacks, {1: outcome})["net"]["1"])


def refused(code: str, sheet: str, bet: int, outcome: Any, stack: int | None = None) -> None:
    with pytest.raises(Refused) as no:
        net(sheet, bet, outcome, stack)
    assert no.value.code == code, no.value


@pytest.mark.parametrize(
    ("outcome", "won"),
    [
        (hands("win"), 200),
        (hands("lose"), -200),
        (hands("push"), 0),
        (hands("natural"), 300),
        (hands("even_money"), 200),
        (hands("surrender"), -100),
        (hands("win:200"), 400),
        (hands("lose:200"), -400),
        (hands("push:200"), 0),
        (hands("win", "lose"), 0),
        (hands("win:200", "win", "push", "lose"), 400),
        (hands("lose", insurance=100, insurance_won=True), 0),
        (hands("win", insurance=100, insurance_won=False), 100),
        (hands("push", insurance=100, insurance_won=True), 200),
    ],
)
def test_what_each_result_pays(outcome: dict[str, Any], won: int) -> None:
    assert net("wonder", 200, outcome) == won


def test_the_same_deal_by_cards_and_by_results_comes_to_the_same() -> None:
    cards = "8h 9c As 8d Th 6s 3h Td 9s 5c 4h 2c"
    moves = "3 insurance 100, 1 split, 1 double, 1 stand, 3 stand"
    by_cards = settle(record("wonder", {1: 200, 3: 400}, cards, moves))
    won = [hand["net"] for hand in by_cards["hands"]["1"]]
    outcome = {
        1: hands(*(f"{_word(n)}:200" if abs(n) == 400 else _word(n) for n in won)),
        3: hands(_word(by_cards["net"]["3"] + 100), insurance=100, insurance_won=False),
    }
    assert results_settle(WONDER, {1: 200, 3: 400}, None, outcome)["net"] == by_cards["net"]


def _word(chips: int) -> str:
    return "win" if chips > 0 else "lose" if chips < 0 else "push"


def test_the_answer_says_hands_and_what_was_put_up() -> None:
    answer = results_settle(
        WONDER, {1: 400}, {1: 2000}, {1: hands("win:400", "lose", insurance=200, insurance_won=False)}
    )
    assert answer == {
        "net": {"1": 200},
        "hands": {"1": [800, -400]},
        "put_up": {"1": 1400},
        "insurance": {"1": -200},
        "dealer_natural": False,
    }
    assert results_settle(WONDER, {1: 400}, None, {1: hands("win")})["dealer_natural"] is None


def test_every_box_with_a_bet_needs_a_result_and_no_other_has_one() -> None:
    for outcomes, code in (
        ({1: hands("win")}, "results_missing"),
        ({1: hands("win"), 2: hands("win"), 3: hands("win")}, "bad_seat"),
    ):
        with pytest.raises(Refused) as no:
            results_settle(WONDER, {1: 200, 2: 200}, None, outcomes)
        assert no.value.code == code


@pytest.mark.parametrize(
    "outcome",
    [
        None,
        "win",
        {},
        {"hands": []},
        {"hands": "win"},
        {"hands": ["win"]},
        {"hands": [{"result": "draw"}]},
        {"hands": [{"result": "win", "doubled": "200"}]},
        {"hands": [{"result": "win", "doubled": True}]},
        hands("win", insurance="100"),
        hands("win", insurance=100),
        hands("win", insurance=100, insurance_won="yes"),
    ],
)
def test_a_result_of_the_wrong_shape_is_refused(outcome: Any) -> None:
    refused("bad_result", "wonder", 200, outcome)


def test_row2_the_bet_is_checked_as_in_a_record() -> None:
    refused("bet_above_maximum", "wonder", 1200, hands("win"))


def test_row6_a_natural_is_two_cards_neither_split_nor_doubled() -> None:
    refused("result_impossible", "wonder", 200, hands("natural:200"))
    refused("result_impossible", "wonder", 200, hands("natural", "win"))
    refused("result_impossible", "wonder", 200, hands("even_money", "win"))


def test_row8_insurance_over_half_is_refused() -> None:
    for chips in (200, 50, -100):
        refused("insurance_amount", "wonder", 200, hands("lose", insurance=chips, insurance_won=False))
    refused("insurance_amount", "eca", 20, hands("lose", insurance=5, insurance_won=False))


def test_row9_banco_naturals_are_not_insured() -> None:
    refused("insurance_not_offered", "banco", 20, hands("natural", insurance=10, insurance_won=False))
    refused("insurance_not_offered", "banco", 20, hands("push", insurance=10, insurance_won=True))


def test_row11_even_money_returns_the_insurance_and_may_be_off() -> None:
    refused("insurance_not_offered", "wonder", 200, hands("even_money", insurance=100, insurance_won=False))
    rules = rules_make("wonder", options={"even_money": False})
    with pytest.raises(Refused) as no:
        results_settle(rules, {1: 200}, None, {1: hands("even_money")})
    assert no.value.code == "even_money_not_offered"


def test_row13_a_double_is_the_same_again_or_up_to_it() -> None:
    for chips in (100, 400, -200):
        refused("double_amount", "wonder", 200, hands(f"win:{chips}"))
    assert net("ggpoker", 10, hands("win:4")) == 14
    refused("double_amount", "ggpoker", 10, hands("win:11"))


def test_row14_double_after_a_split_only_where_allowed() -> None:
    refused("double_not_allowed", "ggpoker", 10, hands("win:10", "lose"))


def test_row16_a_fifth_hand_is_refused_and_eca_has_no_limit() -> None:
    refused("split_not_allowed", "wonder", 200, hands(*["win"] * 5))
    refused("split_not_allowed", "ggpoker", 10, hands(*["win"] * 3))
    assert net("eca", 10, hands(*["win"] * 6)) == 60


def test_row20_surrender_as_the_sheet_has_it() -> None:
    refused("surrender_not_allowed", "eca", 20, hands("surrender"))
    refused("surrender_not_allowed", "wonder", 200, hands("surrender", "win"))
    refused("surrender_not_allowed", "wonder", 200, hands("surrender:200"))
    assert net("banco", 25, hands("surrender", "win")) == 15
    refused("surrender_not_allowed", "banco", 20, hands("surrender", insurance=10, insurance_won=False))


def test_row22_nobody_beats_a_dealers_natural() -> None:
    for result in ("win", "natural", "surrender"):
        refused("result_impossible", "wonder", 200, hands(result, insurance=100, insurance_won=True))
    refused("result_impossible", "eca", 20, hands("push", "lose", insurance=10, insurance_won=True))
    refused("result_impossible", "eca", 20, hands("push:20", insurance=10, insurance_won=True))
    assert net("eca", 20, hands("lose:20", insurance=10, insurance_won=True)) == -20


def test_row22_it_binds_the_boxes_that_did_not_insure() -> None:
    outcomes = {1: hands("lose", insurance=100, insurance_won=True), 2: hands("win")}
    with pytest.raises(Refused) as no:
        results_settle(WONDER, {1: 200, 2: 200}, None, outcomes)
    assert no.value.code == "result_impossible"


def test_row4_a_natural_seen_in_the_look_leaves_nothing_doubled_or_split() -> None:
    for outcome in (hands("lose:200"), hands("lose", "lose")):
        refused("result_impossible", "wonder", 200, {**outcome, "insurance": 100, "insurance_won": True})


def test_row8_insurance_is_all_won_or_all_lost() -> None:
    outcomes = {
        1: hands("lose", insurance=100, insurance_won=True),
        2: hands("lose", insurance=100, insurance_won=False),
    }
    with pytest.raises(Refused) as no:
        results_settle(WONDER, {1: 200, 2: 200}, None, outcomes)
    assert no.value.code == "result_impossible"


def test_row23_the_chip_on_the_line() -> None:
    banco = SHEETS["banco"]
    answer = results_settle(banco, {1: 25}, None, {1: hands("natural")})
    assert answer["net"] == {"1": 35}
    assert answer["line_chip"] == {"1": 5}
    for result, won, left in (("win", 30, None), ("lose", -25, None), ("push", 0, {"1": 5})):
        answer = results_settle(banco, {1: 25}, None, {1: hands(result)}, line_chips={1: 5})
        assert answer["net"] == {"1": won}
        assert answer.get("line_chip") == left


def test_A6_what_was_put_up_must_have_been_there() -> None:
    refused("not_enough_chips", "wonder", 200, hands("win:200"), stack=300)
    refused("not_enough_chips", "wonder", 200, hands("win", "win"), stack=300)
    refused("not_enough_chips", "wonder", 200, hands("lose", insurance=100, insurance_won=False), stack=200)
    assert net("wonder", 200, hands("win:200"), stack=400) == 400


@pytest.mark.parametrize(
    ("outcome", "least", "won"),
    [
        (hands("surrender", "win:20"), 50, 30),
        (hands("win:20", "surrender"), 60, 30),
        (hands("surrender", "win", "win"), 50, 30),
        (hands("win", "surrender", "win"), 60, 30),
        (hands("surrender", "surrender", "win:20"), 60, 20),
        (hands("surrender", "surrender", "win", "win:20"), 80, 40),
        (hands("lose:20", insurance=10, insurance_won=False), 50, -50),
    ],
)
def test_A6_half_of_a_surrendered_hand_was_there_for_the_hands_after_it(
    outcome: dict[str, Any], least: int, won: int
) -> None:
    refused("not_enough_chips", "banco", 20, outcome, stack=least - 5)
    assert net("banco", 20, outcome, stack=least) == won


@pytest.mark.parametrize(
    ("sheet", "bet", "stack", "bounds"),
    [
        ("wonder", 200, None, (-1700, 1600)),
        ("wonder", 200, 200, (-200, 300)),
        ("wonder", 200, 300, (-300, 300)),
        ("wonder", 1000, 2500, (-2500, 2000)),
        ("ggpoker", 10, None, (-25, 20)),
        ("ggpoker", 10, 17, (-17, 17)),
        ("banco", 25, 25, (-25, 40)),
    ],
)
def test_no_box_wins_or_loses_more_than_the_bounds(
    sheet: str, bet: int, stack: int | None, bounds: tuple[int, int]
) -> None:
    assert net_bounds(SHEETS[sheet], bet, stack) == bounds
