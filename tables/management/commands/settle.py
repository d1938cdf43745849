"""``manage.py settle [FILE]``: settle hand records, one JSON object a line. Needs no database."""

from collections.abc import Mapping
from typing import Any

from games.registry import game_of_record
from tournament.management.answers import AnswersLines


class Command(AnswersLines):
    """Settle hand records; exits 1 if any was refused, else 0."""

    help = "Settle hand records (JSON Lines) and print one answer per line; see docs/hand-record.md."
    bad_line_code = "bad_record"

    def answer(self, value: Any) -> Mapping[str, Any]:
        """Settle one hand record by its game and return the answer."""
        return game_of_record(value).answer(value)

    def exit_code(self, refused: int, no_json: int) -> int:
        """Return 1 if any record was refused, else 0."""
        return 1 if refused else 0
