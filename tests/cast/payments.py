"""Prizes that are paid and taken back."""

from __future__ import annotations

from typing import Any

import pytest

from ground.refused import Refused
from tests.cast.factories import UserFactory, new_key
from tournament.models import Event
from tournament.services import entries, payments, requests
from tournament.services.prize_sharing import prize_sharing_request


def by_code(event: Event, cents: dict[int, int]) -> dict[str, int]:
    """Amounts above nothing by entry code."""
    return {event.entries.get(pk=pk).code: each for pk, each in cents.items() if each}


def pay(event: Event, code: str, actor: Any = None) -> dict[str, Any]:
    entry = event.entries.get(code=code)
    return payments.prize_pay(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=actor)


def decide(asked: dict[str, Any], actor: Any = None) -> dict[str, Any]:
    answer = requests.request_decide(
        request_id=asked["request"], approve=True, key=new_key(), actor=actor or UserFactory()
    )
    done: dict[str, Any] = answer["done"]
    return done


def disqualify(event: Event, code: str) -> None:
    entry = event.entries.get(code=code)
    decide(
        entries.entry_disqualify_request(
            entry_id=entry.pk, reason="marked cards", key=new_key(), actor=UserFactory()
        )
    )
    event.refresh_from_db()


def ask_back(event: Event, code: str, reason: str = "paid to the wrong person") -> dict[str, Any]:
    entry = event.entries.get(code=code)
    return payments.prize_take_back_request(
        entry_id=entry.pk, reason=reason, key=new_key(), actor=UserFactory()
    )


def take_back(event: Event, code: str) -> dict[str, Any]:
    done = decide(ask_back(event, code))
    event.refresh_from_db()
    return done


def refused(code: str) -> Any:
    """The refusal's code is what a test asserts."""
    return pytest.raises(Refused, match=f"^{code}:")


def ask(event: Event, reason: str = "they agreed", actor: Any = None, **shares_cents: int) -> dict[str, Any]:
    return prize_sharing_request(
        event_id=event.pk,
        shares_cents=shares_cents,
        reason=reason,
        key=new_key(),
        actor=actor or UserFactory(),
    )
