"""``manage.py settle [FILE]``: settle hand records, one JSON object a line. Needs no database."""

from collections.abc import Mapping
from typing import Any

from games.registry import game_of_record
from tournament.management.answers import AnswersLines


class Command(AnswersLines):
    """Exits 0 if all were settled, 1 if any was refused."""

    help = "Settle hand records (JSON Lines) and print one answer a line; see docs/hand-record.md."
    bad_line_code = "bad_record"

    def answer(self, value: Any) -> Mapping[str, Any]:
        """What came of a hand, by the game of its record."""
        return game_of_record(value).answer(value)

    def exit_code(self, refused: int, no_json: int) -> int:
        """1 if any was refused."""
        return 1 if refused else 0
