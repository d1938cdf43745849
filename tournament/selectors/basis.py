"""What forms of the tournament are made from, and what the journal says has happened since."""

import json
import re
from collections.abc import Iterable
from itertools import islice
from typing import Any

from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

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


# A command, and a request where it is made and where it is answered, by its kind or family; the first hand of
# a round, which begins it; and any entry whose text has one of the names. ``concerns`` decides.
_PERHAPS = """
    kind = ANY(%s) OR split_part(kind, '.', 1) = ANY(%s) OR result->>'kind' = ANY(%s)
    OR body #>> '{noted,kind}' = ANY(%s) OR (body->'noted') ? 'round_played'
    OR (body #- '{noted,record}')::text || result::text ~ %s
"""


def entries_since(basis: Basis, token: str, most: int) -> list[JournalEntry]:
    """Return the last ``most`` entries of the journal about a thing since a form was made, without facts.

    Nothing where the form does not say how far the journal was. A form may be hours old, and the event is
    locked meanwhile: the database leaves out what cannot be about the thing, and no more than ``most`` are
    told.
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
    """Whether a form still stands on what is: nothing about its thing has changed since."""
    if basis.mark:
        return mark_of(token) == basis.mark
    return seq_of(token) is not None and not entries_since(basis, token, 1)
