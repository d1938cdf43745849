"""A slow network between a tablet and the server, and a finger."""

from __future__ import annotations

import re
import time
from typing import Any

from playwright.sync_api import TimeoutError, expect

from tables.models import Deal
from tests.cast.taps import BOUNCE_MS


def slow(page: Any, ms: int) -> None:
    """From now on every answer takes so long, in the browser itself: the finger goes on meanwhile."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    limits = {"offline": False, "latency": ms, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", limits)


def finger(page: Any, script: str, every_ms: int) -> None:
    """Tap keys at a pace of their own: ``8h`` a card, ``stand:2`` a decision, ``settle``, ``undo``.

    The page itself must offer each by then, enabled, whatever is still on its way. The taps are the browser's
    own.
    Two decisions one after the other take the time in which a finger that bounces is heard as one.
    """
    decided = False
    for word in script.split():
        decides = ":" in word
        page.wait_for_timeout(max(BOUNCE_MS, every_ms) if decides and decided else every_ms)
        tap(page, key(word))
        decided = decides or word == "close_insurance"


# A page that came anew puts another key in the place of the one that was found: a finger does not mind, where
# a click on an element is kept from it or told as gone.
_SPOT = """selector => {
    const key = document.querySelector(selector);
    key?.scrollIntoView({ block: "nearest" });
    const { x, y, width, height } = key?.getBoundingClientRect() || {};
    return width ? [x + width / 2, y + height / 2] : null;
}"""


def tap(page: Any, selector: str, within_ms: int = 10_000) -> None:
    """Tap where this key lies by now, as a finger does: whatever lies there when it comes down is tapped."""
    try:
        spot = page.wait_for_function(_SPOT, arg=selector, timeout=within_ms).json_value()
    except TimeoutError as late:
        raise AssertionError(f"{selector} is not offered: {_told(page)}") from late
    page.mouse.click(*spot)


def _told(page: Any) -> str:
    """Return the page's messages and its waiting taps, for the report of a failed test."""
    said = [page.locator(place).inner_text() for place in (".wanted", "[data-sending]", "#not-saved")]
    return f"{said}; {page.evaluate('JSON.stringify([cutlineQueue.line, cutlineQueue.state])')}"


def key(word: str) -> str:
    if word in ("settle", "undo"):
        button = f'[data-do="{word}"], form:has([name="do"][value="{word}"]) button'
        return f":is({button}):not(:disabled, [aria-disabled])"
    if len(word) == 2:
        return f'button[data-card="{word}"]:not([aria-disabled])'
    return f':is([data-tap="{word}"], [name="tap"][value="{word}"]):not(:disabled, [aria-disabled])'


def saved(page: Any) -> None:
    """The line above the page says that nothing waits any more."""
    expect(page.locator("[data-sending]")).to_have_text(re.compile("^Saved"), timeout=20_000)


def waited_for(held: list[Any], page: Any) -> None:
    """Something is in this list, put there as a request passed by; one that never came is told as that."""
    until = time.monotonic() + 20
    while not held and time.monotonic() < until:
        page.wait_for_timeout(20)
    assert held, f"nothing was sent: {_told(page)}"


def page_there(page: Any) -> None:
    """Wait until the server's page has replaced what the script drew ahead."""
    page.wait_for_function(
        "() => !cutlineQueue.state.stale && !cutlineQueue.state.dropped && !cutlineQueue.state.busy"
    )
    page.wait_for_function("() => performance.now() - cutlineQueue.state.backAt > 700")


def taps_of(deal: Deal) -> list[str]:
    """What the database holds of a hand, tap by tap, in the words of ``finger``."""
    deal.refresh_from_db()
    return ["undo" if tap.get("undo") else _word(tap["op"]) for tap in deal.taps]


def _word(op: dict[str, Any]) -> str:
    if op["op"] == "looked":
        return f"look:{'yes' if op['natural'] else 'no'}"
    if op["op"] == "insurance_closed":
        return "close_insurance"
    amount = f":{op['amount']}" if "amount" in op else ""
    return op.get("card") or f"{op['action']}:{op['seat']}{amount}"
