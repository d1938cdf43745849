"""What a phone loads: the first view and the polls, measured on the wire of a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pages.languages import path_in
from tests.cast.factories import new_key
from tests.cast.pages import hands_played
from tests.cast.serving import Server
from tournament.models import Event
from tournament.services.events import event_call_off
from tournament.services.standings import standings_recompute

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.soak]

FIRST_VIEW_BYTES, POLL_BYTES = 30_000, 1_000
ICONS = "/static/icons/"
"""Only an installation asks for them."""


class Wire:
    """The bytes of each answer as Chromium counts them on the wire, heads included."""

    def __init__(self, page: Any) -> None:
        self.asked: dict[str, str] = {}
        self.came: dict[str, int] = {}
        talk = page.context.new_cdp_session(page)
        talk.on("Network.requestWillBeSent", self._sent)
        # A 304 has no body, so nothing comes after its head.
        talk.on("Network.responseReceived", self._begun)
        talk.on("Network.loadingFinished", self._finished)
        talk.send("Network.enable")
        # A phone that has never been here.
        talk.send("Network.clearBrowserCache")

    def _sent(self, event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        if not url.startswith("data:"):
            self.asked[event["requestId"]] = "/" + url.split("/", 3)[3]

    def _begun(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self.asked:
            self.came[event["requestId"]] = int(event["response"]["encodedDataLength"])

    def _finished(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self.asked:
            self.came[event["requestId"]] = int(event["encodedDataLength"])

    def by_path(self) -> list[tuple[str, int]]:
        """Path and bytes of every answer, in the order of the requests."""
        return [(path, self.came[pk]) for pk, path in self.asked.items() if pk in self.came]

    def forget(self) -> None:
        self.asked.clear()
        self.came.clear()


@pytest.fixture
def server(tmp_path: Path, settings: Any, transactional_db: None) -> Iterator[Server]:
    """The pages as ``make run`` serves them."""
    started = Server(log=tmp_path / "log", SECRET_KEY=settings.SECRET_KEY)
    yield started
    started.stop()


@pytest.fixture
def event() -> Event:
    """42 entrants, 14 hands into round 1."""
    return hands_played(42)


def polls_of(wire: Wire, page: Any, many: int) -> list[tuple[str, int]]:
    """The next polls; 60 s only report a hang."""
    wire.forget()
    for _ in range(600):
        if len(wire.by_path()) >= many:
            break
        page.wait_for_timeout(100)
    return wire.by_path()


@pytest.mark.parametrize("language", ["", "de"])
def test_the_first_view_is_at_most_30_kb_and_a_poll_has_no_body(
    page: Any, event: Event, server: Server, language: str
) -> None:
    wire, board = Wire(page), path_in(language, f"/e/{event.slug}/")
    page.goto(f"http://127.0.0.1:{server.port}{board}", wait_until="networkidle")
    loaded = [(path, size) for path, size in wire.by_path() if not path.startswith(ICONS)]
    assert loaded[0][0] == board
    assert {"/static/base.css", "/static/public.css"} <= {path for path, _ in loaded}
    # No code of the staff.
    scripts = {path for path, _ in loaded if path.endswith(".js")}
    assert scripts == {f"/static/{name}.js" for name in ("theme", "cutline", "clock", "offline", "pinned")}
    assert sum(size for _, size in loaded) <= FIRST_VIEW_BYTES, loaded
    polls = polls_of(wire, page, 2)
    assert [path for path, _ in polls] == [f"{board}standings"] * 2
    assert all(size < POLL_BYTES for _, size in polls), polls


def test_a_phone_stops_asking_once_the_event_is_over(page: Any, event: Event, server: Server) -> None:
    page.clock.install()
    page.goto(f"http://127.0.0.1:{server.port}/e/{event.slug}/")
    wire = Wire(page)
    event_call_off(event_id=event.pk, reason="a fire alarm", key=new_key(), actor=None)
    standings_recompute(event_id=event.pk)
    page.clock.run_for(6_000)
    page.wait_for_selector("template[data-over]", state="attached")
    wire.forget()
    page.clock.run_for(600_000)
    assert wire.by_path() == []
