"""A browser that sends the forms of pages that it has just loaded."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.test import Client

from ground.refused import Refused
from pages import kit
from tournament.selectors.basis import Basis, Submission

FRESH = "fresh"
"""The basis of a form whose page has just been loaded; ``test_two_screens.py`` reads what forms carry."""


class FreshSubmission(Submission):
    """A press that was made from what is now, where its form says ``FRESH``."""

    def __new__(cls, key: str, *, seen: str, basis: Callable[[], Basis], **more: Any) -> FreshSubmission:
        if seen == FRESH:
            with suppress(Refused, ObjectDoesNotExist), transaction.atomic():
                seen = str(basis())
        return super().__new__(cls, key, seen=seen, basis=basis, **more)  # type: ignore[return-value]  # of cls


_lock, _open = threading.Lock(), 0


@contextmanager
def just_loaded() -> Iterator[None]:
    """While it lasts, a form that is sent with ``FRESH`` was made from what is now; threads may overlap."""
    global _open  # noqa: PLW0603 - counts the threads that are inside
    with _lock:
        _open += 1
        kit.Submission = FreshSubmission  # type: ignore[misc]  # for as long as somebody is inside
    try:
        yield
    finally:
        with _lock:
            _open -= 1
            if not _open:
                kit.Submission = Submission  # type: ignore[misc]  # as it was


class FreshClient(Client):
    """A browser that can send forms as ``FRESH``."""

    def post(self, path: str, data: Any = None, *args: Any, **extra: Any) -> Any:
        with just_loaded():
            return super().post(path, data, *args, **extra)
