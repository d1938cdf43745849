"""What a phone and a screen follow by themselves: the clock, by the server's time, and hidden standings."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.cast import floor as cast
from tests.cast.browsers import Visitor
from tests.cast.clock import change, ends, start
from tests.cast.factories import EventFactory
from tests.cast.publication import publish
from tournament.models import Event, EventClock
from tournament.selectors.desk import database_now
from tournament.services.clocks import clock_pause, clock_stop
from tournament.services.standings import standings_recompute

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.django_db(transaction=True)]
WRONG_BY = 3 * 60 * 60 * 1000
PHONE_IS_WRONG = f"(() => {{ const right = Date.now; Date.now = () => right.call(Date) + {WRONG_BY}; }})()"
CLOCK = "[data-clock-place] [data-clock-kind]"


@pytest.fixture
def event() -> Event:
    made = EventFactory()
    standings_recompute(event_id=made.pk)
    return made


@pytest.fixture
def phone(browser: Browser, live_server: Any) -> Iterator[Visitor]:
    """A phone whose clock is three hours fast."""
    # What a test answers in place of the server has to reach the page, so no worker stands between them.
    made = Visitor(browser, live_server.url, viewport={"width": 390, "height": 844}, service_workers="block")
    made.context.add_init_script(PHONE_IS_WRONG)
    yield made
    assert made.errors == []
    made.context.close()


def seconds_shown(phone: Visitor) -> int:
    minutes, seconds = phone.page.locator(f"{CLOCK} [data-clock-left]").inner_text().split(":")
    return int(minutes) * 60 + int(seconds)


def seconds_left() -> float:
    return (EventClock.objects.get().ends_at - database_now()).total_seconds()


def test_a_phone_with_a_wrong_clock_counts_right_and_follows(event: Event, phone: Visitor) -> None:
    clock = phone.page.locator(CLOCK)
    phone.goto(f"/e/{event.slug}/")
    expect(clock).to_have_count(0)
    start(event)
    expect(clock).to_have_attribute("data-state", "running")
    # What is shown lies between what was left before and after it was read; a second for the way.
    before = seconds_left()
    shown = seconds_shown(phone)
    assert seconds_left() <= shown <= before + 2
    expect(phone.page.locator(f"{CLOCK} [data-clock-left]")).not_to_have_text(
        f"{shown // 60}:{shown % 60:02}"
    )
    change(clock_pause, event)
    expect(clock).to_have_attribute("data-state", "paused")
    assert seconds_shown(phone) == EventClock.objects.get().left_seconds
    change(clock_stop, event)
    expect(clock).to_have_count(0)


def test_the_phone_says_by_itself_that_the_time_is_up(event: Event, phone: Visitor) -> None:
    start(event)
    ends(event, timedelta(seconds=4))
    # No poll helps: each says that nothing has changed.
    phone.page.route("**/standings", lambda route: route.fulfill(status=304))
    phone.goto(f"/e/{event.slug}/")
    clock = phone.page.locator(CLOCK)
    expect(clock).to_have_attribute("data-state", "up")
    assert EventClock.objects.get().ends_at <= database_now()
    expect(clock.locator(".clock-up")).to_be_visible()
    expect(clock.locator(".clock-count")).to_be_hidden()


def test_no_figure_stays_on_an_open_phone_its_card_or_a_screen(page: Page, live_server: Any) -> None:
    event = cast.seated(4).event
    standings_recompute(event_id=event.pk)
    screen = page.context.new_page()
    page.goto(f"{live_server.url}/e/{event.slug}/?you=E003")
    screen.goto(f"{live_server.url}/e/{event.slug}/tv/")
    card, stack = page.locator("[data-you]"), page.locator("[data-you] [data-slot=stack]")
    expect(stack).to_have_text("5,000")
    expect(screen.locator('[data-stack="5000"]').first).to_be_attached()
    publish(event, "hidden")
    for each in (page, screen):
        expect(each.locator("[data-publication=hidden]").first).to_be_attached()
    expect(stack).not_to_have_text("5,000")
    expect(card.locator("[data-slot=where]")).to_contain_text("box")
    assert "5,000" not in page.content() and "5,000" not in screen.content()
    publish(event, "live")
    expect(stack).to_have_text("5,000")
    expect(screen.locator('[data-stack="5000"]').first).to_be_attached()
