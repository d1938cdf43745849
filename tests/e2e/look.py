"""Draws every page in each of its states for a person to read: `make look`, then open var/look/index.html.

Not part of the tests: pytest is asked for this file by name. The tests say which pages there are.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any, Literal

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route

from games.blackjack.rules import SHEETS
from tests.cast import drawn as axe
from tests.cast import every_page as doors
from tests.cast import hostile, payments
from tests.cast.browsers import Visitor
from tests.cast.drawn import name_long
from tests.cast.every_form import FORMS
from tests.cast.factories import EventFactory, PlayerFactory, UserFactory, new_key
from tests.cast.floor import confirm
from tests.cast.presses import FreshClient
from tests.cast.screens import Screen
from tournament.engine.settings import sheet_defaults
from tournament.models import Event, EventClock, Request
from tournament.services import clocks
from tournament.services.standings import standings_recompute

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOLDER = Path(__file__).resolve().parents[2] / "var" / "look"
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
ON_PAPER = ("/receipt/", "/sheet/", "/cards/", "/poster/")
# A page is drawn for the first of these roles that may open it; the director may open nearly all of them.
NARROWEST_FIRST = ("dealer", "cashier", "floor", "manager", "director")
# Fragments that a page fetches, and addresses that are no pages.
PARTS = (
    *("healthz", "readyz", "service_worker", "tables:record 1", "tables:record 2", "tournament:standings"),
    *("tournament:payouts_check", "tournament:journal_check", "tournament:house_journal_check"),
)
NOT_WHOLE = "The journal of Friday is not whole: a hand has no result."
FAILURES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("400.html", {}),
    ("400.html", {"ended": True}),
    ("403_csrf.html", {}),
    ("409.html", {"why": NOT_WHOLE, "call_off": "/staff/friday/call-off/"}),
    ("409.html", {"why": NOT_WHOLE}),
    ("500.html", {"reads": True}),
    ("500.html", {}),
    ("500.html", {"once": True}),
    ("503.html", {"why": "The database takes no changes just now.", "reads": True}),
    ("503.html", {"why": "The database is not answering for a moment."}),
    ("503.html", {"why": "The database took too long.", "perhaps": True, "again": [("key", "1")], "to": "/"}),
    ("saved.html", {"to": "/"}),
)

TAPS_WAIT = """[1, 2].forEach((n) => localStorage.setItem(
    `taps.9.9.${Date.now() + n}.${n}`, JSON.stringify({ who: "dora", at: "Table 1", word: "10♠" })))"""


class Camera:
    """Opens pages as one person and draws each page at two widths, in the light and the dark theme."""

    def __init__(self, browser: Browser, address: str, chapter: str, user: User | None = None) -> None:
        self.address, self.chapter, self.taken = address, chapter, 0
        self.at = Visitor(browser, address, reduced_motion="reduce")
        self.client = FreshClient(raise_request_exception=False)
        if user:
            self.client.force_login(user)
            pass_ = self.client.cookies["sessionid"].value
            self.at.context.add_cookies([{"name": "sessionid", "value": pass_, "url": address}])

    def open(self, path: str) -> None:
        self.at.page.goto(path)
        self.draw(path)
        if path.split("?", maxsplit=1)[0].endswith(ON_PAPER):
            self.at.page.emulate_media(media="print", color_scheme="light")
            self._shoot(f"{path} on paper", axe.DESK, "light")
            self.at.page.emulate_media(media="screen")

    def refuse(self, path: str) -> None:
        """Draw the answer to an empty form."""
        # A browser always sends the CSRF field.
        answer = self.client.post(path, {"csrfmiddlewaretoken": ""})
        assert answer.status_code in (409, 422), f"{path}: {answer.status_code}"
        self.show(answer.content.decode(), path, f"{path} sent empty")

    def show(self, body: str, path: str, words: str) -> None:
        """Draw a finished page as if this address had answered with it."""
        where = f"{self.address}{path}"

        def answer(route: Route) -> None:
            route.fulfill(body=body, content_type="text/html; charset=utf-8")

        self.at.page.route(where, answer)
        self.at.page.goto(path)
        self.draw(words)
        self.at.page.unroute(where)

    def draw(self, words: str) -> None:
        for viewport in (axe.PHONE, axe.DESK):
            for theme in THEMES:
                self._shoot(words, viewport, theme)
        self.taken += 1

    def _shoot(self, words: str, viewport: dict[str, int], theme: Theme) -> None:
        page: Page = self.at.page
        page.set_viewport_size({"width": viewport["width"], "height": viewport["height"]})
        page.emulate_media(color_scheme=theme)
        name = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")[:90] or "events"
        file = f"{self.chapter}-{self.taken:03}-{name}-{viewport['width']}-{theme}.png"
        page.screenshot(path=FOLDER / file, full_page=True)


@pytest.fixture(scope="module", autouse=True)
def index() -> Iterator[None]:
    """Empty the folder before the tests, and write a page with all pictures after them."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    yield
    small = "".join(
        f'<a href="{escape(name)}"><img loading="lazy" src="{escape(name)}" alt=""><br>{escape(name)}</a>'
        for name in sorted(file.name for file in FOLDER.glob("*.png"))
    )
    style = "a{display:inline-block;width:24%;vertical-align:top;overflow-wrap:anywhere}img{width:100%}"
    (FOLDER / "index.html").write_text(
        f'<!doctype html><meta charset="utf-8"><title>Every page</title><style>{style}</style>{small}'
    )


def draw(browser: Browser, address: str, chapter: str, user: User | None, paths: Iterable[str]) -> None:
    camera = Camera(browser, address, chapter, user)
    for path in paths:
        camera.open(path)
    camera.at.context.close()


def test_events_and_rounds(house: axe.House, browser: Browser, live_server: Any) -> None:
    """The public pages, and all pages of a login with every role."""
    boss = User.objects.get(username="house")
    draw(browser, live_server.url, "public", None, axe.public_pages(house))
    draw(browser, live_server.url, "house", boss, axe.pages_of_the_house(house))
    draw(browser, live_server.url, "floor", boss, axe.pages_of_the_floor(house))
    draw(browser, live_server.url, "ties", boss, axe.pages_of_draws_ties_and_counts())
    name_long()
    draw(browser, live_server.url, "long", None, axe.public_pages(house))


def test_every_form(browser: Browser, live_server: Any) -> None:
    """Every form, for a login that may send all of them."""
    boss = UserFactory(is_superuser=True, username="house")
    pages = hostile.pages(doors.world_of(Event.Kind.TOURNAMENT))
    draw(browser, live_server.url, "forms", boss, pages)


def test_every_address(browser: Browser, live_server: Any) -> None:
    """Every address for the role with the fewest rights there, and the answer to each empty form."""
    world = doors.world_of(Event.Kind.TOURNAMENT)
    known = doors.people(world)
    where, rows = doors.addresses(world, known), doors.rows_of(doors.TABLE)
    for role in NARROWEST_FIRST:
        camera = Camera(browser, live_server.url, f"as-{role}", known[role])
        for name, cells in rows.items():
            may = [each for each in NARROWEST_FIRST if "200/" in cells[doors.COLUMNS.index(each)]]
            if may[:1] == [role] and name not in PARTS:
                camera.open(where[name])
            sends = [each for each in NARROWEST_FIRST if cells[doors.COLUMNS.index(each)].endswith("/422")]
            if sends[:1] == [role]:
                camera.refuse(where[name])
        camera.at.context.close()


def test_failures(browser: Browser, live_server: Any) -> None:
    """The pages for missing rights, unknown addresses and failures."""
    camera = Camera(browser, live_server.url, "failures", UserFactory(roles=["dealer"]))
    for path in ("/e/nothing/", "/staff/nothing/desk/", "/house/staff/", "/password/nothing/"):
        camera.open(path)
    for template, context in FAILURES:
        camera.show(render_to_string(template, {**context}), "/failure/", f"{template} {' '.join(context)}")
    camera.at.context.close()


def test_refusals_and_waiting_taps(browser: Browser, live_server: Any) -> None:
    """A stale form, a page whose poll is refused, another's table, and taps that wait on the tablet."""
    form = FORMS["tables:cut_stands"]()
    first, second = Screen(form), Screen(form)
    first.send(form)
    camera = Camera(browser, live_server.url, "refused", second.user)
    camera.show(second.send(form).content.decode(), form.path, "stale form")
    camera.at.page.goto(form.page)
    camera.at.page.evaluate("document.dispatchEvent(new CustomEvent('cutline:say', {detail: 'forbidden'}))")
    camera.draw("load the page again")
    world = doors.world_of(Event.Kind.TOURNAMENT)
    camera = Camera(browser, live_server.url, "refused-dealer", doors.people(world)["dealer"])
    camera.open(f"/staff/{world.event.slug}/tables/2/")
    camera.at.page.evaluate(TAPS_WAIT)
    camera.at.context.clear_cookies(name="sessionid")
    camera.open("/login")


def test_persons_and_payments(browser: Browser, live_server: Any) -> None:
    """Two people with the same name at the desk, a reversed payment, and an unclaimed prize."""
    boss = UserFactory(is_superuser=True, username="house")
    event, (_, twin) = EventFactory(), [PlayerFactory(given_name="Ann", family_name="Lee") for _ in range(2)]
    draw(browser, live_server.url, "desk", boss, axe.at(event, f"desk/?player={twin.pk}", "desk/?q=lee"))
    paid = doors.partly_paid(Event.Kind.TOURNAMENT)
    pages = axe.at(
        paid, "pay/", "pay/E003/", "pay/E003/receipt/", "payouts/", "requests/", "entries/E003/", ""
    )
    payments.ask_back(paid, "E003")
    draw(browser, live_server.url, "take-back-waits", boss, pages)
    confirm({"request": Request.objects.get(status=Request.Status.OPEN).pk})
    draw(browser, live_server.url, "taken-back", boss, pages)
    unclaimed = doors.place_unclaimed(Event.Kind.TOURNAMENT)
    draw(browser, live_server.url, "unclaimed", boss, axe.at(unclaimed, "payouts/", "pay/"))


def test_the_rules_of_every_sheet(browser: Browser, live_server: Any) -> None:
    """The posted rules of the sheets that no other event in this file uses."""
    for sheet in (name for name in SHEETS if name != "wonder"):
        event = EventFactory(settings=sheet_defaults(sheet))
        pages = [f"/e/{event.slug}/rules/", f"/e/{event.slug}/rules/poster/"]
        draw(browser, live_server.url, f"sheet-{sheet}", None, pages)


def test_clocks(browser: Browser, live_server: Any) -> None:
    """The clock in each of its states, on public and on staff pages, with a long label and a long time."""
    boss = UserFactory(is_superuser=True, username="house")
    played, opened = doors.world_of(Event.Kind.TOURNAMENT).event, EventFactory()

    def drawn(event: Event, chapter: str) -> None:
        standings_recompute(event_id=event.pk)
        pages = axe.at(event, "", "tables/", "clock/")
        draw(browser, live_server.url, f"clock-{chapter}", boss, pages)
        draw(browser, live_server.url, f"clock-{chapter}-public", None, [f"/e/{event.slug}/"])

    drawn(played, "none")
    for event, kind, seconds, label in (
        (played, "round", 2_100, ""),
        (played, "start", 754, ""),
        (opened, "late", 250, ""),
        (played, "break", 7_200, "Dinner in the large room on the floor up"),
    ):
        about, until = {"event_id": event.pk, "actor": None}, clocks.Until(seconds=seconds)
        clocks.clock_start(**about, kind=kind, label=label, until=until, key=new_key())
        drawn(event, f"{kind}-running")
        clocks.clock_pause(**about, key=new_key())
        drawn(event, f"{kind}-paused")
        EventClock.objects.filter(event=event).update(left_seconds=None, ends_at=timezone.now())
        drawn(event, f"{kind}-up")
