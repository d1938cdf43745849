"""Draws the pictures of docs/pictures from the pages of a rehearsal: `make pictures`.

Not part of the tests: pytest is asked for this file by name. Each picture stays below 150 KB.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, expect

from tables.models import Shoe
from tables.selectors.table_view import table_view
from tables.services import dealing, nights, rehearsal
from tests.cast.browsers import Visitor
from tests.cast.factories import PlayerFactory, UserFactory
from tournament.models import Event, Round
from tournament.services.standings import standings_recompute

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
MOST_BYTES = 150_000
PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 800}
TALL = {"width": 1280, "height": 1080}
TABLET = {"width": 1180, "height": 820}
# The felt's light makes a large picture.
SCALES = {"table": 0.55, "round-close": 0.8}


class Studio:
    """Takes the pictures: as the public sees a page, or as one of those who work here."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address

    def take(
        self, name: str, path: str, view: dict[str, int], *, theme: str = "dark", role: str = ""
    ) -> None:
        at = Visitor(
            self.browser,
            self.address,
            viewport=view,
            color_scheme=theme,
            reduced_motion="reduce",
            device_scale_factor=SCALES.get(name, 1.5 if view is PHONE else 1),
        )
        if role:
            at.context.add_cookies([self._pass_of(role)])
        answer = at.page.goto(path)
        assert answer is not None
        assert answer.status == 200, f"{path}: {answer.status}"
        expect(at.page.locator("h1, .standings").first).to_be_visible()
        FOLDER.mkdir(parents=True, exist_ok=True)
        file = FOLDER / f"{name}.png"
        at.page.screenshot(path=file)
        assert file.stat().st_size < MOST_BYTES, f"{file.name} has {file.stat().st_size:,} bytes"
        at.context.close()

    def _pass_of(self, role: str) -> dict[str, str]:
        client = Client()
        client.force_login(User.objects.get(username=role))
        return {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": self.address}


@pytest.fixture
def studio(browser: Browser, live_server: Any) -> Studio:
    for role in ("cashier", "director", "floor", "manager", "dealer"):
        UserFactory(username=role, roles=[role])
    return Studio(browser, live_server.url)


def round_1_counted(event: Event) -> bool:
    """Every table of round 1 is counted and nothing is closed yet."""
    return event.rounds.filter(number=1, kind=Round.Kind.ROUND, status=Round.Status.COUNTED).exists()


def test_pictures(studio: Studio) -> None:
    """One night, the same every time, with a picture where there is something to see."""
    night = nights.night_open(
        name="Wonder Friday",
        code="FRIDAY",
        kind=Event.Kind.REHEARSAL,
        luck="pictures",
        settings={},
        slug="wonder-friday",
        people=rehearsal.people(),
    )
    event, staff, public = night.event, "/staff/wonder-friday/", "/e/wonder-friday/"
    nights.night_buy_in(night, 41)
    somebody = PlayerFactory(given_name="Vera", family_name="Quist")
    studio.take("desk", f"{staff}desk/?player={somebody.pk}", LAPTOP, theme="light", role="cashier")
    nights.night_play(night, until=round_1_counted)
    studio.take("round-close", f"{staff}rounds/{event.rounds.get().pk}/", TALL, role="director")
    nights.night_play(night, until=nights.round_1_over)
    nights.night_post_payouts(night)
    studio.take("payouts", f"{staff}payouts/", LAPTOP, theme="light", role="manager")
    rehearsal.round_2_start(night)
    standings_recompute(event_id=event.pk)
    studio.take("leaderboard-dark", f"{public}?you={_in_the_middle(event)}", PHONE)
    studio.take("leaderboard-light", public, PHONE, theme="light")
    studio.take("draw-proof", f"{public}draws/1/", PHONE, theme="light")
    studio.take("tonight", staff, LAPTOP, role="director")
    _hand_in_progress(event)
    studio.take("table", f"{staff}tables/1/", TABLET, role="dealer")


def _in_the_middle(event: Event) -> str:
    """Somebody near the cut."""
    stacks = event.rounds.latest("pk").stacks.order_by("-chips").select_related("entry")
    return str(stacks[7].entry.code)


def _hand_in_progress(event: Event) -> None:
    """A hand in cards mode at table 1, the first cards out and somebody to act."""
    shoe = Shoe.objects.filter(round__event=event, table__number=1).latest("pk")
    boxes = [row.box for row in table_view(shoe.table).boxes if row.may_bet]
    bets = {box: 200 * (1 + box % 4) for box in boxes}
    deal = dealing.deal_open(shoe_id=shoe.pk, bets=bets, mode="cards", actor=None)["deal"]
    first, second = ("8h", "Kc", "5d", "Ah", "Js", "9s", "7c"), ("Td", "9h", "6s", "7d", "Qd", "3c", "8c")
    faces = [*first[: len(boxes)], "6d", *second[: len(boxes)]]
    for seen, face in enumerate(faces):
        dealing.deal_tap(deal_id=deal, seen=seen, nonce=f"picture-{seen}", op={"op": "card", "card": face})
    op = {"op": "decision", "seat": boxes[0], "action": "stand"}
    dealing.deal_tap(deal_id=deal, seen=len(faces), nonce="picture-stand", op=op)
