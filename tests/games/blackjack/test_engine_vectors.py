"""The worked and the random vectors: answers and refusals."""

import json
import pathlib
from typing import Any

import pytest

from games.blackjack.record import answer

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "vectors"
VECTORS = [
    json.loads(line)
    for name in ("worked", "random")
    for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()
]


def test_all_the_vectors_are_here() -> None:
    assert len(VECTORS) == 1138
    settled = {vector["rules"] for vector in VECTORS if "error" not in vector["expect"]}
    assert settled == {"wonder", "eca", "banco", "ggpoker", "wiesbaden"}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_vector(vector: dict[str, Any]) -> None:
    got = answer({field: value for field, value in vector.items() if field not in ("expect", "why")})
    assert got.pop("id") == vector["id"]
    want = vector["expect"]
    if "error" in want:
        assert got["error"] == want["error"], got
        assert got["message"].endswith(".")
    else:
        assert got == want
