"""What is being written or entered while the page comes anew stays, and no key of it becomes a tap."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tables.models import Deal, Shoe
from tests.cast import floor as cast
from tests.cast.network import finger, saved, taps_of
from tests.cast.tablets import Held, absence, opened

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.django_db(transaction=True)]


def test_the_page_does_not_come_anew_under_a_reason_that_is_being_written(tablet: Any, shoe: Shoe) -> None:
    deal = cast.hand(shoe, {1: 200, 2: 200, 3: 200}, b1="push", b2="push", b3="push")
    Deal.objects.filter(pk=deal.pk).update(closed_at=timezone.now() - timedelta(seconds=26))
    tablet.goto(f"{tablet.url}?mode=cards")
    expect(tablet.locator(".pad")).to_contain_text("No more bets: deal hand 2")
    reason = absence(tablet)
    reason.click()
    tablet.keyboard.type("went ")
    # Half a minute after the hand its way back is gone: what is asked for again is another page.
    with tablet.expect_response(lambda came: "since=" in came.url and came.status == 200, timeout=15_000):
        pass
    tablet.wait_for_timeout(300)
    tablet.keyboard.type("out")
    expect(reason).to_have_value("went out", timeout=1000)
    tablet.keyboard.press("Enter")
    saved(tablet)
    assert Deal.objects.count() == 1
    assert "went out" in str(shoe.round.event.journal.filter(kind="stack.absent").values().get())
    assert tablet.errors == []


def test_what_is_unfolded_stays_so_when_the_table_polls(tablet: Any, shoe: Shoe) -> None:
    tablet.locator("summary", has_text="More").click()
    cast.opened(shoe, {1: 200}, actor=cast.person("floor"))
    expect(tablet.locator(".wanted .eyebrow")).to_have_text("Card for box 1", timeout=15_000)
    expect(tablet.locator(".more")).to_have_attribute("open", "")
    tablet.locator("summary", has_text="More").click()
    finger(tablet, "Ts", 0)
    saved(tablet)
    expect(tablet.locator(".more")).not_to_have_attribute("open", "")
    assert tablet.errors == []


def test_a_reason_is_whole_when_the_answer_to_a_tap_comes_while_it_is_written(
    tablet: Any, shoe: Shoe
) -> None:
    deal, held = opened(shoe, tablet), Held(tablet)
    finger(tablet, "Ts", 0)
    held.arrived()
    tablet.keyboard.press("v")
    reason = tablet.locator(".ask[open] [name=reason]")
    expect(reason).to_be_focused()
    tablet.keyboard.type("A ca was shown")
    for _step in " was shown":
        tablet.keyboard.press("ArrowLeft")
    held.let_go()
    tablet.keyboard.type("rd 8h")
    expect(reason).to_have_value("A card 8h was shown")
    assert taps_of(deal) == ["Ts"]
    tablet.get_by_role("button", name="Void hand 1").click()
    expect(tablet.locator("text=hand 2 ·").first).to_be_visible(timeout=15_000)
    deal.refresh_from_db()
    assert deal.status == Deal.Status.VOID
    assert taps_of(deal) == ["Ts"]
    assert tablet.errors == []


def test_a_reason_whose_form_is_gone_is_told_and_its_keys_are_no_taps(tablet: Any, shoe: Shoe) -> None:
    """The hand is settled by the answer: what was written of it is of no other hand."""
    deal = opened(shoe, tablet, 1)
    finger(tablet, "Ts 9c Th stand:1 8d", 40)
    saved(tablet)
    held = Held(tablet)
    finger(tablet, "settle", 0)
    held.arrived()
    tablet.locator("summary", has_text="Void hand").click()
    expect(tablet.locator(".ask[open] [name=reason]")).to_be_focused()
    tablet.keyboard.type("Cards we")
    held.let_go()
    expect(tablet.locator("#not-saved")).to_have_text("Not saved: Void hand “Cards we”.")
    chosen = tablet.locator('[name="bet-2"]:checked')
    tablet.keyboard.type("1 4Kc")
    tablet.keyboard.press("Enter")
    tablet.wait_for_timeout(500)
    expect(chosen).to_have_count(0)
    assert list(Deal.objects.values_list("pk", "status")) == [(deal.pk, Deal.Status.SETTLED)]
    # A touch is made by who looks: from there on keys are keys.
    tablet.locator("h1").click()
    tablet.keyboard.press("4")
    expect(chosen).to_have_count(1)
    assert tablet.errors == []


@pytest.mark.parametrize(
    ("mode", "row", "before", "after"),
    [
        ("results", ".result", 'out-2"][value="win', 'out-2"][value="lose'),
        ("cards", ".betrow", 'bet-2"][value="200', 'bet-2"][value="400'),
    ],
)
def test_what_is_entered_while_an_answer_is_on_its_way_is_as_it_was_tapped_last(
    tablet: Any, shoe: Shoe, mode: str, row: str, before: str, after: str
) -> None:
    """Of a box whose bet or result was another one when the form beside it was sent."""
    tablet.goto(f"{tablet.url}?mode={mode}")
    tablet.locator("label[for=at-2], #box-2 .box-tap").first.click()
    tablet.locator(f'{row} label:has([name="{before}"])').click()
    reason, held = absence(tablet), Held(tablet)
    reason.fill("left")
    tablet.get_by_role("button", name="Save the ruling").click()
    held.arrived()
    tablet.locator("summary", has_text="More").click()
    tablet.locator("label[for=at-2], #box-2 .box-tap").first.click()
    tablet.locator(f'{row} label:has([name="{after}"])').click()
    held.let_go()
    saved(tablet)
    expect(tablet.locator(f'[name="{after}"]')).to_be_checked()
    assert tablet.errors == []
