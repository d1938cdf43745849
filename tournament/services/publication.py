"""The director shows, delays or hides the standings for the whole public at once."""

from __future__ import annotations

from django.contrib.auth.models import User

from ground.refused import Refused
from ground.words import gettext_noop as _
from tournament.models import Event, StandingsKept, StandingsPublication, StandingsSnapshot
from tournament.models.publication import MINUTES_LEAST, MINUTES_MOST
from tournament.selectors.publication import Mode, public_until
from tournament.services.asked import event_of, text_clean
from tournament.services.journal import Command, Json, command

REASON_LONGEST = 200


def standings_publish(
    *, event_id: int, mode: str, minutes: int | None, reason: str, key: str, actor: User | None
) -> Json:
    """Show the standings of an event live, some minutes behind (1 to 60), or not at all.

    ``minutes`` counts for a delay alone, ``reason`` may be empty. What the public has not seen by now is not
    shown before the new delay has passed. Result: ``{"mode", "minutes", "before"}``. Refuses
    ``publication_unknown``, ``minutes_out_of_range``, ``text_too_long``, ``text_bad``, and what
    ``publication_check`` refuses.
    """
    if mode not in Mode.values:
        raise Refused("publication_unknown", _("Choose whether the standings are live, delayed or hidden."))
    minutes = minutes if mode == Mode.DELAYED else None
    if mode == Mode.DELAYED and not (minutes is not None and MINUTES_LEAST <= minutes <= MINUTES_MOST):
        raise Refused(
            "minutes_out_of_range",
            _("The standings can be %(least)s to %(most)s minutes behind."),
            least=MINUTES_LEAST,
            most=MINUTES_MOST,
        )
    why = text_clean(reason, "The reason", longest=REASON_LONGEST)

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        publication_check(event, mode=mode)
        # No worker writes standings meanwhile: those that are read here are the last that were public.
        snapshot = StandingsSnapshot.objects.select_for_update().filter(event=event).first()
        before = StandingsPublication.objects.filter(event=event).first()
        now = max(cmd.at, snapshot.at) if snapshot else cmd.at
        if mode == Mode.LIVE:
            StandingsKept.objects.filter(event=event).delete()
        elif snapshot and (before is None or before.mode == Mode.LIVE):
            kept = {"at": snapshot.at, "etag": snapshot.etag, "body": snapshot.body}
            StandingsKept.objects.create(event=event, **kept)
        until = None if mode == Mode.LIVE else public_until(before, now)
        StandingsPublication.objects.update_or_create(
            event=event, defaults={"mode": mode, "minutes": minutes, "public_until": until}
        )
        return {"mode": mode, "minutes": minutes, "before": before.mode if before else str(Mode.LIVE)}

    body = {"mode": mode, "minutes": minutes, "reason": why}
    return command(kind="standings.publish", key=key, actor=actor, event_id=event_id, body=body, act=act)


def publication_check(event: Event, *, mode: str = "") -> None:
    """Whether an event can publish its standings like that. Refuses ``not_public``, ``event_over`` (409)."""
    if event.status == Event.Status.DRAFT:
        raise Refused(
            "not_public",
            _("The event has no public page before its rules are posted."),
            status=409,
        )
    if event.status in (Event.Status.PAID, Event.Status.CALLED_OFF) and mode != Mode.LIVE:
        raise Refused(
            "event_over",
            _("The event is over and its results are posted. Its standings can only be shown live."),
            status=409,
        )
