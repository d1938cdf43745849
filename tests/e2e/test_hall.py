"""A screen in the hall in a real browser: a hand comes to it, the network goes, a server restarts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tables.models import Seat
from tables.selectors.table_view import table_view
from tests.cast.factories import round_seat
from tests.cast.floor import by_results, result, seated, shoe_of
from tests.cast.playing import event_with, win
from tests.cast.tablets import tablet_of
from tournament.models import Event, Round
from tournament.services.standings import standings_recompute

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def playing(entrants: int) -> tuple[Event, Round]:
    event = event_with(entrants, cut_after_round_1=3, cut_after_round_2=2)
    round_ = round_seat(event)
    win(round_, E001=1_000)
    standings_recompute(event_id=event.pk)
    return event, round_


def shown(page: Page) -> Any:
    return page.locator(".tv-slide:visible")


def stack(page: Page, chips: int) -> Any:
    return page.locator(f'.tv-slide:visible [data-entry="E001"][data-stack="{chips}"]')


def slide_paused(hall: Page, code: str) -> None:
    """Turn the slides to the one with this entry and stop there: only the keys turn them from here on."""
    expect(shown(hall)).to_have_count(1)
    hall.keyboard.press(" ")
    expect(hall.locator("[data-tv=pause]")).to_have_attribute("aria-pressed", "true")
    before = shown(hall).get_attribute("data-slide")
    hall.keyboard.press("ArrowRight")
    expect(shown(hall)).not_to_have_attribute("data-slide", str(before))
    hall.keyboard.press("ArrowLeft")
    expect(shown(hall)).to_have_attribute("data-slide", str(before))
    while hall.locator(f'.tv-slide:visible [data-entry="{code}"]').count() == 0:
        hall.keyboard.press("ArrowRight")


def test_a_hand_settled_at_the_table_comes_to_phone_and_hall_without_a_reload(
    page: Page, browser: Browser, live_server: Any
) -> None:
    round_ = seated(17)
    shoe = shoe_of(round_)
    seat = Seat.objects.filter(round=round_, table=shoe.table).select_related("entry").order_by("box")[0]
    boxes = [row.box for row in table_view(shoe.table, round_).occupied]
    push = dict.fromkeys(boxes, result("push"))
    by_results(shoe, dict.fromkeys(boxes, 200), push)
    standings_recompute(event_id=round_.event_id)
    code, address = seat.entry.code, f"{live_server.url}/e/{round_.event.slug}/"
    context = browser.new_context()
    phone, hall = context.new_page(), context.new_page()
    phone.goto(f"{address}?you={code}")
    row = phone.locator(f'.standings .is-you[data-entry="{code}"]')
    expect(row).to_have_attribute("data-stack", "5,000")
    hall.goto(f"{address}tv/")
    slide_paused(hall, code)
    at_hall = hall.locator(f'.tv-slide:visible [data-entry="{code}"]')
    expect(at_hall).to_have_attribute("data-stack", "5000")
    for each in (phone, hall):
        each.evaluate("window.same = true")
    tablet = tablet_of(page, live_server, shoe)
    tablet.locator('[data-rest="win"]').click()
    tablet.get_by_role("button", name="Settle hand 2", exact=True).click()
    expect(tablet.locator("#table")).to_have_attribute("data-number", "3")
    expect(row).to_have_attribute("data-stack", "5,200")
    expect(phone.locator('[data-you] [data-slot="stack"]')).to_have_text("5,200")
    expect(at_hall).to_have_attribute("data-stack", "5200")
    assert phone.evaluate("window.same") and hall.evaluate("window.same")
    assert tablet.errors == []  # type: ignore[attr-defined]  # set by tablet_of
    context.close()


@pytest.mark.soak
def test_without_network_the_last_picture_stays_and_says_so_and_it_goes_on_by_itself(
    page: Page, live_server: Any
) -> None:
    event, round_ = playing(17)
    page.goto(f"{live_server.url}/e/{event.slug}/tv/")
    expect(stack(page, 6_000)).to_have_count(1)
    page.context.set_offline(True)
    network = page.locator("[data-network]")
    expect(network).to_have_class(re.compile("is-away"))
    assert len(re.findall(r"\d\d:\d\d", network.inner_text())) == 2
    # The slides go on turning.
    page.keyboard.press("ArrowRight")
    expect(shown(page)).to_have_attribute("data-slide", "standings-1-2")
    page.keyboard.press("ArrowRight")
    expect(stack(page, 6_000)).to_have_count(1)
    win(round_, E001=400)
    standings_recompute(event_id=event.pk)
    page.context.set_offline(False)
    expect(network).not_to_have_class(re.compile("is-away"))
    expect(stack(page, 6_400)).to_have_count(1)
