"""The public pages from memory: the framework's own answers, nobody else's, at most a second old."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client, RequestFactory
from django.urls import reverse

from config import public_cache, wsgi
from config.public_cache import FRESH_SECONDS, MOST_SECONDS, PublicCache
from pages.public import views
from pages.public.views import FRONT_KEEPS
from tests.cast.factories import EventFactory, UserFactory, new_key
from tests.cast.pages import public, round_1_posted
from tests.cast.publication import publish
from tests.cast.serving import cookies_of
from tournament.models import Event, House
from tournament.services.screens import screen_add

NIGHT = "Sat, 21 Nov 2026 20:00:00 GMT"
PACKED = {"Accept-Encoding": "gzip, deflate, br"}
Told = tuple[str, list[tuple[str, str]], bytes]


class Clock:
    """A clock that is moved by hand, in seconds."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Counted:
    """A WSGI application that counts what it is asked."""

    def __init__(self, pages: Any) -> None:
        self.pages, self.asked = pages, 0

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        self.asked += 1
        parts: Iterable[bytes] = self.pages(environ, start_response)
        return parts


class Answers:
    """A plain application: every page is public, and its text is what it was told to be."""

    def __init__(self) -> None:
        self.status, self.text = "200 OK", b"one"
        self.headers = [("Cache-Control", "public, max-age=2"), ("Vary", "Accept-Encoding")]
        self.asked = 0
        self.entered, self.go = threading.Event(), threading.Event()
        self.go.set()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        self.asked += 1
        tag, text = f'"{self.text.decode()}"', self.text
        self.entered.set()
        assert self.go.wait(60)
        if environ.get("HTTP_IF_NONE_MATCH") == tag:
            start_response("304 Not Modified", [("ETag", tag), *self.headers])
            return []
        start_response(self.status, [("ETag", tag), *self.headers, ("Content-Length", str(len(text)))])
        return [text]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def plain() -> Answers:
    return Answers()


@pytest.fixture
def cache(plain: Answers, clock: Clock) -> PublicCache:
    return PublicCache(plain, clock=clock)


def ask(
    pages: Any, path: str = "/e/open/", method: str = "GET", *, secure: bool = False, **headers: str
) -> Told:
    """Status, headers and body, as a server gets them."""
    told: list[Any] = []
    request = RequestFactory(headers={"Host": "localhost", **headers}).generic(method, path, secure=secure)
    parts = pages(request.environ, lambda status, headers: told.extend((status, headers)))
    return told[0], told[1], b"".join(parts)


# Age ----------------------------------------------------------------------------------------------------


def test_an_answer_is_kept_and_renewed_from_a_fifth_of_a_second_on(
    cache: PublicCache, plain: Answers, clock: Clock
) -> None:
    assert ask(cache)[2] == b"one"
    plain.text, clock.now = b"two", FRESH_SECONDS - 0.01
    assert (ask(cache)[2], plain.asked) == (b"one", 1)
    clock.now = FRESH_SECONDS
    assert (ask(cache)[2], plain.asked) == (b"two", 2)


def test_what_has_not_changed_is_fresh_again_without_its_body(
    cache: PublicCache, plain: Answers, clock: Clock
) -> None:
    first = ask(cache)
    clock.now = FRESH_SECONDS
    assert ask(cache) == first
    clock.now = 2 * FRESH_SECONDS - 0.01
    assert ask(cache) == first
    assert plain.asked == 2


def test_headers_that_come_with_a_304_are_told_from_then_on(
    cache: PublicCache, plain: Answers, clock: Clock
) -> None:
    """The server's time comes with each poll: a phone that got the time of the first would count wrong."""
    plain.headers.append(("Cutline-Now", "1000"))
    ask(cache)
    plain.headers[-1], clock.now = ("Cutline-Now", "2000"), FRESH_SECONDS
    status, headers, body = ask(cache)
    assert (status, dict(headers)["Cutline-Now"], body) == ("200 OK", "2000", b"one")
    status, headers, body = ask(cache, **{"If-None-Match": '"one"'})
    assert (status, dict(headers)["Cutline-Now"], body) == ("304 Not Modified", "2000", b"")
    assert plain.asked == 2


@pytest.mark.parametrize(
    ("age", "text", "asked"), [(MOST_SECONDS - 0.01, b"one", 2), (MOST_SECONDS, b"two", 3)]
)
def test_while_one_request_renews_it_others_get_what_is_less_than_a_second_old(
    cache: PublicCache,
    plain: Answers,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    age: float,
    text: bytes,
    asked: int,
) -> None:
    monkeypatch.setattr(public_cache, "WAIT_SECONDS", 0)
    ask(cache)
    plain.text, clock.now = b"two", FRESH_SECONDS
    plain.entered.clear()
    plain.go.clear()
    slow = threading.Thread(target=ask, args=(cache,))
    slow.start()
    assert plain.entered.wait(60)
    clock.now = age
    told: list[bytes] = []
    other = threading.Thread(target=lambda: told.append(ask(cache)[2]))
    if text == b"two":
        # It does not wait for ever for the one that hangs: it asks the framework itself.
        plain.entered.clear()
        other.start()
        assert plain.entered.wait(60)
        plain.go.set()
    else:
        other.start()
    other.join(60)
    plain.go.set()
    slow.join(60)
    assert (told, plain.asked) == ([text], asked)


def test_many_who_come_at_once_ask_the_framework_once(
    cache: PublicCache, plain: Answers, clock: Clock
) -> None:
    ask(cache)
    plain.text, clock.now = b"two", MOST_SECONDS
    plain.entered.clear()
    plain.go.clear()
    told: list[bytes] = []
    crowd = [threading.Thread(target=lambda: told.append(ask(cache)[2])) for _ in range(8)]
    for each in crowd:
        each.start()
    assert plain.entered.wait(60)
    plain.go.set()
    for each in crowd:
        each.join(60)
    assert (told, plain.asked) == ([b"two"] * 8, 2)


def test_an_answer_is_as_old_as_the_question_to_the_framework(
    cache: PublicCache, plain: Answers, clock: Clock
) -> None:
    plain.go.clear()
    slow = threading.Thread(target=ask, args=(cache,))
    slow.start()
    assert plain.entered.wait(60)
    plain.text, clock.now = b"two", MOST_SECONDS
    plain.go.set()
    slow.join(60)
    assert ask(cache)[2] == b"two"


def test_a_page_that_is_public_no_longer_is_forgotten(
    cache: PublicCache, plain: Answers, clock: Clock
) -> None:
    ask(cache)
    plain.status, plain.text, clock.now = "404 Not Found", b"none", FRESH_SECONDS
    assert ask(cache)[0] == "404 Not Found"
    assert ask(cache)[0] == "404 Not Found"
    assert plain.asked == 3


# What is kept, and how much --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        [("Cache-Control", "private, no-store")],
        [("Cache-Control", "public, max-age=2"), ("Set-Cookie", "a=b")],
        [("Cache-Control", "public, max-age=2"), ("Vary", "Accept-Encoding, Cookie")],
        [("Cache-Control", "public, max-age=2"), ("Vary", "HX-Request")],
        [],
    ],
)
def test_an_answer_that_is_not_for_everybody_is_not_kept(
    cache: PublicCache, plain: Answers, headers: list[tuple[str, str]]
) -> None:
    plain.headers = headers
    assert [ask(cache)[2], ask(cache)[2]] == [b"one", b"one"]
    assert plain.asked == 2


def test_memory_is_bounded_by_answers(
    cache: PublicCache, plain: Answers, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_cache, "MOST_ANSWERS", 3)
    for n in range(4):
        clock.now = n / 100
        ask(cache, f"/e/{n}/")
    assert plain.asked == 4
    for n in (1, 2, 3):
        ask(cache, f"/e/{n}/")
    assert plain.asked == 4
    # The oldest had to go.
    ask(cache, "/e/0/")
    assert plain.asked == 5


@pytest.mark.parametrize(("most", "asked"), [(6, 2), (5, 3)])
def test_memory_is_bounded_by_bytes(
    cache: PublicCache, plain: Answers, clock: Clock, monkeypatch: pytest.MonkeyPatch, most: int, asked: int
) -> None:
    monkeypatch.setattr(public_cache, "MOST_BYTES", most)
    ask(cache, "/e/1/")
    clock.now = FRESH_SECONDS / 2
    ask(cache, "/e/2/")
    ask(cache, "/e/1/")
    assert plain.asked == asked


@pytest.mark.parametrize(("largest", "asked"), [(3, 1), (2, 2)])
def test_a_very_large_answer_is_not_kept(
    cache: PublicCache, plain: Answers, monkeypatch: pytest.MonkeyPatch, largest: int, asked: int
) -> None:
    monkeypatch.setattr(public_cache, "LARGEST_BYTES", largest)
    ask(cache)
    ask(cache)
    assert plain.asked == asked


@pytest.mark.parametrize(
    ("path", "method", "headers"),
    [
        ("/e/open/?you=E001", "GET", {}),
        ("/house/", "GET", {}),
        ("/static/base.css", "GET", {}),
        ("//e/open/", "GET", {}),
        ("/e/open/", "POST", {}),
        ("/e/open/", "OPTIONS", {}),
        ("/e/open/", "GET", {"Cookie": "sessionid=abc"}),
        ("/e/open/", "GET", {"Cookie": "x=1; csrftoken=abc"}),
        ("/e/open/", "GET", {"HX-Request": "true"}),
        ("/e/open/", "GET", {"Authorization": "Basic abc"}),
        ("/e/open/", "GET", {"If-Match": '"one"'}),
        ("/e/open/", "GET", {"If-Modified-Since": NIGHT}),
        ("/e/open/", "GET", {"If-Unmodified-Since": NIGHT}),
    ],
)
def test_what_may_be_personal_passes_through(
    cache: PublicCache, plain: Answers, path: str, method: str, headers: dict[str, str]
) -> None:
    ask(cache)
    plain.text = b"two"
    assert ask(cache, path, method, **headers)[2] == b"two"
    assert plain.asked == 2
    # And nothing of it is kept.
    assert ask(cache)[2] == b"one"


def test_a_cookie_of_somebody_elses_changes_nothing(cache: PublicCache, plain: Answers) -> None:
    ask(cache)
    ask(cache, Cookie="_g=1; theme=dark")
    assert plain.asked == 1


# The framework's own answers -----------------------------------------------------------------------------


def same(
    framework: WSGIHandler, path: str, method: str = "GET", *, secure: bool = False, **headers: str
) -> str:
    """Ask the framework and a cache, three times; return the status, which they must agree on."""
    cache = PublicCache(framework, clock=Clock())
    wanted = ask(framework, path, method, secure=secure, **headers)
    # First with nothing kept, then from what GET has left behind, then again.
    for _ in range(2):
        assert_equal(ask(cache, path, method, secure=secure, **headers), wanted)
        plainly = {name: value for name, value in headers.items() if name != "If-None-Match"}
        ask(cache, path, "GET", secure=secure, **plainly)
    assert_equal(ask(cache, path, method, secure=secure, **headers), wanted)
    return wanted[0][:3]


def assert_equal(got: Told, wanted: Told) -> None:
    assert got[0] == wanted[0]
    assert timeless(got[1]) == timeless(wanted[1])
    assert got[2] == wanted[2]


def timeless(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The headers, without the second in which each answer was asked for."""
    return sorted((name, "" if name == FRONT_KEEPS else value) for name, value in headers)


@pytest.fixture
def event(db: None) -> Event:
    """An event with something on every public page."""
    return round_1_posted()


@pytest.fixture(scope="module")
def framework() -> WSGIHandler:
    """The pages without a cache."""
    return WSGIHandler()


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """A request that ends leaves the test's connection open, as with Django's own client."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.parametrize("encoding", ["", "gzip, deflate, br", "br", "gzip;q=0"])
def test_every_public_page_is_the_frameworks_header_by_header(
    framework: WSGIHandler, event: Event, encoding: str
) -> None:
    headers = {"Accept-Encoding": encoding} if encoding else {}
    for path in public(event):
        assert same(framework, path, **headers) == "200", path
        assert same(framework, path, "HEAD", **headers) == "200", path


@pytest.mark.parametrize("form", ["{0}", "W/{0}", '"other", {0}', "*", '"other"', "nonsense"])
def test_so_is_every_304(framework: WSGIHandler, event: Event, form: str) -> None:
    for path in public(event):
        etag = dict(ask(framework, path)[1])["ETag"]
        expected = "200" if "{0}" not in form and form != "*" else "304"
        for more in ({}, PACKED):
            assert same(framework, path, **{"If-None-Match": form.format(etag)}, **more) == expected, path
        assert same(framework, path, "HEAD", **{"If-None-Match": form.format(etag)}) == expected, path


def test_every_public_page_is_answered_from_memory(framework: WSGIHandler, event: Event) -> None:
    counted, paths = Counted(framework), public(event)
    cache = PublicCache(counted, clock=Clock())
    for _ in range(3):
        for path in paths:
            assert ask(cache, path, **PACKED)[0] == "200 OK"
            ask(cache, path, "HEAD", **PACKED)
    assert counted.asked == len(paths) >= 10


def test_what_a_server_starts_answers_from_memory(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    """``make run``, gunicorn and ``make dev`` all take this application."""
    counted = Counted(wsgi.framework)
    for name, value in {"pages": counted, "_clock": Clock(), "_slots": {}}.items():
        monkeypatch.setattr(wsgi.pages, name, value)
    for path in public(event):
        assert ask(wsgi.pages, path)[0] == ask(wsgi.pages, path)[0] == "200 OK"
    assert counted.asked == len(public(event))


@pytest.mark.parametrize(("age", "hidden"), [(FRESH_SECONDS - 0.01, False), (MOST_SECONDS, True)])
def test_hidden_figures_are_gone_from_memory_a_second_later(
    framework: WSGIHandler, event: Event, monkeypatch: pytest.MonkeyPatch, age: float, hidden: bool
) -> None:
    clock = Clock()
    cache, paths = PublicCache(framework, clock=clock), [f"/e/{event.slug}/", f"/e/{event.slug}/standings"]
    for path in paths:
        ask(cache, path)
    publish(event, "hidden")
    # As if another request were at it: only what is a second old is asked for anew whatever happens.
    monkeypatch.setattr(public_cache, "FRESH_SECONDS", MOST_SECONDS)
    clock.now = age
    for path in paths:
        assert (b'data-publication="hidden"' in ask(cache, path)[2]) is hidden, path


def test_nginx_is_told_the_second_in_which_an_answer_was_asked_for(
    framework: WSGIHandler, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It serves it while its own clock, in whole seconds, is not past that: less than a second long."""
    clock = Clock()
    cache, path = PublicCache(framework, clock=clock), f"/e/{event.slug}/standings"
    for now, age, second in ((1000.0, 0.0, "@1000"), (1000.99, 0.3, "@1000"), (1001.0, 0.6, "@1001")):
        monkeypatch.setattr(views, "time", SimpleNamespace(time=lambda now=now: now))
        clock.now = age
        status, headers, _ = ask(cache, path)
        assert (status, dict(headers)[FRONT_KEEPS]) == ("200 OK", second)
        # Kept still: what was asked for is not made younger by who asks later.
        monkeypatch.setattr(views, "time", SimpleNamespace(time=lambda: 2000.0))
        assert dict(ask(cache, path)[1])[FRONT_KEEPS] == second


def test_an_unchanged_named_screen_costs_one_query_here_too(
    framework: WSGIHandler, event: Event, django_assert_num_queries: Any
) -> None:
    screen_add(event_id=event.pk, name="bar", key=new_key(), actor=None)
    cache, path = PublicCache(framework, clock=Clock()), f"/e/{event.slug}/tv/bar/slides"
    status, headers, _ = ask(cache, path)
    assert status == "200 OK"
    with django_assert_num_queries(1):
        assert ask(cache, path, **{"If-None-Match": dict(headers)["ETag"]})[0] == "304 Not Modified"


def test_staff_who_are_logged_in_are_answered_by_the_framework(framework: WSGIHandler, event: Event) -> None:
    client = Client()
    client.force_login(UserFactory(is_superuser=True, username="house"))
    counted, paths = Counted(framework), public(event)
    cache = PublicCache(counted, clock=Clock())
    for path in paths:
        ask(cache, path)
        assert_equal(ask(cache, path, Cookie=cookies_of(client)), ask(framework, path))
    assert counted.asked == 2 * len(paths)


@pytest.mark.django_db
def test_errors_and_redirects_are_the_frameworks(framework: WSGIHandler) -> None:
    draft, event = EventFactory(opened=False), EventFactory()
    board = reverse("tournament:leaderboard", args=[event.slug])
    assert same(framework, "/e/no-such-event/") == "404"
    assert same(framework, reverse("tournament:leaderboard", args=[draft.slug])) == "404"
    assert same(framework, board.rstrip("/")) == "301"
    assert same(framework, board, "POST") in ("403", "405")
    assert same(framework, board, **{"If-Match": '"other"'}) == "412"
    assert same(framework, board, Host="evil.example") == "400"
    assert same(framework, board, Range="bytes=0-9") == "200"


@pytest.mark.django_db
def test_a_wrong_host_gets_no_answer_that_another_host_has_left(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["cutline.example"]
    cache, board = PublicCache(WSGIHandler(), clock=Clock()), f"/e/{EventFactory().slug}/"
    assert ask(cache, board, Host="cutline.example")[0] == "200 OK"
    assert ask(cache, board, Host="evil.example")[0] == "400 Bad Request"
    assert ask(cache, board, Host="cutline.example:8000")[0] == "200 OK"


@pytest.mark.django_db
def test_behind_https_plain_requests_are_sent_on_and_hsts_is_told(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS = True, 31_536_000
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    framework, board = WSGIHandler(), f"/e/{EventFactory().slug}/"
    cache = PublicCache(framework, clock=Clock())
    for headers, secure in (({"X-Forwarded-Proto": "https"}, False), ({"X-Forwarded-Proto": "https"}, True)):
        assert same(framework, board, secure=secure, **headers) == "200"
        status, told, _ = ask(cache, board, secure=secure, **headers)
        assert status == "200 OK" and "max-age=31536000" in dict(told)["Strict-Transport-Security"]
        status, told, _ = ask(cache, board, **headers, **{"If-None-Match": dict(told)["ETag"]})
        assert status.startswith("304") and "Strict-Transport-Security" in dict(told)
    for headers in ({}, {"X-Forwarded-Proto": "http"}):
        assert same(framework, board, **headers) == "301"
        status, told, _ = ask(cache, board, **headers)
        assert status.startswith("301") and dict(told)["Location"].startswith("https://")


@pytest.mark.django_db
def test_each_language_has_its_own_address_and_its_own_answer() -> None:
    House.objects.update_or_create(pk=1, defaults={"language": "de"})
    counted, slug, clock = Counted(WSGIHandler()), EventFactory().slug, Clock()
    cache = PublicCache(counted, clock=clock)
    for _ in range(2):
        for prefix, language in (("", b'lang="de"'), ("/de", b'lang="de"'), ("/en", b'lang="en"')):
            for wanted in ("de-AT,de;q=0.9", "en-GB", "fr"):
                _, told, body = ask(cache, f"{prefix}/e/{slug}/", **{"Accept-Language": wanted})
                assert language in body and "Accept-Language" not in dict(told).get("Vary", "")
    assert counted.asked == 3
    assert ask(cache, f"/fr/e/{slug}/")[0] == "404 Not Found"
    for _ in range(2):  # the second answer is the first one, which the framework says to be unchanged
        clock.now += FRESH_SECONDS
        assert dict(ask(cache, f"/e/{slug}/standings")[1])["Content-Language"] == "de"


@pytest.mark.django_db
def test_two_hosts_have_their_own_addresses_in_a_page(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["one.example", "two.example"]
    cache, event = PublicCache(WSGIHandler(), clock=Clock()), EventFactory()
    poster = reverse("tournament:rules_poster", args=[event.slug])
    for host in ("one.example", "two.example") * 2:
        assert f"http://{host}/e/".encode() in ask(cache, poster, Host=host)[2]


@pytest.mark.django_db
def test_an_event_that_is_hidden_again_is_gone_within_a_second() -> None:
    clock, event = Clock(), EventFactory()
    cache, board = PublicCache(WSGIHandler(), clock=clock), f"/e/{event.slug}/"
    assert ask(cache, board)[0] == "200 OK"
    Event.objects.filter(pk=event.pk).update(status=Event.Status.DRAFT)
    clock.now = MOST_SECONDS
    assert ask(cache, board)[0] == "404 Not Found"
