"""The documents of the engine: their examples are true, and every row and clause names tests that exist."""

import json
import pathlib
import re

from games.blackjack.record import answer

ROOT = pathlib.Path(__file__).resolve().parents[3]
TESTS = pathlib.Path(__file__).resolve().parent


def test_the_examples_of_the_hand_record_are_answered_as_printed() -> None:
    blocks = re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "hand-record.md").read_text(), re.DOTALL)
    found = [json.loads(block) for block in blocks]
    pairs = list(zip(found[::2], found[1::2], strict=True))
    assert len(pairs) == 6
    for record, printed in pairs:
        assert answer(record) == printed


def test_every_row_and_clause_of_the_house_rules_has_tests_and_names_only_real_ones() -> None:
    text = (ROOT / "docs" / "rules-house.md").read_text()
    written = {
        name for path in TESTS.glob("test_*.py") for name in re.findall(r"def (test_\w+)", path.read_text())
    }
    for row in [*(f"row{number}" for number in range(1, 26)), *(f"A{number}" for number in range(1, 9))]:
        tests = {name for name in written if name.startswith(f"test_{row}_")}
        assert tests, row
        assert all(f"`{name}`" in text for name in tests), row
    everywhere = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", path.read_text())
    }
    assert set(re.findall(r"`(test_\w+)`", text)) <= everywhere


def test_no_code_of_the_engine_asks_for_a_sheets_name() -> None:
    for path in (ROOT / "tables" / "engine").glob("*.py"):
        text = path.read_text()
        assert not re.search(r"\.name\s*(==|!=|in)\s", text), path.name
        if path.name != "rules.py":
            assert not re.search(r'"(wonder|eca|banco|ggpoker|wiesbaden)"', text), path.name
