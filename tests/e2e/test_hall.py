"""A screen in the hall in a real browser: slides turn, the network goes and comes back, a server restarts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.cast.factories import round_seat
from tests.cast.playing import event_with, win
from tests.cast.serving import Server
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


def test_one_slide_is_shown_at_a_time_and_a_change_comes_without_a_reload(
    page: Page, live_server: Any
) -> None:
    event, round_ = playing(17)
    page.goto(f"{live_server.url}/e/{event.slug}/tv/")
    expect(shown(page)).to_have_count(1)
    # Only the keys turn the slides, however long the machine takes.
    page.keyboard.press(" ")
    expect(page.locator("[data-tv=pause]")).to_have_attribute("aria-pressed", "true")
    before = shown(page).get_attribute("data-slide")
    page.keyboard.press("ArrowRight")
    expect(shown(page)).not_to_have_attribute("data-slide", str(before))
    page.keyboard.press("ArrowLeft")
    expect(shown(page)).to_have_attribute("data-slide", str(before))
    while stack(page, 6_000).count() == 0:
        page.keyboard.press("ArrowRight")
    expect(stack(page, 6_000)).to_have_count(1)
    page.evaluate("window.same = true")
    win(round_, E001=400)
    standings_recompute(event_id=event.pk)
    expect(stack(page, 6_400)).to_have_count(1)
    assert page.evaluate("window.same")


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


@pytest.mark.soak
def test_a_screen_outlives_a_restart_of_the_server(page: Page, tmp_path: Path, settings: Any) -> None:
    event, round_ = playing(5)
    first = Server(log=tmp_path / "first.log", SECRET_KEY=settings.SECRET_KEY)
    address = f"http://127.0.0.1:{first.port}/e/{event.slug}/tv/"
    page.goto(address)
    expect(stack(page, 6_000)).to_have_count(1)
    first.stop()
    expect(page.locator("[data-network]")).to_have_class(re.compile("is-away"))
    expect(stack(page, 6_000)).to_have_count(1)
    win(round_, E001=400)
    standings_recompute(event_id=event.pk)
    second = Server(log=tmp_path / "second.log", port=first.port, SECRET_KEY=settings.SECRET_KEY)
    try:
        expect(stack(page, 6_400)).to_have_count(1)
    finally:
        second.stop()
