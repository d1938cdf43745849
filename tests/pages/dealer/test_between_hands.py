"""Bets at the table's page: which stand, which can be changed, and under which a card is tapped."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from tables.models import Deal, Shoe
from tests.cast.at_tables import HTMX, Clerk, chosen, code, logged_in, url, waits, wanted
from tests.cast.floor import chips_at, count_both, hand, shoe_over, stack_at

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
        assert 'name="was-1"' in page and "−1,000" in page
    clerk.press("bets", bet_1=1000, bet_2=200)
    clerk.in_hand("void", reason="Misdeal")
    page = clerk.client.get(url(shoe)).content.decode()
    assert bets(page) == {"1": "1000", "2": "200"} and "−1,000" not in page
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


# -- The cut card (T11) ----------------------------------------------------------------------------------


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


# -- The hand settled last is taken back (T17) -----------------------------------------------------------


TAKE_BACK = 'value="take_back"'
DOUBLED = {"bet-1": 400, "out-1": "win", "bet-2": 200, "out-2": "lose_doubled"}


def page(clerk: Clerk, **asked: str) -> str:
    return clerk.client.get(url(clerk.shoe), asked).content.decode()


def cards_on(page: str) -> int:
    """How many cards lie on the felt."""
    return page.split("<aside", maxsplit=1)[0].count("card card-")


def version(shown: str) -> str:
    return shown.split("?since=")[1].split("&", maxsplit=1)[0]


def test_T17_the_settled_hand_stays_on_the_felt_and_is_taken_back_within_half_a_minute(clerk, shoe):
    clerk.press("bets", bet_1=400, bet_2=200)
    clerk.cards("9s", "Ts", "Kd", "Td", "Th")
    for value in ("look:no", "stand:1", "stand:2"):
        clerk.tap(value)
    clerk.in_hand("tap", card="6s", hole=1)
    clerk.cards("Qh")
    deal = clerk.deal
    assert clerk.in_hand("settle").status_code == 200
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


def test_T17_a_hand_by_results_shows_what_was_entered_and_its_bets_can_be_changed(clerk, round_):
    clerk.press("results", **DOUBLED)
    deal = Deal.objects.get()
    shown = chosen(clerk.press("take_back", deal=deal.pk).content.decode())
    assert (shown["out-1"], shown["out-2"]) == ("win", "lose_doubled")
    assert 'value="rebet"' in page(clerk, change="1")
    # Where the clerk had chosen results, what the hand says was no typing that came too late.
    assert 'value="rebet"' in page(clerk, change="1", mode="results")
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
