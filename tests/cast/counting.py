"""Counts of a table, and a ruling on two that differ."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from tables.models import Shoe
from tables.services import counts
from tests.cast.at_tables import url
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import person
from tournament.models import Request


def press(client, shoe, do="enter", chips=None, **fields):
    sent = {"do": do, "shoe": shoe.pk, "key": new_key(), **fields}
    return client.post(url(shoe, "count/"), sent | {f"chips-{b}": n for b, n in (chips or {}).items()})


COUNTED, RULED = {1: 5000, 2: 4800, 3: 5000}, {1: 5600, 2: 4800, 3: 5000}


def rule(client, shoe, chips=RULED, reason="A chip lay on the floor"):
    sent = {"do": "rule", "shoe": shoe.pk, "key": new_key(), "reason": reason}
    return client.post(url(shoe, "count/"), sent | {f"chips-{box}": n for box, n in chips.items()})


def staff(shoe, tail=""):
    return f"/staff/{shoe.round.event.slug}/{tail}"


def answer(client, shoe, word="approve"):
    asked = Request.objects.latest("pk")
    sent = {"key": new_key(), "answer": word}
    return client.post(staff(shoe, f"requests/{asked.pk}/"), sent)


def recount(shoe):
    counts.count_reopen(shoe_id=shoe.pk, reason="once more", key=new_key(), actor=UserFactory())


def basis_of(page) -> str:
    return page.content.decode().split('name="basis" value="')[1].split('"')[0]


def enter(shoe: Shoe, chips: dict[Any, Any], actor: User | None = None) -> dict[str, Any]:
    return counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=actor or person())
