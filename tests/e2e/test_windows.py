"""Two windows of one tablet share what waits: it is sent once, and told once."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tables.models import Clerk, Deal, Shoe
from tables.services import dealing
from tables.services.clerks import clerk_release
from tests.cast.at_tables import dealer_at, logged_in, url
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import person
from tests.cast.network import finger, page_there, saved, taps_of, waited_for
from tests.cast.tablets import HAND, opened, settled

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.django_db(transaction=True)]


def cut_off(target: Any) -> None:
    """From now on no press gets out of this window, or of all of them."""
    target.route(
        "**/tables/1/**", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )


def waits_in_both(tablet: Any) -> Any:
    """Without a network a hand is settled and a card tapped behind it; the second window has them too."""
    both = tablet.context
    cut_off(both)
    finger(tablet, "settle", 0)
    tablet.keyboard.press("t")
    tablet.keyboard.press("c")
    expect(tablet.locator("[data-sending]")).to_contain_text("No network, 2 waiting")
    other = both.new_page()
    other.goto(tablet.url)
    expect(other.locator("[data-sending]")).to_contain_text("No network, 2 waiting")
    return other


def test_two_windows_at_one_table_send_what_waits_once(tablet: Any, shoe: Shoe) -> None:
    """The card of the next hand waits for its page in both: the second one has the first one's answer."""
    deal = opened(shoe, tablet)
    finger(tablet, HAND, 40)
    saved(tablet)
    both, other = tablet.context, waits_in_both(tablet)
    # The first goes on; the second comes back later and finds all of it saved.
    tablet.unroute_all()
    both.unroute_all()
    cut_off(other)
    saved(tablet)
    finger(tablet, "9h", 0)
    saved(tablet)
    other.unroute_all()
    expect(other.locator("[data-sending]")).not_to_contain_text("waiting")
    for window in (tablet, other):
        page_there(window)
        expect(window.locator("#not-saved")).to_have_text("")
    assert settled(deal)
    assert taps_of(Deal.objects.get(number=2)) == ["Tc", "9h"]


def another_logs_in(tablet: Any, live_server: Any) -> tuple[Any, str]:
    """While two taps wait: the log-in of who tapped them, and the name."""
    expect(tablet.locator("[data-sending]")).to_contain_text("2 waiting")
    first, who = tablet.context.cookies(), tablet.locator("#table").get_attribute("data-who")
    tablet.context.clear_cookies()
    session = logged_in("floor").cookies["sessionid"].value
    tablet.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    return first, str(who)


@pytest.mark.parametrize("hours", [0, 3])
def test_who_logs_in_instead_is_told_what_waits_for_another_and_sends_none_of_it(
    tablet: Any, shoe: Shoe, live_server: Any, hours: int
) -> None:
    """The log-in ran out with taps waiting; after two hours they are sent by nobody, and do not wait."""
    deal = opened(shoe, tablet)
    cut_off(tablet)
    finger(tablet, "Ts 6h", 40)
    first, who = another_logs_in(tablet, live_server)
    tablet.add_init_script(f"const now = Date.now; Date.now = () => now() + {hours * 3_600_000};")
    tablet.unroute_all()
    tablet.goto(live_server.url + url(shoe))
    told = tablet.locator("#not-saved")
    waiting = f"Taps of {who} at Table 1 wait on this tablet and are not sent: 10♠ 6♥. Log in as {who}"
    if hours:
        expect(told).to_have_text("")
    else:
        expect(told).to_contain_text(waiting)
    tablet.wait_for_timeout(500)
    assert taps_of(deal) == []
    # Their owner comes back.
    tablet.context.add_cookies(first)
    tablet.reload()
    lost = "Perhaps not saved: 10♠ 6♥. Look at the hand."
    expect(told).to_have_text(lost if hours else "")
    if not hours:
        saved(tablet)
    assert taps_of(deal) == ([] if hours else ["Ts", "6h"])


def log_in(tablet: Any, name: str) -> None:
    tablet.locator("#id_username").fill(name)
    tablet.locator("#id_password").fill("a long enough password")
    tablet.get_by_role("button", name="Log in").click()


def test_the_log_in_after_a_session_that_has_ended_says_whose_taps_wait(tablet: Any, shoe: Shoe) -> None:
    deal, page = opened(shoe, tablet), tablet.url
    who = str(tablet.locator("#table").get_attribute("data-who"))
    cut_off(tablet)
    finger(tablet, "Ts 6h", 40)
    tablet.context.clear_cookies(name="sessionid")
    tablet.unroute_all()
    note = tablet.locator("#taps-waiting .note")
    waits = f"Taps of {who} at Table 1 wait on this tablet and are not saved yet (2)."
    expect(note).to_contain_text(waits, timeout=15_000)
    # A dealer without a table logs in instead: nothing is sent.
    log_in(tablet, UserFactory(roles=["dealer"]).username)
    expect(note).to_contain_text(waits)
    tablet.get_by_role("button", name="Log out").click()
    assert taps_of(deal) == []
    tablet.goto(page)
    expect(note).to_contain_text(waits)
    log_in(tablet, who)
    expect(tablet.locator("[data-sending]")).to_have_text("Saved 2 that waited")
    assert (tablet.url, taps_of(deal)) == (page, ["Ts", "6h"])
    assert tablet.errors == []


# A tap of the present login at another table, and one as an old release stored it, without names.
ELSEWHERE = """() => {
    const { who, whose } = document.getElementById("table").dataset;
    const own = `taps.${whose.split(".")[0]}.999.`, at = String(Date.now()).padStart(14, "0");
    localStorage.setItem(`${own}${at}.000001`, JSON.stringify({ who, at: "Table 9", word: "8♠" }));
    localStorage.setItem(`taps.7.998.${at}.000002`, JSON.stringify({ word: "9♠" }));
}"""


def test_the_taps_of_another_login_are_discarded_by_a_second_touch_that_names_their_owner(
    tablet: Any, shoe: Shoe, live_server: Any
) -> None:
    deal = opened(shoe, tablet)
    cut_off(tablet)
    finger(tablet, "Ts 6h", 40)
    first, who = another_logs_in(tablet, live_server)
    tablet.unroute_all()
    tablet.goto(live_server.url + url(shoe))
    tablet.locator("[data-discard=ask]").click()
    for told in (who, "10♠ 6♥"):
        expect(tablet.locator("#not-saved")).to_contain_text(told)
    expect(tablet.locator("[data-discard=go]")).to_contain_text(who)
    # The first touch discards nothing, and nothing is where it is kept.
    tablet.locator("[data-discard=keep]").click()
    assert kept(tablet) == 2
    tablet.locator("[data-discard=ask]").click()
    tablet.locator("[data-discard=go]").click()
    expect(tablet.locator("#not-saved")).to_have_text("")
    assert kept(tablet) == 0
    # Their owner comes back: nothing waits, nothing is sent, nothing is told as lost.
    tablet.context.add_cookies(first)
    tablet.reload()
    expect(tablet.locator("#table")).to_have_attribute("data-who", who)
    page_there(tablet)
    expect(tablet.locator("#not-saved")).to_have_text("")
    assert taps_of(deal) == []
    # What the owner has tapped at another table is named too, until another window has sent it.
    tablet.evaluate(ELSEWHERE)
    tablet.reload()
    expect(tablet.locator("#not-saved")).to_contain_text("Your taps at Table 9 wait on this tablet")
    window = tablet.context.new_page()
    window.goto(f"{live_server.url}/healthz")
    window.evaluate("localStorage.clear()")
    expect(tablet.locator("#not-saved")).to_have_text("")


def kept(tablet: Any) -> int:
    """How many presses the tablet keeps for a table."""
    return tablet.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('taps.')).length")


def test_a_moved_dealer_is_told_and_the_page_asks_no_more(page: Any, live_server: Any, shoe: Shoe) -> None:
    session = dealer_at(shoe).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.goto(live_server.url + url(shoe))
    expect(page.locator("#table")).to_be_visible()
    clerk_release(table_id=shoe.table_id, user_id=Clerk.objects.get().user_id, key=new_key(), actor=None)
    expect(page.locator("#table")).to_have_count(0)
    expect(page.locator("h1")).to_have_text("This is not your table")


def test_a_refused_poll_keeps_what_is_typed_and_asks_no_more(page: Any, live_server: Any, shoe: Shoe) -> None:
    session = dealer_at(shoe).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    polls: list[str] = []
    page.on("request", lambda sent: polls.append(sent.url) if "since=" in sent.url else None)
    page.goto(live_server.url + url(shoe))
    waited_for(polls, page)
    page.locator("summary", has_text="Cut card out").click()
    page.locator(".ask[open] [name=reason]").fill("The shuffler bro")
    clerk_release(table_id=shoe.table_id, user_id=Clerk.objects.get().user_id, key=new_key(), actor=None)
    expect(page.get_by_role("link", name="Load the page again")).to_be_visible(timeout=15_000)
    expect(page.locator("#messages")).to_contain_text("You no longer deal at this table")
    assert page.locator("details.ask[open] [name=reason]").input_value() == "The shuffler bro"
    asked = len(polls)
    page.wait_for_timeout(5000)
    assert len(polls) == asked
    # The poll asks with the lit box, and without the secret of the forms: addresses are logged.
    assert all("at=1" in each and "csrf" not in each for each in polls), polls
    page.get_by_role("link", name="Load the page again").click()
    expect(page.locator("h1")).to_have_text("This is not your table")


@pytest.mark.parametrize("end", ["void", "settle"])
def test_T17_a_queue_of_a_hand_that_was_ended_elsewhere_is_refused_whole_and_listed(
    tablet: Any, shoe: Shoe, end: str
) -> None:
    deal = opened(shoe, tablet, 1)
    finger(tablet, "Ts 9c Th stand:1 8d", 40)
    saved(tablet)
    cut_off(tablet)
    finger(tablet, "undo 7d", 200)
    expect(tablet.locator("[data-sending]")).to_contain_text("2 waiting")
    if end == "void":
        dealing.deal_void(deal_id=deal.pk, reason="misdeal", key=new_key(), actor=person("floor"))
    else:
        dealing.deal_settle(deal_id=deal.pk, key=new_key(), actor=person("floor"))
    tablet.unroute_all()
    expect(tablet.locator('.refused [data-code="deal_not_open"]')).to_be_visible(timeout=15_000)
    expect(tablet.locator("#not-saved")).to_have_text("Not saved: Undo 7♦.")
    ended = {"void": "void", "settle": "settled"}[end]
    expect(tablet.locator(f'.refused [data-changed="{ended}"]')).to_have_count(1)
    assert kept(tablet) == 0
    assert taps_of(deal) == ["Ts", "9c", "Th", "stand:1", "8d"]
    assert not Deal.objects.exclude(pk=deal.pk).exists()
