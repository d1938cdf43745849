"""A phone and a screen that are open while the director hides the standings and shows them again."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.cast import floor as cast
from tests.cast.publication import publish
from tournament.services.standings import standings_recompute

pytestmark = [pytest.mark.soak, pytest.mark.browser, pytest.mark.django_db(transaction=True)]


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
