"""Facts for the screens in the hall beside the standings, stored with them under one tag."""

from typing import Any

from django.db.models import Q

from tournament.models import Announcement, Draw, Event, HallRotation, Round
from tournament.selectors.prizes import currency_of
from tournament.selectors.stages import live_payouts

Json = dict[str, Any]
Status = Draw.Status

ANNOUNCEMENT, DRAW, TIE, STANDINGS, SEATS, TABLES = (
    "announcement",
    "draw",
    "tie",
    "standings",
    "seats",
    "tables",
)
PRIZES, START, ENTRIES, OUT, NOTICE = "prizes", "start", "entries", "out", "notice"
KINDS = (DRAW, TIE, STANDINGS, SEATS, TABLES, PRIZES, START, ENTRIES, OUT)
"""The kinds of slides for a rotation. Announcements are always shown."""
STEERED = (ANNOUNCEMENT, *KINDS)
"""The kinds of slides to which a screen can be fixed."""
SECONDS, SECONDS_LEAST, SECONDS_MOST = 10, 3, 120
ROTATION = tuple((kind, SECONDS) for kind in KINDS if kind != OUT)
"""The rotation if the director has set none."""


def announcements_live(event: Event) -> list[Announcement]:
    """Return the announcements that are shown, oldest first."""
    found = Announcement.objects.filter(event=event, withdrawn_at=None)
    return list(found.select_related("posted_by").order_by("pk"))


def rotation_of(event: Event) -> list[tuple[str, int]]:
    """Return the kinds of slides with their seconds, in order."""
    found = HallRotation.objects.filter(event=event).values_list("slides", flat=True).first()
    return [(kind, seconds) for kind, seconds in found or ROTATION]


def hall_facts(event: Event) -> Json:
    """Return ``start``, ``payouts`` (cents by place) and ``draw``, each None if there is none."""
    return {
        "start": event.start.to_dict() if event.start else None,
        "payouts": _payouts(event),
        "draw": _draw(event),
    }


def _payouts(event: Event) -> Json | None:
    posted = live_payouts(event)
    if posted is None:
        return None
    return {
        "version": posted.version,
        "prizes_cents": list(posted.prizes_cents),
        "currency": currency_of(event),
    }


def _draw(event: Event) -> Json | None:
    """Return the current draw: from the locked roster until the first bet of the round that it has seated."""
    in_hand = Q(status__in=(Status.LOCKED, Status.CONFIRMED))
    seated = Q(status=Status.DRAWN, rounds__status=Round.Status.SEATED)
    found = event.draws.filter(in_hand | seated).order_by("number").last()
    if found is None:
        return None
    return {
        "number": found.number,
        "purpose": found.purpose,
        "state": found.status,
        "entries": len(found.roster),
        # Cards may be typed again until a second person has confirmed them.
        "cards": [] if found.status == Status.LOCKED else found.cards.split(),
        "public_cards": event.settings.public_input,
    }
