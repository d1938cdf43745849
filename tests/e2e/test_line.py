"""The line of taps where two forms of a kind, a page that fails or a page under the finger come between."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from pages.dealer.views import table as view
from tables.models import Deal, Shoe
from tests.cast.floor import stack_at
from tests.cast.network import finger, saved, taps_of, waited_for
from tests.cast.tablets import Held, absence, opened
from tournament.models import Stack

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(("second", "absent"), [(2, [True, True, False]), (1, [True, False, False])])
def test_a_second_form_of_a_kind_waits_unless_it_says_the_same(
    tablet: Any, shoe: Shoe, second: int, absent: list[bool]
) -> None:
    reason = absence(tablet)
    form = tablet.locator('form:has([name="do"][value="absent"])')
    tablet.context.set_offline(True)
    for box in (1, second):
        form.locator("select").select_option(str(stack_at(shoe.round, box).pk))
        reason.fill("went out")
        form.get_by_role("button", name="Rule so").click()
    expect(tablet.locator("[data-sending]")).to_contain_text(f"{second} waiting")
    tablet.context.set_offline(False)
    saved(tablet)
    expect(tablet.locator("#not-saved")).to_have_text("")
    ruled = shoe.round.event.journal.filter(kind="stack.absent").count()
    assert ruled == second
    assert [stack_at(shoe.round, box).state == Stack.State.ABSENT for box in (1, 2, 3)] == absent
    assert tablet.errors == []


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


def test_results_that_are_only_looked_at_without_a_network_are_in_no_doubt(tablet: Any, shoe: Shoe) -> None:
    tablet.goto(f"{tablet.url}?mode=results")
    tablet.context.set_offline(True)
    tablet.locator('.at:checked + .result label:has([name="out-1"][value="win"])').click()
    expect(tablet.locator("#messages")).to_have_text(
        "No network. What you see may be older than what is saved.", timeout=3000
    )


def test_a_button_of_several_is_the_same_one_on_the_page_that_comes_under_the_finger(
    tablet: Any, shoe: Shoe
) -> None:
    """How an open hand is entered: Cards stands first in the form, Results was under the finger."""
    opened(shoe, tablet, 1)
    held = Held(tablet)
    finger(tablet, "Ts", 0)
    held.arrived()
    tablet.locator('button[name="to"][value="results"]').hover()
    tablet.mouse.down()
    held.let_go()
    tablet.mouse.up()
    expect(tablet.locator(".pad h2")).to_have_text("Results")
    assert Deal.objects.get().mode == Deal.Mode.RESULTS
    assert tablet.errors == []
