"""Bets at the table's page: which stand, which can be changed, and under which a card is tapped."""

from __future__ import annotations

import re

import pytest

from tables.models import Shoe
from tests.cast.at_tables import Clerk, chosen, code, logged_in, url
from tests.cast.floor import hand, stack_at

pytestmark = pytest.mark.django_db
BOXES = 3


def bets(page: str) -> dict[str, str]:
    """Box → the bet that is chosen on the page."""
    return {name[4:]: bet for name, bet in chosen(page).items() if name.startswith("bet-")}


def test_T13_the_bets_of_the_hand_before_are_chosen_where_the_stacks_still_cover_them(clerk, shoe, round_):
    hand(shoe, {1: 1000, 2: 200}, b1="lose", b2="win")
    for mode in ("cards", "results"):
        page = clerk.client.get(url(shoe), {"mode": mode}).content.decode()
        assert bets(page) == {"1": "1000", "2": "200"}, mode
        assert 'name="was-1"' in page
    stack = stack_at(round_, 1)
    type(stack).objects.filter(pk=stack.pk).update(chips=600)
    assert bets(clerk.client.get(url(shoe)).content.decode()) == {"2": "200"}


def test_T11_bets_that_nobody_typed_hold_up_no_cut_card(clerk, shoe):
    hand(shoe, {1: 400, 2: 200}, b1="win", b2="lose")
    same = {"bet_1": "400", "was_1": "400", "bet_2": "200", "was_2": "200", "reason": "fire drill"}
    assert clerk.press("cut", **{**same, "bet_2": "600"}).status_code == 200
    shoe.refresh_from_db()
    assert (shoe.status, shoe.last_hand) == (Shoe.Status.DEALING, True)
    clerk.press("last_hand", out="no")
    assert clerk.press("cut", **same).status_code == 200
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.OVER


def test_T14_bets_are_called_round_the_table_from_the_button(clerk, shoe):
    Shoe.objects.filter(pk=shoe.pk).update(button_box=2)
    page = clerk.client.get(url(shoe)).content.decode()
    assert re.findall(r'<fieldset class="betrow[^>]*data-box="(\d)"', page) == ["2", "3", "1"]
    assert chosen(page)["at"] == "2"


def test_T12_a_tap_under_bets_that_another_screen_has_changed_is_409_and_says_them(clerk, shoe):
    clerk.press("bets", bet_1=400, bet_2=200)
    before = clerk.client.get(url(shoe)).content.decode()
    called = re.findall(r'name="called" value="([^"]+)"', before)[0]
    Clerk(logged_in("floor"), shoe).in_hand("rebet", bet_1=600, bet_2=200)
    answer = clerk.in_hand("tap", card="9s", called=called)
    assert (answer.status_code, code(answer)) == (409, "stale")
    assert clerk.deal.taps == []
    now = re.findall(r'name="called" value="([^"]+)"', answer.content.decode())[0]
    assert clerk.in_hand("tap", card="9s", called=now).status_code == 200


def test_T12_a_wrong_bet_is_put_right_once_every_card_is_taken_back(clerk, shoe):
    clerk.press("bets", bet_1=400, card="9s")
    assert 'href="?change=1"' in clerk.in_hand("undo").content.decode()
    page = clerk.client.get(url(shoe), {"change": "1"}).content.decode()
    assert 'value="rebet"' in page
    assert clerk.in_hand("rebet", bet_1=600).status_code == 200
    assert clerk.deal.bets == {"1": 600}
    clerk.cards("Ks")
    assert clerk.in_hand("rebet", bet_1=200).status_code == 409
