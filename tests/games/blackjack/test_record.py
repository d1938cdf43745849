"""The hand record: what is refused, with which code, and that nothing whatever crashes it."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.blackjack.cards import DECK
from games.blackjack.record import answer
from tests.games.blackjack.deals import record
from tests.games.blackjack.opinions import CODES, check_spoilt
from tests.games.blackjack.second_opinion import Round

GOOD = record("wonder", {1: 200, 3: 400}, "Ts 9c 6h 8d Td Tc 5s", "1 stand, 3 stand", stacks={1: 900})
STAND = {"seat": 1, "action": "stand"}


def spoilt(**fields: Any) -> dict[str, Any]:
    return {**GOOD, **fields}


def code(value: object) -> str | None:
    return answer(value).get("error")


def test_fields_that_others_add_and_a_stack_without_a_bet_keep_a_record_good() -> None:
    assert answer(spoilt(id="x", table=4, stacks={"1": 900, "5": 0}))["id"] == "x"
    for no_string in (None, 5, ["x"], {}):
        assert answer(spoilt(id=no_string))["id"] is None
    assert code(GOOD) is None
    assert code(spoilt(rules="Wonder")) == code(spoilt(rules=["wonder"])) == "unknown_rules"


@pytest.mark.parametrize("value", [None, True, 3, 2.5, "record", [], [GOOD], {}])
def test_a_record_is_an_object_with_rules(value: object) -> None:
    assert code(value) == ("unknown_rules" if value == {} else "bad_record")
    assert answer(value)["id"] is None


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        *((field, "bad_record") for field in ("bets", "decisions", "stacks", "side_bets", "line_chips")),
        *(("rules", "unknown_rules"), ("cards", "bad_card"), ("decks", "decks_not_allowed")),
        *(("limits", "bad_limits"), ("options", "bad_options")),
    ],
)
def test_a_field_of_the_wrong_shape_is_refused(field: str, expected: str) -> None:
    """Null is not the sheet's own."""
    for value in (None, True, 7, "x"):
        assert code(spoilt(**{field: value})) == expected


def test_a_bet_is_an_integer_on_one_of_seven_boxes_and_somebody_bets() -> None:
    for bet in (None, "200", 200.0, True, [200]):
        assert code(spoilt(bets={"1": bet})) == "bad_record"
    for seat in ("0", "8", "one", "", "01"):
        assert code(spoilt(bets={seat: 200})) == code(spoilt(stacks={seat: 200})) == "bad_seat"
    assert code(spoilt(bets={})) == "no_bets"
    assert code({"rules": "wonder", "cards": []}) == "bad_record"


@pytest.mark.parametrize("card", ["10h", "AS", "Xx", "", None, 7, ["Ah"], {"a": 1}, "JK"])
def test_a_card_that_is_none_is_refused_by_its_number(card: object) -> None:
    got = answer(spoilt(cards=[*GOOD["cards"][:4], card, *GOOD["cards"][5:]]))
    assert got["error"] == "bad_card"
    assert "Card 5" in got["message"]


@pytest.mark.parametrize(
    ("changed", "error", "named"),
    [
        ({"cards": GOOD["cards"][:4]}, "cards_missing", ["Card 5", "box 3"]),
        ({"cards": [*GOOD["cards"], "2c"]}, "cards_left_over", ["card 8", "2c"]),
        ({"decisions": GOOD["decisions"][:1]}, "decisions_missing", ["Box 3", "decision 2"]),
        ({"decisions": [*GOOD["decisions"], {"nobody": "looks"}]}, "decisions_left_over", ["decision 3"]),
        ({"decisions": [{"seat": 1, "action": "fold"}]}, "unknown_action", ["Decision 1", "box 1", "fold"]),
        *(
            ({"decisions": [decision]}, "bad_record", ["Decision 1"])
            for decision in (
                *(None, "stand", {}, {"seat": 1}),
                *({**STAND, "seat": seat} for seat in ("1", True, 1.0)),
                *({**STAND, "action": action} for action in (None, 7)),
                *({"seat": 1, "action": "double", "amount": chips} for chips in ("200", 2.5, 200.0, True)),
            )
        ),
    ],
)
def test_what_is_wrong_is_named(changed: Any, error: str, named: list[str]) -> None:
    got = answer(spoilt(**changed))
    assert got["error"] == error and all(each in got["message"] for each in named)


def test_numbers_of_thousands_of_digits_are_refused_like_any_other() -> None:
    huge = 10**5000
    for fields, expected in (
        ({"bets": {"1": huge}}, "bet_above_maximum"),
        ({"bets": {"1": -huge}}, "bet_below_minimum"),
        ({"stacks": {"1": -huge}}, "not_enough_chips"),
        ({"decks": huge}, "decks_not_allowed"),
        ({"limits": {"min": 200, "max": huge, "step": 200, "chip": 100}}, "bad_limits"),
        ({"decisions": [{**STAND, "seat": huge}]}, "out_of_turn"),
        ({"decisions": [{"seat": 1, "action": "double", "amount": huge}]}, "double_amount"),
    ):
        assert code(spoilt(**fields)) == expected


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


# -- any value whatever ------------------------------------------------------------------------------

WORDS = ("1", "2", "name", "bet", "kind", "card", "refused", "after", "face_up", "misdealt", "seat", "with")
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from((*DECK, *WORDS)),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(WORDS) | st.text(), inner),
    max_leaves=12,
)
RECORD = ("id", "rules", "bets", "cards", "decisions", "decks", "stacks", "limits")
FIELDS = st.sampled_from(
    (*RECORD, "side_bets", "options", "line_chips", "players", "irregularities", "void", "void_reason")
)


@given(JSON)
def test_any_json_value_whatever_is_answered(value: Any) -> None:
    assert answer(value)["error"] in CODES


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32 - 1), st.dictionaries(FIELDS, JSON, max_size=3))
def test_a_spoilt_record_is_settled_or_refused_with_a_code(seed: int, spoilt: dict[str, Any]) -> None:
    written = json.loads(json.dumps(Round(Random(seed)).play().record()))
    check_spoilt({**written, **spoilt}, Random(seed))
