"""Recording by results: what it pays, and what it refuses as impossible."""

from random import Random
from typing import Any

import pytest

from games.blackjack.event_rules import rules_make
from games.blackjack.record import rules_of, settle
from games.blackjack.results import net_bounds, results_settle
from games.blackjack.rules import SHEETS
from games.blackjack.summaries import outcomes_of
from ground.refused import Refused
from tests.games.blackjack.deals import record
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
        rules, written, want = rules_of(round_.record()), round_.record(), round_.answer()
        bets, stacks, line = (
            {int(box): chips for box, chips in written.get(name, {}).items()}
            for name in ("bets", "stacks", "line_chips")
        )
        entered = {box.seat: outcome_of(round_, box) for box in round_.boxes}
        told = {int(box): made for box, made in outcomes_of(written["bets"], written, want).items()}
        for outcomes in (entered, told):
            got = results_settle(rules, bets, stacks or None, outcomes, line_chips=line)
            for each in ("net", "line_chip", "insurance"):
                assert got.get(each) == want.get(each), written
        for box, chips in bets.items():
            least, most = net_bounds(rules, chips, stacks.get(box))
            assert least <= want["net"][str(box)] <= most + line.get(box, 0), written
    assert compared > 400


# -- what is entered ---------------------------------------------------------------------------------


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

OUT, LOST = hands("not_dealt"), hands("lose")
REFUSED: dict[str, list[tuple[Any, ...]]] = {
    "bet_above_maximum": [("wonder", 1200, hands("win"))],
    "insurance_amount": [
        *(("wonder", 200, lost("lose", chips=chips)) for chips in (200, 50, -100)),
        ("eca", 20, lost("lose", chips=5)),
    ],
    "insurance_not_offered": [
        *(("banco", 20, natural) for natural in (lost("natural", chips=10), won("push", chips=10))),
        ("wonder", 200, lost("even_money", chips=100)),
        ("banco", 20, won("not_dealt", chips=10), LOST),
    ],
    "double_amount": [
        *(("wonder", 200, hands(f"win:{chips}")) for chips in (100, 400, -200)),
        ("ggpoker", 10, hands("win:11")),
    ],
    "double_not_allowed": [("ggpoker", 10, hands("win:10", "lose"))],
    "split_not_allowed": [("wonder", 200, hands(*["win"] * 5)), ("ggpoker", 10, hands(*["win"] * 3))],
    "surrender_not_allowed": [
        *(("wonder", 200, hands(*results)) for results in (("surrender", "win"), ("surrender:200",))),
        *(("eca", 20, hands("surrender")), ("banco", 20, lost("surrender", chips=10))),
        ("banco", 20, hands("surrender"), hands("even_money")),  # which shows the ace
    ],
    # A natural is two cards of a hand that was not split, and nobody beats the dealer's.
    "result_impossible": [
        *(
            ("wonder", 200, hands(*each))
            for each in (("natural:200",), ("natural", "win"), ("even_money", "win"))
        ),
        *(("wonder", 200, won(result, chips=100)) for result in ("win", "natural", "surrender")),
        *(("eca", 20, won(*results, chips=10)) for results in (("push", "lose"), ("push:20",))),
        *(("banco", 20, hands(*each), LOST) for each in (("not_dealt:20",), ("not_dealt", "win"))),
        *(("banco", 20, OUT), ("eca", 20, OUT, LOST), ("eca", 20, won("lose", "push", chips=10))),
        # The look has shown it before anybody doubled or split.
        *(("wonder", 200, won(*results, chips=100)) for results in (("lose:200",), ("lose", "lose"))),
    ],
}


@pytest.mark.parametrize("code", list(REFUSED))
def test_row6_row9_row13_row14_row20_what_cannot_have_come_of_a_hand_is_refused(code: str) -> None:
    for sheet, bet, *outcomes in REFUSED[code]:
        assert came_to(sheet, bet, *outcomes) == code, outcomes


def test_row11_even_money_may_be_off() -> None:
    assert came_to("wonder", 200, hands("even_money"), even_money=False) == "even_money_not_offered"


def test_row22_a_dealers_natural_is_the_same_for_all_boxes() -> None:
    insured = won("lose", chips=100)
    for other in (hands("win"), lost("lose", chips=100)):
        assert came_to("wonder", 200, insured, other) == "result_impossible"
    assert came_to("wonder", 200, insured, LOST) == 0


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


def test_no_box_wins_or_loses_more_than_the_bounds() -> None:
    for sheet, bet, stack, bounds in (
        ("wonder", 200, None, (-1700, 1600)),
        ("wonder", 200, 300, (-300, 300)),
        ("wonder", 1000, 2500, (-2500, 2000)),
        ("ggpoker", 10, None, (-25, 20)),
        ("ggpoker", 10, 17, (-17, 17)),
        ("banco", 25, 25, (-25, 40)),
    ):
        assert net_bounds(SHEETS[sheet], bet, stack) == bounds


def test_cards_as_results_say_a_double_for_less() -> None:
    for cards, moves, told in (
        ("6s 6h 5d Ts Tc Th", "1 double 10", {"result": "win", "doubled": 10}),
        ("6s Th 5d 9c 8s", "1 double 7", {"result": "push", "doubled": 7}),
    ):
        written = record("ggpoker", {1: 20}, cards, moves)
        assert outcomes_of(written["bets"], written, settle(written)) == {"1": {"hands": [told]}}
