"""Append the heads of posted results to the file outside the house (faults, threats)."""

import fcntl
import logging
import os
from contextlib import suppress

from django.conf import settings

from tournament.models import Event, HeadsKept
from tournament.selectors.heads import events_behind, heads_due, heads_enabled, heads_posted

from . import commits

logger = logging.getLogger(__name__)


def heads_after_commit(event: Event) -> None:
    """Append the head of this command after the commit; if that fails, the sweep appends it later."""
    if heads_enabled() and event.kind != Event.Kind.SIMULATION:
        commits.after_commit(commits.HEADS, event.pk)


def heads_append(*, event_id: int) -> int:
    """Append every head of an event that the file lacks, and return how many. An ``OSError`` is logged.

    Safe to run twice and concurrently: the file is locked, and read before it is written.
    """
    event = Event.objects.get(pk=event_id)
    if not heads_enabled() or event.kind == Event.Kind.SIMULATION:
        return 0
    try:
        return _keep(event)
    except OSError as error:
        logger.error("HEADS_FILE cannot be written, and the sweep tries again: %s", error)
        return 0


def _keep(event: Event) -> int:
    """Append the missing heads of an event, and remember their number; raises OSError."""
    due = heads_due(event)
    added = _append([head.line for head in heads_posted(event)])
    written = {"count": due, "file": settings.HEADS_FILE}
    HeadsKept.objects.update_or_create(event=event, defaults=written)
    return added


def _append(lines: list[str]) -> int:
    """Append the lines that are not in the file, all or none, and wait until they are on disk."""
    fd = os.open(settings.HEADS_FILE, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o640)
    with os.fdopen(fd, "r+b", buffering=0) as file:
        fcntl.flock(fd, fcntl.LOCK_EX)
        before = file.read()
        there = set(before.decode(errors="replace").splitlines())
        new = [line for line in lines if line not in there]
        text = "".join(f"{line}\n" for line in new).encode()
        if before and not before.endswith(b"\n"):
            text = b"\n" + text
        try:
            if new and os.write(fd, text) != len(text):
                raise OSError("the disk is full")
            os.fsync(fd)
        except OSError:
            with suppress(OSError):
                os.ftruncate(fd, len(before))
            raise
        return len(new)


def heads_sweep() -> None:
    """Append the missing heads of every event; a file that cannot be written is tried once."""
    try:
        for event in events_behind() if heads_enabled() else ():
            _keep(event)
    except OSError as error:
        logger.error("HEADS_FILE cannot be written, and the sweep tries again: %s", error)
