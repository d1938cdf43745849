"""The line of taps where two forms of a kind, a page that fails or a page under the finger come between."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from pages.dealer.views import table as view
from tables.models import Shoe
from tests.cast.network import finger, saved, taps_of, waited_for
from tests.cast.tablets import opened

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.django_db(transaction=True)]


def test_a_tap_after_a_page_that_failed_waits_for_the_page(
    tablet: Any, shoe: Shoe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card is saved and its page fails: what is tapped next is made from the count as it is."""
    deal, screen, fails, looks = opened(shoe, tablet), view.screen, [True], list[Any]()

    def fails_once(*given: Any) -> Any:
        if fails and taps_of(deal):
            fails.clear()
            raise RuntimeError("a fault of our own")
        return screen(*given)

    def hold(route: Any) -> None:
        if route.request.method == "GET" and "since=" not in route.request.url and not looks:
            looks.append(route)
        else:
            route.continue_()

    tablet.route("**/tables/1/**", hold)
    monkeypatch.setattr(view, "screen", fails_once)
    finger(tablet, "Ts", 0)
    waited_for(looks, tablet)
    assert taps_of(deal) == ["Ts"]
    finger(tablet, "9c", 300)
    tablet.wait_for_timeout(300)
    looks[0].continue_()
    saved(tablet)
    expect(tablet.locator("#not-saved")).to_have_text("")
    assert taps_of(deal) == ["Ts", "9c"]
    assert tablet.errors == []
