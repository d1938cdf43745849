"""How many taps a hand takes, on the page itself and with a finger alone; `bench/taps.md` has the figures.

And that nothing scrolls and no key moves while it is entered, on a tablet held either way.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tables.models import Deal, Shoe
from tests.cast import floor as cast
from tests.cast import taps
from tests.cast.at_tables import logged_in, url
from tests.cast.floor import seated, shoe_of

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.django_db(transaction=True)]

TABLETS = [(820, 1180), (1180, 820), (1024, 768)]


@pytest.fixture
def shoe(transactional_db: None) -> Shoe:
    return shoe_of(seated(7))


@pytest.fixture
def finger(page: Any, live_server: Any, shoe: Shoe) -> taps.Finger:
    """A finger on the tablet of that table."""
    session = logged_in("director").cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.set_viewport_size({"width": 820, "height": 1180})
    page.goto(live_server.url + url(shoe))
    return taps.Finger(page)


def last_hand(finger: taps.Finger, shoe: Shoe, mode: str) -> None:
    """A hand of all seven before, 400 each, whose bets are the same again."""
    cast.hand(shoe, dict.fromkeys(taps.SEVEN, 400), **{f"b{box}": "push" for box in taps.SEVEN})
    finger.page.goto(f"{finger.page.url}?mode={mode}")


def by_cards(finger: taps.Finger, seconds: list[str], acts: list[str], number: int) -> None:
    """A whole hand from its first card to the next hand's bets."""
    for code in [*taps.FIRST_CARDS, *seconds]:
        finger.card(code)
    for act in acts:
        finger.decide(act) if ":" in act else finger.card(act)
    for code in taps.DEALER:
        finger.card(code)
    finger.settle(number)


def nets() -> dict[str, int]:
    """Box → net chips of the newest hand."""
    answer = Deal.objects.order_by("number").last().answer
    return {box: int(net) for box, net in answer["net"].items()}


def test_seven_boxes_by_cards_with_a_split_and_a_double_take_33_taps(finger: taps.Finger, shoe: Shoe) -> None:
    last_hand(finger, shoe, "cards")
    by_cards(finger, taps.SECOND_CARDS, taps.SPLIT_AND_DOUBLE, 2)
    assert finger.taps <= 33
    assert nets() == {"1": -400, "2": -800, "3": -800, "4": -400, "5": -400, "6": -400, "7": -400}


def test_seven_bets_and_an_ordinary_hand_by_cards_take_33_taps_and_26_with_the_same_bets(
    finger: taps.Finger, shoe: Shoe
) -> None:
    for _box in taps.SEVEN:
        finger.bet(400)
    by_cards(finger, taps.ORDINARY_SECOND, taps.ORDINARY, 1)
    assert finger.taps <= 33
    assert nets() == dict.fromkeys("1234567", -400)
    # The last bets are chosen in every box, and a tap on a chosen chip goes on too.
    first = int(finger.page.locator(".at:checked").get_attribute("value") or 0)
    finger.bet(400)
    expect(finger.page.locator(f"#at-{first % 7 + 1}")).to_be_checked()
    finger.taps = 0
    by_cards(finger, taps.ORDINARY_SECOND, taps.ORDINARY, 2)
    assert finger.taps <= 26


def test_by_results_a_hand_takes_9_taps_and_2_where_the_dealer_busts(finger: taps.Finger, shoe: Shoe) -> None:
    last_hand(finger, shoe, "results")
    expect(finger.page.locator("text=Tap the bet and the result")).to_be_visible()
    pills = finger.page.locator(".box [data-out]")
    expect(pills).to_have_text(["Push"] * 7)
    for word in ("win", "lose", "lose", "push", "natural", "lose", "win"):
        finger.result(word)
        # The results of the last hand are gone with the first one of this hand.
        expect(pills.last).to_have_text("" if finger.taps < 7 else "Win")
    finger.settle(2)
    assert finger.taps <= 9
    assert nets() == {"1": 400, "2": -400, "3": -400, "4": 0, "5": 600, "6": -400, "7": 400}
    for number, key, each in ((3, "win", 400), (4, "lose", -400), (5, "push", 0)):
        finger.taps = 0
        finger.tap(f'[data-rest="{key}"]')
        finger.settle(number)
        assert finger.taps == 2
        assert nets() == dict.fromkeys("1234567", each)


# -- Nothing moves under the finger --------------------------------------------------------------------


def keys_of(page: Any) -> dict[str, tuple[int, ...]]:
    """Where each card lies, and the key that ends the bets or the hand."""
    script = """() => [...document.querySelectorAll(".cardkey, .pad-go .btn")].map(key => {
        const at = key.getBoundingClientRect();
        return [key.value || "go", [at.left, at.top, at.width, at.height].map(Math.round)];
    })"""
    return {name: tuple(place) for name, place in page.evaluate(script)}


KEYS = (".cardkey", ".pad-acts > .btn", ".pad-go .btn")
# Of each selector the places of what is visible, all read at once: nothing can move in between.
SEEN = """selectors => selectors.map(selector => [selector, [...document.querySelectorAll(selector)]
    .map(node => [node.getBoundingClientRect(), getComputedStyle(node).visibility])
    .filter(([at, visibility]) => at.width > 0 && at.height > 0 && visibility === "visible")
    .map(([at]) => [at.left, at.top, at.width, at.height])])"""


def in_view(page: Any, step: str) -> None:
    """Nothing scrolls, and what a clerk looks for or taps is there, whole, and large enough."""
    size = page.viewport_size
    script = "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert page.evaluate(script) == [size["width"], size["height"]], step
    for selector, places in page.evaluate(SEEN, [".box", ".wanted h2", ".dealer .card", *KEYS]):
        for left, top, wide, high in places:
            assert left >= 0 and left + wide <= size["width"] + 1, (step, selector)
            assert top >= 0 and top + high <= size["height"] + 1, (step, selector)
            if selector in KEYS:
                assert wide >= 44 and high >= 44, (step, selector, wide, high)


@pytest.mark.parametrize(("width", "height"), TABLETS)
def test_nothing_scrolls_and_no_key_moves_while_a_hand_is_entered(
    finger: taps.Finger, shoe: Shoe, width: int, height: int
) -> None:
    page = finger.page
    page.set_viewport_size({"width": width, "height": height})
    in_view(page, "bets")
    places = keys_of(page)
    for _box in taps.SEVEN:
        finger.bet(400)
    ace = ["Ts", "8s", "6h", "9c", "Jd", "5c", "Kc", "Ad", "9d", "Ts", "5h", "7s", "As", "7d", "8h"]
    for code in ace:
        finger.card(code)
        in_view(page, code) if code in ("Ts", "Ad") else None
        assert keys_of(page) == places or code == ace[-1]
    expect(page.locator("text=Insurance is open").first).to_be_visible()
    rows = [row.bounding_box() for row in page.locator(".offer").all()]
    for taken in ("insurance:3:200", "even_money:5"):
        finger.tap(f'[name="tap"][value="{taken}"]')
        expect(page.locator(f'[name="tap"][value="{taken}"]')).to_have_count(0)
        in_view(page, taken)
        assert [row.bounding_box() for row in page.locator(".offer").all()] == rows
    finger.tap('[value="close_insurance"]')
    in_view(page, "look")
    finger.tap('[value="look:no"]')
    for act in ("stand:1", "stand:2", "double:3", "9s", *(a for a in taps.ORDINARY[3:] if a != "stand:5")):
        finger.decide(act) if ":" in act else finger.card(act)
        in_view(page, act)
        assert keys_of(page) == places, act
    for code in ("5d", "5s"):
        finger.card(code)
    in_view(page, "done")
    finger.settle(1)
    in_view(page, "settled")
    assert keys_of(page) == places
    finger.tap('a:has-text("Results")')
    expect(page.locator("text=Tap the bet and the result")).to_be_visible()
    in_view(page, "results")
    finger.tap('.at:checked + .result label:has([value="split"])')
    for hand in page.locator(".at:checked + .result .split-detail select").all():
        at, frame = hand.bounding_box(), page.locator(".pad-cards").bounding_box()
        assert at["y"] >= frame["y"] and at["y"] + at["height"] <= frame["y"] + frame["height"] + 1
        assert at["height"] >= 44
    box = page.locator(".at:checked + .result .seg-wrap").bounding_box()
    assert box["y"] + box["height"] <= height
