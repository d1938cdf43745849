"""The basis of a form: its subject, and the position of the journal when its page was made (ADR 16).

Two screens may show the same thing and both send their form; the second one was made from a state that no
longer exists. So every form carries its basis, and the command, once it holds its lock, looks in the
journal for later entries about the subject, and refuses the form if there are any.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

from ground.canonical import json_hash
from ground.refused import Conflict, Refused
from ground.words import Sentence
from ground.words import gettext_noop as _
from tournament.models import Entry, JournalEntry, JournalHead, Request

MARK = 16
Name = tuple[str, int | str]


@dataclass(frozen=True)
class Basis:
    """The basis of a form.

    ``names``: the names of its subject in the journal of ``event_id`` (None: the house's), like ``("deal",
    4)``. ``kinds``: commands and requests that change the subject without naming it, ``round.close`` or
    ``round`` for the whole family. ``besides``: commands that name the subject but do not change the part
    that the form is about. ``seq``: the position of the journal.

    Open hands, and figures made from more than one journal, change without an entry: their forms have a
    ``mark`` of the facts, which decides alone; ``now`` describes the facts in a sentence.
    """

    event_id: int | None
    seq: int
    names: frozenset[Name] = frozenset()
    kinds: frozenset[str] = frozenset()
    besides: frozenset[str] = frozenset()
    mark: str = ""
    now: str = ""

    def __str__(self) -> str:
        return f"{self.mark}.{self.seq}"

    def concerns(self, kind: str, asked: Any, noted: Any, result: Mapping[str, Any]) -> bool:
        """Whether an entry of the journal is about the subject."""
        noted = noted or {}
        # A request states its kind where it is made (result) and where it is answered (noted).
        kinds = {kind, kind.partition(".")[0], result.get("kind"), noted.get("kind")}
        if "round_played" in noted:
            # The first hand of a round begins it, without a command of its own.
            kinds |= {"round", "round.play"}
        if kinds & self.kinds:
            return True
        if kind in self.besides:
            return False
        # The result has the number of a table, the body its id.
        came = {name for name in _names(noted) | _names(result) if name[0] != "table"}
        return not self.names.isdisjoint(came | _names(asked))


def _names(part: object) -> set[Name]:
    """Return the names in a part of a journal entry, including nested parts (a request's body).

    The record of a hand has numbers instead of journal ids, so it names nothing.
    """
    if not isinstance(part, Mapping):
        return set()
    found: set[Name] = {(name, value) for name, value in part.items() if isinstance(value, int | str)}
    return found.union(*(_names(value) for name, value in part.items() if name != "record"))


def marked(of: str, facts: Any) -> str:
    """Return the mark of a thing, which changes with any of its facts (JSON)."""
    return json_hash([of, facts])[:MARK]


def mark_of(token: str) -> str:
    """Return the mark in a form's token."""
    return token.partition(".")[0]


def seq_of(token: str) -> int | None:
    """Return the journal position in a form's token; None if it has none."""
    seq = token.partition(".")[2]
    return int(seq) if seq.isascii() and seq.isdecimal() and len(seq) <= 12 else None


OPENING = ("event.open", "event.setup_again")
STATUS = (*OPENING, "event.call_off", "call_off", "round.seat", "round.close")
"""Kinds that move an event from one status to the next."""


def basis_made(
    event_id: int | None,
    *kinds: str,
    names: Iterable[Name] = (),
    besides: Iterable[str] = (),
    of: str = "",
    facts: Any = None,
) -> Basis:
    """Return a basis at the current position of its journal; ``of`` and ``facts`` if it changes without an
    entry."""
    seq = JournalHead.objects.filter(event=event_id).values_list("seq", flat=True).first()
    mark = marked(of, facts) if of else ""
    return Basis(event_id, seq or 0, frozenset(names), frozenset(kinds), frozenset(besides), mark)


def names_with_requests(event_id: int | None, *names: Name, **body: int) -> list[Name]:
    """Return the names, with those of all requests with this body: their answers name only the request."""
    asked = Request.objects.filter(event=event_id, **{f"body__{name}": pk for name, pk in body.items()})
    return [*names, *(("request", pk) for pk in asked.values_list("pk", flat=True))]


def names_of_entry(entry: Entry) -> list[Name]:
    """Return the names of an entry, its stacks and penalties and its requests in the journal."""
    return [
        *names_with_requests(entry.event_id, ("entry", entry.pk), ("entry", entry.code), entry=entry.pk),
        *(("stack", pk) for pk in entry.stacks.values_list("pk", flat=True)),
        *(("penalty", pk) for pk in entry.penalties.values_list("pk", flat=True)),
    ]


# A command, and a request where it is made and where it is answered, by its kind or family; the first hand of
# a round, which begins it; and any entry whose text has one of the names. ``concerns`` decides.
_PERHAPS = """
    kind = ANY(%s) OR split_part(kind, '.', 1) = ANY(%s) OR result->>'kind' = ANY(%s)
    OR body #>> '{noted,kind}' = ANY(%s) OR (body->'noted') ? 'round_played'
    OR (body #- '{noted,record}')::text || result::text ~ %s
"""


def entries_since(basis: Basis, token: str, most: int) -> list[JournalEntry]:
    """Return the last ``most`` entries of the journal about a subject since a form was made, without facts.

    Empty if the form has no position. A form may be hours old, and the event is locked meanwhile: so the
    database filters out unrelated entries, and at most ``most`` are returned.
    """
    seq = seq_of(token)
    if seq is None:
        return []
    names = "|".join(re.escape(f'"{name}": {json.dumps(value)}') for name, value in basis.names)
    perhaps = RawSQL(_PERHAPS, (*[list(basis.kinds)] * 4, names or None), BooleanField())  # noqa: S611 - a constant
    since = JournalEntry.objects.filter(perhaps, event=basis.event_id, seq__gt=seq).order_by("-seq")
    read = since.select_related("actor").defer("facts").iterator(chunk_size=20)
    about = (each for each in read if _concerns(basis, each))
    return list(islice(about, most))[::-1]


def _concerns(basis: Basis, entry: JournalEntry) -> bool:
    return basis.concerns(entry.kind, entry.body.get("asked"), entry.body.get("noted"), entry.result)


def holds(basis: Basis, token: str) -> bool:
    """Whether a form is current: its subject has not changed since."""
    if basis.mark:
        return mark_of(token) == basis.mark
    return seq_of(token) is not None and not entries_since(basis, token, 1)


# The basis in a form -------------------------------------------------------------------------------

News = Callable[[Basis, str], list[str]]
"""Returns sentences about the changes of a subject since the token of a form was made."""


class Submission(str):
    """The hidden data of every form beside the typed input: its key and its basis.

    A service passes it on as its key, so that no service can forget the basis; ``command`` checks it. Code
    that calls a service without a form gives a bare key. ``seen``: the basis in the form. ``basis``
    computes the current basis, and locks what the command itself does not lock; ``news`` describes the
    changes since. ``reason``: the typed reason, for the answer page, so that nobody types it twice.
    """

    seen: str
    basis: Callable[[], Basis]
    news: News
    reason: str

    def __new__(
        cls, key: str, *, seen: str, basis: Callable[[], Basis], news: News, reason: str = ""
    ) -> Submission:
        made = super().__new__(cls, key)
        made.seen, made.basis, made.news, made.reason = seen, basis, news, reason
        return made


def key_first(key: str, tail: str) -> str:
    """Return the key of the first of several commands of one form: it checks the basis for all of them."""
    named = f"{key}:{tail}"
    if not isinstance(key, Submission):
        return named
    return Submission(named, seen=key.seen, basis=key.basis, news=key.news, reason=key.reason)


def basis_check(key: str) -> None:
    """Refuse ``stale`` (409), with the changes, or ``no_basis`` if the form carried no basis.

    Called once the lock is held, and after a repeated form has had its first result.
    """
    if not isinstance(key, Submission):
        return
    if not key.seen:
        raise Refused("no_basis", "This form is incomplete. Load the page again.")
    basis = key.basis()
    if not holds(basis, key.seen):
        raise Conflict("stale", _what_changed(key.news(basis, key.seen), basis.now, key.reason))


def _what_changed(news: Sequence[str], now: str, reason: str) -> Sentence:
    since = Sentence("This has changed in the meantime. %(now)s", now=now)
    if news:
        since = Sentence("In the meantime: %(happened)s.", happened="; ".join(news))
    again = _(
        "%(since)s Your form was not saved. Check the page, and send the form again only if it is still "
        "right."
    )
    sentence = Sentence(again, since=since)
    if not reason:
        return sentence
    return Sentence("%(said)s The reason that you had typed: “%(reason)s”", said=sentence, reason=reason)
