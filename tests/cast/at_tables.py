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
    """A browser that sends the form of a page just loaded, unless the form says what it was made from."""

    def post(self, path: str, data: Any = None, *args: Any, **extra: Any) -> Any:
        if isinstance(data, dict) and "key" in data and "basis" not in data:
            data = {**data, "basis": FRESH}
        return super().post(path, data, *args, **extra)


def logged_in(*roles: str) -> Client:
    """A browser in which somebody of these roles is logged in; ``client.user`` is that person."""
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
        """One press as htmx sends it, from a page that has just been loaded."""
        with only(self.shoe, self._betting(do, fields)) if do in CALLS else nullcontext():
            basis = str(shoe_basis(self.shoe.pk))
            sent = {"do": do, "key": new_key(), "basis": basis, "shoe": self.shoe.pk, **fields}
            return self.client.post(
                url(self.shoe), {name.replace("_", "-"): v for name, v in sent.items()}, **HTMX
            )

    def _betting(self, do: str, fields: dict[str, Any]) -> list[int]:
        """The boxes that bet; whoever sits at another one is absent."""
        return [int(name[4:]) for name in fields if name.startswith(("bet_", "bet-"))]

    def in_hand(self, do: str, **fields: Any) -> Any:
        """A press inside the open hand, with the taps that it has now."""
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
    """The words of a page, tags and folds of white space taken out."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def sentence(answer: Any) -> str:
    said = r'(?:role="alert">.*?<div>|<p class="error"[^>]*>.*?<span>)(.*?)</(?:div|span)>'
    found = re.search(said, answer.content.decode(), re.S)
    return found.group(1) if found else ""


def code(answer: Any) -> str:
    """The code of the refusal beside the form; empty where nothing is refused."""
    said = r'data-code="(\w+)" role="alert"|class="error"[^>]*data-code="(\w+)"'
    found = re.search(said, answer.content.decode())
    return found.group(1) or found.group(2) if found else ""


def wanted(answer: Any) -> str:
    """What the table's page asks for next: ``card:1``, ``decision:2``, ``hole``; empty between hands."""
    found = re.search(r'data-want="([\w:]+)"', answer.content.decode())
    return found.group(1) if found else ""


def waits(answer: Any) -> str:
    """Why no hand can be dealt at the table; empty where one can."""
    found = re.search(r'data-wait="(\w+)"', answer.content.decode())
    return found.group(1) if found else ""


def chosen(page: str) -> dict[str, str]:
    """Field → the value that is chosen there."""
    return dict(re.findall(r'name="([\w-]+)"(?: id="[^"]*")? value="([^"]*)"[^>]* checked', page))
