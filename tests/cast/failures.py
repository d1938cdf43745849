"""A desk that reads what it is told when something fails."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client
from django.urls import reverse

from tests.cast.factories import EventFactory, UserFactory, new_key
from tests.cast.hostile import Form, forms_of
from tournament.models import JournalEntry

SAVED, PERHAPS, NOT = "saved", "perhaps_saved", "not_saved"


def told(answer: Any) -> tuple[int, str]:
    """Return the status of an answer, and the message of its page."""
    found = re.search(r'<main[^>]* data-state="(\w+)"', answer.content.decode())
    return answer.status_code, found[1] if found else ""


def form_of(client: Client, page: str, action: str) -> Form:
    """A form as its page gives it, with what it was made from."""
    forms = forms_of(page, client.get(page).content.decode())
    return next(form for form in forms if form.action == action)


class Desk:
    """A director who adds a table to an event: one command by one form."""

    def __init__(self) -> None:
        self.event, self.key = EventFactory(), new_key()
        self.client = Client(raise_request_exception=False)
        self.client.force_login(UserFactory(roles=["director"]))
        page, self.action = (
            reverse(name, args=[self.event.slug]) for name in ("tables:boxes", "tables:boxes_add")
        )
        form = form_of(self.client, page, self.action)
        self.fields = {name: form.fields[name] for name in ("basis",) if name in form.fields}

    def send(self, **headers: str) -> Any:
        return self.client.post(self.action, {"key": self.key, "all": "1", **self.fields}, headers=headers)

    @property
    def done(self) -> bool:
        return JournalEntry.objects.filter(key=self.key).exists()
