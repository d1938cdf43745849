"""The standings, brought up to date once per change (architecture, How a deal flows)."""

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
"""How a tag begins: changed with what a body holds, so that those made before an update are made anew."""


def standings_recompute(*, event_id: int) -> int:
    """Bring the snapshot of an event up to its journal's head; returns the position that it then has.

    Idempotent and safe in any order: the position is read before the facts, so that a snapshot never
    claims more than it shows, and an older one never overwrites a newer one, nor one that has been marked as
    out of date since: then it is made once more. Nothing is done for an event that does not exist, is still
    being set up, or is up to date.
    """
    for _again in range(TRIES_MOST):
        position = _recompute(event_id)
        if position is not None:
            return position
    return 0


def _recompute(event_id: int) -> int | None:
    """As ``standings_recompute``, once; None where the snapshot was another one by the end."""
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
    """The events, by id, whose snapshot is missing or behind their journal: what the sweep makes up for.

    One that was made in an earlier form, before an update, is made anew as well.
    """
    heads = JournalHead.objects.filter(event__isnull=False).exclude(event__status=Event.Status.DRAFT)
    rows = heads.values_list("event_id", "seq", "event__standings__position", "event__standings__etag")
    return [
        event_id
        for event_id, seq, position, tag in rows
        if position is None or position < seq or not tag.startswith(SNAPSHOT_VERSION)
    ]


def standings_outdate(*, event_ids: Iterable[int], mark: str) -> None:
    """Mark snapshots as out of date by what no journal of their events has; ``mark`` is used once.

    One that is being made from the facts before is then not written. Those that are kept for a delay are
    deleted: they would go on to say what has been corrected.
    """
    StandingsKept.objects.filter(event__in=list(event_ids)).delete()
    StandingsSnapshot.objects.filter(event__in=list(event_ids)).update(position=0, etag=mark)


def _write(snapshot: StandingsSnapshot, known: StandingsSnapshot | None) -> bool:
    """Write it unless another one than ``known`` is there by now; False where it has to be made anew.

    The database compares, so two workers cannot cross. Where the standings are not live, they are kept.
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
    # Somebody may have written the first, older one meanwhile.
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
    """Keep the snapshot for the pages that show it later, and drop what is older than any delay needs.

    The snapshot's row is locked by now: whether it is to be kept cannot change meanwhile.
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
