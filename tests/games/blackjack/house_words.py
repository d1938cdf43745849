"""Writes what ``games/blackjack/words.py`` says into the documents, run as a module.

The table of ``docs/rules-house.md`` and the descriptions of the record's schema; tests hold both against it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from games.blackjack.options import option_values
from games.blackjack.rules import SHEETS
from games.blackjack.words import QUESTIONS, ROWS

DOCS = Path(__file__).resolve().parents[3] / "docs"
HOUSE = DOCS / "rules-house.md"
SCHEMA = DOCS / "hand-record.schema.json"
HEAD = "## In words"
UNDER = """
What a director is asked and what is then posted: made from `games/blackjack/words.py` by
`python -m tests.games.blackjack.house_words`.

| row | about | option | asked | posted |
|---|---|---|---|---|
"""


def table() -> str:
    """The section with the sentences, row by row."""
    lines = []
    for row in ROWS:
        asked = {name: each for name, each in QUESTIONS.items() if each.row == row.number}
        for name, each in asked.items():
            said = "<br>".join(f"`{json.dumps(value)}` {sentence}" for value, sentence in each.says.items())
            lines.append(f"| {row.number} | {row.title} | `{name}` | {each.asks} | {said} |")
        if not asked:
            lines.append(f"| {row.number} | {row.title} | | | |")
    return HEAD + "\n" + UNDER + "\n".join(lines) + "\n\n"


def house_with(section: str) -> str:
    """The document with this section before what an event adds."""
    text = re.sub(rf"{HEAD}\n.*?(?=## At an event)", "", HOUSE.read_text(), flags=re.DOTALL)
    return text.replace("## At an event", section + "## At an event")


def schema_described() -> str:
    """The schema with every option: the question, and the values that it has on some sheet."""
    schema: dict[str, Any] = json.loads(SCHEMA.read_text())
    options = {name: {"description": each.asks, **_values(name)} for name, each in QUESTIONS.items()}
    schema["$defs"]["options"]["properties"] = options
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _values(name: str) -> dict[str, Any]:
    known = {value for sheet in SHEETS.values() for value in option_values(sheet, name)}
    if known == {True, False}:
        return {"type": "boolean"}
    return {"enum": [value for value in QUESTIONS[name].says if value in known]}


if __name__ == "__main__":
    HOUSE.write_text(house_with(table()))
    SCHEMA.write_text(schema_described())
