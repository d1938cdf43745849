"""docs/hand-record.schema.json against every record there is: vectors, deals, simulations, second opinion."""

import json
import pathlib
import re
from random import Random
from typing import Any

import jsonschema
import pytest

from games.blackjack.bots import decider_make, play_out
from games.blackjack.deal import deal_record
from games.blackjack.options import option_values
from games.blackjack.play import BEFORE_PLAY
from games.blackjack.record import answer
from games.blackjack.rules import SHEETS
from games.blackjack.shoe import shoe_make
from games.blackjack.words import QUESTIONS
from tests.games.blackjack.deals import record
from tests.games.blackjack.opinions import Live
from tests.games.blackjack.second_opinion import Round

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCHEMA = json.loads((ROOT / "docs" / "hand-record.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
SHAPE = {"unknown_rules", "bad_options", "bad_card", "no_bets", "unknown_action"}
"""Codes of the vectors whose fault a schema can see by itself."""
OTHER_SHEETS = {"half-banco"}
"""Vectors with an option that other sheets have: the schema knows values, and not of which sheet."""


def valid(value: Any) -> bool:
    return bool(VALIDATOR.is_valid(value))


def vectors() -> list[dict[str, Any]]:
    lines: list[str] = []
    for name in ("worked", "random"):
        lines += (ROOT / "tests" / "vectors" / f"{name}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_the_schema_is_one() -> None:
    schema = jsonschema.Draft202012Validator
    assert schema(schema.META_SCHEMA).is_valid(SCHEMA)


def test_every_vector_that_is_settled_fits_the_schema() -> None:
    for vector in vectors():
        found = {field: value for field, value in vector.items() if field not in ("expect", "why")}
        if "error" not in vector["expect"] or vector["id"] in OTHER_SHEETS:
            VALIDATOR.validate(found)
        elif vector["expect"]["error"] in SHAPE:
            assert not valid(found), vector["id"]


@pytest.mark.parametrize("block", range(4))
def test_every_record_of_the_second_opinion_fits_the_schema(block: int) -> None:
    for seed in range(block * 100, block * 100 + 100):
        VALIDATOR.validate(json.loads(json.dumps(Round(Random(seed)).play().record())))


def test_every_record_of_a_live_deal_fits_the_schema() -> None:
    for seed in range(100):
        live = Live(seed)
        live.round.watch = None
        live.round.play()
        if not any(each["kind"] in ("not_dealt", "dealer_extra") for each in live.round.irregular):
            deal = live.deal(final=True)
            VALIDATOR.validate(json.loads(json.dumps(deal_record(deal))))


@pytest.mark.parametrize("sheet", list(SHEETS))
def test_every_record_of_a_simulated_deal_fits_the_schema(sheet: str) -> None:
    rules = SHEETS[sheet]
    shoe = shoe_make(b"schema", rules.decks, joker=rules.joker)
    basic = decider_make(rules, insures=True)
    bets = {1: rules.min_chips * 2, 5: rules.min_chips * 4}
    dealt = 1
    while dealt < 200:
        found = play_out(rules, bets, None, shoe, {1: basic, 5: basic}, dealt=dealt)
        assert valid(json.loads(json.dumps(found))), found
        dealt += len(found["cards"])


def test_the_examples_of_the_document_fit_the_schema() -> None:
    text = (ROOT / "docs" / "hand-record.md").read_text()
    found = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]
    records = [each for each in found if "rules" in each]
    assert len(records) >= 6
    for each in records:
        VALIDATOR.validate(each)


def test_the_schema_and_the_engine_know_the_same_words() -> None:
    defs = SCHEMA["$defs"]
    options = defs["options"]["properties"]
    assert set(options) == set(QUESTIONS)
    for name in QUESTIONS:
        said = set(options[name]["enum"]) if "enum" in options[name] else {True, False}
        assert said == {value for rules in SHEETS.values() for value in option_values(rules, name)}, name
    assert set(SCHEMA["properties"]["rules"]["enum"]) == set(SHEETS)
    reasons = {reason for rules in SHEETS.values() for reason in rules.void_reasons}
    assert set(SCHEMA["properties"]["void_reason"]["enum"]) == reasons
    assert set(BEFORE_PLAY) <= set(defs["decision"]["properties"]["action"]["enum"])


@pytest.mark.parametrize(
    "change",
    [
        {"bets": {"8": 20}},
        {"bets": {"1": 20.5}},
        {"bets": {"1": "20"}},
        {"cards": ["10h"]},
        {"decks": 5},
        {"stacks": {"1": None}},
        {"limits": {"min": 10}},
        {"options": {"hit_on_blackjack": True}},
        {"options": {"max_hands": None}},
        {"decisions": [{"seat": 1, "action": "insurance"}]},
        {"players": {"1": []}},
        {"players": {"1": [{"name": "anna", "bet": 20, "stack": 5}]}},
        {"irregularities": [{"kind": "face_up"}]},
        {"irregularities": [{"kind": "not_dealt", "card": 1}]},
        {"void": True},
        {"void": True, "void_reason": "boredom"},
        {"void": 1},
    ],
)
def test_what_the_schema_refuses_the_engine_refuses_too(change: dict[str, Any]) -> None:
    spoilt = {**record("eca", {1: 20}, "Ts 6h 9d Tc 5s", "1 stand"), **change}
    assert not valid(spoilt)
    assert "error" in answer(spoilt)
