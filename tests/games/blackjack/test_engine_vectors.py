"""The worked and the random vectors: answers, refusals, and the same deals played at a table."""

import json
import pathlib
from typing import Any

import pytest

from games.blackjack.deal import deal_record
from games.blackjack.record import answer, settle
from tests.games.blackjack.deals import played_live

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "vectors"
VECTORS = [
    json.loads(line)
    for name in ("worked", "random")
    for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()
]
SETTLED = [vector for vector in VECTORS if "error" not in vector["expect"]]
NOT_OF_THE_RECORD = ("expect", "why")


def record_of(vector: dict[str, Any]) -> dict[str, Any]:
    return {field: value for field, value in vector.items() if field not in NOT_OF_THE_RECORD}


def test_all_the_vectors_are_here() -> None:
    assert len(VECTORS) == 1138
    assert {vector["rules"] for vector in SETTLED} == {"wonder", "eca", "banco", "ggpoker", "wiesbaden"}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_vector(vector: dict[str, Any]) -> None:
    got = answer(record_of(vector))
    assert got.pop("id") == vector["id"]
    want = vector["expect"]
    if "error" in want:
        assert got["error"] == want["error"], got
        assert got["message"].endswith(".")
    else:
        assert got == want


@pytest.mark.parametrize("rules", ["wonder", "eca", "banco", "ggpoker", "wiesbaden"])
def test_a_deal_played_at_the_table_gives_the_record_and_its_answer(rules: str) -> None:
    for vector in SETTLED:
        if vector["rules"] == rules:
            deal = played_live(record_of(vector))
            assert deal.answer == vector["expect"], vector["id"]
            again = settle(deal_record(deal))
            assert again.pop("id") is None
            assert again == deal.answer, vector["id"]
            assert list(deal.cards) == vector["cards"], vector["id"]
