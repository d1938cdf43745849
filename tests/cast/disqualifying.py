"""A disqualification that is asked for on the entry's page."""

from __future__ import annotations

from typing import Any

from tests.cast.factories import new_key
from tests.cast.floor import (
    person,
)
from tournament.models import Event
from tournament.services.entries import entry_disqualify_request
from tournament.services.requests import request_decide


def ask(event: Event, code: str, reason: str = "marked a card") -> int:
    entry = event.entries.get(code=code)
    asked = entry_disqualify_request(
        entry_id=entry.pk, reason=reason, key=new_key(), actor=person("director")
    )
    return int(asked["request"])


def answer(asked: int, approve: bool = True) -> Any:
    return request_decide(request_id=asked, approve=approve, key=new_key(), actor=person("manager"))
