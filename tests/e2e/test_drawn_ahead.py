"""What the page draws of taps that are not saved yet is what the server draws, in words and in place."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tables.models import Shoe
from tests.cast.network import finger, saved
from tests.cast.tablets import opened, tablet_of

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.django_db(transaction=True)]

# Insurance for one box, a natural, a split with a double and an undo, a bust, the dealer's cards.
ACE = (
    "Ts 8h Kd Ac 9d 8c Ad insurance:1:100 close_insurance look:no stand:1 split:2 3c undo 2c double:2 Kh Jd"
    " stand:2 9c"
)
TEN = "5s 6h Kd Tc 9d 5c 2s look:no hit:1 9s double:2 Tc surrender:3 7d"
BUSTS = "5s 6h Kd 9c 9d Ac 2s hit:1 9s stand:2 Kh Ks"
SIZES = [(820, 1180), (1180, 820), (1024, 768)]

DRAWN = """() => {
    const words = each => each.innerText.replace(/\\s+/g, " ").trim();
    const found = selector => [...document.querySelectorAll(`#table ${selector}`)];
    const all = (selector, told) => found(selector).filter(each => each.checkVisibility()).map(told);
    const place = each => {
        const at = each.getBoundingClientRect();
        return [at.x, at.y, at.width, at.height].map(Math.round).join();
    };
    const said = (...parts) => parts.join(" | ");
    const label = each => each.getAttribute("aria-label");
    const cards = each => [...each.querySelectorAll(".card")].map(label).join(", ");
    // A key that says why is as grey as one that is disabled.
    const off = each => each.matches(':disabled, [aria-disabled="true"]');
    const acts = each => each.classList.contains("is-act");
    // What each box has won is the server's to say.
    const done = document.querySelector("#table .pad-go button:not([aria-disabled])");
    const box = each => said(cards(each), acts(each), ...done ? [] : [words(each), place(each)]);
    return {
        wanted: all(".wanted", words),
        acts: all(".pad-acts > .btn", e => said(off(e) || e.value || e.dataset.tap, words(e), place(e))),
        pad: all(".cardkey", e => said(e.value, off(e), place(e))),
        offers: all(".offer", each => [...each.children].map(words).join(" ")),
        boxes: all(".box", box),
        dealer: all(".dealer", e => said(words(e), cards(e), place(e))),
        go: all(".pad-go button", e => said(words(e), off(e), place(e))),
        why: found("#why-card, #why-settle").map(e => e.textContent),
        bar: all(".tablebar > :not(.sending)", place),
        first: all(".pad-foot > :first-child", words),
        scroll: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
    };
}"""


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("hand", [ACE, TEN, BUSTS])
def test_what_is_drawn_ahead_is_what_the_answer_draws(
    page: Any, live_server: Any, shoe: Shoe, hand: str, width: int, height: int
) -> None:
    tablet = tablet_of(page, live_server, shoe)
    tablet.set_viewport_size({"width": width, "height": height})
    opened(shoe, tablet)
    for word in hand.split():
        tablet.context.set_offline(True)
        finger(tablet, word, 260 if ":" in word else 0)
        expect(tablet.locator("[data-sending]")).to_have_text("No network, 1 waiting")
        ahead = tablet.evaluate(DRAWN)
        tablet.context.set_offline(False)
        saved(tablet)
        answered = tablet.evaluate(DRAWN)
        for part, drawn in answered.items():
            assert ahead[part] == drawn, (word, part)
