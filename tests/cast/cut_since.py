"""A cut that a correction after the close would make another."""

from __future__ import annotations

import re
from typing import Any

from tables.models import Deal
from tables.services.cut_since import cut_stands
from tests.cast.at_tables import logged_in
from tests.cast.corrected import post, put_right, round_1, words
from tests.cast.factories import new_key
from tests.cast.floor import draw_and_seat, hand, person, shoe_of
from tests.cast.tied import code_at
from tests.cast.worlds import kept
from tournament.models import Round

SWAPPED = words(b1="win", b2="lose", b3="win", b4="lose")


"""In truth box 3 had won and box 2 had lost: 3 and not 2 should have gone on."""


@kept
def swapped(*, bet: bool = False, **settings: Any) -> tuple[Round, Round, str, str]:
    """Round 1 put right after the draw of round 2: both rounds, who went on, and who should have."""
    round_, old = round_1(**settings)
    post(round_.event, 30_000, 10_000)
    two, three = code_at(round_, 2), code_at(round_, 3)
    second = draw_and_seat(round_.event)
    if bet:
        hand(shoe_of(second), {1: 200, 2: 200}, b1="win", b2="win")
    put_right(old, outcomes=SWAPPED)
    round_.refresh_from_db()
    return round_, second, two, three


def stands(round_: Round, reason: str = "They have played on for an hour", by: Any = None) -> dict[str, Any]:
    actor = by or person("director")
    return cut_stands(round_id=round_.pk, reason=reason, key=new_key(), actor=actor)


def latest(old: Deal) -> Deal:
    return Deal.objects.get(shoe=old.shoe, number=old.number, status="settled")


def pages(round_: Round, role: str = "director") -> list[str]:
    """Tonight, and the page of the stage."""
    client = logged_in(role)
    tails = ("", f"rounds/{round_.pk}/")
    return [client.get(f"/staff/{round_.event.slug}/{tail}").content.decode() for tail in tails]


def again(pages: list[str]) -> list[list[str]]:
    """What each page says of a stage that was put right after its close."""
    return [re.findall(r'data-again="(\w+)"', page) for page in pages]
