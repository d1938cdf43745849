"""The table's page in a real browser: a whole hand by keyboard, one by results, another clerk's tap."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import expect

from tables.models import Deal, Shoe
from tests.cast.floor import chips_at
from tests.cast.network import finger, saved, slow, taps_of
from tests.cast.tablets import opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def keys(page: Any, typed: str) -> None:
    """Press key after key, faster than any answer comes."""
    for key in typed.split():
        page.keyboard.press(key)


def test_a_whole_hand_is_entered_by_keyboard_faster_than_the_network(tablet: Any, shoe: Shoe) -> None:
    keys(tablet, "4 2 1 Enter")
    tablet.wait_for_selector("text=Card for box 1")
    keys(tablet, "9 s K d 5 d T d 9 h Q h 6 s")
    tablet.wait_for_selector("text=Check the hole card")
    keys(tablet, "n")
    tablet.wait_for_selector("text=Box 1 to act")
    keys(tablet, "s s d 9 d")
    tablet.wait_for_selector("text=Turn the hole card")
    keys(tablet, "Backspace")
    tablet.wait_for_selector("text=Card for box 3")
    keys(tablet, "9 d 7 d")
    tablet.wait_for_selector("text=Hand 1 is finished")
    keys(tablet, "Enter")
    tablet.wait_for_selector("text=No more bets: deal hand 2")
    assert [chips_at(shoe.round, box) for box in (1, 2, 3)] == [5400, 5200, 7000]
    assert tablet.errors == []


def test_results_are_entered_by_keyboard_and_shown_before_they_are_settled(tablet: Any, shoe: Shoe) -> None:
    tablet.get_by_role("link", name="Results").click()
    tablet.wait_for_selector("text=Tap the bet and the result")
    keys(tablet, "4 w 2 l 6 b")
    tablet.wait_for_selector("#nets >> text=+900")
    keys(tablet, "Enter")
    tablet.wait_for_selector("text=hand 2")
    assert [chips_at(shoe.round, box) for box in (1, 2, 3)] == [5400, 4800, 5900]
    assert tablet.errors == []


# -- A network that is slow, loses answers, or is away -------------------------------------------------


@pytest.mark.soak
def test_a_page_that_comes_anew_under_the_finger_loses_no_tap(tablet: Any, shoe: Shoe) -> None:
    """Pressed on the page before and let go on the next one: for a browser that is no click at all."""
    deal = opened(shoe, tablet, 1, 2)
    slow(tablet, 600)
    finger(tablet, "Ts", 0)
    key = tablet.locator('button[data-card="6h"]').bounding_box()
    tablet.mouse.move(key["x"] + key["width"] / 2, key["y"] + key["height"] / 2)
    tablet.mouse.down()
    tablet.wait_for_selector("text=Card for box 2")
    tablet.mouse.up()
    saved(tablet)
    assert taps_of(deal) == ["Ts", "6h"]
    assert tablet.errors == []


@pytest.mark.soak
def test_a_page_that_could_not_look_again_says_so_until_it_could(tablet: Any, shoe: Shoe) -> None:
    tablet.context.set_offline(True)
    expect(tablet.locator("#messages")).to_contain_text("No network", timeout=15_000)
    tablet.context.set_offline(False)
    expect(tablet.locator("#messages")).not_to_contain_text("No network", timeout=15_000)


def tapped_at(page: Any, place: tuple[float, float], at_s: float) -> None:
    """A click at a moment that the browser is told, as a touch screen tells it."""
    session, (x, y) = page.context.new_cdp_session(page), place
    for kind in ("mousePressed", "mouseReleased"):
        said = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1, "timestamp": at_s}
        session.send("Input.dispatchMouseEvent", said)


@pytest.mark.soak
@pytest.mark.parametrize("ms", [600, 0])
def test_a_finger_that_bounces_on_stand_stands_one_box(tablet: Any, shoe: Shoe, ms: int) -> None:
    deal = opened(shoe, tablet, 1, 2)
    keys(tablet, "T s 9 h 6 d 5 c 8 s")
    tablet.wait_for_selector("text=Box 1 to act")
    saved(tablet)
    slow(tablet, ms)
    stand = tablet.get_by_role("button", name="Stand").bounding_box()
    middle = (stand["x"] + stand["width"] / 2, stand["y"] + stand["height"] / 2)
    # However slow this machine is, by their own clock the two taps are 50 ms apart.
    now_s = time.time()
    tapped_at(tablet, middle, now_s)
    tablet.wait_for_selector("text=Box 2 to act")
    tapped_at(tablet, middle, now_s + 0.05)
    tablet.wait_for_timeout(ms + 400)
    saved(tablet)
    tablet.wait_for_selector("text=Box 2 to act")
    assert taps_of(deal)[-1] == "stand:1"
    # Meant, it is another tap.
    tablet.get_by_role("button", name="Stand").click()
    expect(tablet.locator("text=Box 2 to act")).to_have_count(0)
    saved(tablet)
    assert taps_of(deal)[-2:] == ["stand:1", "stand:2"]


def test_T11_the_cut_card_leaves_typed_results_where_they_are(tablet: Any, shoe: Shoe) -> None:
    tablet.get_by_role("link", name="Results").click()
    tablet.wait_for_selector("text=Tap the bet and the result")
    keys(tablet, "4 w 2 l 2 p")
    tablet.locator("summary", has_text="Cut card out").click()
    tablet.locator(".ask[open] [name=reason]").fill("The shuffler broke")
    tablet.get_by_role("button", name="Cut card out").click()
    tablet.wait_for_selector("text=settle hand 1, and the shoe is over")
    assert tablet.locator('input[name="out-1"][value="win"]').is_checked()
    assert tablet.locator('input[name="bet-2"][value="200"]').is_checked()
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.DEALING
    tablet.get_by_role("button", name="Settle hand 1").click()
    expect(tablet.locator("summary", has_text="Cut card out")).to_have_count(0)
    shoe.refresh_from_db()
    assert shoe.status == Shoe.Status.OVER
    assert shoe.deals.get().answer["net"] == {"1": 400, "2": -200, "3": 0}


# Boxes 1 to 3 stand one after the other, 220 ms apart; the dealer turns 19.
STANDS = "Ts 6h 9d 9c 9h Tc Th stand:1 stand:2 stand:3 Td"


def test_T17_what_is_tapped_faster_than_the_network_is_what_arrives(tablet: Any, shoe: Shoe) -> None:
    deal = opened(shoe, tablet)
    slow(tablet, 400)
    finger(tablet, f"{STANDS} settle", 220)
    saved(tablet)
    assert taps_of(deal) == STANDS.split()
    assert deal.status == Deal.Status.SETTLED
    assert deal.answer["net"] == {"1": 0, "2": -200, "3": 0}
    assert tablet.errors == []
