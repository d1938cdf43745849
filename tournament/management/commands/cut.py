"""``manage.py cut [FILE]``: the entries that advance after a round, one JSON object a line. Needs no
database."""

from collections.abc import Mapping
from typing import Any

from tournament.engine import advance_lines
from tournament.management.answers import AnswersLines


class Command(AnswersLines):
    """Exits 0, or 2 if a line is not JSON."""

    help = "Print who advances from each round (JSON Lines), one answer per line; see docs/formats.md."
    bad_line_code = "bad_advance"

    def answer(self, value: Any) -> Mapping[str, Any]:
        """Return the entries that advance."""
        return advance_lines.answer(value)

    def exit_code(self, refused: int, no_json: int) -> int:
        """2 if any line is not JSON."""
        return 2 if no_json else 0
