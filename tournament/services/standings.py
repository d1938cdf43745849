"""Recompute the standings once per change (architecture, How a deal flows)."""

from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Q
from django.db.models.functions import Now

from ground.canonical import json_hash
from tournament.models import Event, JournalHead, StandingsKept, StandingsPublication, StandingsSnapshot
from tournament.models.hall import MINUTES_MOST
from tournament.selectors.standings import standings_body

from .commits import saving

TRIES_MOST = 5
SNAPSHOT_VERSION = "7:"
"""The first part of a tag: changed with the content of a body, so that snapshots of an older release are
remade."""


def standings_recompute(*, event_id: int) -> int:
    """Bring the snapshot of an event up to its journal's head; returns its new position.

    Idempotent and safe in any order: the position is read before the facts, so that a snapshot never claims
    more than it shows. An older snapshot never overwrites a newer one, nor one that was marked as out of date
    meanwhile: then it is computed once more. Does nothing for an event that does not exist, is being set up,
    or is up to date.
    """
    for _again in range(TRIES_MOST):
        position = _recompute(event_id)
        if position is not None:
            return position
    return 0


def _recompute(event_id: int) -> int | None:
    """Return ``standings_recompute`` of one attempt; None if the snapshot changed meanwhile."""
    head = JournalHead.objects.select_related("event__standings").filter(event_id=event_id).first()
    if head is None or head.event is None or head.event.status == Event.Status.DRAFT:
        return 0
    known = getattr(head.event, "standings", None)
    if known is not None and known.position >= head.seq and known.etag.startswith(SNAPSHOT_VERSION):
        return int(known.position)
    body = standings_body(head.event)
    tag = SNAPSHOT_VERSION + json_hash(body)[:32]
    snapshot = StandingsSnapshot(event=head.event, position=head.seq, body=body, etag=tag, at=Now())
    return int(head.seq) if _write(snapshot, known) else None


def standings_behind() -> list[int]:
    """Return the ids of the events whose snapshot is missing or behind their journal, for the sweep.

    Snapshots of an older release count as behind.
    """
    heads = JournalHead.objects.filter(event__isnull=False).exclude(event__status=Event.Status.DRAFT)
    rows = heads.values_list("event_id", "seq", "event__standings__position", "event__standings__etag")
    return [
        event_id
        for event_id, seq, position, tag in rows
        if position is None or position < seq or not tag.startswith(SNAPSHOT_VERSION)
    ]


def standings_outdate(*, event_ids: Iterable[int], mark: str) -> None:
    """Mark snapshots as out of date by a change outside the journal of their events; ``mark`` is used once.

    A snapshot that is being computed from older facts is then not written. Snapshots kept for a delay are
    deleted: they would go on showing corrected data.
    """
    StandingsKept.objects.filter(event__in=list(event_ids)).delete()
    StandingsSnapshot.objects.filter(event__in=list(event_ids)).update(position=0, etag=mark)


def _write(snapshot: StandingsSnapshot, known: StandingsSnapshot | None) -> bool:
    """Write the snapshot unless ``known`` has been replaced meanwhile; False if it must be computed again.

    The database compares, so two workers cannot cross. If the standings are not live, they are kept.
    """
    with saving():
        written = _written(snapshot, known)
        if written:
            _keep(snapshot.event)
    return written


def _written(snapshot: StandingsSnapshot, known: StandingsSnapshot | None) -> bool:
    if known is not None:
        return bool(_update(snapshot, Q(etag=known.etag, position=known.position)))
    StandingsSnapshot.objects.bulk_create([snapshot], ignore_conflicts=True)
    # Another worker may have written the first, older one meanwhile.
    same, unlike = Q(position=snapshot.position), ~Q(etag__startswith=SNAPSHOT_VERSION)
    older = Q(position__lt=snapshot.position) | same & unlike
    _update(snapshot, older)
    return True


def _update(snapshot: StandingsSnapshot, only: Q) -> int:
    return StandingsSnapshot.objects.filter(only, event=snapshot.event).update(
        position=snapshot.position,
        body=snapshot.body,
        etag=snapshot.etag,
        at=Now(),
    )


def _keep(event: Event) -> None:
    """Keep the snapshot for pages that show it later, and delete those older than any delay needs.

    The snapshot's row is locked, so the publication cannot change meanwhile.
    """
    if not StandingsPublication.objects.filter(event=event).exclude(mode="live").exists():
        return
    snapshot, kept = StandingsSnapshot.objects.get(event=event), StandingsKept.objects.filter(event=event)
    last = kept.order_by("at", "pk").last()
    if last is None or last.etag != snapshot.etag:
        kept.create(event=event, at=snapshot.at, etag=snapshot.etag, body=snapshot.body)
    oldest = kept.filter(at__lte=snapshot.at - timedelta(minutes=MINUTES_MOST)).order_by("at", "pk").last()
    if oldest is not None:
        kept.filter(at__lt=oldest.at).delete()
