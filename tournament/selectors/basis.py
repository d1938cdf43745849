"""What forms of the tournament are made from, and what the journal says has happened since."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tournament.engine.basis import Basis, Name, mark_of, marked, seq_of
from tournament.models import Entry, JournalEntry, JournalHead, Request

OPENING = ("event.open", "event.setup_again")
STATUS = (*OPENING, "event.call_off", "call_off", "round.seat", "round.close")
"""What moves an event from one status to the next."""


def basis_made(
    event_id: int | None,
    *kinds: str,
    names: Iterable[Name] = (),
    besides: Iterable[str] = (),
    of: str = "",
    facts: Any = None,
) -> Basis:
    """A basis with how far its journal is; ``of`` and ``facts`` of what changes without an entry there."""
    seq = JournalHead.objects.filter(event=event_id).values_list("seq", flat=True).first()
    mark = marked(of, facts) if of else ""
    return Basis(event_id, seq or 0, frozenset(names), frozenset(kinds), frozenset(besides), mark)


def names_with_requests(event_id: int | None, *names: Name, **body: int) -> list[Name]:
    """The names, with the requests of this body, of any status: their answers name the request alone."""
    asked = Request.objects.filter(event=event_id, **{f"body__{name}": pk for name, pk in body.items()})
    return [*names, *(("request", pk) for pk in asked.values_list("pk", flat=True))]


def names_of_entry(entry: Entry) -> list[Name]:
    """An entry, its stacks and penalties and what is asked about it, as the journal names them."""
    return [
        *names_with_requests(entry.event_id, ("entry", entry.pk), ("entry", entry.code), entry=entry.pk),
        *(("stack", pk) for pk in entry.stacks.values_list("pk", flat=True)),
        *(("penalty", pk) for pk in entry.penalties.values_list("pk", flat=True)),
    ]


def entries_since(basis: Basis, token: str) -> list[JournalEntry]:
    """What the journal has about a thing since a form was made; nothing where the form does not say."""
    seq = seq_of(token)
    if seq is None:
        return []
    since = JournalEntry.objects.filter(event=basis.event_id, seq__gt=seq).select_related("actor")
    return [
        each
        for each in since.order_by("seq")
        if basis.concerns(each.kind, each.body.get("asked"), each.body.get("noted"), each.result)
    ]


def holds(basis: Basis, token: str) -> bool:
    """Whether a form still stands on what is: nothing about its thing has changed since."""
    if basis.mark:
        return mark_of(token) == basis.mark
    return seq_of(token) is not None and not entries_since(basis, token)
