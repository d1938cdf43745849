"""The sweep without a broker: there is no beat, so one of the serving processes sweeps by itself (faults)."""

from __future__ import annotations

import logging
import os
import threading

SWEEP_SECONDS = 10
SWEEP_LOCK = 0x6375746D  # any number, the same for all who sweep; prepare.MIGRATION_LOCK is another

logger = logging.getLogger(__name__)


class _Started:
    """The process that runs the thread, which a fork does not copy."""

    pid: int | None = None
    ended: threading.Event | None = None
    mutex = threading.Lock()


def start() -> threading.Event | None:
    """Start sweeping in the background of this process, once; None if a broker's beat does it.

    Setting the returned event stops it.
    """
    from django.conf import settings

    if settings.BROKER_URL:
        return None
    with _Started.mutex:
        if _Started.pid != os.getpid() or _Started.ended is None or _Started.ended.is_set():
            _Started.pid, _Started.ended = os.getpid(), threading.Event()
            threading.Thread(target=_until, args=(_Started.ended,), name="sweep", daemon=True).start()
        return _Started.ended


def _until(ended: threading.Event) -> None:
    from django.db import connection

    while not ended.wait(SWEEP_SECONDS):
        sweep_once()
    connection.close()


def sweep_once() -> None:
    """Sweep once, if this is the process that sweeps; if the database is unreachable, the next sweep tries
    again."""
    from django.db import connection

    from tournament.tasks import sweep

    try:
        if _is_ours():
            sweep()
    except Exception:
        logger.exception("The sweep failed; it tries again.")
        connection.close()


def _is_ours() -> bool:
    """Whether this connection holds the sweep's lock, or gets it now.

    The database releases it with the connection, so another process takes over when this one is gone.
    """
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [SWEEP_LOCK])
        found = cursor.fetchone()
    return bool(found and found[0])
