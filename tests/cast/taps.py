"""Hands as a clerk enters them with a finger alone, each tap counted: the hands of ``bench/taps.md``."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import expect

BOUNCE_MS = 110
"""Faster than this a second tap on the same key is a finger that bounced, and counts for nothing."""

SEVEN = tuple(range(1, 8))

# Seven boxes: the cards in the order of the deal, then what each does, a decision or the card that it takes.
FIRST_CARDS = ["Ts", "8s", "6h", "9c", "Jd", "5c", "Kc", "6d"]
SECOND_CARDS = ["9d", "8d", "5h", "7s", "Qh", "7d", "8h"]
SPLIT_AND_DOUBLE = [
    *("stand:1", "split:2", "Th", "stand:2", "9h", "stand:2", "double:3", "9s"),
    *("hit:4", "2c", "stand:4", "stand:5", "hit:6", "Kh", "stand:7"),
]
ORDINARY_SECOND = ["9d", "Ts", "4h", "7s", "Qh", "7d", "8h"]
ORDINARY = ["stand:1", "stand:2", "stand:3", "hit:4", "2c", "stand:4", "stand:5", "hit:6", "Kh", "stand:7"]
DEALER = ["Tc", "5s"]


class Finger:
    """A finger on a tablet: every tap is at the place where the key lies, and is counted."""

    def __init__(self, page: Any) -> None:
        self.page, self.taps, self.tapped = page, 0, 0.0

    def tap(self, selector: str) -> None:
        """One tap on the first control of this selector, once it can be tapped and is no bounce."""
        passed_ms = (time.monotonic() - self.tapped) * 1000
        if passed_ms < BOUNCE_MS:
            self.page.wait_for_timeout(BOUNCE_MS - passed_ms)
        self.page.locator(selector).first.click()
        self.tapped = time.monotonic()
        self.taps += 1
        expect(self.page.locator("[data-sending]")).not_to_contain_text("Sending")

    def card(self, code: str) -> None:
        self.tap(f'button[data-card="{code}"]:not([aria-disabled])')

    def decide(self, value: str) -> None:
        """The key of a decision; a hit is its card."""
        if not value.startswith("hit:"):
            self.tap(f'button[name="tap"][value="{value}"]:not([aria-disabled])')

    def bet(self, chips: int) -> None:
        self.tap(f'.at:checked + .betrow label:has([value="{chips}"])')

    def result(self, value: str) -> None:
        self.tap(f'.at:checked + .result label:has([value="{value}"])')

    def settle(self, number: int) -> None:
        """The key that settles the hand; the next one lies open then."""
        self.tap(f'button:has-text("Settle hand {number}"):not([aria-disabled])')
        expect(self.page.locator(f"text=hand {number + 1} ·").first).to_be_visible()
