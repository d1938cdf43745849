"""Without a broker there is no beat, so the serving processes sweep by themselves (faults)."""

from __future__ import annotations

import logging
import threading

SWEEP_SECONDS = 10

logger = logging.getLogger(__name__)


def start() -> threading.Event | None:
    """Start sweeping in the background of this process; None where a broker's beat does it.

    Setting the event that comes back ends it.
    """
    from django.conf import settings

    if settings.BROKER_URL:
        return None
    ended = threading.Event()
    threading.Thread(target=_until, args=(ended,), name="sweep", daemon=True).start()
    return ended


def _until(ended: threading.Event) -> None:
    while not ended.wait(SWEEP_SECONDS):
        sweep_once()


def sweep_once() -> None:
    """One sweep on a connection of its own; a database that is away is tried again the next time."""
    from django.db import connection

    from tournament.tasks import sweep

    try:
        sweep()
    except Exception:
        logger.exception("The sweep failed; it tries again.")
    finally:
        connection.close()
