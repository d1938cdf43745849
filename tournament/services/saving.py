"""Keep track of what was saved, so that a later failure is reported truthfully (faults).

Every transaction of a command goes through ``saving``. The code that answers a request calls ``watch`` first,
and reads from what it gives whether something was committed, surely or perhaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.db import IntegrityError, connection, transaction

from tournament.models import JournalEntry


@dataclass
class Saved:
    """The transactions of a request: how many were committed, and whether one is in doubt.

    ``key`` is that of the last command that was begun.
    """

    committed: int = 0
    in_doubt: bool = False
    key: str = ""

    @property
    def surely(self) -> bool:
        """Whether what was asked for is saved, all of it."""
        return self.committed > 0 and not self.in_doubt

    def commit(self) -> None:
        """The database has said that it is saved."""
        self.committed += 1

    def failed(self, *, before: int, at_the_end: bool) -> None:
        """A transaction failed: in doubt if its commit had been sent, and in part if another was saved."""
        if self.committed == before and (at_the_end or before):
            self.in_doubt = True

    def look(self) -> bool | None:
        """Ask the database anew whether the last command is saved, by this request or one before it.

        None where that cannot be known: no command was begun, a commit is in doubt, the database is away.
        """
        if not self.key or connection.in_atomic_block:
            return None
        try:
            connection.close()  # it may be the one that failed
            found = JournalEntry.objects.filter(key=self.key).exists()
        except Exception:
            return None
        return True if found else (None if self.in_doubt else False)


def begin(key: str) -> None:
    """Note for whoever watches which command is begun."""
    saved = _watched.get()
    if saved is not None:
        saved.key = key


_watched: ContextVar[Saved | None] = ContextVar("saved", default=None)


def watch() -> Saved:
    """Begin to watch what this thread saves, from nothing."""
    saved = Saved()
    _watched.set(saved)
    return saved


@contextmanager
def unwatched() -> Iterator[None]:
    """Carry out work that the request did not ask for, without counting it as saved."""
    token = _watched.set(None)
    try:
        yield
    finally:
        _watched.reset(token)


@contextmanager
def saving() -> Iterator[None]:
    """One transaction, or a part of the one around it, whose end is noted for whoever watches.

    A commit whose answer did not arrive may have been carried out: only the database knows.
    """
    saved = _watched.get() or Saved()
    outermost = not transaction.get_connection().in_atomic_block
    before, whole = saved.committed, False
    try:
        with transaction.atomic():
            transaction.on_commit(saved.commit)
            yield
            whole = True
    except Exception as error:
        # A fact that the database holds (IntegrityError) is a plain no, also at the commit.
        no = isinstance(error, IntegrityError)
        saved.failed(before=before, at_the_end=whole and outermost and not no)
        raise
