"""Requests that one person asks and another answers."""

from __future__ import annotations

from tests.cast.factories import EntryFactory, EventFactory, UserFactory, new_key
from tournament.models import Request
from tournament.services import logins
from tournament.services.entries import entry_disqualify_request
from tournament.services.requests import request_decide

GOOD = "seven brown foxes"

TOKEN = "t" * 43


def disqualification(asker):
    event = EventFactory()
    entry = EntryFactory(event=event)
    entry_disqualify_request(entry_id=entry.pk, reason="marked a card", key=new_key(), actor=asker)
    return event, Request.objects.filter(event=event).latest("pk").pk


def two_made(director, manager, **given):
    """A login that the first asked for and the second confirmed; its link is with the first."""
    values = {"username": "ghost", "roles": ["manager"], "reason": "one more", **given}
    asked = logins.staff_add(**values, key=new_key(), actor=director)
    return answered(asked, manager)["done"]


def answered(asked, by, approve=True):
    return request_decide(request_id=asked["request"], approve=approve, key=new_key(), actor=by)


def cast():
    return UserFactory(roles=["director", "manager"]), UserFactory(roles=["manager"])
