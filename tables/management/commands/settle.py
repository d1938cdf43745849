"""``manage.py settle [FILE]``: settle hand records, one JSON object a line. Needs no database."""

import json
import os
import sys
from argparse import ArgumentParser
from typing import Any, BinaryIO, NoReturn

from django.core.management.base import BaseCommand, CommandError

from games.registry import game_of_record

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Command(BaseCommand):
    """Prints one answer a line. Exits 0 if all were settled, 1 if any was refused, 2 without a file."""

    help = "Settle hand records (JSON Lines) and print one answer a line; see docs/hand-record.md."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, or standard input."""
        parser.add_argument(
            "file",
            nargs="?",
            default="-",
            help="a file of hand records, one a line; - or nothing reads standard input",
        )

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        """Answer every line, in order."""
        try:
            refused = self._answer(sys.stdin.buffer) if file == "-" else self._answer_file(file)
        except BrokenPipeError:
            # Whoever read the answers has seen enough; keep Python from complaining about it on the way out.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        if refused:
            sys.exit(1)

    def _answer_file(self, file: str) -> int:
        try:
            lines = open(file, "rb")  # noqa: SIM115 - closed below; only opening it may be refused as unreadable
        except OSError as error:
            raise CommandError(f"Cannot read {file}: {error.strerror}.", returncode=2) from None
        with lines:
            return self._answer(lines)

    def _answer(self, lines: BinaryIO) -> int:
        """How many of ``lines`` were refused, after printing an answer to each."""
        refused = 0
        for number, read in enumerate(lines, start=1):
            line = read.removeprefix(BYTE_ORDER_MARK) if number == 1 else read
            if not line.strip():
                continue
            found = line_answer(line, number)
            refused += "error" in found
            self.stdout.write(json.dumps(found))
        return refused


def line_answer(line: bytes, number: int) -> dict[str, Any]:
    """The answer to one line; what is not UTF-8 or not JSON is a ``bad_record`` without an id."""
    try:
        record = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        why = "is not UTF-8 text"
    except (ValueError, RecursionError):
        why = "is not a JSON value"
    else:
        return game_of_record(record).answer(record)
    return {"id": None, "error": "bad_record", "message": f"Line {number} {why}."}


def _no_constant(word: str) -> NoReturn:
    """NaN and Infinity, which Python's reader would let through, are not JSON."""
    raise ValueError(word)
