"""The hand record: what is refused, with which code, and that nothing whatever crashes it."""

import json
from typing import Any

import pytest

from games.blackjack.record import answer, settle
from tests.games.blackjack.deals import record

GOOD = record("wonder", {1: 200, 3: 400}, "Ts 9c 6h 8d Td Tc 5s", "1 stand, 3 stand", stacks={1: 900})


def spoilt(**fields: Any) -> dict[str, Any]:
    return {**GOOD, **fields}


def code(value: object) -> str | None:
    return answer(value).get("error")


def test_the_record_that_the_others_spoil_is_settled() -> None:
    assert settle(spoilt(id="x"))["id"] == "x"
    assert code(GOOD) is None


@pytest.mark.parametrize("value", [None, True, 3, 2.5, "record", [], [GOOD], {}])
def test_a_record_is_an_object_with_rules(value: object) -> None:
    assert code(value) == ("unknown_rules" if value == {} else "bad_record")
    assert answer(value)["id"] is None


@pytest.mark.parametrize(
    "field", ["rules", "bets", "cards", "decisions", "stacks", "side_bets", "line_chips"]
)
@pytest.mark.parametrize("value", [None, True, 7, "x"])
def test_a_field_of_the_wrong_shape_is_refused(field: str, value: object) -> None:
    own = {"rules": "unknown_rules", "cards": "bad_card"}
    assert code(spoilt(**{field: value})) == own.get(field, "bad_record")


@pytest.mark.parametrize(
    ("field", "expected"),
    [("decks", "decks_not_allowed"), ("limits", "bad_limits"), ("options", "bad_options")],
)
def test_null_is_not_the_sheets_own(field: str, expected: str) -> None:
    assert code(spoilt(**{field: None})) == expected


@pytest.mark.parametrize("bet", [None, "200", 200.0, True, [200]])
def test_a_bet_that_is_no_integer_is_a_bad_record(bet: object) -> None:
    assert code(spoilt(bets={"1": bet})) == "bad_record"


@pytest.mark.parametrize("seat", ["0", "8", "one", "", "01"])
def test_boxes_are_1_to_7(seat: str) -> None:
    assert code(spoilt(bets={seat: 200})) == "bad_seat"
    assert code(spoilt(stacks={seat: 200})) == "bad_seat"


def test_somebody_must_bet() -> None:
    assert code(spoilt(bets={})) == "no_bets"
    assert code({"rules": "wonder", "cards": []}) == "bad_record"


@pytest.mark.parametrize("card", ["10h", "AS", "Xx", "", None, 7, ["Ah"], {"a": 1}, "JK"])
def test_a_card_that_is_none_is_refused_by_its_number(card: object) -> None:
    spoilt_cards = [*GOOD["cards"][:4], card, *GOOD["cards"][5:]]
    got = answer(spoilt(cards=spoilt_cards))
    assert got["error"] == "bad_card"
    assert "Card 5" in got["message"]


@pytest.mark.parametrize(
    ("changed", "error", "named"),
    [
        ({"cards": GOOD["cards"][:4]}, "cards_missing", ["Card 5", "box 3"]),
        ({"cards": [*GOOD["cards"], "2c"]}, "cards_left_over", ["card 8", "2c"]),
        ({"decisions": GOOD["decisions"][:1]}, "decisions_missing", ["Box 3", "hand 1", "decision 2"]),
        ({"decisions": [*GOOD["decisions"], {"nobody": "looks"}]}, "decisions_left_over", ["decision 3"]),
        ({"decisions": [{"seat": 1, "action": "fold"}]}, "unknown_action", ["Decision 1", "box 1", "fold"]),
    ],
)
def test_what_is_missing_or_too_many_is_named(changed: Any, error: str, named: list[str]) -> None:
    got = answer(spoilt(**changed))
    assert got["error"] == error and all(each in got["message"] for each in named)
    assert answer({"rules": "wonder", "bets": {"1": 200}})["error"] == "cards_missing"


@pytest.mark.parametrize(
    "decision",
    [
        None,
        "stand",
        {},
        {"seat": 1},
        {"seat": "1", "action": "stand"},
        {"seat": True, "action": "stand"},
        {"seat": 1.0, "action": "stand"},
        {"seat": 1, "action": None},
        {"seat": 1, "action": 7},
        {"seat": 1, "action": "double", "amount": "200"},
        {"seat": 1, "action": "double", "amount": 2.5},
        {"seat": 1, "action": "double", "amount": 200.0},
        {"seat": 1, "action": "double", "amount": True},
    ],
)
def test_a_decision_of_the_wrong_shape_is_a_bad_record(decision: object) -> None:
    got = answer(spoilt(decisions=[decision, *GOOD["decisions"][1:]]))
    assert got["error"] == "bad_record"
    assert "Decision 1" in got["message"]


@pytest.mark.parametrize("found", [None, 5, ["x"], {}])
def test_only_a_string_is_handed_back_as_id(found: object) -> None:
    assert answer(spoilt(id=found))["id"] is None


def test_fields_that_others_add_keep_a_record_good() -> None:
    assert code(spoilt(table=4, hand=7, recorded_by="clerk")) is None


def test_a_stack_of_a_box_without_a_bet_does_no_harm() -> None:
    assert code(spoilt(stacks={"1": 900, "5": 0})) is None


def test_numbers_of_thousands_of_digits_are_refused_like_any_other() -> None:
    huge = 10**5000
    assert code(spoilt(bets={"1": huge})) == "bet_above_maximum"
    assert code(spoilt(bets={"1": -huge})) == "bet_below_minimum"
    assert code(spoilt(stacks={"1": -huge})) == "not_enough_chips"
    assert code(spoilt(decks=huge)) == "decks_not_allowed"
    assert code(spoilt(limits={"min": 200, "max": huge, "step": 200, "chip": 100})) == "bad_limits"
    for seat, action in ((huge, "stand"), (huge, "insurance"), (huge, "fold")):
        assert code(spoilt(decisions=[{"seat": seat, "action": action}])) in ("out_of_turn", "bad_seat")
    assert code(spoilt(decisions=[{"seat": 1, "action": "double", "amount": huge}])) == "double_amount"
    assert code(spoilt(rules="banco", line_chips={"1": huge})) == "bet_above_maximum"


def test_a_value_nested_a_thousand_deep_is_refused_like_any_other() -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    assert code(deep) == "bad_record"
    for field in ("rules", "bets", "cards", "decisions", "options", "limits", "decks", "stacks", "side_bets"):
        assert code(spoilt(**{field: deep})) is not None
    assert code(spoilt(options={"soft17": deep})) is not None


def test_every_answer_can_be_written_as_json() -> None:
    assert json.loads(json.dumps(answer(spoilt(id="\ud800")))) is not None
    assert json.loads(json.dumps(answer(spoilt(rules="\ud800")))) is not None
