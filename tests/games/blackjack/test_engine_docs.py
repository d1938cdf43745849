"""The documents of the engine: their examples are true, and every row and clause has a test."""

import json
import pathlib
import re
from dataclasses import fields

from games.blackjack.options import ONLY
from games.blackjack.record import answer
from games.blackjack.rules import HouseRules
from games.blackjack.words import QUESTIONS, ROWS
from tests.games.blackjack import house_words

ROOT = pathlib.Path(__file__).resolve().parents[3]
TESTS = pathlib.Path(__file__).resolve().parent


def test_the_examples_of_the_hand_record_are_answered_as_printed() -> None:
    blocks = re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "hand-record.md").read_text(), re.DOTALL)
    found = [json.loads(block) for block in blocks]
    pairs = list(zip(found[::2], found[1::2], strict=True))
    assert len(pairs) == 6
    for record, printed in pairs:
        assert answer(record) == printed


def test_every_row_and_clause_of_the_house_rules_has_a_test() -> None:
    text = (ROOT / "docs" / "rules-house.md").read_text()
    told = re.findall(r"^\| (\d+|A\d) \|", text, re.MULTILINE)
    every = {*(str(number) for number in range(1, 26)), *(f"A{number}" for number in range(1, 9))}
    assert set(told) == every
    names = " ".join(
        name
        for path in TESTS.glob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.M)
    )
    assert set(re.findall(r"(?<=_row)\d+(?=_)|(?<=_)A\d(?=_)", names)) == every


def test_the_documents_say_what_the_words_say() -> None:
    assert house_words.HOUSE.read_text() == house_words.house_with(house_words.table())
    assert house_words.SCHEMA.read_text() == house_words.schema_described()


def test_the_tables_written_by_hand_name_every_option_with_its_row() -> None:
    record = (ROOT / "docs" / "hand-record.md").read_text().split("### Options")[1].split("\n## ")[0]
    said = re.findall(r"^\| `(\w+)` \|.*\| (\d+) \|$", record, re.MULTILINE)
    rows = {name: each.row for name, each in QUESTIONS.items()}
    assert {name: int(row) for name, row in said} == rows
    house = house_words.HOUSE.read_text().split("## What a director may choose")[1].split("\n## ")[0]
    found = {
        name: {int(number) for number in re.findall(r"\d+", numbers)}
        for numbers, names in re.findall(r"^\| ([\d, ]+) \| ([^|]+) \|", house, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", names)
    }
    assert set(found) - {"decks", "limits"} == set(rows)
    assert all(row in found[name] for name, row in rows.items())


def test_every_question_is_of_a_row_and_no_sentence_is_there_twice() -> None:
    assert set(ONLY) <= set(QUESTIONS) == {each.name for each in fields(HouseRules)} & set(QUESTIONS)
    assert {each.row for each in QUESTIONS.values()} <= {row.number for row in ROWS}
    sentences = [sentence for each in QUESTIONS.values() for sentence in each.says.values()]
    assert len(set(sentences)) == len(sentences)


def test_no_code_of_the_engine_asks_for_a_sheets_name() -> None:
    for path in (ROOT / "games" / "blackjack").glob("*.py"):
        text = path.read_text()
        assert not re.search(r"\.name\s*(==|!=|in)\s", text), path.name
        if path.name != "rules.py":
            assert not re.search(r'"(wonder|eca|banco|ggpoker|wiesbaden)"', text), path.name
