"""Helpers for the tests of the floor's pages: a logged-in person, and presses as a page sends them."""

from __future__ import annotations

import re
from contextlib import nullcontext
from typing import Any

from django.test import Client

from tables.models import Deal, Shoe, Table
from tables.selectors.basis import shoe_basis
from tables.services.clerks import clerk_bind
from tests.cast.factories import new_key
from tests.cast.floor import only, person
from tests.cast.presses import FRESH, FreshClient

HTMX = {"HTTP_HX_REQUEST": "true"}
CALLS = ("bets", "rebet", "results")


class Screen(FreshClient):
    """A browser that sends forms with the basis of a page just loaded, unless the form has one."""

    def post(self, path: str, data: Any = None, *args: Any, **extra: Any) -> Any:
        if isinstance(data, dict) and "key" in data and "basis" not in data:
            data = {**data, "basis": FRESH}
        return super().post(path, data, *args, **extra)


def logged_in(*roles: str) -> Client:
    """Return a browser with a logged-in person of these roles, ``client.user``."""
    client = Screen()
    client.user = person(*roles)  # type: ignore[attr-defined]  # for the tests to read
    client.force_login(client.user)  # type: ignore[attr-defined]  # set by the fixture
    return client


def dealer_at(shoe: Shoe) -> Client:
    """A dealer who is bound to the table of this shoe."""
    client = logged_in("dealer")
    clerk_bind(table_id=shoe.table_id, user_id=client.user.pk, key=new_key(), actor=None)  # type: ignore[attr-defined]  # set by the fixture
    return client


def url(thing: Shoe | Table, tail: str = "") -> str:
    table = thing.table if isinstance(thing, Shoe) else thing
    return f"/staff/{table.event.slug}/tables/{table.number}/{tail}"


class Clerk:
    """Presses the buttons of a table's page, each with a key of its own and the state that the page shows."""

    def __init__(self, client: Client, shoe: Shoe) -> None:
        self.client, self.shoe = client, shoe

    def press(self, do: str, **fields: Any) -> Any:
        """Send one press as htmx does, from a page just loaded."""
        with only(self.shoe, self._betting(do, fields)) if do in CALLS else nullcontext():
            basis = str(shoe_basis(self.shoe.pk))
            sent = {"do": do, "key": new_key(), "basis": basis, "shoe": self.shoe.pk, **fields}
            return self.client.post(
                url(self.shoe), {name.replace("_", "-"): v for name, v in sent.items()}, **HTMX
            )

    def _betting(self, do: str, fields: dict[str, Any]) -> list[int]:
        """Return the boxes that bet; players at other boxes are marked absent."""
        return [int(name[4:]) for name in fields if name.startswith(("bet_", "bet-"))]

    def in_hand(self, do: str, **fields: Any) -> Any:
        """Send a press inside the open hand, with its present taps."""
        deal = self.deal
        return self.press(do, **{"deal": deal.pk, "seen": len(deal.taps), **fields})

    def cards(self, *codes: str) -> Any:
        """Cards; all of them have to get through."""
        for code in codes:
            answer = self.in_hand("tap", card=code)
            assert answer.status_code == 200, sentence(answer)
        return answer

    def tap(self, value: str) -> Any:
        """One of the buttons: ``hit:1``, ``look:no``."""
        answer = self.in_hand("tap", tap=value)
        assert answer.status_code == 200, sentence(answer)
        return answer

    @property
    def deal(self) -> Deal:
        return Deal.objects.get(shoe=self.shoe, status=Deal.Status.OPEN)


def text(answer: Any) -> str:
    """Return the words of a page without tags and extra white space."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def sentence(answer: Any) -> str:
    said = r'(?:role="alert">.*?<div>|<p class="error"[^>]*>.*?<span>)(.*?)</(?:div|span)>'
    found = re.search(said, answer.content.decode(), re.S)
    return found.group(1) if found else ""


def code(answer: Any) -> str:
    """Return the code of the refusal beside the form; empty without one."""
    said = r'data-code="(\w+)" role="alert"|class="error"[^>]*data-code="(\w+)"'
    found = re.search(said, answer.content.decode())
    return found.group(1) or found.group(2) if found else ""


def wanted(answer: Any) -> str:
    """Return the next step of the table's page: ``card:1``, ``decision:2``, ``hole``; empty between hands."""
    found = re.search(r'data-want="([\w:]+)"', answer.content.decode())
    return found.group(1) if found else ""


def waits(answer: Any) -> str:
    """Return why no hand can be dealt at the table; empty if one can."""
    found = re.search(r'data-wait="(\w+)"', answer.content.decode())
    return found.group(1) if found else ""


def chosen(page: str) -> dict[str, str]:
    """Map fields to their chosen values."""
    return dict(re.findall(r'name="([\w-]+)"(?: id="[^"]*")? value="([^"]*)"[^>]* checked', page))
