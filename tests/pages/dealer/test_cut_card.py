"""At the table: the cut card in a hand, what is typed as it comes, and a shoe opened again (T11)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tables.models import Deal, Shoe
from tables.selectors.basis import shoe_basis
from tables.services.counts import count_enter
from tests.cast.at_tables import Clerk, chosen, code, logged_in, url, waits, wanted
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import shoe_over

pytestmark = pytest.mark.django_db
BOXES = 2
WON = {"bet-1": 400, "out-1": "win", "bet-2": 200, "out-2": "lose"}
WHY = {"reason": "A short shoe"}


def status(shoe: Shoe) -> str:
    shoe.refresh_from_db()
    return shoe.status


def last_hand(answer: Any) -> str:
    """The hand with which the shoe is over, as the page says it."""
    return "".join(re.findall(r'data-last-hand="(\d+)"', answer.content.decode()))


def test_T11_what_is_typed_as_the_cut_card_comes_stays_and_is_the_last_hand(clerk, shoe):
    answer = clerk.press("cut", mode="results", **WON, **WHY)
    assert answer.status_code == 200
    assert (chosen(answer.content.decode())["out-1"], last_hand(answer)) == ("win", "1")
    assert (status(shoe), Deal.objects.count()) == ("dealing", 0)
    answer = clerk.press("results", **WON)
    assert (answer.status_code, status(shoe)) == (200, "over")
    assert Deal.objects.get().answer["net"] == {"1": 400, "2": -200}
    assert waits(answer) == "count"


def test_T11_bets_that_are_typed_by_cards_stay_as_well(clerk, shoe):
    answer = clerk.press("cut", mode="cards", bet_1=400, bet_2=200, **WHY)
    assert (chosen(answer.content.decode())["bet-1"], last_hand(answer)) == ("400", "1")


def test_T11_long_before_the_end_the_reason_is_asked_for_and_what_is_typed_stays(clerk, shoe):
    answer = clerk.press("cut", mode="results", **WON)
    assert (answer.status_code, chosen(answer.content.decode())["out-1"]) == (422, "win")
    shoe.refresh_from_db()
    assert not shoe.last_hand


def test_T11_what_is_typed_and_was_not_played_is_left_out_on_purpose(clerk, shoe):
    clerk.press("cut", mode="results", **WON, **WHY)
    answer = clerk.press("cut", mode="results", **WON)
    assert (answer.status_code, code(answer)) == (409, "already_last")
    assert 'name="leave"' in answer.content.decode()
    answer = clerk.press("cut", mode="results", leave="1", **WON)
    assert (answer.status_code, status(shoe), Deal.objects.count()) == (200, "over", 0)


def test_T11_in_an_open_hand_the_button_is_there_and_the_hand_goes_on(clerk, shoe):
    clerk.press("bets", bet_1=400, bet_2=200)
    clerk.cards("9s")
    page = clerk.client.get(url(shoe)).content.decode()
    assert 'value="last_hand"' in page
    answer = clerk.press("last_hand", **WHY)
    assert (last_hand(answer), wanted(answer)) == ("1", "card:2")
    clerk.cards("Ts", "Kd", "Td", "Th")
    for value in ("look:no", "stand:1", "stand:2"):
        clerk.tap(value)
    clerk.in_hand("tap", card="9h", hole=1)
    assert status(shoe) == "dealing"
    clerk.in_hand("settle")
    assert status(shoe) == "over"


def test_T11_a_slip_of_the_finger_is_taken_back(clerk, shoe):
    clerk.press("bets", bet_1=400, bet_2=200)
    clerk.press("last_hand", **WHY)
    answer = clerk.press("last_hand", out="no")
    assert last_hand(answer) == ""
    shoe.refresh_from_db()
    assert not shoe.last_hand


def test_T11_another_screen_that_has_not_seen_it_is_told(clerk, shoe):
    floor = Clerk(logged_in("floor"), shoe)
    seen = str(shoe_basis(shoe.pk))
    clerk.press("cut", mode="results", **WON, **WHY)
    answer = floor.press("results", basis=seen, **WON)
    assert (answer.status_code, code(answer)) == (409, "stale")


# -- Opened again --------------------------------------------------------------------------------------


def test_T11_floor_and_director_open_a_shoe_again_and_the_dealer_does_not(clerk, shoe):
    shoe_over(shoe)
    assert 'value="reopen"' not in clerk.client.get(url(shoe)).content.decode()
    answer = clerk.press("reopen", reason="The wrong button")
    assert (answer.status_code, status(shoe)) == (403, "over")
    for role in ("floor", "director"):
        screen = Clerk(logged_in(role), shoe)
        assert 'value="reopen"' in screen.client.get(url(shoe)).content.decode()
    answer = screen.press("reopen", reason=" ")
    assert (answer.status_code, status(shoe)) == (422, "over")
    answer = screen.press("reopen", reason="The wrong button")
    assert (answer.status_code, status(shoe)) == (200, "dealing")
    assert waits(answer) == ""


def test_T18_once_a_count_is_in_it_is_not_offered(shoe):
    shoe_over(shoe)
    floor = Clerk(logged_in("floor"), shoe)
    count_enter(shoe_id=shoe.pk, chips={1: 5000, 2: 5000}, key=new_key(), actor=UserFactory())
    assert 'value="reopen"' not in floor.client.get(url(shoe)).content.decode()
    answer = floor.press("reopen", reason="The wrong button")
    assert (answer.status_code, code(answer)) == (409, "counts_in")
