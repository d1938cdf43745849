"""Commands that answer JSON lines: one value per line in, one answer per line out; blank lines are
skipped."""

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, BinaryIO, NoReturn

from django.core.management.base import BaseCommand, CommandError

from ground.words import Sentence

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class NoJson:
    """A line that is not JSON; ``why_not`` is the sentence for its sender."""

    why_not: Sentence


class AnswersLines(BaseCommand):
    """Reads a file or standard input and prints one answer per line. Needs no database.

    Exits 2 if the file cannot be read, and 1 if the reader of the answers has closed the pipe.
    """

    requires_system_checks = ()
    bad_line_code: str
    """The code for a line that is not JSON."""

    def answer(self, value: Any) -> Mapping[str, Any]:
        """Return the answer to one value; it never raises."""
        raise NotImplementedError

    def exit_code(self, refused: int, no_json: int) -> int:
        """Return the exit status, given how many lines had an ``error`` and how many of them were not
        JSON."""
        raise NotImplementedError

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file argument; the default is standard input."""
        parser.add_argument(
            "file",
            nargs="?",
            default="-",
            help="file with one object per line; default: standard input (-)",
        )

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        """Answer every line, in order."""
        with ExitStack() as closing:
            try:
                lines = sys.stdin.buffer if file == "-" else closing.enter_context(open(file, "rb"))
            except OSError as error:
                raise CommandError(f"Cannot read {file}: {error.strerror}.", returncode=2) from None
            code = self.exit_code(*self._answer_all(lines))
        if code:
            sys.exit(code)

    def _answer_all(self, lines: BinaryIO) -> tuple[int, int]:
        refused = no_json = 0
        for value in values(lines):
            found = self._answered(value)
            refused += "error" in found
            no_json += isinstance(value, NoJson)
            try:
                self.stdout.write(json.dumps(found))
            except BrokenPipeError:
                # The reader has seen enough; keep Python from reporting a broken pipe at exit.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                sys.exit(1)
        return refused, no_json

    def _answered(self, value: Any) -> Mapping[str, Any]:
        if isinstance(value, NoJson):
            return {"id": None, "error": self.bad_line_code, "message": value.why_not}
        return self.answer(value)


def values(lines: BinaryIO) -> Iterator[Any]:
    """Yield every value, in order; a ``NoJson`` in place of a line that holds none."""
    for number, read in enumerate(lines, start=1):
        line = read.removeprefix(BYTE_ORDER_MARK) if number == 1 else read
        if line.strip():
            yield _value(line, number)


def _value(line: bytes, number: int) -> Any:
    try:
        return json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        return NoJson(Sentence("Line %(number)s is not UTF-8 text.", number=number))
    except (ValueError, RecursionError):
        return NoJson(Sentence("Line %(number)s is not a JSON value.", number=number))


def _no_constant(word: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python's reader would accept although they are not JSON."""
    raise ValueError(word)
