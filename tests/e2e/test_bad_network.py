"""A hand on the worst network at each of the three sizes: what arrives is exactly what was tapped (ADR 24).

The page's clock is the test's own: time passes when the test says so, however slow this machine is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from tables.models import Deal, Shoe
from tests.cast.floor import chips_at
from tests.cast.network import key, saved, tap, taps_of
from tests.cast.tablets import HAND, NETS, opened, settled, tablet_of

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.django_db(transaction=True)]

SIZES = [(820, 1180), (1024, 768), (1180, 820)]
LATENCY_MS, TAP_MS, LOST = 1_000, 220, 5
FIVE_MINUTES_MS = 5 * 60 * 1_000
PASSWORD = "a long word or two"


class Air:
    """The network between a tablet and its table, by the page's own clock, which the test moves.

    A press is carried out by the server at once, and its answer comes ``LATENCY_MS`` later; of the answers
    every fifth is lost. While ``away`` nothing gets out at all.
    """

    def __init__(self, page: Any) -> None:
        self.page, self.now_ms, self.away, self.lost = page, 0, False, 0
        self.sent: list[str] = []
        self.waits: list[tuple[int, Any, Any]] = []
        page.clock.install()
        page.route("**/tables/1/**", self._pass)

    def _pass(self, route: Any) -> None:
        if self.away:
            route.abort("internetdisconnected")
        elif route.request.method == "POST":
            presses = parse_qs(route.request.post_data or "").get("press", [])
            self.sent += [parse_qs(each)["key"][0] for each in presses]
            due_ms, answer = self.now_ms + LATENCY_MS, route.fetch(max_redirects=0)
            self.waits.append((due_ms, route, answer))
        else:
            route.continue_()

    def pass_by(self, ms: int) -> None:
        """Let so much time pass on the tablet; what is due by then comes, or is lost."""
        self.page.clock.run_for(ms)
        self.now_ms += ms
        due = [each for each in self.waits if each[0] <= self.now_ms]
        self.waits = [each for each in self.waits if each[0] > self.now_ms]
        for _at, route, answer in due:
            self.lost += 1
            if self.lost % LOST == 0:
                route.abort("connectionreset")
            else:
                route.fulfill(response=answer)

    def tapped(self, words: str) -> None:
        """Tap these keys, each 220 ms after the one before."""
        for word in words.split():
            self.pass_by(TAP_MS)
            tap(self.page, key(word))

    def until(self, holds: Callable[[], bool]) -> None:
        """Let time pass until this holds."""
        for _second in range(60):
            self.pass_by(LATENCY_MS)
            self.page.wait_for_timeout(50)
            if holds():
                return
        raise AssertionError(f"still waiting: {len(self.sent)} sent, {len(self.waits)} on their way")

    def empty(self) -> None:
        """Let time pass until nothing waits any more."""
        nothing = "!cutlineQueue.line.length && !cutlineQueue.state.stale"
        self.until(lambda: bool(self.page.evaluate(nothing)))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_T17_whatever_the_network_does_what_arrives_is_what_was_tapped(
    page: Any, browser: Any, live_server: Any, shoe: Shoe, width: int, height: int
) -> None:
    air = Air(page)
    tablet = tablet_of(page, live_server, shoe)
    tablet.set_viewport_size({"width": width, "height": height})
    deal, words = opened(shoe, tablet), HAND.split()
    air.tapped(" ".join(words[:5]))
    # Five minutes without a network, in which the clerk goes on, and a reload right after.
    air.away = True
    air.tapped(" ".join(words[5:8]))
    air.pass_by(FIVE_MINUTES_MS)
    expect(tablet.locator("[data-sending]")).to_contain_text("No network")
    air.away = False
    tablet.reload()
    air.tapped(" ".join(words[8:10]))
    air.empty()
    saved(tablet)
    assert taps_of(deal) == words[:10]
    # The log-in runs out: what is tapped waits until the same person is back.
    user = User.objects.get(pk=int(tablet.locator("#table").get_attribute("data-whose").split(".")[0]))
    user.set_password(PASSWORD)
    user.save()
    Session.objects.all().delete()
    air.tapped(" ".join(words[10:12]))
    air.until(tablet.locator("#id_username").is_visible)
    tablet.locator("#id_username").fill(user.username)
    tablet.locator("#id_password").fill(PASSWORD)
    assert taps_of(deal) == words[:10]
    tablet.locator("button", has_text="Log in").click()
    tablet.wait_for_url("**/tables/1/")
    air.tapped(" ".join(words[12:]))
    air.empty()
    saved(tablet)
    assert taps_of(deal) == words
    # A second tablet shows the same hand and settles it; what the first presses then settles nothing more.
    other = tablet_of(browser.new_context().new_page(), live_server, shoe)
    expect(other.locator("#table")).to_have_attribute("data-seen", str(len(words)))
    # The first tablet has not looked again when it presses.
    air.away = True
    tap(other, key("settle"))
    saved(other)
    air.tapped("settle")
    air.away = False
    air.empty()
    expect(tablet.locator("#table")).to_have_attribute("data-number", "2")
    assert Deal.objects.filter(shoe=shoe).count() == 1
    assert settled(deal)
    assert deal.answer["net"] == NETS
    assert [chips_at(shoe.round, box) for box in (1, 2, 3)] == [5200, 5200, 5400]
    assert air.lost >= LOST, "no answer was lost"
    assert len(air.sent) > len(set(air.sent)), "nothing was sent a second time"
    assert tablet.errors == []
    other.context.close()
