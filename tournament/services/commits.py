"""The commit of a command: what is saved, told truthfully, and the work that follows it (faults).

Every transaction of a command goes through ``saving``. The code that answers a request calls ``watch`` first,
and reads from what it gives whether something was committed, surely or perhaps. What follows a commit is
handed to Celery: by name, ids only, and without waiting for the broker.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial

from celery import current_app
from django.db import IntegrityError, close_old_connections, connection, transaction

from tournament.models import JournalEntry

logger = logging.getLogger(__name__)

# What is saved ------------------------------------------------------------------------------------


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


# What follows ---------------------------------------------------------------------------------------

Task = tuple[str, tuple[int, ...]]
STANDINGS = "tournament.recompute_standings"
HEADS = "tournament.keep_heads"
ASIDE = (STANDINGS, HEADS)
"""Tasks that nobody who presses a button waits for: standings are of all, and a disk may hang."""
MOST_WAITING = 1000
ANSWER_SECONDS = 0.1
"""How long the standings wait for the page that answers, where one process makes both."""
LAST_SECONDS = 2
"""How long a process that ends waits for what it has not handed over yet."""


_kept_back: ContextVar[dict[Task, None] | None] = ContextVar("kept_back", default=None)
_once: ContextVar[str] = ContextVar("once", default="")


@contextmanager
def once(task: str) -> Iterator[None]:
    """While it lasts ``task`` is kept back; at its end it goes out once for each of its arguments.

    For many commands in a row of which nobody waits for the single one: a simulated round has its standings
    made when it is over. One inside another ends with the outer one.
    """
    if _kept_back.get() is not None:
        yield
        return
    kept: dict[Task, None] = {}
    back, name = _kept_back.set(kept), _once.set(task)
    try:
        yield
    finally:
        _kept_back.reset(back)
        _once.reset(name)
        for each, args in kept:
            after_commit(each, *args)


def after_commit(task: str, *args: int) -> None:
    """Enqueue a task once the transaction has committed; asked for twice in one, it goes out once.

    Robust: with the broker away the command is saved all the same, and the sweep makes up for the task
    (faults, 'broker away').
    """
    kept = _kept_back.get()
    if kept is not None and task == _once.get():
        kept[task, args] = None
        return
    waiting = [call for _, call, _ in transaction.get_connection().run_on_commit]
    if not any(isinstance(call, partial) and call.args == (task, *args) for call in waiting):
        send = partial(_send, task, *args)
        # Django names what has failed in its log, and a partial has no name of its own.
        send.__qualname__ = f"send {task}"  # type: ignore[attr-defined]  # set here
        transaction.on_commit(send, robust=True)


class _Serving:
    """Whether this process serves pages, so that nobody should wait for the standings."""

    pages = False


def pages_served() -> None:
    """From now on a thread of this process does what is ``ASIDE``, where there is no broker."""
    _Serving.pages = True


def after_commit_here(task: str, *args: int) -> None:
    """Carry a task out in this process as soon as the transaction has committed, broker or none.

    For what the next press at the same table waits for. Robust: if it fails, the sweep makes up for it.
    """
    transaction.on_commit(partial(carry_out_here, task, *args), robust=True)


def carry_out_here(task: str, *args: int) -> None:
    """Carry a task out now, in this process."""
    with unwatched():
        current_app.tasks[task].apply(args=args, throw=True)


def _here() -> bool:
    """Whether this process carries out its tasks itself, since there is no broker."""
    return bool(current_app.conf.task_always_eager)


def _send(task: str, *args: int) -> None:
    """Carry it out at once where there is no broker; else leave it to the thread that talks to it.

    A page that settles a hand does not wait for the standings.
    """
    if _here() and not (_Serving.pages and task in ASIDE):
        current_app.tasks[task].apply_async(args=args)
    else:
        _messenger.take((task, args))


class Messenger:
    """A thread that hands tasks to the broker: one that hangs holds up this thread and no command.

    Without a broker it carries them out itself (``pages_served``). A task that waits already is not taken
    twice; one that cannot be handed over is left to the sweep.
    """

    def __init__(self) -> None:
        self._waiting: dict[Task, None] = {}
        self._news = threading.Condition()
        self._pid: int | None = None
        self._busy = False

    def take(self, task: Task) -> None:
        """Hand it over soon; beyond what fits it is left to the sweep."""
        with self._news:
            self._start()
            if len(self._waiting) < MOST_WAITING:
                self._waiting[task] = None
            self._news.notify_all()

    def _start(self) -> None:
        """Start the thread, once in a process: a fork does not take it along."""
        if self._pid != os.getpid():
            self._pid, self._busy = os.getpid(), False
            threading.Thread(target=self._hand_over, name="messenger", daemon=True).start()
            atexit.register(self.finish)

    def _hand_over(self) -> None:
        while True:
            with self._news:
                self._busy = False
                self._news.notify_all()
                if not self._waiting:
                    self._news.wait_for(lambda: self._waiting)
                    # Without a broker this process also makes the answer to the press, which comes first.
                    self._news.wait_for(lambda: False, ANSWER_SECONDS if _here() else 0)
                name, args = next(iter(self._waiting))
                del self._waiting[name, args]
                self._busy = True
            try:
                close_old_connections()
                current_app.tasks[name].apply_async(args=args, retry=False)
            except Exception as error:
                logger.warning("%s was not handed over, the sweep makes up for it: %r", name, error)

    def finish(self) -> bool:
        """Wait until nothing waits any more; False if that took longer than ``LAST_SECONDS``."""
        with self._news:
            return self._news.wait_for(lambda: not self._waiting and not self._busy, timeout=LAST_SECONDS)


_messenger = Messenger()
