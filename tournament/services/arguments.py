"""Find and clean the arguments of a command, or refuse them with a sentence."""

from __future__ import annotations

import hmac
import unicodedata
from typing import TypeVar

from django.conf import settings
from django.db.models import Model

from ground.canonical import canonical_json
from ground.refused import Refused
from ground.words import gettext_noop as _
from tournament import sql
from tournament.models import Entry, Event

from .journal import Command

Thing = TypeVar("Thing", bound=Model)


def event_of(cmd: Command) -> Event:
    """Return the event of a command that concerns one."""
    assert cmd.event is not None, "this command belongs to an event"
    return cmd.event


def find(model: type[Thing], pk: int, name: str) -> Thing:
    """Return the row with this key, or raise Refused ``no_such_NAME`` (404)."""
    found = sql.found(model, pk)
    if found is None:
        raise Refused(
            f"no_such_{name}", _("There is no such %(name)s. Look at the list again."), status=404, name=name
        )
    return found


def event_id_of_entry(entry_id: int) -> int:
    """Return the id of the event of an entry; Refused ``no_such_entry`` (404)."""
    return find(Entry, entry_id, "entry").event_id


# Invisible characters that count as letters or marks (Unicode, default-ignorable code points).
_UNSEEN = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2065\u2800\u3164\uffa0"
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9), *range(0xE0000, 0xE1000))))


def text_clean(text: str, what: str, *, longest: int, missing: str = "") -> str:
    """Return a typed text without outer spaces, composed (NFC).

    Refuses ``text_too_long``, and ``text_bad`` for characters that cannot be printed or seen: control
    characters, zero-width and direction marks. An empty text is refused with the code ``missing``, if there
    is one.
    """
    cleaned = " ".join(unicodedata.normalize("NFC", text).split())
    if missing and not cleaned:
        raise Refused(missing, _("%(what)s is missing. Type it."), what=what)
    if len(cleaned) > longest:
        raise Refused(
            "text_too_long",
            _("%(what)s is longer than %(longest)s characters. Shorten it."),
            what=what,
            longest=longest,
        )
    if any(unicodedata.category(sign) in ("Cc", "Cf", "Cs") or sign in _UNSEEN for sign in cleaned):
        raise Refused(
            "text_bad",
            _("%(what)s contains a character that cannot be seen or printed. Type it again."),
            what=what,
        )
    return cleaned


def name_clean(name: str, what: str, *, longest: int, missing: str = "") -> str:
    """Return a typed name, cleaned like ``text_clean``, in the form in which names are compared (NFKC).

    Letters that only look different, such as wide ones or ligatures, become plain letters.
    """
    return text_clean(unicodedata.normalize("NFKC", name), what, longest=longest, missing=missing)


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
