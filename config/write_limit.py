"""Reserve threads for readers: commands that write never take the last one, so pages stay up (faults).

A command may have to wait for another one's lock. If all threads waited, the public pages and ``/healthz``
would hang too, although they need no lock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from config.failures import try_again

READS = ("GET", "HEAD", "OPTIONS")


class _Room:
    """The number of commands that may save at once in this process; without one there is no limit."""

    places: threading.Semaphore | None = None


def places_of(threads: int) -> int:
    """Return how many of a process's threads may save at once: two thirds; a third is left to readers."""
    return max(1, threads * 2 // 3)


def keep_free(threads: int) -> None:
    """Reserve a third of this process's threads for readers."""
    _Room.places = threading.Semaphore(places_of(threads)) if threads > 1 else None


class WriteLimitMiddleware:
    """Answers 503 at once if all places to save are taken; the same form may be sent again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        places = _Room.places
        if places is None or request.method in READS:
            return self.get_response(request)
        if not places.acquire(blocking=False):
            words = _("Too many changes are being saved at once, and something is blocking them.")
            return try_again(request, "too_many", words)
        try:
            return self.get_response(request)
        finally:
            places.release()
