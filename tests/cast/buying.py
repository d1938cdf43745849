"""Buy-ins against the limit of a gaming day."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.cast.calls import refused
from tests.cast.factories import EventFactory, UserFactory, new_key
from tournament.services import entries, people
from tournament.services.requests import request_decide


def answered(asked, by=None, approve=True):
    by = by or UserFactory()
    return request_decide(request_id=asked["request"], approve=approve, key=new_key(), actor=by)


def buy_in(player, event=None, cents=100_00):
    event = event or EventFactory(settings={"buy_in_cents": cents})
    return entries.entry_buy_in(
        event_id=event.pk, player_id=player.pk, identity_checked=True, key=new_key(), actor=None
    )


def turn_away(player, event, outcome="under_age"):
    return people.player_check_refuse(
        event_id=event.pk, player_id=player.pk, outcome=outcome, key=new_key(), actor=UserFactory()
    )


def sale_refused(code, player, event=None, status=None):
    """An entry is refused, and nothing is changed."""
    event = event or EventFactory(settings={"buy_in_cents": 100_00})
    with refused(code, status):
        buy_in(player, event)


def at(text):
    return datetime.fromisoformat(f"2026-{text}").replace(tzinfo=UTC)
