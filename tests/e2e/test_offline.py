"""A public page without network: the last one that was seen, its age, and nothing that is not for anybody."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Error, expect

from tests.cast import floor as cast
from tests.cast.factories import UserFactory, new_key
from tests.cast.pages import hands_played
from tests.cast.playing import win
from tests.cast.serving import Server
from tournament.models import Event
from tournament.services.events import event_call_off
from tournament.services.standings import standings_recompute

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.soak]

KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) found.push(...await (await caches.open(name)).keys());
  return found.map(({ url }) => url.replace(location.origin, ""));
}"""


class Phone:
    """A browser and the server of the house, which can be gone."""

    def __init__(self, page: Any, server: Server, key: str, log: Path) -> None:
        self.page, self.server, self.key, self.log = page, server, key, log
        self.home = f"http://127.0.0.1:{server.port}"

    def open(self, path: str) -> Any:
        return self.page.goto(f"{self.home}{path}")

    def kept(self) -> set[str]:
        return set(self.page.evaluate(KEPT))

    def until_kept(self, *paths: str) -> None:
        """Wait until the worker has these; 60 s only report a hang."""
        for _ in range(600):
            if (
                self.page.evaluate("Boolean(navigator.serviceWorker.controller)")
                and set(paths) <= self.kept()
            ):
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(self.kept())

    def network_goes(self) -> None:
        self.server.stop()

    def network_is_back(self) -> None:
        self.server = Server(log=self.log, port=self.server.port, SECRET_KEY=self.key)


@pytest.fixture
def phone(page: Any, tmp_path: Path, settings: Any, transactional_db: None) -> Iterator[Phone]:
    """A phone that has never been here."""
    log = tmp_path / "log"
    made = Phone(page, Server(log=log, SECRET_KEY=settings.SECRET_KEY), settings.SECRET_KEY, log)
    yield made
    if made.server.process.poll() is None:
        made.server.stop()


@pytest.fixture
def event() -> Event:
    """Some hands into round 1."""
    return hands_played(8)


def test_without_network_a_reload_shows_the_last_standings_and_goes_on_by_itself(
    phone: Phone, event: Event
) -> None:
    board, page = f"/e/{event.slug}/", phone.page
    phone.open(board)
    phone.until_kept(board, "/static/base.css", "/static/offline.js")
    # A hand is settled: a poll brings it, and it is what is kept.
    win(event.rounds.get(), E001=2_000)
    standings_recompute(event_id=event.pk)
    stack = page.locator('[data-entry="E001"]').first
    before = stack.get_attribute("data-stack")
    expect(stack).not_to_have_attribute("data-stack", str(before), timeout=60_000)
    newest = stack.get_attribute("data-stack")
    phone.until_kept(board, f"{board}standings")
    phone.network_goes()
    page.reload()
    line = page.locator("[data-kept-line]")
    expect(line).to_be_visible()
    expect(line).to_have_attribute("data-minutes", "0")
    expect(page.locator('[data-entry="E001"]').first).to_have_attribute("data-stack", str(newest))
    assert page.evaluate("getComputedStyle(document.body).fontFamily") != "", "the sheet is kept too"
    # Its age is counted up.
    page.evaluate("Date.now = ((now) => () => now() + 6 * 60_000)(Date.now)")
    expect(line).to_have_attribute("data-minutes", "6")
    phone.network_is_back()
    expect(page.locator("html[data-kept]")).to_have_count(0, timeout=60_000)
    expect(line).to_be_hidden()


def test_what_the_network_answers_is_shown_whatever_is_kept(phone: Phone, event: Event) -> None:
    board, page = f"/e/{event.slug}/", phone.page
    phone.open(board)
    phone.until_kept(board)
    event_call_off(event_id=event.pk, reason="a fire alarm", key=new_key(), actor=None)
    standings_recompute(event_id=event.pk)
    phone.open(board)
    expect(page.locator("template[data-over]")).to_have_count(1)
    assert page.locator("html[data-kept]").count() == 0
    # A page that is gone is an error as ever, and is kept no longer.
    Event.objects.filter(pk=event.pk).update(slug="elsewhere")
    phone.server.until(lambda: phone.open(board).status == 404)
    phone.server.until(lambda: board not in phone.kept())


def test_nothing_is_kept_but_public_pages_and_files(phone: Phone, event: Event) -> None:
    client = Client()
    client.force_login(UserFactory(is_superuser=True, username="house"))
    board, page = f"/e/{event.slug}/", phone.page
    phone.open("/")
    phone.until_kept("/")
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": phone.home}]
    )
    for path in ("/house/", f"/staff/{event.slug}/", f"/staff/{event.slug}/desk/", "/e/none/", "/healthz"):
        phone.open(path)
    for path in (f"{board}?you=E001", f"{board}tv/", f"{board}tables/1/", f"{board}rules/"):
        phone.open(path)
    phone.open(f"/de{board}seats/")
    phone.until_kept(f"/de{board}seats/")
    pages = {path for path in phone.kept() if not path.startswith("/static/")}
    assert pages - {f"{board}standings"} == {"/", f"{board}rules/", f"/de{board}seats/"}
    phone.network_goes()
    for path in ("/house/", f"/staff/{event.slug}/", "/login", f"{board}seats/"):
        with pytest.raises(Error):
            phone.open(path)


def test_the_steps_of_a_hand_do_not_push_the_standings_out(phone: Phone) -> None:
    round_ = cast.seated(3, cut_after_round_1=2, cut_after_round_2=2)
    deal = cast.recorded(cast.shoe_of(round_), cast.one_box_win(1, 400))
    cast.hand(cast.shoe_of(round_), {2: 400}, b2="win")
    code = cast.stack_at(round_, 1).entry.code
    cast.play_and_close(round_)
    standings_recompute(event_id=round_.event_id)
    board = f"/e/{round_.event.slug}/"
    entry, rules = f"{board}entries/{code}/", f"{board}rules/"
    phone.open(board)
    phone.until_kept(board)
    for step in range(3):
        assert phone.open(f"{entry}hands/{deal.pk}/{step}/").status == 200
    for path in (entry, rules):
        phone.open(path)
    phone.until_kept(entry, rules)
    pages = {path for path in phone.kept() if not path.startswith("/static/")}
    assert pages - {f"{board}standings"} == {board, entry, rules}


def test_what_is_kept_is_bounded_and_what_an_older_worker_kept_is_removed(phone: Phone) -> None:
    event = hands_played(32)
    page, board = phone.page, f"/e/{event.slug}/"
    # A page without a worker, of an earlier visit.
    phone.open("/healthz")
    page.evaluate(
        "caches.open('cutline-pages-before').then((old) => old.put('/e/old/', new Response('old')))"
    )
    phone.open(board)
    phone.until_kept(board)
    assert "/e/old/" not in phone.kept()
    paths = [f"{board}entries/E{n:03}/" for n in range(1, 33)]
    for path in paths:
        phone.open(path)
    phone.until_kept(paths[-1])
    phone.server.until(lambda: board not in phone.kept())
    pages = {path for path in phone.kept() if not path.startswith("/static/")}
    assert pages == set(paths[-30:])


PRIVATE = "in-incognito"
"""The tests' browser keeps nothing, so it offers no installation; that is all it may object to."""


def test_a_browser_can_install_the_house(page: Any, live_server: Any) -> None:
    page.goto(live_server.url, wait_until="networkidle")
    talk = page.context.new_cdp_session(page)
    manifest = talk.send("Page.getAppManifest")
    assert manifest["errors"] == []
    said = json.loads(manifest["data"])
    assert (said["display"], said["start_url"], said["scope"]) == ("standalone", "/en/", "/")
    for icon in said["icons"]:
        answer = page.request.get(f"{live_server.url}/static/icons/{icon['src']}")
        assert (answer.status, answer.headers["content-type"]) == (200, icon["type"])
    objections = talk.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {each["errorId"] for each in objections} <= {PRIVATE}
    # Safari reads no manifest for the icon of the home screen.
    touch = page.locator('link[rel="apple-touch-icon"]').get_attribute("href")
    assert page.request.get(f"{live_server.url}{touch}").headers["content-type"] == "image/png"
