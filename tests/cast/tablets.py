"""A tablet at a table, on a network that can fail."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tables.models import Deal, Shoe
from tests.cast import floor as cast
from tests.cast.at_tables import logged_in, url
from tests.cast.floor import person
from tests.cast.network import waited_for


class Held:
    """The next answer to presses is carried out by the server and waits until it is let go."""

    def __init__(self, tablet: Any) -> None:
        self.tablet, self.waits = tablet, list[Any]()
        tablet.route("**/tables/1/**", self._pass)

    def _pass(self, route: Any) -> None:
        if route.request.method == "POST" and "press=" in (route.request.post_data or "") and not self.waits:
            self.waits.append((route, route.fetch(max_redirects=0)))
        else:
            route.continue_()

    def arrived(self) -> None:
        """The server has carried it out."""
        waited_for(self.waits, self.tablet)

    def let_go(self) -> None:
        """Its answer comes to the tablet."""
        self.arrived()
        route, answer = self.waits[0]
        route.fulfill(response=answer)
        expect(self.tablet.locator("[data-sending]")).not_to_contain_text("Sending")


def table_of(players: int = 3, **plan: Any) -> Shoe:
    """A table of so many, seated; box 1 bets first."""
    made = cast.shoe_of(cast.seated(players, **plan))
    Shoe.objects.filter(pk=made.pk).update(button_box=1)
    return made


def absence(tablet: Any) -> Any:
    """The form that rules somebody absent, unfolded; its reason."""
    tablet.locator("summary", has_text="More").click()
    tablet.locator("summary", has_text="A player is absent").click()
    return tablet.locator('form:has([name="do"][value="absent"]) [name="reason"]')


# Boxes 1 to 3, 200 each, the dealer with a 9: a stand, a hit and a double, then the dealer's cards.
HAND = "Ts 6h 5d 9c 9d 5c 6s stand:1 8c stand:2 double:3 Tc 8d"

NETS = {"1": 200, "2": 200, "3": 400}


def tablet_of(page: Any, live_server: Any, shoe: Shoe) -> Any:
    """The table's page on a tablet in landscape, a director logged in."""
    session = logged_in("director").cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.set_viewport_size({"width": 1180, "height": 820})
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.goto(live_server.url + url(shoe))
    return page


def opened(shoe: Shoe, tablet: Any, *boxes: int) -> Deal:
    """A hand of these boxes, opened by somebody else, and shown."""
    deal = cast.opened(shoe, dict.fromkeys(boxes or (1, 2, 3), 200), actor=person("floor"))
    tablet.reload()
    expect(tablet.locator(".wanted .eyebrow")).to_have_text(f"Card for box {(boxes or (1,))[0]}")
    return deal


def settled(deal: Deal) -> bool:
    deal.refresh_from_db()
    return deal.status == Deal.Status.SETTLED


def refuses(tablet: Any, held: list[Any] | None = None, *, status: int = 0) -> None:
    """From now on presses are answered with this status, not carried out; or the first waits in ``held``."""

    def pressed(route: Any) -> None:
        if route.request.method == "POST" and status:
            route.fulfill(status=status, body="")
        elif route.request.method == "POST" and held == []:
            held.append(route)
        else:
            route.continue_()

    tablet.route("**/tables/1/**", pressed)


# Whether the middle of an element can be touched: nothing of another part lies on it.
TOUCHED = """each => {
    const { x, y, width, height } = each.getBoundingClientRect();
    const there = document.elementFromPoint(x + width / 2, y + height / 2);
    return each.contains(there) || there?.contains(each);
}"""


# How many boxes lie under what is said on the felt.
UNDER_NOTES = """boxes => {
    const said = document.querySelector(".says").getBoundingClientRect();
    return boxes.map(each => each.getBoundingClientRect()).filter(box => box.left < said.right - 2
        && box.right > said.left + 2 && box.top < said.bottom - 2 && box.bottom > said.top + 2).length;
}"""


def go(tablet: Any) -> None:
    tablet.locator(".pad-go button").click()
