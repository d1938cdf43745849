"""At the table: the cut card in a hand, what is typed as it comes, and a shoe opened again (T11)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tables.models import Deal, Shoe
from tests.cast.at_tables import Clerk, chosen, code, logged_in, url, waits, wanted
from tests.cast.floor import count_both, shoe_over

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
    # Long before the end the reason is asked for.
    answer = clerk.press("cut", mode="results", **WON)
    assert (answer.status_code, chosen(answer.content.decode())["out-1"]) == (422, "win")
    assert last_hand(answer) == ""
    answer = clerk.press("cut", mode="results", **WON, **WHY)
    assert answer.status_code == 200
    assert (chosen(answer.content.decode())["out-1"], last_hand(answer)) == ("win", "1")
    assert (status(shoe), Deal.objects.count()) == ("dealing", 0)
    answer = clerk.press("results", **WON)
    assert (answer.status_code, status(shoe)) == (200, "over")
    assert Deal.objects.get().answer["net"] == {"1": 400, "2": -200}
    assert waits(answer) == "count"


def test_T11_what_is_typed_and_was_not_played_is_left_out_on_purpose(clerk, shoe):
    answer = clerk.press("cut", mode="cards", bet_1=400, bet_2=200, **WHY)
    assert (chosen(answer.content.decode())["bet-1"], last_hand(answer)) == ("400", "1")
    answer = clerk.press("cut", mode="results", **WON)
    assert (answer.status_code, code(answer)) == (409, "already_last")
    assert 'name="leave"' in answer.content.decode()
    answer = clerk.press("cut", mode="results", leave="1", **WON)
    assert (answer.status_code, status(shoe), Deal.objects.count()) == (200, "over", 0)


def test_T11_in_an_open_hand_the_button_is_there_and_the_hand_goes_on(clerk, shoe):
    clerk.press("bets", bet_1=400, bet_2=200)
    clerk.cards("9s")
    assert 'value="last_hand"' in clerk.client.get(url(shoe)).content.decode()
    answer = clerk.press("last_hand", **WHY)
    assert (last_hand(answer), wanted(answer)) == ("1", "card:2")
    # A slip of the finger is taken back.
    assert last_hand(clerk.press("last_hand", out="no")) == ""
    clerk.press("last_hand", **WHY)
    clerk.cards("Ts", "Kd", "Td", "Th")
    for value in ("look:no", "stand:1", "stand:2"):
        clerk.tap(value)
    clerk.in_hand("tap", card="9h", hole=1)
    assert status(shoe) == "dealing"
    clerk.in_hand("settle")
    assert status(shoe) == "over"


def test_T11_T18_floor_and_director_open_a_shoe_again_until_its_chips_are_counted(clerk, shoe):
    shoe_over(shoe)

    def offered(client: Any) -> bool:
        return 'value="reopen"' in client.get(url(shoe)).content.decode()

    floor = Clerk(logged_in("floor"), shoe)
    assert [offered(each) for each in (clerk.client, floor.client, logged_in("director"))] == [
        False,
        True,
        True,
    ]
    assert (clerk.press("reopen", reason="The wrong button").status_code, status(shoe)) == (403, "over")
    assert (floor.press("reopen", reason=" ").status_code, status(shoe)) == (422, "over")
    answer = floor.press("reopen", reason="The wrong button")
    assert (answer.status_code, status(shoe), waits(answer)) == (200, "dealing", "")
    shoe_over(shoe)
    count_both(shoe)
    assert not offered(floor.client) and waits(floor.client.get(url(shoe))) == "counted"
