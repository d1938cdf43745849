"""Every page in a real browser: WCAG 2.2 AA by axe, both themes, phone and desk; nothing overflows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import Browser, Page

from tables.models import Deal, Shoe
from tables.selectors import table_view
from tables.services import (
    dealing,
    rehearsal,
)
from tests.e2e.night import Visitor
from tests.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory, new_key
from tests.pages import test_hostile as hostile
from tests.pages import test_permissions as doors
from tests.tables import cast
from tests.tournament import playing
from tournament.models import Draw, Event, Round
from tournament.services.clocks import Until, clock_start
from tournament.services.standings import standings_recompute

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.soak]

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1440, "height": 900}
ALL_RULES = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}
# The script is put in once a page and run for each look; of its answer only the faults come back.
RUN = """options => axe.run(options).then(({ violations }) => violations.map(
    ({ id, help, nodes }) => [id, help, nodes.slice(0, 3).map(node => node.target.join(" "))]))"""
# Each page is looked at four times; what a theme can change is looked at in both of them.
LOOKS: tuple[tuple[dict[str, int], str, dict[str, Any]], ...] = (
    (PHONE, "light", ALL_RULES),
    (PHONE, "dark", COLOURS),
    (DESK, "dark", ALL_RULES),
    (DESK, "light", COLOURS),
)
AXE = Axe().axe_script
# A figure with its word in two lines, a table past the edge of its sheet, a line to write on away from its
# word, a sentence that ends twice.
TORN = """() => {
    const found = [], lines = node => {
        const range = document.createRange();
        range.selectNodeContents(node);
        const tops = [...range.getClientRects()].filter(box => box.width > 0).map(box => Math.round(box.top));
        return new Set(tops).size;
    };
    for (const node of document.querySelectorAll("main span, main td, main dd, main p")) {
        const text = node.textContent.trim();
        if (!node.children.length && /^[\\d,.$]+ [a-z]+$/i.test(text) && lines(node) > 1)
            found.push(`torn: ${text}`);
    }
    for (const table of document.querySelectorAll("main table")) {
        const around = table.parentElement, style = getComputedStyle(around);
        if (style.overflowX !== "visible") continue;
        const most = around.getBoundingClientRect().right - parseFloat(style.paddingRight);
        if (table.getBoundingClientRect().right > most + 1) found.push(`past its edge: ${table.className}`);
    }
    for (const line of document.querySelectorAll("main .write")) {
        const before = line.previousElementSibling, bottom = node => node.getBoundingClientRect().bottom;
        if (before && Math.abs(bottom(before) - bottom(line)) > 8)
            found.push(`away from its word: ${before.textContent}`);
    }
    for (const twice of document.body.innerText.match(/.{0,40}\\w\\.\\.(?![.\\w\\/])/g) || [])
        found.push(`ends twice: ${twice}`);
    return found;
}"""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class House:
    """Events in the states that their pages differ in, and a browser whose person may see all."""

    def __init__(self, browser: Browser, address: str, night: Event) -> None:
        self.night, self.draft = night, EventFactory(opened=False, name="Next Friday")
        self.open = EventFactory(name="Tonight at eight")
        EntryFactory(event=self.open)
        late = Until(seconds=86_400)
        clock_start(event_id=self.open.pk, kind="late", until=late, key=new_key(), actor=None)
        self.player = PlayerFactory()
        self.over = playing.finished(6, cut_after_round_1=5, cut_after_round_2=4)
        standings_recompute(event_id=self.over.pk)
        self.paid = doors.partly_paid(Event.Kind.TOURNAMENT)
        self.unheld = doors.place_unheld(Event.Kind.TOURNAMENT)
        self.staff = Visitor(browser, address, viewport=PHONE, reduced_motion="reduce")
        self.public = Visitor(browser, address, viewport=PHONE, reduced_motion="reduce")
        client = Client()
        client.force_login(UserFactory(is_superuser=True, username="house"))
        cookie = client.cookies["sessionid"]
        self.staff.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": address}])


@pytest.fixture
def house(browser: Browser, live_server: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    for role in ("cashier", "director", "floor", "manager", "dealer"):
        UserFactory(username=role, roles=[role])
    monkeypatch.setattr(rehearsal, "ENTRANTS", 14)
    made = House(browser, live_server.url, Event.objects.get(pk=rehearsal.rehearsal_make()["event"]))
    standings_recompute(event_id=made.night.pk)
    yield made
    made.staff.context.close()
    made.public.context.close()


def faults_of(page: Page) -> list[str]:
    """What axe and the browser have against the page as it is open."""
    found = []
    page.evaluate(AXE)
    for viewport, theme, rules in LOOKS:
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=theme)
        where = f"{page.url} {viewport['width']} {theme}"
        for rule, words, targets in page.evaluate(RUN, rules):
            found.append(f"{where}: {rule} {words} at {'; '.join(targets)}")
        wide = page.evaluate(OVERFLOW)
        if wide > 0 and viewport is PHONE:
            found.append(f"{where}: {wide} px wider than the screen")
        if rules is ALL_RULES:
            found += [f"{where}: {each}" for each in page.evaluate(TORN)]
    return found


def look(visitor: Visitor, paths: list[str]) -> None:
    """Open these pages and look at each."""
    found = []
    for path in paths:
        answer = visitor.page.goto(path)
        assert answer is not None
        assert answer.status == 200, f"{path}: {answer.status}"
        found += faults_of(visitor.page)
    assert not found, "\n".join(found)
    assert visitor.errors == []


def at(event: Event, *tails: str) -> list[str]:
    return [f"/staff/{event.slug}/{tail}" for tail in tails]


def public_pages(house: House) -> list[str]:
    pages = ["/", "/login"]
    pages.append(f"/e/{house.unheld.slug}/prizes/")
    pages.append(f"/e/{house.open.slug}/")
    for event in (house.night, house.over):
        pages += [
            f"/e/{event.slug}/{tail}"
            for tail in (
                "",
                "?you=E001",
                "seats/",
                "results/",
                "prizes/",
                "rules/",
                "rules/poster/",
                "draws/",
                "tv/",
                "tv/?theme=light",
                "tables/1/",
                "tables/1/?overlay=1&theme=light",
            )
        ]
    drawn = Draw.objects.filter(event=house.night, status=Draw.Status.DRAWN).latest("number")
    pages += [f"/e/{house.night.slug}/draws/{number}/" for number in (drawn.number, drawn.number + 1)]
    return pages


def test_the_public_pages(house: House) -> None:
    look(house.public, public_pages(house))


def pages_of_the_house(house: House) -> list[str]:
    tails = (
        "desk/",
        "desk/?q=nobody",
        f"desk/?player={house.player.pk}",
        f"people/{house.player.pk}/",
        "entries/E001/",
        "entries/E001/receipt/",
    )
    return [
        *("/house/", "/house/events/new/", "/house/settings/", "/house/staff/", "/staff/replay/"),
        f"/house/staff/{UserFactory(roles=['dealer']).pk}/",
        *at(house.draft, "", "setup/", "setup/post/", "start/"),
        *at(house.open, "", "setup/", "call-off/", *tails),
        *at(house.night, "requests/", "journal/?check", "payouts/"),
        *at(house.over, "", "pay/", "pay/E001/", "payouts/"),
        *at(house.unheld, "", "pay/", "payouts/", "payouts/sharing/"),
        *at(house.paid, "", "pay/", "pay/E002/", "pay/E002/receipt/", "entries/E002/", "requests/"),
    ]


def test_the_pages_of_the_house_and_the_desk(house: House) -> None:
    look(house.staff, pages_of_the_house(house))


def pages_of_the_floor(house: House) -> list[str]:
    round_1, round_2 = Round.objects.filter(event=house.night, kind=Round.Kind.ROUND).order_by("number")
    deal = Deal.objects.filter(shoe__round=round_2, status=Deal.Status.SETTLED).latest("pk")
    counted = Shoe.objects.filter(round=round_2).select_related("table").order_by("table__number")
    cast.shoe_over(counted[1])
    dealing.deal_open(shoe_id=counted[0].pk, bets=_least_bets(counted[0]), mode="cards", actor=None)
    return [
        *at(house.night, "", "draw/", "seating/", "boxes/", "tables/", "tables/1/", "tables/2/"),
        *at(house.open, "", "clock/"),
        *at(house.night, "clock/", "tables/2/count/", "tables/2/count/sheet/", f"rounds/{round_1.pk}/"),
        *at(house.night, f"seating/{round_2.pk}/1/cards/", f"seating/{round_2.pk}/cards/"),
        *at(house.night, f"rounds/{round_2.pk}/", f"rounds/{round_2.pk}/close/", "deals/"),
        *at(
            house.night,
            f"deals/{deal.pk}/replay/",
            *(f"deals/{deal.pk}/correct/?how={how}" for how in HOWS),
        ),
    ]


def test_the_pages_of_the_floor(house: House) -> None:
    look(house.staff, pages_of_the_floor(house))


HOWS = ("results", "cards", "void")


def _least_bets(shoe: Shoe) -> dict[int, int]:
    return {row.box: 200 for row in table_view(shoe.table).boxes if row.may_bet}


def pages_of_draws_ties_and_counts() -> list[str]:
    round_, differ = cast.seated(7), hostile.over()
    hostile.counts_differ(differ)
    ruling, play_off = hostile.tied(tie_at_cut="director"), hostile.tied()
    off = cast.draw_and_seat(play_off)
    waits, asked, cut = hostile.ruling_waits(), hostile.tied(), hostile.cut_put_right()
    hostile.chips_asked(asked)
    gone = doors.disqualification_asked(Event.Kind.TOURNAMENT)
    alone, begun = cast.seated(3, record_mode="counts"), cast.seated(3, record_mode="counts")
    cast.dealing.round_play(round_id=begun.pk, key=new_key(), actor=None)
    dealt = cast.seated(3)
    hand = cast.opened(cast.shoe_of(dealt), {1: 200, 2: 200, 3: 200})
    card = {"op": "card", "card": "9s"}
    cast.dealing.deal_tap(deal_id=hand.pk, seen=0, nonce=new_key(), op=card)
    return [
        *at(dealt.event, "tables/1/", "tables/1/?amend=0", "tables/1/?amend=bet-1"),
        *at(alone.event, "", "tables/1/", f"rounds/{alone.pk}/begin/"),
        *at(begun.event, "", "tables/1/", f"rounds/{begun.pk}/begin/undo/"),
        *at(gone.event, f"requests/{gone.pk}/disqualification/", "requests/", "entries/E001/"),
        *at(round_.event, "draw/", "tables/1/?mode=cards", "tables/1/?mode=results", "seating/"),
        *at(hostile.drawing(False), "draw/"),
        *at(hostile.drawing(True), "draw/"),
        *at(differ.event, "tables/1/count/", "tables/1/"),
        *at(ruling, "", f"rounds/{ruling.rounds.get().pk}/"),
        *at(play_off, "", f"rounds/{off.pk}/", f"rounds/{off.parent_id}/"),
        *at(waits.event, "tables/1/count/", "tables/1/", "tables/", "", "requests/", f"rounds/{waits.pk}/"),
        *at(cut.event, "", f"rounds/{cut.pk}/", f"rounds/{cut.pk}/stands/"),
        *at(asked, "", "draw/", "requests/", "entries/E001/"),
        *at(asked, *(f"rounds/{asked.rounds.get().pk}/{tail}" for tail in ("", "close/"))),
    ]


def test_the_pages_of_a_draw_a_tie_and_counts_that_differ(house: House) -> None:
    look(house.staff, pages_of_draws_ties_and_counts())
