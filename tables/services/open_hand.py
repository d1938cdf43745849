"""Checks before a press on an open hand: it is open, and the screen showed it as it is now."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal
from tables.selectors.deals import bets_called, boxed, tap_words


def open_check(deal: Deal) -> None:
    """Refuse ``deal_not_open`` (409) for a hand that was settled or voided meanwhile."""
    if deal.status != Deal.Status.OPEN:
        raise Refused(
            "deal_not_open",
            _("Hand %(deal)s is %(state)s already."),
            status=409,
            deal=deal.number,
            state=deal.get_status_display(),
        )


def seen_check(deal: Deal, seen: int) -> None:
    """Refuse ``stale`` (409), with what has changed, unless the screen has seen every tap."""
    if seen == len(deal.taps):
        return
    news = [tap_words(deal, tap) for tap in deal.taps[max(seen, 0) :]]
    told = "; ".join(news[-4:]) or "entries were taken back"
    raise Refused(
        "stale", _("In the meantime: %(told)s. Look at the hand, then go on."), status=409, told=told
    )


def called_check(deal: Deal, called: str) -> None:
    """Refuse ``stale`` (409) unless the bets are those that the screen showed (T12)."""
    if called in ("", bets_called(deal)):
        return
    raise Refused(
        "stale",
        _("In the meantime other bets were called: %(told)s. Look at the hand, then go on."),
        status=409,
        told=", ".join(f"box {box} {bet:,}" for box, bet in sorted(boxed(deal.bets).items())),
    )


def tapped_by(actor: User | None, screen: str) -> dict[str, Any]:
    """Return what a tap keeps of its person and screen, for the other screens to show."""
    return {} if actor is None else {"by": actor.pk, "on": screen[:16]}
