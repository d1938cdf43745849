"""An open hand put right with a finger: a card, a bet, a decision, and what waits on the tablet meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tables.models import Deal, Shoe
from tests.cast.amending import tapped, words
from tests.cast.network import finger, page_there, saved
from tests.cast.tablets import opened, table_of

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.django_db(transaction=True)]

FIRST = "9s 8d 6d 2h 3c"


@pytest.fixture
def shoe(transactional_db: None, request: pytest.FixtureRequest) -> Shoe:
    """A table of two, seated; box 1 bets first."""
    return table_of(2, **getattr(request, "param", {}))


def begun(shoe: Shoe, tablet: Any, taps: str = FIRST) -> Deal:
    """A hand of both boxes with these taps, shown."""
    deal = opened(shoe, tablet, 1, 2)
    tapped(deal, taps)
    tablet.reload()
    return deal


def touch(tablet: Any, target: str) -> None:
    """Touch what lies on the felt, and wait for the pad that asks."""
    tablet.locator(f'a.touch[href$="amend={target}"]').click()
    expect(tablet.locator(f'#amending [name="amend"][value="{target}"]')).to_be_attached()


def standing(deal: Deal) -> str:
    deal.refresh_from_db()
    return words(deal)


def test_T17_a_card_a_bet_and_a_decision_are_put_right_by_touch(tablet: Any, shoe: Shoe) -> None:
    deal = begun(shoe, tablet, f"{FIRST} stand:1 stand:2")
    touch(tablet, "4")
    expect(tablet.locator("#box-2 .touch.is-marked")).to_have_count(1)
    finger(tablet, "4h", 0)
    saved(tablet)
    expect(tablet.locator("#amending")).to_have_count(0)
    assert standing(deal) == "9s 8d 6d 2h 4h stand:1 stand:2"
    touch(tablet, "bet-2")
    tablet.locator('#table .ladder [value="600"]').click()
    saved(tablet)
    expect(tablet.locator("#box-2 .bet")).to_contain_text("600")
    touch(tablet, "5")
    finger(tablet, "double:1", 0)
    # The double has no card yet: the pad asks for it.
    expect(tablet.locator('#amending [name="put"]')).to_have_value("double:1")
    page_there(tablet)
    finger(tablet, "Kh", 0)
    saved(tablet)
    assert standing(deal) == "9s 8d 6d 2h 4h double:1 Kh stand:2"
    assert deal.bets == {"1": 200, "2": 600}
    # The hand goes on from there, drawn ahead as ever.
    finger(tablet, "Th", 0)
    saved(tablet)
    assert standing(deal).endswith("double:1 Kh stand:2 Th")
    assert tablet.errors == []


def test_T17_taps_that_do_not_fit_any_more_go_once_they_are_confirmed(tablet: Any, shoe: Shoe) -> None:
    deal = begun(shoe, tablet, f"{FIRST} Tc stand:1")
    touch(tablet, "0")
    finger(tablet, "Th", 0)
    expect(tablet.locator("[data-drops]")).to_have_count(1)
    # Asked about, it is not told as lost beside the question.
    expect(tablet.locator("#not-saved")).to_have_text("")
    assert standing(deal) == f"{FIRST} Tc stand:1"
    tablet.locator('form[data-amend]:has([name="keep"]) button').click()
    saved(tablet)
    assert standing(deal) == "Th 8d 6d 2h 3c Tc"
    assert tablet.errors == []


@pytest.mark.parametrize("shoe", [{"sheet": "banco"}], indirect=True)
def test_enter_in_a_typed_bet_goes_to_the_next_box_and_presses_no_card(tablet: Any, shoe: Shoe) -> None:
    bets = [tablet.locator(f'[name="bet-{box}"]') for box in (1, 2)]
    bets[0].fill("25")
    bets[0].press("Enter")
    expect(bets[1]).to_be_focused()
    bets[1].fill("30")
    bets[1].press("Enter")
    expect(bets[1]).not_to_be_focused()
    assert not Deal.objects.exists()
    tablet.keyboard.press("Enter")
    saved(tablet)
    assert standing(Deal.objects.get()) == ""


@pytest.mark.parametrize("shoe", [{"sheet": "banco"}], indirect=True)
def test_T17_row10_a_settled_hand_is_put_right_from_its_replay(tablet: Any, shoe: Shoe) -> None:
    deal = begun(shoe, tablet, "9s 8d Ad 2h 3c")
    tablet.locator('[name="insurance-amount-1"]').fill("101")
    tablet.locator('[name="insurance-amount-2"]').fill("5")
    tablet.locator('[value="insurance:1:typed"]').click()
    expect(tablet.locator(".refused")).to_have_count(1)
    # Refused, or typed beside what is sent: it stays in its field.
    assert [tablet.locator(f'[name="insurance-amount-{box}"]').input_value() for box in "12"] == ["101", "5"]
    tapped(deal, "close_insurance stand:1 stand:2 8h")
    tablet.reload()
    finger(tablet, "settle", 0)
    saved(tablet)
    tablet.goto(tablet.url.split("/tables/")[0] + f"/deals/{deal.pk}/replay/")
    tablet.locator('a[href$="how=felt"]').click()
    touch(tablet, "5")
    tablet.locator('[name="insurance-amount-1"]').fill("55")
    tablet.locator('[value="insurance:1:typed"]').click()
    expect(tablet.locator("[data-felt]")).to_have_attribute("data-felt", "done")
    touch(tablet, "7")
    tablet.locator('[value="double:1"]').click()
    expect(tablet.locator('#amending [name="put"]')).to_have_value("double:1")
    tablet.locator('[data-card="Kh"]').click()
    expect(tablet.locator("[data-felt]")).to_have_attribute("data-felt", "done")
    touch(tablet, "bet-2")
    tablet.locator('.amount [name="chips"]').fill("100")
    tablet.locator(".amount button").click()
    expect(tablet.locator("#box-2 .bet")).to_contain_text("100")
    tablet.reload()
    tablet.locator('[name="do"][value="preview"]').click()
    expect(tablet.locator('[name="cards"]')).to_have_value("9s 8d Ad 2h 3c Kh 8h")
    expect(tablet.locator('[name="decisions"]')).to_have_value("1 insurance 55\n1 double\n2 stand")
    tablet.locator('[name="reason"]').fill("Seen on tape")
    tablet.locator('[name="do"][value="correct"]').click()
    expect(tablet.locator('[data-state="reversed"]')).to_have_count(1)
    assert Deal.objects.get(status="settled").bets == {"1": 200, "2": 100}
    assert tablet.errors == []


def test_T16_grey_cards_and_settle_say_why_also_before_an_answer(tablet: Any, shoe: Shoe) -> None:
    deal = begun(shoe, tablet, "Ts 8d 6d 9h 9c")
    why, settle = tablet.locator(".whynot"), tablet.locator(".pad-go button")
    settle.click(force=True)
    expect(why).to_have_text(tablet.locator("#why-settle").text_content())
    expect(settle).to_have_attribute("data-code", "deal_not_done")
    tablet.context.set_offline(True)
    finger(tablet, "stand:1 stand:2 Td 8c", 300)
    tablet.locator('[data-card="2h"]').click(force=True)
    expect(why).to_have_text(tablet.locator("#why-card").text_content())
    expect(tablet.locator('[data-card="2h"]')).to_have_attribute("data-code", "not_now")
    expect(settle).not_to_have_attribute("aria-disabled", "true")
    tablet.context.set_offline(False)
    saved(tablet)
    assert standing(deal).endswith("Td 8c")
    assert tablet.errors == []


def test_T16_results_are_settled_once_every_box_has_its_bet_and_result(tablet: Any, shoe: Shoe) -> None:
    tablet.goto(f"{tablet.url}?mode=results")
    settle, why = tablet.locator(".pad-go button"), tablet.locator(".whynot")
    settle.click(force=True)
    expect(why).to_contain_text("1, 2")
    expect(settle).to_have_attribute("data-code", "results_missing")
    for key in "42":
        tablet.locator(f'.at:checked + .result label:has([data-bet-key="{key}"])').click()
        tablet.locator('.at:checked + .result label:has(> [value="win"])').click()
    expect(settle).not_to_have_attribute("aria-disabled", "true")
    settle.click()
    saved(tablet)
    assert Deal.objects.get().answer["net"] == {"1": 400, "2": 200}
    assert tablet.errors == []
