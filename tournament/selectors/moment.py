"""Read all data of a page at one moment, so that its parts agree (ADR 23)."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from psycopg import IsolationLevel


@contextmanager
def one_moment() -> Iterator[None]:
    """Read from one snapshot of the database inside this block or function; writing is an error there.

    A page asks the database dozens of questions. A command between two of them would give a page of two
    halves: an old picture with a form that claims to know the new state. Inside a transaction this does
    nothing, because a command reads under its locks.
    """
    if connection.in_atomic_block:
        yield
        return
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    raw = connection.connection
    usual = raw.isolation_level, raw.read_only
    # The driver sends both with the first statement.
    raw.isolation_level, raw.read_only = IsolationLevel.REPEATABLE_READ, True
    try:
        with transaction.atomic():
            yield
    finally:
        if not raw.closed:
            raw.isolation_level, raw.read_only = usual
