"""The table's page in a real browser: a whole hand by keyboard, one by results, another clerk's tap."""

from __future__ import annotations

from typing import Any

import pytest

from tables.models import Deal, Shoe
from tables.services import play
from tests.tables.cast import chips_at, person, seated, shoe_of
from tests.tables.pages import logged_in, url

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def shoe(transactional_db: None) -> Shoe:
    """A table of three, seated."""
    return shoe_of(seated(3))


@pytest.fixture
def tablet(page: Any, live_server: Any, shoe: Shoe) -> Any:
    """The table's page on a tablet in landscape, a director logged in."""
    client = logged_in("director")
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.set_viewport_size({"width": 1180, "height": 820})
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.goto(live_server.url + url(shoe))
    return page


def keys(page: Any, typed: str) -> None:
    """Press key after key, faster than any answer comes."""
    for key in typed.split():
        page.keyboard.press(key)


def test_a_whole_hand_is_entered_by_keyboard_faster_than_the_network(tablet: Any, shoe: Shoe) -> None:
    keys(tablet, "4 2 1 Enter")
    tablet.wait_for_selector("text=Card for box 1")
    keys(tablet, "9 s K d 5 d T d 9 h Q h 6 s")
    tablet.wait_for_selector("text=Look under the card")
    keys(tablet, "n")
    tablet.wait_for_selector("text=Box 1 to act")
    keys(tablet, "s s d 9 d")
    tablet.wait_for_selector("text=Turn the hole card")
    keys(tablet, "Backspace")
    tablet.wait_for_selector("text=Card for box 3")
    keys(tablet, "9 d 7 d")
    tablet.wait_for_selector("text=Hand 1 is finished")
    keys(tablet, "Enter")
    tablet.wait_for_selector("text=Same bets again")
    assert [chips_at(shoe.round, box) for box in (1, 2, 3)] == [5400, 5200, 7000]
    assert tablet.errors == []


def test_results_are_entered_by_keyboard_and_shown_before_they_are_settled(tablet: Any, shoe: Shoe) -> None:
    tablet.get_by_role("link", name="Results").click()
    tablet.wait_for_selector("text=Tap the bet and what came of it")
    keys(tablet, "4 w 2 l 6 b")
    tablet.wait_for_selector("#nets >> text=+900")
    keys(tablet, "Enter")
    tablet.wait_for_selector("text=hand 2")
    assert [chips_at(shoe.round, box) for box in (1, 2, 3)] == [5400, 4800, 5900]
    assert tablet.errors == []


def test_another_clerks_tap_is_told_and_what_was_typed_stays(tablet: Any, shoe: Shoe) -> None:
    other = person("floor")
    opened = play.deal_open(shoe_id=shoe.pk, bets={1: 200, 2: 200}, actor=other)
    # The page looks again by itself.
    tablet.wait_for_selector("text=Card for box 1")
    keys(tablet, "K")
    play.deal_tap(deal_id=opened["deal"], seen=0, nonce="other", op={"op": "card", "card": "2c"})
    keys(tablet, "h")
    tablet.wait_for_selector("text=In the meantime: card 2c")
    assert tablet.locator('input[name="rank"][value="K"]').is_checked()
    keys(tablet, "h")
    tablet.wait_for_selector("text=Card for the dealer")
    assert len(Deal.objects.get().taps) == 2
