"""The standings, brought up to date once per change and rendered once (architecture, How a deal flows)."""

from __future__ import annotations

from django.db.models import Q
from django.db.models.functions import Now
from django.template.loader import render_to_string

from ground.canonical import canonical_json, sha256_hex
from tournament.models import Event, JournalHead, StandingsSnapshot
from tournament.selectors.standings import standings_body

TEMPLATE = "public/_standings.html"
FORM = "3:"
"""How a tag begins: changed with what a page says, so that those made before an update are made anew."""


def standings_recompute(*, event_id: int) -> int:
    """Bring the snapshot of an event up to its journal's head; returns the position that it then has.

    Idempotent and safe in any order: the position is read before the facts, so that a snapshot never
    claims more than it shows, and an older one never overwrites a newer one. Nothing is done for an
    event that does not exist, is still being set up, or is up to date.
    """
    head = JournalHead.objects.select_related("event__standings").filter(event_id=event_id).first()
    if head is None or head.event is None or head.event.status == Event.Status.DRAFT:
        return 0
    known = getattr(head.event, "standings", None)
    if known is not None and known.position >= head.seq and known.etag.startswith(FORM):
        return int(known.position)
    body = standings_body(head.event)
    snapshot = StandingsSnapshot(event=head.event, position=head.seq, body=body, at=Now())
    tag = FORM + sha256_hex(canonical_json(body))[:32]
    if known is not None and known.etag == tag:
        # Nothing that is shown has changed: the rendered page stands as well.
        snapshot.html, snapshot.etag = known.html, known.etag
    else:
        snapshot.html, snapshot.etag = render_to_string(TEMPLATE, {"body": body}), tag
    _write(snapshot)
    return int(head.seq)


def standings_behind() -> list[int]:
    """The events, by id, whose snapshot is missing or behind their journal: what the sweep makes up for.

    One that was made in an earlier form, before an update, is made anew as well.
    """
    heads = JournalHead.objects.filter(event__isnull=False).exclude(event__status=Event.Status.DRAFT)
    rows = heads.values_list("event_id", "seq", "event__standings__position", "event__standings__etag")
    return [
        event_id
        for event_id, seq, position, tag in rows
        if position is None or position < seq or not tag.startswith(FORM)
    ]


def _write(snapshot: StandingsSnapshot) -> None:
    """Write it unless a newer one is there: the database compares, so two workers cannot cross."""
    if _update(snapshot):
        return
    StandingsSnapshot.objects.bulk_create([snapshot], ignore_conflicts=True)
    # Somebody may have written the first, older one between the two statements.
    _update(snapshot)


def _update(snapshot: StandingsSnapshot) -> int:
    older = Q(position__lt=snapshot.position) | Q(position=snapshot.position) & ~Q(etag__startswith=FORM)
    return StandingsSnapshot.objects.filter(older, event=snapshot.event).update(
        position=snapshot.position,
        body=snapshot.body,
        html=snapshot.html,
        etag=snapshot.etag,
        at=Now(),
    )
