"""`deploy/nginx.conf` under a real nginx, before the pages as a house serves them."""

from __future__ import annotations

import http.client
import re
import ssl
import time

import pytest
from django.test import Client

from bench.front import HOUSE, Front, nginx_find
from pages.public.views import urlpatterns
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import seated
from tests.cast.pages import public, round_1_posted
from tests.cast.publication import publish
from tests.cast.serving import Server, cookies_of
from tests.conftest import missing
from tournament.figures import chips
from tournament.models import Stack
from tournament.services.events import event_call_off
from tournament.services.hall import screen_add
from tournament.services.standings import standings_recompute

pytestmark = [pytest.mark.soak, pytest.mark.django_db(transaction=True)]

PACKED = {"Accept-Encoding": "gzip"}
OF_THE_LINE = {"date", "server", "connection", "keep-alive", "transfer-encoding", "x-cache", "content-length"}
OF_THE_LINE |= {"x-accel-expires"}
"""Headers of the connection, nginx's own word on what it did, and the word of the pages to nginx."""
OF_THE_MOMENT = {"set-cookie", "cutline-now", "expires"}
"""Headers of which only that they are there can be compared: the next answer has another value."""


def asked(line, path, method, headers):
    """Ask one thing on a connection of its own: status, headers (names in small letters) and body."""
    try:
        line.request(method, path, headers=headers)
        answer = line.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        line.close()


class House(Front):
    """The front, and a browser before it."""

    def ask(self, path, method="GET", *, host=HOUSE, plain=False, **headers):
        line = http.client.HTTPConnection("127.0.0.1", self.plain, timeout=60)
        if not plain:
            trusting = ssl._create_unverified_context()  # noqa: S323 - a certificate of our own
            line = http.client.HTTPSConnection("127.0.0.1", self.secure, timeout=60, context=trusting)
        return asked(line, path, method, {"Host": host, **headers})


@pytest.fixture
def event(transactional_db):
    return round_1_posted()


@pytest.fixture
def server(tmp_path, settings, event):
    """The pages as they are behind HTTPS; only their files keep their names, so that none is collected."""
    more = {"SECRET_KEY": settings.SECRET_KEY, "ALLOWED_HOSTS": f"{HOUSE},127.0.0.1", "TRUSTED_PROXIES": "1"}
    more |= {"SECURE_SSL_REDIRECT": "1", "SECURE_HSTS_SECONDS": "31536000"}
    started = Server("--access-logfile", "-", log=tmp_path / "log", **more)
    yield started
    started.stop()


@pytest.fixture
def front(tmp_path, server):
    program = nginx_find()
    if program is None:
        missing("This test needs a real nginx (Debian: apt install nginx-light).")
    folder = tmp_path / "front"
    folder.mkdir()
    started = House(program, folder, server.port)

    def answers():
        assert started.process.poll() is None, (folder / "out").read_text()
        try:
            return started.ask("/healthz")[0] == 200
        except OSError:
            return False

    server.until(answers)
    yield started
    started.stop()


def behind(server, path, method="GET", **headers):
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    forwarded = {"Host": HOUSE, "X-Forwarded-Proto": "https", "X-Forwarded-For": "127.0.0.1"}
    return asked(line, path, method, {**forwarded, **headers})


def told(headers):
    """The headers that the pages decide; of a cookie and of a time only that there is one."""
    ours = {name: value for name, value in headers.items() if name not in OF_THE_LINE}
    return {**ours, **{name: "set" for name in ours if name in OF_THE_MOMENT}}


def test_every_answer_has_the_headers_that_it_has_without_nginx(server, front, event):
    staff = ["/login", "/house/", f"/staff/{event.slug}/", "/de/e/none/", "/readyz"]
    more_public = [f"/de/e/{event.slug}/", "/de/", "/static/base.css", f"/e/{event.slug}/?you=E001"]
    for path in [*public(event), *more_public, *staff]:
        for method in ("GET", "HEAD"):
            for more in ({}, PACKED):
                status, headers, body = front.ask(path, method, **more)
                wanted = behind(server, path, method, **more)
                assert (status, told(headers)) == (wanted[0], told(wanted[1])), (path, method, more)
                if path in public(event) or path.startswith("/static/"):
                    assert body == wanted[2], (path, method, more)
                assert "strict-transport-security" in headers, path
        tag = {"If-None-Match": headers.get("etag", '"none"')}
        status, headers, body = front.ask(path, **PACKED, **tag)
        wanted = behind(server, path, **PACKED, **tag)
        assert status == wanted[0], path
        # nginx has the tag of the compressed page, which is weak.
        same = {name: value for name, value in told(wanted[1]).items() if name != "etag"}
        assert {name: told(headers).get(name) for name in same} == same, path


def test_public_pages_are_answered_by_nginx_and_change_with_the_event(server, front, event):
    poll = f"/de/e/{event.slug}/standings"
    server.until(lambda: front.ask(poll, **PACKED)[1].get("x-cache") == "HIT")
    tag = {"If-None-Match": front.ask(poll, **PACKED)[1]["etag"]}
    server.until(
        lambda: (front.ask(poll, **PACKED, **tag)[0], front.ask(poll, **tag)[1]["x-cache"]) == (304, "HIT")
    )
    event_call_off(event_id=event.pk, reason="a fire alarm", key=new_key(), actor=None)
    standings_recompute(event_id=event.pk)
    server.until(lambda: b"fire alarm" in front.ask(poll)[2])
    assert front.ask(poll)[1]["cache-control"].endswith("max-age=0")


@pytest.mark.parametrize("again", range(5))
def test_nginx_shows_no_hidden_figure_a_second_after_the_commit(server, front, again):
    """The commit comes at another part of a second each time: nginx counts in whole ones."""
    event = seated(8, boxes_per_table=4).event
    standings_recompute(event_id=event.pk)
    paths = [f"/e/{event.slug}/{tail}" for tail in ("", "standings", "tv/slides", "tables/1/picture")]
    stack = chips(Stack.objects.filter(round__event=event).values_list("chips", flat=True)[0]).encode()
    for path in paths:
        server.until(lambda path=path: front.ask(path)[1].get("x-cache") == "HIT")
        assert stack in front.ask(path)[2], path
    publish(event, "hidden")
    committed, late, hits = time.time(), [], 0
    while time.time() < committed + 3:
        for path in paths:
            asked_at = time.time()
            _status, headers, body = front.ask(path)
            hits += headers["x-cache"] == "HIT"
            if stack in body:
                late.append(asked_at - committed)
    assert hits and all(each < 1 for each in late), max(late)


def test_nothing_of_the_staff_or_of_one_screen_is_ever_kept(front, event):
    screen_add(event_id=event.pk, name="bar", key=new_key(), actor=None)
    client = Client()
    client.force_login(UserFactory(is_superuser=True, username="house"))
    mine = {"Cookie": cookies_of(client)}
    for path in ("/house/", f"/staff/{event.slug}/desk/", f"/de/e/{event.slug}/tv/bar/slides"):
        for _ in range(3):
            status, headers, _ = front.ask(path, **mine)
            assert (status, headers.get("x-cache")) == (200, None)
            assert "no-store" in headers["cache-control"]
    assert front.ask("/house/")[0] == 302
    # A query is somebody's name: nothing of it is kept, in the cache's folder or in a log.
    for path, more in [(f"/e/{event.slug}/?you=Berger", {}), *((path, mine) for path in public(event))]:
        for _ in range(3):
            assert front.ask(path, **more)[1]["x-cache"] == "BYPASS", path
    kept = [each for each in (front.folder / "cache").rglob("*") if each.is_file()]
    assert not [each for each in kept if re.search(rb"Berger|/staff/|/house/", each.read_bytes()[:2_000])]
    front.ask("/password/a-secret-of-a-one-time-link/")
    log = (front.folder / "cutline.access.log").read_text()
    assert "/password/..." in log and "one-time-link" not in log and "Berger" not in log


def test_only_the_house_is_answered_only_over_tls_and_by_no_address_that_a_browser_makes_up(
    server, front, event
):
    """The lock of the log-in counts by address: whoever could choose one would never be locked."""
    assert len(urlpatterns) == len(public(event))
    for plain in (True, False):
        with pytest.raises((http.client.RemoteDisconnected, http.client.BadStatusLine)):
            front.ask("/", host="evil.example", plain=plain)
    status, headers, _ = front.ask(f"/e/{event.slug}/?you=E001", plain=True)
    assert (status, headers["location"]) == (301, f"https://{HOUSE}/e/{event.slug}/?you=E001")
    made_up = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Host": "evil.example"}
    status, headers, _ = front.ask("/login", **made_up, **{"X-Forwarded-Proto": "http"})
    assert status == 200 and "evil.example" not in str(headers)
    assert "203.0.113.9" not in server.log.read_text()
