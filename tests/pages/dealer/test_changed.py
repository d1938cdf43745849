"""Two tablets at one table: each is told who has changed the hand on the other, and in what (item 5)."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models.functions import Now
from django.test import Client

from tables.models import Deal, Tablet
from tables.selectors.amending import Change
from tables.services import dealing
from tables.services.amending import deal_amend
from tables.services.tablets import tablets_besides
from tests.cast.amending import op_of
from tests.cast.at_tables import HTMX, Clerk, logged_in, url
from tests.cast.factories import new_key
from tests.cast.floor import opened, person

pytestmark = pytest.mark.django_db
BOXES = 2

LINE = re.compile(r'<li data-changed="(\w+)" data-by="([^"]*)">')
NEWS = re.compile(r'data-news="([^"]+)" data-kind="(\w+)" data-by="([^"]*)"')


@pytest.fixture
def mia(db) -> User:
    """The floor, who taps at the same table on another tablet."""
    return person("floor")


@pytest.fixture
def deal(shoe, mia) -> Deal:
    """A hand of both boxes that she has begun: the king of spades for box 1, an eight for box 2."""
    made = opened(shoe, {1: 200, 2: 200}, actor=mia)
    for word in ("Ks", "8d"):
        tap(made, mia, word)
    return made


def tap(deal: Deal, by: User, word: str, screen: str = "hers") -> None:
    deal.refresh_from_db()
    seen, op = len(deal.taps), op_of(word)
    dealing.deal_tap(deal_id=deal.pk, seen=seen, nonce=new_key(), op=op, actor=by, screen=screen)


def looks(clerk: Clerk, deal: Deal | None, seen: int) -> tuple[str, str, str]:
    """What the line says once the page looks again by itself: (kind, whose, words)."""
    known = f"{deal.pk if deal else ''}:{seen}"
    page = clerk.client.get(url(clerk.shoe), {"since": "old", "hand": known}, **HTMX).content.decode()
    words, kind, by = (NEWS.findall(page) or [("", "", "")])[0]
    return kind, by, unescape(words)


def test_T17_the_same_login_on_another_tablet_is_told_and_the_own_taps_are_not(clerk, deal, mia):
    clerk.cards("6d")
    assert looks(clerk, deal, 2) == ("", "", "")
    tap(deal, clerk.client.user, "2h", screen="another")
    assert looks(clerk, deal, 3)[:2] == ("card", clerk.client.user.username)
    # A ruling is a tap as any other: it is news on another tablet only.
    clerk.cards("3c")
    said = {"wrong": "hole", "ruling": "play_on", "rank": "T", "suit": "d", "reason": "Floor: Ann"}
    assert clerk.in_hand("wrong", **said).status_code == 200
    assert looks(clerk, deal, 5) == ("", "", "")
    other = Clerk(logged_in("floor"), clerk.shoe)
    assert looks(other, deal, 5)[:2] == ("hole_turned", clerk.client.user.username)


def test_T17_a_page_that_looks_again_tells_the_hand_a_bet_and_its_end(clerk, deal, mia):
    kind, by, words = looks(clerk, None, 0)
    assert (kind, by) == ("card", mia.username)
    assert "2" in words
    change = Change(bets={1: 200, 2: 400})
    deal_amend(deal_id=deal.pk, seen=2, change=change, key=new_key(), actor=mia, screen="hers")
    kind, by, words = looks(clerk, deal, 2)
    assert (kind, by) == ("bet", mia.username)
    assert "400" in words
    dealing.deal_undo(deal_id=deal.pk, seen=3, nonce=new_key(), actor=mia, screen="hers")
    assert looks(clerk, deal, 3)[:2] == ("undo", mia.username)
    dealing.deal_void(deal_id=deal.pk, reason="the cards fell", key=new_key(), actor=mia)
    assert looks(clerk, deal, 4)[:2] == ("void", mia.username)


def test_T17_bets_typed_for_a_hand_that_another_has_begun_begin_no_second_one(clerk, deal, mia):
    refused = clerk.press("bets", bet_1=400, bet_2=600, card="8d")
    assert (refused.status_code, Deal.objects.count()) == (409, 1)
    lines = LINE.findall(refused.content.decode())
    assert lines == [("card", mia.username), ("card", mia.username)], "what was changed, and whose"


def test_a_page_says_on_how_many_other_tablets_it_is_open(clerk, shoe, mia):
    def tablets(client: Client, **more: Any) -> list[str]:
        return re.findall(r'data-tablets="(\d+)"', client.get(url(shoe), **more).content.decode())

    page = clerk.client.get(url(shoe)).content.decode()
    look = {"since": re.search(r"since=([^&]+)&", page)[1], "hand": ":0"}
    assert clerk.client.get(url(shoe), look, **HTMX).status_code == 204
    assert tablets(clerk.client) == []
    other = Client()
    other.force_login(mia)
    assert tablets(other) == ["1"]
    assert tablets(clerk.client, data=look, **HTMX) == ["1"]


@pytest.mark.parametrize(("seconds", "open_"), [(14, 1), (16, 0)])
def test_a_tablet_that_has_not_asked_for_15_s_is_gone(shoe, seconds, open_):
    tablets_besides(table_id=shoe.table_id, mark="other", asks=True)
    Tablet.objects.update(seen_at=Now() - timedelta(seconds=seconds))
    for _again in range(2):  # the own page is not counted
        assert tablets_besides(table_id=shoe.table_id, mark="own", asks=True) == open_
    tablets_besides(table_id=shoe.table_id, mark="other", asks=True)
    assert tablets_besides(table_id=shoe.table_id, mark="own", asks=False) == 1
