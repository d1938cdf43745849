"""The commit of a command: report exactly what was saved, and run the tasks that follow it (faults).

Every transaction of a command goes through ``saving``. The code that answers a request calls ``watch`` first,
and reads from its result whether something was committed, certainly or possibly. Tasks after a commit are
handed to Celery: by name, with ids only, and without waiting for the broker.
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

# Saved transactions -------------------------------------------------------------------------------


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
        """Whether the whole request is certainly saved."""
        return self.committed > 0 and not self.in_doubt

    def commit(self) -> None:
        """Count a commit that the database has confirmed."""
        self.committed += 1

    def failed(self, *, before: int, at_the_end: bool) -> None:
        """Note a failed transaction: in doubt if its commit had been sent, or if another one was saved
        before."""
        if self.committed == before and (at_the_end or before):
            self.in_doubt = True

    def look(self) -> bool | None:
        """Ask the database again whether the last command is saved, by this request or one before it.

        None if that cannot be known: no command was begun, a commit is in doubt, the database is unreachable.
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
    """Note the key of the command that begins."""
    saved = _watched.get()
    if saved is not None:
        saved.key = key


_watched: ContextVar[Saved | None] = ContextVar("saved", default=None)


def watch() -> Saved:
    """Start watching the transactions of this thread."""
    saved = Saved()
    _watched.set(saved)
    return saved


@contextmanager
def unwatched() -> Iterator[None]:
    """Do work that is not part of the request, without counting it as saved."""
    token = _watched.set(None)
    try:
        yield
    finally:
        _watched.reset(token)


@contextmanager
def saving() -> Iterator[None]:
    """Open a transaction, or a savepoint inside one, and note how it ends.

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
        # A violated constraint (IntegrityError) is a certain failure, even at the commit.
        no = isinstance(error, IntegrityError)
        saved.failed(before=before, at_the_end=whole and outermost and not no)
        raise


# Tasks after a commit -------------------------------------------------------------------------------

Task = tuple[str, tuple[int, ...]]
STANDINGS = "tournament.recompute_standings"
HEADS = "tournament.keep_heads"
ASIDE = (STANDINGS, HEADS)
"""Tasks that no request waits for: standings concern everybody, and a disk may hang."""
MOST_WAITING = 1000
ANSWER_SECONDS = 0.1
"""How long the standings wait for the answer page if one process makes both."""
LAST_SECONDS = 2
"""How long an ending process waits for tasks that are not handed over yet."""


_kept_back: ContextVar[dict[Task, None] | None] = ContextVar("kept_back", default=None)
_once: ContextVar[str] = ContextVar("once", default="")


@contextmanager
def once(task: str) -> Iterator[None]:
    """Hold ``task`` back inside this block; at its end it is enqueued once for each of its arguments.

    For many commands in a row, such as a simulated round, whose standings are made once at its end. An inner
    block ends with the outer one.
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
    """Enqueue a task once the transaction has committed; a repeated task is enqueued once per transaction.

    Robust: without the broker the command is saved all the same, and the sweep makes up for the task (faults,
    'broker away').
    """
    kept = _kept_back.get()
    if kept is not None and task == _once.get():
        kept[task, args] = None
        return
    waiting = [call for _, call, _ in transaction.get_connection().run_on_commit]
    if not any(isinstance(call, partial) and call.args == (task, *args) for call in waiting):
        send = partial(_send, task, *args)
        # Django names a failed callback in its log, and a partial has no name of its own.
        send.__qualname__ = f"send {task}"  # type: ignore[attr-defined]  # set here
        transaction.on_commit(send, robust=True)


class _Serving:
    """Whether this process serves pages, so that no request should wait for the standings."""

    pages = False


def pages_served() -> None:
    """Let a thread of this process run the tasks in ``ASIDE``, if there is no broker."""
    _Serving.pages = True


def after_commit_here(task: str, *args: int) -> None:
    """Run a task in this process as soon as the transaction has committed, with or without a broker.

    For tasks that the next tap at the same table waits for. Robust: if it fails, the sweep makes up for it.
    """
    transaction.on_commit(partial(carry_out_here, task, *args), robust=True)


def carry_out_here(task: str, *args: int) -> None:
    """Run a task now, in this process."""
    with unwatched():
        current_app.tasks[task].apply(args=args, throw=True)


def _here() -> bool:
    """Whether this process runs its tasks itself, because there is no broker."""
    return bool(current_app.conf.task_always_eager)


def _send(task: str, *args: int) -> None:
    """Run a task at once if there is no broker; else leave it to the thread that talks to the broker.

    A page that settles a hand does not wait for the standings.
    """
    if _here() and not (_Serving.pages and task in ASIDE):
        current_app.tasks[task].apply_async(args=args)
    else:
        _messenger.take((task, args))


class Messenger:
    """A thread that hands tasks to the broker: a hanging broker delays this thread and no command.

    Without a broker it runs the tasks itself (``pages_served``). A task that is waiting already is not added
    again; one that cannot be handed over is left to the sweep.
    """

    def __init__(self) -> None:
        self._waiting: dict[Task, None] = {}
        self._news = threading.Condition()
        self._pid: int | None = None
        self._busy = False

    def take(self, task: Task) -> None:
        """Queue a task; if the queue is full it is left to the sweep."""
        with self._news:
            self._start()
            if len(self._waiting) < MOST_WAITING:
                self._waiting[task] = None
            self._news.notify_all()

    def _start(self) -> None:
        """Start the thread, once per process: a fork does not copy it."""
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
                    # Without a broker this process also makes the answer page, which comes first.
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
        """Wait until the queue is empty; False if that takes longer than ``LAST_SECONDS``."""
        with self._news:
            return self._news.wait_for(lambda: not self._waiting and not self._busy, timeout=LAST_SECONDS)


_messenger = Messenger()
