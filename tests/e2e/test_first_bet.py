"""Before the first bet at the table: who has been seen, and the question whether seating closes (T6)."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tables.models import Deal, Shoe
from tests.cast.floor import draw_and_seat, event_make, shoe_of
from tests.cast.network import page_there, saved
from tests.cast.tablets import go, tablet_of

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.django_db(transaction=True)]

ASKED = '[data-code="seating_closes"]'


@pytest.fixture
def tablet(page: Any, live_server: Any, transactional_db: None) -> Any:
    """A table of seven, seated; two alternates wait."""
    made = shoe_of(draw_and_seat(event_make(9, tables_count=1, boxes_per_table=7)))
    Shoe.objects.filter(pk=made.pk).update(button_box=1)
    return tablet_of(page, live_server, made)


def bet(tablet: Any) -> None:
    for _box in range(7):
        tablet.locator('.at:checked + .betrow label:has([value="200"])').click()


def test_T6_the_first_bets_are_asked_about_once_and_called_by_the_button(tablet: Any) -> None:
    tablet.locator('[name="seen"]').nth(1).check()
    tablet.locator(".unseen form button:not([name])").first.click()
    saved(tablet)
    expect(tablet.locator("[data-unseen]")).to_have_count(6)
    bet(tablet)
    go(tablet)
    expect(tablet.locator(ASKED)).to_be_visible()
    # The question stands where the press was: it is told once, and the bets are kept.
    expect(tablet.locator("#not-saved")).to_be_empty()
    expect(tablet.locator('[name^="bet-"]:checked')).to_have_count(7)
    page_there(tablet)
    go(tablet)
    expect(tablet.locator(".wanted .eyebrow")).to_have_text("Card for box 1")
    assert Deal.objects.get().bets == {str(box): 200 for box in range(1, 8)}
    expect(tablet.locator("#not-saved")).to_be_empty()
    assert tablet.errors == []
