"""The connection to the database dies at a named point of a command (faults).

Whatever the answer says, the database holds it; the same form sent again leaves the command done once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.db.backends.postgresql.base import DatabaseWrapper

from tests.cast.failures import NOT, PERHAPS, SAVED, Desk, told
from tournament.models import JournalEntry
from tournament.services import journal
from tournament.services.journal import chain_verify

pytestmark = pytest.mark.django_db(transaction=True)


def end_connection() -> None:
    """End the connection of this thread from another one, as a database does that is shut down."""
    info = connection.connection.info
    with psycopg.connect(
        host=info.host, port=info.port, user=info.user, password=info.password, dbname=info.dbname
    ) as other:
        other.execute("SELECT pg_terminate_backend(%s, 60000)", [info.backend_pid])


def dies(step: Callable[..., Any], *, first: bool) -> Callable[..., Any]:
    """Return the step with the connection ended once, before it (``first``) or after it."""
    left = [True]

    def with_fault(*args: Any, **kwargs: Any) -> Any:
        if first and left:
            left.clear()
            end_connection()
        result = step(*args, **kwargs)
        if left:
            left.clear()
            end_connection()
        return result

    return with_fault


POINTS: dict[str, tuple[Any, str, bool, bool]] = {
    "before the lock": (journal, "_lock_head", True, False),
    "after the insert": (journal, "_append", False, False),
    "at the commit": (DatabaseWrapper, "_commit", True, False),
    "after the commit": (DatabaseWrapper, "_commit", False, True),
}
"""Each point: where the step is, its name, whether the fault comes first, whether the command is saved."""


@pytest.mark.parametrize("point", POINTS)
def test_faults_a_connection_that_dies_there_leaves_the_command_done_once_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    where, name, first, saved = POINTS[point]
    desk = Desk()
    with monkeypatch.context() as fault:
        fault.setattr(where, name, dies(getattr(where, name), first=first))
        answer = desk.send()
    connection.close()  # as a server does after each request
    assert desk.done == saved
    if answer.status_code == 303 or told(answer) == (200, SAVED):
        assert saved
    else:
        assert told(answer) == (503, PERHAPS) or (told(answer) == (503, NOT) and not saved)
    assert desk.send().status_code == 303
    assert JournalEntry.objects.filter(key=desk.key).count() == 1
    assert chain_verify(desk.event).why == ""
