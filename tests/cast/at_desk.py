"""Helpers for the tests of the staff pages: a logged-in person, and a press."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from tests.cast.factories import UserFactory, new_key
from tests.cast.html import Node, data, read
from tests.cast.presses import FRESH, FreshClient
from tournament.models import Event, JournalEntry

HTMX = {"HX-Request": "true"}


class Somebody:
    """A person with a login of their own, at a browser."""

    def __init__(self, *roles: str) -> None:
        self.user: User = UserFactory(roles=list(roles))
        self.client = FreshClient()
        self.client.force_login(self.user)

    def get(self, path: str, **query: str) -> Any:
        return self.client.get(path, query)

    def part(self, path: str, **query: str) -> Any:
        """Ask for a part of a page, as htmx does."""
        return self.client.get(path, query, headers=HTMX)

    def press(self, path: str, **fields: Any) -> Any:
        """Send the form of a page that has just been loaded, with a key of its own."""
        return self.client.post(path, {"key": new_key(), "basis": FRESH, **fields})


def staff(event: Event, tail: str = "") -> str:
    return f"/staff/{event.slug}/{tail}"


def refused_in_place(response: Any, status: int = 422, *, code: str) -> str:
    """Check that the whole page came back with the code and the status; return its text."""
    text: str = response.content.decode()
    assert response.status_code == status, text[-2000:]
    assert code in codes(response), codes(response)
    assert "<h1" in text and 'name="key"' in text
    return text


def codes(response: Any) -> list[str]:
    """Return the codes of a page in order."""
    return [code for code in data(response, "code") if code]


def marked(response: Any, name: str) -> dict[str, Node]:
    """Return the elements of a page with this ``data-`` attribute, by its value."""
    page = read(response.content.decode())
    return {n.attrs[f"data-{name}"]: n for n in page.walk() if f"data-{name}" in n.attrs}


def figures(node: Node) -> dict[str, int]:
    """Return the figures of an element: its ``data-`` attributes that are whole numbers."""
    found = {name.removeprefix("data-"): value for name, value in node.attrs.items() if name[:5] == "data-"}
    return {name: int(value) for name, value in found.items() if value.lstrip("-").isdecimal()}


def done(response: Any, path: str = "") -> None:
    """Check that the press was carried out and redirected (303)."""
    assert response.status_code == 303, response.content.decode()[-3000:]
    assert path in response["Location"]


def journal_length() -> int:
    """Return the number of commands carried out so far."""
    return JournalEntry.objects.count()
