"""Small helpers of the tests."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from ground.refused import Refused
from tests.seed import drawn_from
from tournament.models import JournalEntry


@contextmanager
def made_once(blocker: Any, make: Callable[[], Any]) -> Iterator[Any]:
    """Make a world once for all tests of a module, in a module fixture with ``django_db_setup``.

    It stands in a transaction around theirs, so that each takes back what it did; and a transactional test,
    which must have none, has no place in the same module. In memory it is one thing for all: copy it.
    """
    with blocker.unblock():
        with transaction.atomic():
            with drawn_from(f"{make.__module__} {make.__qualname__}"):
                made = make()
            connection.check_constraints()
            yield made
            transaction.set_rollback(True)
        if not connection.in_atomic_block:
            connection.close()


@contextmanager
def refused(code: str, status: int | None = None) -> Iterator[pytest.ExceptionInfo[Refused]]:
    """Check that the block is refused with this code, and that the journal is unchanged."""
    before = JournalEntry.objects.count()
    with pytest.raises(Refused) as caught:
        yield caught
    assert caught.value.code == code, caught.value
    assert status is None or caught.value.status == status
    assert JournalEntry.objects.count() == before


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Run the calls in threads that start together; return their results or exceptions in order."""
    start = threading.Barrier(len(calls))
    answers: list[Any] = [None] * len(calls)

    def run(n: int) -> None:
        try:
            start.wait(60)
            answers[n] = calls[n]()
        except Exception as error:
            answers[n] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads), "a thread hangs"
    return answers


def codes(answers: Sequence[Any]) -> list[str]:
    """Return the codes of the refusals among the answers of ``at_once``; any other error fails the test."""
    found = []
    for answer in answers:
        if isinstance(answer, Refused):
            found.append(answer.code)
        elif isinstance(answer, Exception):
            raise answer
    return found


def answered(command: str, *path: str) -> tuple[list[Any], int]:
    """Run a command that prints a JSON a line; return what it printed and its exit code."""
    out, code = io.StringIO(), 0
    try:
        call_command(command, *path, stdout=out)
    except SystemExit as left:
        code = int(left.code or 0)
    return [json.loads(line) for line in out.getvalue().splitlines()], code
