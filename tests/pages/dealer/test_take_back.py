"""At the table: the hand settled last is taken back, and an open one is entered the other way (T17)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tables.models import Deal
from tests.cast.at_tables import HTMX, Clerk, chosen, code, logged_in, url, wanted
from tests.cast.floor import chips_at

pytestmark = pytest.mark.django_db
BOXES = 2
TAKE_BACK = 'value="take_back"'
WON = {"bet-1": 400, "out-1": "win", "bet-2": 200, "out-2": "lose_doubled"}


def by_cards(clerk: Clerk) -> Deal:
    """A settled hand by cards: box 1 and 2 stand on 19 and 20, the dealer busts."""
    clerk.press("bets", bet_1=400, bet_2=200)
    clerk.cards("9s", "Ts", "Kd", "Td", "Th")
    for value in ("look:no", "stand:1", "stand:2"):
        clerk.tap(value)
    clerk.in_hand("tap", card="6s", hole=1)
    clerk.cards("Qh")
    deal = clerk.deal
    assert clerk.in_hand("settle").status_code == 200
    return deal


def page(clerk: Clerk, **asked: str) -> str:
    return clerk.client.get(url(clerk.shoe), asked).content.decode()


def cards_on(page: str) -> int:
    """How many cards lie on the felt."""
    return page.split("<aside", maxsplit=1)[0].count("card card-")


def version(shown: str) -> str:
    return shown.split("?since=")[1].split("&", maxsplit=1)[0]


def test_T17_the_settled_hand_stays_on_the_felt_and_is_taken_back_within_half_a_minute(clerk, shoe):
    deal = by_cards(clerk)
    shown = page(clerk)
    assert TAKE_BACK in shown
    assert cards_on(shown) == 7
    floor = Clerk(logged_in("floor"), shoe)
    assert TAKE_BACK not in page(floor)
    answer = floor.press("take_back", deal=deal.pk)
    assert (answer.status_code, code(answer)) == (403, "not_yours")
    deal.refresh_from_db()
    Deal.objects.filter(pk=deal.pk).update(closed_at=deal.closed_at - timedelta(seconds=31))
    answer = clerk.client.get(url(clerk.shoe), {"since": version(shown)}, **HTMX)
    assert answer.status_code == 200, "the page that looks again is told"
    assert TAKE_BACK not in answer.content.decode()
    assert cards_on(answer.content.decode()) == 0
    answer = clerk.press("take_back", deal=deal.pk)
    assert (answer.status_code, code(answer)) == (422, "too_late")


def test_T17_a_hand_by_cards_is_open_again_and_its_last_card_can_be_taken_back(clerk, round_):
    deal = by_cards(clerk)
    answer = clerk.press("take_back", deal=deal.pk)
    assert (answer.status_code, wanted(answer)) == (200, "done")
    assert chips_at(round_, 1) == 5000
    clerk.in_hand("undo")
    clerk.cards("2h")
    # 18: the dealer stands, 19 and 20 win as well, by other cards.
    clerk.in_hand("settle")
    assert Deal.objects.get(status="settled").answer["dealer"][-1] == "2h"
    assert chips_at(round_, 1) == 5400


def test_T17_a_hand_by_results_shows_what_was_entered_and_its_bets_can_be_changed(clerk, round_):
    clerk.press("results", **WON)
    deal = Deal.objects.get()
    shown = chosen(clerk.press("take_back", deal=deal.pk).content.decode())
    assert (shown["out-1"], shown["out-2"]) == ("win", "lose_doubled")
    assert 'value="rebet"' in page(clerk, change="1")
    clerk.in_hand("rebet", bet_1=600, bet_2=200)
    assert chosen(page(clerk))["out-2"] == "lose_doubled"
    clerk.in_hand("results", **{"out-1": "win", "out-2": "lose"})
    assert (chips_at(round_, 1), chips_at(round_, 2)) == (5600, 4800)


def test_T17_an_open_hand_is_entered_the_other_way_without_losing_a_card(clerk, shoe, round_):
    clerk.press("bets", bet_1=400, bet_2=200)
    clerk.cards("9s")
    floor = Clerk(logged_in("floor"), shoe)
    before = version(page(floor))
    answer = clerk.in_hand("mode", to="results", mode="cards")
    looked = floor.client.get(url(shoe), {"since": before}, **HTMX)
    assert all('name="out-1"' in each.content.decode() for each in (answer, looked))
    answer = clerk.in_hand("mode", to="cards", mode="results")
    assert wanted(answer) == "card:2"
    assert [tap["op"]["card"] for tap in clerk.deal.taps] == ["9s"]
    clerk.in_hand("mode", to="results", mode="cards")
    clerk.in_hand("results", **{"out-1": "win", "out-2": "lose"})
    assert (chips_at(round_, 1), chips_at(round_, 2)) == (5400, 4800)
