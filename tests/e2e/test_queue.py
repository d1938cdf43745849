"""Nothing tapped is lost or doubled: on a network that is slow, loses answers or is away; over a reload."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from pages.dealer.views import table as view
from tables.models import Deal, Shoe
from tables.services import dealing
from tests.cast import floor as cast
from tests.cast.floor import person
from tests.cast.network import finger, key, page_there, saved, slow, taps_of, waited_for
from tests.cast.tablets import HAND, NETS, UNDER_NOTES, opened, refuses, settled, tablet_of

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.django_db(transaction=True)]


def test_the_first_card_of_a_hand_and_all_after_it_wait_for_the_network(tablet: Any, shoe: Shoe) -> None:
    """Bets, the whole hand and its end, before the server has heard of any of it."""
    for _box in (1, 2, 3):
        tablet.locator('.at:checked + .betrow label:has([value="200"])').click()
    tablet.context.set_offline(True)
    finger(tablet, HAND + " settle", 40)
    assert not Deal.objects.exists()
    tablet.context.set_offline(False)
    expect(tablet.locator("text=hand 2 ·").first).to_be_visible(timeout=15_000)
    deal = Deal.objects.get()
    assert taps_of(deal) == HAND.split()
    assert settled(deal)
    assert deal.answer["net"] == NETS
    assert tablet.errors == []


def test_bets_and_results_that_are_entered_are_there_after_a_reload(tablet: Any, shoe: Shoe) -> None:
    finger(tablet, "8h", 0)
    refused = tablet.locator('.refused [data-code="no_bets"]')
    expect(refused).to_have_count(1)
    for chips in (200, 600):
        tablet.locator(f'.at:checked + .betrow label:has([value="{chips}"])').click()
    expect(refused).to_have_count(0)
    tablet.reload()
    expect(tablet.locator('[name="bet-1"][value="200"]')).to_be_checked()
    expect(tablet.locator('[name="bet-2"][value="600"]')).to_be_checked()
    expect(tablet.locator("#box-2 .bet")).to_have_text("600")
    expect(tablet.locator('[name="at"][value="3"]')).to_be_checked()
    tablet.locator('.at:checked + .betrow label:has([value="400"])').click()
    finger(tablet, "Ts", 0)
    saved(tablet)
    assert Deal.objects.get().bets == {"1": 200, "2": 600, "3": 400}
    # The next hand begins with what stands on its own page.
    tablet.reload()
    assert taps_of(Deal.objects.get()) == ["Ts"]


def test_the_result_of_all_remaining_boxes_is_there_after_a_reload(tablet: Any, shoe: Shoe) -> None:
    cast.hand(shoe, {1: 200, 2: 200, 3: 200}, b1="push", b2="push", b3="push")
    tablet.goto(f"{tablet.url}?mode=results")
    tablet.locator('[data-rest="win"]').click()
    tablet.reload()
    expect(tablet.locator('#entering [value="win"]:checked')).to_have_count(3)
    tablet.locator('[data-rest="lose"]').click()
    expect(tablet.locator('#entering [value="lose"]:checked')).to_have_count(3)


def test_another_tablet_stops_the_line_and_what_is_not_saved_is_said(tablet: Any, shoe: Shoe) -> None:
    deal = opened(shoe, tablet)
    tablet.context.set_offline(True)
    finger(tablet, "Ts 6h 5d", 40)
    dealing.deal_tap(deal_id=deal.pk, seen=0, nonce="another", op={"op": "card", "card": "2c"})
    tablet.context.set_offline(False)
    line = tablet.locator("[data-sending]")
    expect(line).to_have_text("Somebody else has changed this hand", timeout=15_000)
    expect(tablet.locator("#not-saved")).to_have_text("Not saved: 10♠ 6♥ 5♦.")
    expect(tablet.locator('.refused [data-changed="card"]')).to_have_count(1)
    tablet.set_viewport_size({"width": 1024, "height": 768})
    assert tablet.locator(".feltwrap .box").evaluate_all(UNDER_NOTES) == 0
    expect(tablet.locator("#box-1 .card")).to_have_count(1)
    assert taps_of(deal) == ["2c"]
    # And it goes on from there; what is not saved stands until somebody has seen it.
    page_there(tablet)
    finger(tablet, "6h", 0)
    saved(tablet)
    assert taps_of(deal) == ["2c", "6h"]
    expect(tablet.locator("#not-saved")).to_have_text("Not saved: 10♠ 6♥ 5♦.")
    tablet.reload()
    expect(tablet.locator("#not-saved")).to_have_text("Not saved: 10♠ 6♥ 5♦.")
    tablet.get_by_role("button", name="Seen").click()
    expect(tablet.locator("#not-saved")).to_have_text("")


def test_a_finger_that_goes_on_after_a_refusal_enters_nothing_in_another_place(
    tablet: Any, shoe: Shoe
) -> None:
    """The eye needs a moment: what is tapped in it was meant for the hand that was taken back."""
    deal, held = opened(shoe, tablet), []
    refuses(tablet, held)
    finger(tablet, "Ts 6h", 40)
    waited_for(held, tablet)
    dealing.deal_tap(deal_id=deal.pk, seen=0, nonce="another", op={"op": "card", "card": "2c"})
    held[0].continue_()
    tablet.wait_for_function("() => cutlineQueue.state.backAt > 0")
    spot = tablet.locator(key("9d")).bounding_box()
    tablet.mouse.click(spot["x"] + 10, spot["y"] + 10)
    since = tablet.evaluate("performance.now() - cutlineQueue.state.backAt")
    page_there(tablet)
    finger(tablet, "5d", 0)
    saved(tablet)
    late = [] if since < 700 else ["9d"]
    assert taps_of(deal) == ["2c", *late, "5d"]
    told = "Not saved: 10♠ 6♥." if late else "Not saved: 10♠ 6♥ 9♦."
    expect(tablet.locator("#not-saved")).to_have_text(told)


def test_the_same_card_twice_is_two_cards_and_two_undos_are_two(tablet: Any, shoe: Shoe) -> None:
    deal = opened(shoe, tablet)
    finger(tablet, "Ts", 0)
    finger(tablet, "Ts", 190)
    saved(tablet)
    assert taps_of(deal) == ["Ts", "Ts"]
    finger(tablet, "undo", 0)
    finger(tablet, "undo", 190)
    saved(tablet)
    assert taps_of(deal) == ["Ts", "Ts", "undo", "undo"]


def finished(shoe: Shoe, tablet: Any) -> Deal:
    """A hand of box 1, dealt to its end and shown."""
    deal = opened(shoe, tablet, 1)
    finger(tablet, "Ts 9c Th stand:1 8d", 40)
    saved(tablet)
    assert taps_of(deal) == ["Ts", "9c", "Th", "stand:1", "8d"]
    return deal


def carried_out(held: list[Any], tablet: Any) -> Any:
    """The press that waited is carried out; its answer is still to be made."""
    waited_for(held, tablet)
    return held[0].fetch()


def answered(held: list[Any], tablet: Any, answer: Any) -> None:
    """With the page as it is by now."""
    page = tablet.context.request.get(tablet.url, headers={"HX-Request": "true", "HX-Target": "table"})
    held[0].fulfill(status=200, headers={**answer.headers, "cutline-saved": "1"}, body=page.text())


def test_a_card_for_the_next_hand_is_not_put_into_one_that_somebody_else_began(
    tablet: Any, shoe: Shoe
) -> None:
    deal, held = finished(shoe, tablet), []
    refuses(tablet, held)
    finger(tablet, "settle", 0)
    tablet.keyboard.press("2")
    tablet.keyboard.press("c")
    expect(tablet.locator("[data-sending]")).to_contain_text("Sending")
    answer = carried_out(held, tablet)
    assert settled(deal)
    # Before the answer is made the floor begins the next hand at another tablet.
    other = cast.opened(shoe, {1: 200, 2: 200}, actor=person("floor"))
    dealing.deal_tap(deal_id=other.pk, seen=0, nonce="another", op={"op": "card", "card": "9h"})
    answered(held, tablet, answer)
    expect(tablet.locator("#not-saved")).to_contain_text("Not saved: ", timeout=15_000)
    assert taps_of(other) == ["9h"]


def test_enter_twice_settles_and_presses_nothing_on_the_next_page(tablet: Any, shoe: Shoe) -> None:
    deal, held = finished(shoe, tablet), []
    refuses(tablet, held)
    tablet.keyboard.press("Enter")
    tablet.keyboard.press("Enter")
    answer = carried_out(held, tablet)
    answered(held, tablet, answer)
    saved(tablet)
    tablet.wait_for_selector("text=hand 2 ·")
    tablet.wait_for_timeout(500)
    assert settled(deal)
    assert Deal.objects.count() == 1


def test_a_fault_is_told_as_sent_again_by_itself_and_after_three_as_perhaps_not_saved(
    tablet: Any, shoe: Shoe
) -> None:
    deal = opened(shoe, tablet)
    refuses(tablet, status=500)
    finger(tablet, "Ts", 0)
    said = tablet.locator("#messages")
    expect(said).to_have_text("Perhaps not saved. It is sent again by itself: do not press again.")
    expect(tablet.locator("#not-saved")).to_have_text(
        "Perhaps not saved: 10♠. Look at the hand.", timeout=15_000
    )
    expect(said).not_to_contain_text("sent again")
    # The page is there once, as it is, and goes on.
    page_there(tablet)
    expect(tablet.locator("#box-1 .card")).to_have_count(0)
    assert tablet.locator("#table").count() == 1
    assert tablet.locator("#box-1").count() == 1
    tablet.unroute_all()
    finger(tablet, "6h", 0)
    saved(tablet)
    assert taps_of(deal) == ["6h"]
    assert tablet.errors == []


def test_what_was_saved_before_a_fault_is_not_told_as_lost(
    tablet: Any, shoe: Shoe, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal = opened(shoe, tablet)
    tap = dealing.deal_tap

    def fails_at_the_third(**given: Any) -> Any:
        if given["seen"] >= 2:
            raise RuntimeError("a fault of our own")
        return tap(**given)

    monkeypatch.setattr(dealing, "deal_tap", fails_at_the_third)
    tablet.context.set_offline(True)
    finger(tablet, "Ts 6h 5d 9c", 40)
    tablet.context.set_offline(False)
    told = tablet.locator("#not-saved")
    expect(told).to_contain_text("Perhaps not saved: 5♦", timeout=15_000)
    expect(told).to_contain_text("9♣")
    expect(told).not_to_contain_text("6♥")
    expect(tablet.locator("#box-1 .card")).to_have_count(1)
    expect(tablet.locator("#box-2 .card")).to_have_count(1)
    assert taps_of(deal) == ["Ts", "6h"]
    page_there(tablet)
    monkeypatch.undo()
    finger(tablet, "5d", 0)
    saved(tablet)
    assert taps_of(deal) == ["Ts", "6h", "5d"]


def test_a_log_in_that_has_run_out_does_not_take_what_could_not_be_kept_along(
    tablet: Any, shoe: Shoe
) -> None:
    from django.contrib.sessions.models import Session

    tablet.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); }")
    opened(shoe, tablet)
    Session.objects.all().delete()
    finger(tablet, "Ts", 0)
    told = tablet.locator("#not-saved")
    expect(told).to_have_text("You are logged out, and these are not saved: 10♠. Log in")
    assert "next=" in told.locator("a").get_attribute("href")
    assert tablet.locator("#table").count() == 1


def test_what_was_written_about_somebody_is_not_kept_beyond_the_window(tablet: Any, shoe: Shoe) -> None:
    deal = opened(shoe, tablet)
    tablet.context.set_offline(True)
    finger(tablet, "Ts", 0)
    tablet.locator("summary", has_text="Void hand").click()
    tablet.locator(".ask[open] [name=reason]").fill("Cards were dropped")
    tablet.get_by_role("button", name="Void hand 1").click()
    expect(tablet.locator("[data-sending]")).to_contain_text("2 waiting")
    kept = tablet.evaluate("[JSON.stringify(localStorage), JSON.stringify(sessionStorage)]")
    assert ["dropped" in each for each in kept] == [False, True]
    tablet.context.set_offline(False)
    expect(tablet.locator("text=hand 2 ·").first).to_be_visible(timeout=15_000)
    assert taps_of(deal) == ["Ts"], "what was tapped before the form is saved before it"
    assert deal.status == Deal.Status.VOID


def test_a_new_log_in_of_the_same_person_in_another_window_stops_nothing(tablet: Any, shoe: Shoe) -> None:
    deal = opened(shoe, tablet)
    # A log-in gives the forms of all windows a new secret.
    tablet.context.clear_cookies(name="csrftoken")
    finger(tablet, "Ts 6h", 40)
    saved(tablet)
    assert taps_of(deal) == ["Ts", "6h"]


def test_a_click_of_a_finger_that_came_down_on_the_page_before_presses_nothing_else(
    tablet: Any, shoe: Shoe
) -> None:
    """Some browsers click what lies there by now: where Undo was, the next hand has "Take it back"."""
    deal = finished(shoe, tablet)
    slow(tablet, 800)
    undo = tablet.locator(key("undo")).bounding_box()
    finger(tablet, "settle", 0)
    tablet.mouse.move(undo["x"] + 10, undo["y"] + 10)
    tablet.mouse.down()
    taken_back = tablet.get_by_role("button", name="Take hand 1 back")
    expect(taken_back).to_be_visible()
    tablet.evaluate("""() => addEventListener("pointerup", ({ clientX, clientY }) => {
        const click = new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 });
        document.elementFromPoint(clientX, clientY).dispatchEvent(click);
    }, { capture: true, once: true })""")
    tablet.mouse.up()
    tablet.wait_for_timeout(2000)
    assert settled(deal)
    assert Deal.objects.count() == 1
    expect(tablet.locator("#not-saved")).to_have_text("Not saved: Undo.")
    # A finger that comes down on it presses it.
    taken_back.click()
    expect(tablet.locator(".wanted .eyebrow")).to_have_text("Hand 1 is finished")


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


@pytest.mark.parametrize("script", ["pending", "pad"])
def test_where_a_script_did_not_come_each_tap_waits_for_its_answer_and_none_is_lost(
    page: Any, live_server: Any, shoe: Shoe, script: str
) -> None:
    page.route(f"**/{script}*.js", lambda route: route.abort())
    tablet = tablet_of(page, live_server, shoe)
    deal = opened(shoe, tablet)
    finger(tablet, f"{HAND} settle", 100)
    saved(tablet)
    assert taps_of(deal) == HAND.split()
    assert settled(deal)
    assert tablet.errors == []


def test_a_link_pressed_while_taps_wait_says_so_and_opens_once_they_are_saved(
    tablet: Any, shoe: Shoe
) -> None:
    deal = opened(shoe, tablet)
    later, hands = tablet.locator("#opens-later"), tablet.locator('a:has-text("Hands of this table")')
    tablet.context.set_offline(True)
    finger(tablet, "Ts 6h", 40)
    tablet.locator("summary", has_text="More").click()
    hands.click()
    said = "“Hands of this table” opens by itself once all that was tapped is saved."
    expect(later).to_have_text(said)
    # A further tap is meant for this page, and the link no more.
    finger(tablet, "5d", 0)
    expect(later).to_have_text("")
    hands.click()
    expect(later).to_have_text(said)
    assert tablet.url.endswith("/tables/1/")
    tablet.context.set_offline(False)
    tablet.wait_for_url("**/deals/?table=1", timeout=15_000)
    assert taps_of(deal) == ["Ts", "6h", "5d"]
    # With nothing that waits a link is a link.
    tablet.go_back()
    tablet.locator("summary", has_text="More").click()
    hands.click()
    tablet.wait_for_url("**/deals/?table=1")
    assert tablet.errors == []
