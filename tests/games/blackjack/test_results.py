"""Recording by results: what it pays, and what it refuses as impossible."""

from random import Random
from typing import Any

import pytest

from games.blackjack.chosen import rules_make
from games.blackjack.record import rules_of
from games.blackjack.results import net_bounds, results_settle
from games.blackjack.rules import SHEETS
from games.blackjack.told import outcomes_of
from ground.refused import Refused
from tests.games.blackjack.second_opinion import Round
from tests.games.blackjack.second_sheets import Box, is_21_in_two

WONDER = SHEETS["wonder"]


def hands(*results: str, **more: Any) -> dict[str, Any]:
    """``"win"``, or ``"win:200"`` for a hand doubled for 200."""
    made = []
    for word in results:
        result, _, doubled = word.partition(":")
        made.append({"result": result, "doubled": int(doubled)} if doubled else {"result": result})
    return {"hands": made, **more}


def won(*results: str, chips: int) -> dict[str, Any]:
    return hands(*results, insurance=chips, insurance_won=True)


def lost(*results: str, chips: int) -> dict[str, Any]:
    return hands(*results, insurance=chips, insurance_won=False)


def came_to(sheet: str, bet: int, *outcomes: Any, stack: int | None = None, **options: Any) -> Any:
    """What box 1 wins, or the code of the refusal."""
    boxes = range(1, len(outcomes) + 1)
    rules, stacks = rules_make(sheet, options=options or None), None if stack is None else {1: stack}
    try:
        return results_settle(rules, dict.fromkeys(boxes, bet), stacks, dict(enumerate(outcomes, 1)))["net"][
            "1"
        ]
    except Refused as no:
        return no.code


# -- beside the second opinion -----------------------------------------------------------------------


def outcome_of(round_: Round, box: Box) -> dict[str, Any]:
    """What a clerk would enter for a box of a round."""
    natural, owner = is_21_in_two(round_.dealer), box.owner
    made = []
    for hand in box.hands:
        _, doubled, surrendered = hand.bets[owner.name]
        net = round_.bet_net(box, hand, owner)
        word = "win" if net > 0 else "lose" if net < 0 else "push"
        if surrendered or owner.even:
            word = "surrender" if surrendered else "even_money"
        elif hand.natural and not natural:
            word = "natural"
        came_back = natural and round_.game["late_natural"] == "original" and hand.end == "stood"
        made.append({"result": word, "doubled": 0 if came_back else doubled})
    return {"hands": made or [{"result": "not_dealt"}], "insurance": owner.insured, "insurance_won": natural}


def test_results_come_to_what_the_cards_came_to_whoever_says_them() -> None:
    """A6, row 22: nobody loses more than the stack, nor more than the bounds say."""
    played = (Round(Random(seed)).play() for seed in range(900))
    compared = 0
    for round_ in played:
        if round_.is_shared or any(box.owner.side for box in round_.boxes):
            continue
        compared += 1
        rules, record, want = rules_of(round_.record()), round_.record(), round_.answer()
        bets, stacks, line = (
            {int(box): chips for box, chips in record.get(name, {}).items()}
            for name in ("bets", "stacks", "line_chips")
        )
        entered = {box.seat: outcome_of(round_, box) for box in round_.boxes}
        told = {int(box): made for box, made in outcomes_of(record["bets"], record, want).items()}
        for outcomes in (entered, told):
            got = results_settle(rules, bets, stacks or None, outcomes, line_chips=line)
            for each in ("net", "line_chip", "insurance"):
                assert got.get(each) == want.get(each), record
        for box, chips in bets.items():
            least, most = net_bounds(rules, chips, stacks.get(box))
            assert least <= want["net"][str(box)] <= most + line.get(box, 0), record
    assert compared > 400


# -- what is entered ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "chips"),
    [
        *((hands(word), chips) for word, chips in (("win", 200), ("lose", -200), ("push", 0))),
        *(
            (hands(word), chips)
            for word, chips in (("natural", 300), ("even_money", 200), ("surrender", -100))
        ),
        *((hands(word), chips) for word, chips in (("win:200", 400), ("lose:200", -400), ("push:200", 0))),
        (hands("win:200", "win", "push", "lose"), 400),
        *((won("lose", chips=100), 0), (lost("win", chips=100), 100), (won("push", chips=100), 200)),
    ],
)
def test_what_each_result_pays(outcome: dict[str, Any], chips: int) -> None:
    assert came_to("wonder", 200, outcome) == chips


def test_the_answer_says_hands_and_what_was_put_up() -> None:
    answer = results_settle(WONDER, {1: 400}, {1: 2000}, {1: lost("win:400", "lose", chips=200)})
    assert answer == {
        "net": {"1": 200},
        "hands": {"1": [800, -400]},
        "put_up": {"1": 1400},
        "insurance": {"1": -200},
        "dealer_natural": False,
    }
    assert results_settle(WONDER, {1: 400}, None, {1: hands("win")})["dealer_natural"] is None


@pytest.mark.parametrize(("boxes", "code"), [((1,), "results_missing"), ((1, 2, 3), "bad_seat")])
def test_every_box_with_a_bet_needs_a_result_and_no_other_has_one(boxes: tuple[int, ...], code: str) -> None:
    with pytest.raises(Refused) as no:
        results_settle(WONDER, {1: 200, 2: 200}, None, dict.fromkeys(boxes, hands("win")))
    assert no.value.code == code


@pytest.mark.parametrize(
    "outcome",
    [
        *(None, "win", {}, {"hands": []}, {"hands": "win"}, {"hands": ["win"]}, hands("draw")),
        *({"hands": [{"result": "win", "doubled": doubled}]} for doubled in ("200", True)),
        *(hands("win", **more) for more in ({"insurance": "100"}, {"insurance": 100})),
        hands("win", insurance=100, insurance_won="yes"),
    ],
)
def test_a_result_of_the_wrong_shape_is_refused(outcome: Any) -> None:
    assert came_to("wonder", 200, outcome) == "bad_result"


# -- what is impossible ------------------------------------------------------------------------------


def test_row2_the_bet_is_checked_as_in_a_record() -> None:
    assert came_to("wonder", 1200, hands("win")) == "bet_above_maximum"


def test_row6_a_natural_is_two_cards_neither_split_nor_doubled() -> None:
    for results in (("natural:200",), ("natural", "win"), ("even_money", "win")):
        assert came_to("wonder", 200, hands(*results)) == "result_impossible"


def test_row8_insurance_is_at_most_half_and_all_won_or_all_lost() -> None:
    for chips in (200, 50, -100):
        assert came_to("wonder", 200, lost("lose", chips=chips)) == "insurance_amount"
    assert came_to("eca", 20, lost("lose", chips=5)) == "insurance_amount"
    assert came_to("wonder", 200, won("lose", chips=100), lost("lose", chips=100)) == "result_impossible"


def test_row9_banco_naturals_are_not_insured() -> None:
    for outcome in (lost("natural", chips=10), won("push", chips=10)):
        assert came_to("banco", 20, outcome) == "insurance_not_offered"
    assert came_to("banco", 20, lost("push", chips=10)) == -10


def test_row11_even_money_returns_the_insurance_and_may_be_off() -> None:
    assert came_to("wonder", 200, lost("even_money", chips=100)) == "insurance_not_offered"
    assert came_to("wonder", 200, hands("even_money"), even_money=False) == "even_money_not_offered"


def test_row13_a_double_is_the_same_again_or_up_to_it() -> None:
    for chips in (100, 400, -200):
        assert came_to("wonder", 200, hands(f"win:{chips}")) == "double_amount"
    doubled = [came_to("ggpoker", 10, hands(f"win:{chips}")) for chips in (1, 10, 11)]
    assert doubled == [11, 20, "double_amount"]


def test_row14_double_after_a_split_only_where_allowed() -> None:
    assert came_to("ggpoker", 10, hands("win:10", "lose")) == "double_not_allowed"


def test_row16_a_fifth_hand_is_refused_and_eca_has_no_limit() -> None:
    assert [came_to("wonder", 200, hands(*["win"] * n)) for n in (4, 5)] == [800, "split_not_allowed"]
    assert came_to("ggpoker", 10, hands(*["win"] * 3)) == "split_not_allowed"
    assert came_to("eca", 10, hands(*["win"] * 6)) == 60


def test_row20_surrender_as_the_sheet_has_it() -> None:
    for sheet, outcome in (
        *(
            ("eca", hands("surrender")),
            ("wonder", hands("surrender", "win")),
            ("wonder", hands("surrender:200")),
        ),
        ("banco", lost("surrender", chips=10)),
    ):
        assert came_to(sheet, 200 if sheet == "wonder" else 20, outcome) == "surrender_not_allowed"
    assert came_to("banco", 25, hands("surrender", "win")) == 15


def test_row22_nobody_beats_a_dealers_natural() -> None:
    for result in ("win", "natural", "surrender"):
        assert came_to("wonder", 200, won(result, chips=100)) == "result_impossible"
    for results in (("push", "lose"), ("push:20",)):
        assert came_to("eca", 20, won(*results, chips=10)) == "result_impossible"
    assert came_to("eca", 20, won("lose:20", chips=10)) == -20
    # It binds the boxes that did not insure too.
    assert came_to("wonder", 200, won("lose", chips=100), hands("win")) == "result_impossible"


def test_row4_a_natural_seen_in_the_look_leaves_nothing_doubled_or_split() -> None:
    for results in (("lose:200",), ("lose", "lose")):
        assert came_to("wonder", 200, won(*results, chips=100)) == "result_impossible"


@pytest.mark.parametrize(
    ("outcome", "least", "chips"),
    [
        (hands("win:20"), 40, 40),
        (hands("win", "win"), 40, 40),
        (lost("lose", chips=10), 30, -30),
        # Half of a surrendered hand was there for the hands after it.
        (hands("surrender", "win:20"), 50, 30),
        (hands("win:20", "surrender"), 60, 30),
        (hands("win", "surrender", "win"), 60, 30),
        (hands("surrender", "surrender", "win", "win:20"), 80, 40),
    ],
)
def test_A6_what_was_put_up_must_have_been_there(outcome: dict[str, Any], least: int, chips: int) -> None:
    assert came_to("banco", 20, outcome, stack=least - 5) == "not_enough_chips"
    assert came_to("banco", 20, outcome, stack=least) == chips


@pytest.mark.parametrize(
    ("sheet", "bet", "stack", "bounds"),
    [
        ("wonder", 200, None, (-1700, 1600)),
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
