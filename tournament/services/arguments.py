"""Find and clean the arguments of a command, or refuse them with a sentence."""

from __future__ import annotations

import hmac
from typing import TypeVar

from django.conf import settings
from django.db.models import Model, QuerySet

from ground.canonical import canonical_json
from ground.refused import Refused
from ground.typed import text_clean
from tournament import sql
from tournament.models import Entry, Event

from .journal import Command

Thing = TypeVar("Thing", bound=Model)


def event_of(cmd: Command) -> Event:
    """Return the event of a command that concerns one."""
    assert cmd.event is not None, "this command belongs to an event"
    return cmd.event


def find(among: type[Thing] | QuerySet[Thing], pk: int, name: str) -> Thing:
    """Return the row of a model, or among these rows, with this key. Refused ``no_such_NAME`` (404)."""
    found = among.filter(pk=pk).first() if isinstance(among, QuerySet) else sql.found(among, pk)
    if found is None:
        raise Refused(
            f"no_such_{name}", "There is no such %(name)s. Look at the list again.", status=404, name=name
        )
    return found


def event_id_of_entry(entry_id: int) -> int:
    """Return the id of the event of an entry; Refused ``no_such_entry`` (404)."""
    return find(Entry, entry_id, "entry").event_id


def reason_or_empty(reason: str) -> str:
    """Return the reason for the journal; empty if ``reason_clean`` refuses it.

    For commands that check the reason last: a form that comes too late need not give one.
    """
    try:
        return reason_clean(reason)
    except Refused:
        return ""


def reason_clean(reason: str) -> str:
    """Return the cleaned reason of a ruling. Refuses ``reason_missing``."""
    return text_clean(reason, "The reason", longest=200, missing="reason_missing")


def person_digest(purpose: str, *facts: str) -> str:
    """Return a keyed digest of personal data, in hexadecimal: it is compared, and cannot be reversed.

    The journal holds it instead of the data, so that the same key with other content is noticed. ``purpose``
    makes digests for different uses incomparable.
    """
    key = f"cutline person {settings.SECRET_KEY}".encode()
    return hmac.digest(key, canonical_json([purpose, *facts]).encode(), "sha256").hex()
