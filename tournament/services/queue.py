"""Handing work to Celery: by name, ids only, after the commit."""

from __future__ import annotations

from functools import partial

from celery import current_app
from django.db import transaction


def after_commit(task: str, *args: int) -> None:
    """Enqueue a task once the transaction has committed; asked for twice in one, it goes out once.

    Robust: with the broker away the command is saved all the same, and the sweep makes up for the task
    (faults, 'broker away').
    """
    waiting = [call for _, call, _ in transaction.get_connection().run_on_commit]
    if not any(isinstance(call, partial) and call.args == (task, *args) for call in waiting):
        send = partial(_send, task, *args)
        # Django names what has failed in its log, and a partial has no name of its own.
        send.__qualname__ = f"send {task}"  # type: ignore[attr-defined]  # set here
        transaction.on_commit(send, robust=True)


def _send(task: str, *args: int) -> None:
    current_app.tasks[task].apply_async(args=args, retry=False)
