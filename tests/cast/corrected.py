"""Hands that are corrected after the close of their round."""

from __future__ import annotations

import re
from typing import Any

from tables.models import Deal
from tables.services import corrections
from tables.services.closing import cut_stands
from tests.cast.at_tables import logged_in
from tests.cast.factories import new_key
from tests.cast.floor import (
    close,
    confirm,
    draw_and_seat,
    hand,
    person,
    play_and_close,
    result,
    seated,
    shoe_of,
)
from tests.cast.html import read
from tests.cast.tied import CUTS, code_at, play_off
from tests.cast.worlds import kept
from tournament.models import Event, Request, Round
from tournament.selectors.chain import chain_verify
from tournament.services.payouts import payouts_post
from tournament.services.reconcile import reconcile


def words(**boxes: str) -> dict[int, Any]:
    return {int(box[1:]): result(word) for box, word in boxes.items()}


def ask(deal: Deal, **anew: Any) -> dict[str, Any]:
    return corrections.correction_request(
        deal_id=deal.pk, reason="the camera shows it", key=new_key(), actor=person("director"), **anew
    )


def put_right(deal: Deal, **anew: Any) -> dict[str, Any]:
    return confirm(ask(deal, **anew), person("director"))


def outcomes(stage: Round) -> dict[str, str]:
    return {s.entry.code: s.outcome for s in stage.stacks.select_related("entry")}


def books_agree(event: Event) -> bool:
    event.refresh_from_db()
    assert reconcile(event) == []
    report = chain_verify(event)
    return report.broken_at is None


def status(thing: Any) -> str:
    thing.refresh_from_db()
    return str(thing.status)


@kept
def round_1(entrants: int = 4, **settings: Any) -> tuple[Round, Deal]:
    """Round 1 closed: boxes 1 and 2 won and advance, 3 and 4 lost."""
    round_ = seated(entrants, **{**CUTS, **settings})
    bets = {1: 400, 2: 200, 3: 200, 4: 400}
    old = hand(shoe_of(round_), bets, b1="win", b2="win", b3="lose", b4="lose")
    play_and_close(round_)
    return round_, old


def post(event: Event, *amounts: int) -> None:
    structure = {"kind": "fixed", "amounts": list(amounts)}
    payouts_post(event_id=event.pk, structure=structure, key=new_key(), actor=None)


@kept
def played(**settings: Any) -> tuple[Event, Round, Deal]:
    """Four players through three rounds: places decided, prizes posted, nothing paid."""
    round_, old = round_1(**settings)
    post(round_.event, 40_000, 30_000, 20_000)
    for _ in range(2):
        now = draw_and_seat(round_.event)
        hand(shoe_of(now), {1: 200, 2: 200}, b1="win", b2="lose")
        play_and_close(now)
    assert status(round_.event) == "finished"
    return round_.event, round_, old


SWAPPED = words(b1="win", b2="lose", b3="win", b4="lose")
"""In truth box 3 won and box 2 lost, so box 3 should have advanced instead of box 2."""
BETS3 = {1: 200, 2: 200, 3: 200}


@kept
def closed_play_off(*, round_too: bool) -> tuple[Round, Deal]:
    stage = play_off()
    old = hand(shoe_of(stage), BETS3, b1="win", b2="win", b3="lose")
    close(stage)
    if round_too:
        close(Round.objects.get(pk=stage.parent_id))
    return stage, old


def correct_now(deal: Deal, reason: str = "the camera", **anew: Any) -> dict[str, Any]:
    return corrections.deal_correct(deal_id=deal.pk, reason=reason, key=new_key(), actor=None, **anew)


def correct(deal: Deal, **anew: Any) -> dict[str, Any]:
    """Correct a hand by the results of its boxes (``b1="win"``), or by arguments of the service."""
    anew = {"outcomes": words(**anew)} if "b1" in anew else anew
    return correct_now(deal, **anew)


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


def asked_for(old: Deal, **anew: Any) -> Request:
    return Request.objects.get(pk=ask(old, **anew)["request"])


def page_of(asked: Request) -> str:
    assert asked.event is not None
    return f"/staff/{asked.event.slug}/requests/{asked.pk}/correction/"


def answer(client: Any, asked: Request, word: str = "approve", **more: Any) -> Any:
    return client.post(page_of(asked), {"answer": word, "key": new_key(), **more})


def changes(page: Any, part: str = "preview", name: str = "chips") -> dict[str, str]:
    """Map entries to a value before and after in a part of the page; empty without that part."""
    parts = read(page.content.decode()).all("section")
    rows = [row for each in parts if each.attrs.get("aria-labelledby") == part for row in each.all("tr")]
    return {row.attrs["data-entry"]: row.attrs[f"data-{name}"] for row in rows if "data-entry" in row.attrs}


def pages(round_: Round, role: str = "director") -> list[str]:
    """Tonight, and the page of the stage."""
    client = logged_in(role)
    tails = ("", f"rounds/{round_.pk}/")
    return [client.get(f"/staff/{round_.event.slug}/{tail}").content.decode() for tail in tails]


def put_right_shown(pages: list[str]) -> list[list[str]]:
    """Return what each page says of a stage that was corrected after its close."""
    return [re.findall(r'data-put-right="(\w+)"', page) for page in pages]
