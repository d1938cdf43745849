"""What is printed in a rehearsal carries its mark, and can be read and scanned all the same."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser

from tests.cast.browsers import Visitor
from tests.cast.drawn import DESK
from tests.cast.factories import EntryFactory, EventFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# The mark, straight across the code.
ACROSS = """qr => {
    const mark = document.querySelector("body > .rehearsal"), at = qr.getBoundingClientRect();
    Object.assign(mark.style, { transform: "none", textAlign: "left", opacity: 1,
        inset: `${at.top}px auto auto ${at.left - 150}px`, width: "40rem" });
}"""


def test_the_mark_of_a_rehearsal_does_not_cross_the_code_that_is_scanned(
    browser: Browser, live_server: Any
) -> None:
    entry = EntryFactory(event=EventFactory(kind="rehearsal"))
    client = Client()
    client.force_login(UserFactory(roles=["cashier"]))
    at = Visitor(browser, live_server.url, viewport=DESK, reduced_motion="reduce")
    cookie = client.cookies["sessionid"].value
    at.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    at.goto(f"/staff/{entry.event.slug}/entries/{entry.code}/receipt/")
    at.page.emulate_media(media="print")
    code, card = at.page.locator(".qr"), at.page.locator(".seatcard")
    before, around = code.screenshot(), card.screenshot()
    code.evaluate(ACROSS)
    assert card.screenshot() != around, "the mark lies on the card"
    assert code.screenshot() == before, "and not on the code"
    at.context.close()
