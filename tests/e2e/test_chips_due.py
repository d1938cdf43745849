"""What the table asks before the next bet lies beside its boxes and keys and is asked once (T6, T17, T26)."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tables.models import Deal, Shoe
from tests.cast.corrected import correct
from tests.cast.floor import draw_and_seat, event_make, hand, seated, shoe_of
from tests.cast.leaving import penalise
from tests.cast.network import page_there, saved
from tests.cast.tablets import TOUCHED, UNDER_NOTES, go, tablet_of

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.django_db(transaction=True)]

DUE = 'section[data-code="chips_due"]'
SIZES = [(390, 844), (820, 1180), (1180, 820), (1024, 768), (1440, 900)]
BOXES = range(1, 8)


def due_at(boxes: int) -> Shoe:
    """A table of seven where chips are due at so many boxes: a hand put right, or one penalty."""
    round_ = seated(7)
    words = {f"b{box}": "win" for box in BOXES}
    hand(shoe_of(round_), dict.fromkeys(BOXES, 400), **words)
    if boxes == 1:
        penalise(round_, 6, 800)
    else:
        correct(Deal.objects.get(), **{f"b{box}": "lose" for box in BOXES})
    made = shoe_of(round_)
    Shoe.objects.filter(pk=made.pk).update(button_box=1)
    return made


@pytest.mark.parametrize("mode", ["cards", "results"])
@pytest.mark.parametrize("boxes", [1, 7])
@pytest.mark.parametrize("size", SIZES)
def test_T26_what_is_due_covers_no_box_bet_or_key_and_moves_no_key(
    page: Any, live_server: Any, transactional_db: None, size: tuple[int, int], boxes: int, mode: str
) -> None:
    tablet = tablet_of(page, live_server, due_at(boxes))
    tablet.set_viewport_size({"width": size[0], "height": size[1]})
    tablet.goto(f"{tablet.url.split('?')[0]}?mode={mode}")
    expect(tablet.locator(f"{DUE} li")).to_have_count(boxes)
    assert tablet.locator(".feltwrap .box").evaluate_all(UNDER_NOTES) == 0
    covered = f"els => els.filter(each => each.checkVisibility() && !({TOUCHED})(each)).length"
    for keys in (".at:checked + * label", ".pad .cardkey", ".pad-go button", f"{DUE} button"):
        # A telephone's page is scrolled above the pad: there the button of the panel may be out of sight.
        scrolled = size[0] == 390 and keys.startswith(DUE)
        assert scrolled or tablet.locator(keys).evaluate_all(covered) == 0, keys
    # The keys stand where they stood, with the panel and without it.
    before = tablet.locator(".pad-go button").bounding_box()
    tablet.locator(f"{DUE} button").click()
    expect(tablet.locator(DUE)).to_have_count(0)
    assert tablet.locator(".pad-go button").bounding_box() == before


def test_T26_bets_called_too_early_are_kept_and_called_once_the_chips_are_right(
    page: Any, live_server: Any, transactional_db: None
) -> None:
    tablet = tablet_of(page, live_server, due_at(1))
    tablet.goto(tablet.url + "?mode=cards")
    # The others bet again what they bet in the hand before.
    tablet.locator('.at:checked + .betrow label:has([value="200"])').click()
    go(tablet)
    expect(tablet.locator('.refused [data-code="chips_due"]')).to_be_visible()
    expect(tablet.locator("#not-saved")).to_be_empty()
    assert tablet.locator(".feltwrap .box").evaluate_all(UNDER_NOTES) == 0
    page_there(tablet)
    tablet.locator(f"{DUE} button").click()
    expect(tablet.locator(DUE)).to_have_count(0)
    expect(tablet.locator('[name^="bet-"]:checked')).to_have_count(7)
    go(tablet)
    saved(tablet)
    assert Deal.objects.get(status=Deal.Status.OPEN).bets == {str(box): 400 for box in BOXES} | {"1": 200}
    assert tablet.errors == []


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
