"""docs/hand-record.schema.json against every record there is: vectors, deals, simulations, second opinion."""

import json
import pathlib
from random import Random
from typing import Any

import jsonschema
import pytest

from games.blackjack.bots import decider_make, play_out
from games.blackjack.deal import deal_record
from games.blackjack.play import BEFORE_PLAY
from games.blackjack.record import answer
from games.blackjack.rules import SHEETS
from games.blackjack.shoe import shoe_make
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
    return bool(VALIDATOR.is_valid(json.loads(json.dumps(value))))


def test_every_vector_that_is_settled_fits_the_schema() -> None:
    schema = jsonschema.Draft202012Validator
    assert schema(schema.META_SCHEMA).is_valid(SCHEMA)
    texts = ((ROOT / "tests" / "vectors" / f"{name}.jsonl").read_text() for name in ("worked", "random"))
    for vector in (json.loads(line) for text in texts for line in text.splitlines()):
        found = {field: value for field, value in vector.items() if field not in ("expect", "why")}
        if "error" not in vector["expect"] or vector["id"] in OTHER_SHEETS:
            VALIDATOR.validate(found)
        elif vector["expect"]["error"] in SHAPE:
            assert not valid(found), vector["id"]


def test_every_record_of_the_second_opinion_and_the_engines_own_fit_the_schema() -> None:
    for seed in range(100):
        assert valid(Round(Random(seed)).play().record()), seed
    for seed in range(20):
        live = Live(seed)
        live.round.watch = None
        live.round.play()
        assert valid(deal_record(live.deal(final=True))), seed
    for sheet, rules in SHEETS.items():
        shoe = shoe_make(b"schema", rules.decks, joker=rules.joker)
        bets = {1: rules.min_chips * 2, 5: rules.min_chips * 4}
        basic = dict.fromkeys(bets, decider_make(rules, insures=True))
        dealt = 1
        while dealt < 200:
            found = play_out(rules, bets, None, shoe, basic, dealt=dealt)
            assert valid(found), sheet
            dealt += len(found["cards"])


def test_the_schema_and_the_engine_know_the_same_words() -> None:
    """Its options are written by ``house_words``."""
    assert set(SCHEMA["properties"]["rules"]["enum"]) == set(SHEETS)
    reasons = {reason for rules in SHEETS.values() for reason in rules.void_reasons}
    assert set(SCHEMA["properties"]["void_reason"]["enum"]) == reasons
    assert set(BEFORE_PLAY) <= set(SCHEMA["$defs"]["decision"]["properties"]["action"]["enum"])


@pytest.mark.parametrize(
    "change",
    [
        *(
            {"bets": {"8": 20}},
            {"bets": {"1": 20.5}},
            {"bets": {"1": "20"}},
            {"cards": ["10h"]},
            {"decks": 5},
        ),
        *(
            {"stacks": {"1": None}},
            {"limits": {"min": 10}},
            {"decisions": [{"seat": 1, "action": "insurance"}]},
        ),
        *({"options": {"hit_on_blackjack": True}}, {"options": {"max_hands": None}}),
        *({"players": {"1": []}}, {"players": {"1": [{"name": "anna", "bet": 20, "stack": 5}]}}),
        *({"irregularities": [{"kind": "face_up"}]}, {"irregularities": [{"kind": "not_dealt", "card": 1}]}),
        *({"void": True}, {"void": True, "void_reason": "boredom"}, {"void": 1}),
    ],
)
def test_what_the_schema_refuses_the_engine_refuses_too(change: dict[str, Any]) -> None:
    spoilt = {**record("eca", {1: 20}, "Ts 6h 9d Tc 5s", "1 stand"), **change}
    assert not valid(spoilt)
    assert "error" in answer(spoilt)
