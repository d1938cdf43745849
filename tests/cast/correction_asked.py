"""A correction that waits for a second person, and its page."""

from __future__ import annotations

from typing import Any

from tables.models import Deal
from tests.cast.corrected import ask, words
from tests.cast.factories import new_key
from tests.cast.html import read
from tournament.models import Request

SWAPPED = words(b1="win", b2="lose", b3="win", b4="lose")


"""In truth box 3 had won and box 2 had lost."""


def asked_for(old: Deal, **anew: Any) -> Request:
    return Request.objects.get(pk=ask(old, **anew)["request"])


def page_of(asked: Request) -> str:
    assert asked.event is not None
    return f"/staff/{asked.event.slug}/requests/{asked.pk}/correction/"


def answer(client: Any, asked: Request, word: str = "approve", **more: Any) -> Any:
    return client.post(page_of(asked), {"answer": word, "key": new_key(), **more})


def changes(page: Any, part: str = "preview", name: str = "chips") -> dict[str, str]:
    """Entry → stack, rank, side or prize before and after in a part of the page; empty without that part."""
    parts = read(page.content.decode()).all("section")
    rows = [row for each in parts if each.attrs.get("aria-labelledby") == part for row in each.all("tr")]
    return {row.attrs["data-entry"]: row.attrs[f"data-{name}"] for row in rows if "data-entry" in row.attrs}
