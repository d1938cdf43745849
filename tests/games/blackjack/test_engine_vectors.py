"""The worked and the random vectors: answers and refusals."""

import json
import pathlib

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


def test_every_vector_has_its_answer() -> None:
    for vector in VECTORS:
        got = answer({field: value for field, value in vector.items() if field not in ("expect", "why")})
        want = vector["expect"]
        assert got.pop("id") == vector["id"]
        if "error" in want:
            assert got.pop("message").endswith("."), vector["id"]
        assert got == want, vector["id"]
