"""Words and figures of pages made untrue by hand, one at a time: does the walk through a whole night notice?

    python bench/words.py [--only NUMBER …]

Each line of ``words.txt`` is a file, a text of it, and what stands there instead: a place one too high, a tie
without its sign, table and box exchanged, another prize. ``tests/pages/test_every_word.py`` has to fail. A
fault whose text is not in its file any more ends the run: it has to be written anew.
"""

import argparse
import os
import pathlib
import sys
import time
from typing import Any

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from bench import reads
from bench.faulty import put_in_text
from bench.mutation import run_one

WALK = "tests/pages/test_every_word.py"
TESTS = [
    WALK + f"::{name}"
    for name in (
        "test_T20_every_word_of_who_cannot_cover_the_smallest_bet_is_so",
        "test_T23_every_word_of_a_tie_that_is_not_played_off_is_so",
        "test_T8_every_word_of_an_event_that_is_called_off_is_so",
        "test_T33_T34_every_word_of_a_sudden_death_of_two_groups_is_so",
        "test_T20_T23_T25_T26_every_word_of_a_whole_night_is_so",
    )
]
"""The short nights first: they notice most of it in seconds."""
SECONDS_AT_MOST = 900
Fault = tuple[str, str, str]


def faults() -> list[Fault]:
    """File, text, and what stands there instead."""
    lines = pathlib.Path(__file__).with_name("words.txt").read_text().splitlines()
    found = [line.replace("\\n", "\n").split("\t") for line in lines if line and not line.startswith("#")]
    return [(path, old, new) for path, old, new in found]


class _AtOnce:
    """The walk ends with the first page that says what is not so, and not with the night."""

    def pytest_collection_finish(self) -> None:
        from tests.pages.every_word import Reader

        hold = Reader.hold

        def held(self: Any) -> None:
            hold(self)
            assert not self.wrong, self.wrong[0]

        Reader.hold = held  # type: ignore[method-assign]  # for this process


def notices(fault: Any, _line: int) -> str:
    """The test that noticed it, or "" if none did. Runs in a process of its own."""
    path, old, new = fault
    put_in_text(path, old, new)
    watching = reads.Chosen([])
    reads.with_database(lambda: pytest.main([*reads.PYTEST, "-x", *TESTS], plugins=[_AtOnce(), watching]))
    return watching.noticed_by


def main() -> None:
    """Every fault, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", nargs="*", type=int)
    chosen = parser.parse_args()
    wrong = faults()
    for path, old, _new in wrong:
        assert old in (reads.ROOT / path).read_text(), f"{path} does not say {old!r} any more"
    os.environ["TEST_DATABASE_NAME"] = reads.TEMPLATE
    numbers = list(range(len(wrong))) if chosen.only is None else chosen.only
    survivors = []
    for number in numbers:
        started = time.time()
        _fault, said = run_one((notices, wrong[number], 0, SECONDS_AT_MOST))  # type: ignore[arg-type]  # three words
        if not said:
            survivors.append(number)
        print(
            f"{number} {said or 'SURVIVED'} {time.time() - started:.0f} s: {' | '.join(wrong[number])}",
            flush=True,
        )
    print(f"{len(numbers) - len(survivors)} of {len(numbers)} noticed; alive: {survivors}")


if __name__ == "__main__":
    sys.exit(main())
