"""What the screens in the hall show beside the standings. It is stored with them: one tag covers both."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from tournament.models import Announcement, Draw, Event, PayoutStructure, Round
from tournament.selectors.prizes import currency_of

Json = dict[str, Any]
Status = Draw.Status


def announcements_live(event: Event) -> list[Announcement]:
    """Return the announcements that are shown, the first one first."""
    found = Announcement.objects.filter(event=event, withdrawn_at=None)
    return list(found.select_related("posted_by").order_by("pk"))


def hall_facts(event: Event, payouts: PayoutStructure | None) -> Json:
    """Return ``start``, ``payouts`` (cents by place) and ``draw``; each is None where there is none."""
    return {
        "start": event.start.to_dict() if event.start else None,
        "payouts": _payouts(event, payouts),
        "draw": _draw(event),
    }


def _payouts(event: Event, posted: PayoutStructure | None) -> Json | None:
    if posted is None:
        return None
    return {
        "version": posted.version,
        "prizes_cents": list(posted.prizes_cents),
        "currency": currency_of(event),
    }


def _draw(event: Event) -> Json | None:
    """The draw in hand: from the locked roster until the first bet of the round that it has seated."""
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
        # Until a second person has confirmed them, cards may be typed again.
        "cards": [] if found.status == Status.LOCKED else found.cards.split(),
        "public_cards": event.settings.public_input,
    }
