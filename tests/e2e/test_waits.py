"""What waits on the tablet for minutes, over a turn and a way back, and links that are pressed meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tables.models import Shoe
from tests.cast.network import finger, saved, taps_of
from tests.cast.tablets import HAND, opened, settled, tablet_of

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", ["pending", "whynot"])
def test_where_a_script_did_not_come_each_tap_waits_for_its_answer_and_none_is_lost(
    page: Any, live_server: Any, shoe: Shoe, script: str
) -> None:
    page.route(f"**/{script}*.js", lambda route: route.abort())
    tablet = tablet_of(page, live_server, shoe)
    deal = opened(shoe, tablet)
    finger(tablet, f"{HAND} settle", 100)
    saved(tablet)
    assert taps_of(deal) == HAND.split()
    assert settled(deal)
    assert tablet.errors == []


def test_a_link_pressed_while_taps_wait_says_so_and_opens_once_they_are_saved(
    tablet: Any, shoe: Shoe
) -> None:
    deal = opened(shoe, tablet)
    later, hands = tablet.locator("#opens-later"), tablet.locator('a:has-text("Hands of this table")')
    tablet.context.set_offline(True)
    finger(tablet, "Ts 6h", 40)
    tablet.locator("summary", has_text="More").click()
    hands.click()
    said = "“Hands of this table” opens by itself once all that was tapped is saved."
    expect(later).to_have_text(said)
    # A further tap is meant for this page, and the link no more.
    finger(tablet, "5d", 0)
    expect(later).to_have_text("")
    hands.click()
    expect(later).to_have_text(said)
    assert tablet.url.endswith("/tables/1/")
    tablet.context.set_offline(False)
    tablet.wait_for_url("**/deals/?table=1", timeout=15_000)
    assert taps_of(deal) == ["Ts", "6h", "5d"]
    # With nothing that waits a link is a link.
    tablet.go_back()
    tablet.locator("summary", has_text="More").click()
    hands.click()
    tablet.wait_for_url("**/deals/?table=1")
    assert tablet.errors == []
