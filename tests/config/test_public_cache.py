"""The public pages from memory: the framework's own answers, nobody else's, at most a second old."""

import threading
from types import SimpleNamespace

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import RequestFactory
from django.urls import reverse

from config import public_cache, wsgi
from config.public_cache import FRESH_SECONDS, MOST_SECONDS, PublicCache
from pages.public import views
from pages.public.views import FRONT_KEEPS
from tests.cast.factories import EventFactory
from tests.cast.pages import public, round_1_posted
from tests.cast.publication import publish
from tournament.models import Event, House

NIGHT = "Sat, 21 Nov 2026 20:00:00 GMT"
PACKED = {"Accept-Encoding": "gzip, deflate, br"}


class Clock:
    """A clock that is moved by hand, in seconds."""

    now = 0.0

    def __call__(self):
        return self.now


class Counted:
    """The pages, which count what they are asked."""

    def __init__(self):
        self.pages, self.asked = WSGIHandler(), 0

    def __call__(self, environ, start_response):
        self.asked += 1
        return self.pages(environ, start_response)


class Answers:
    """A plain application: every page is public, and its text is what it was told to be."""

    def __init__(self):
        self.status, self.text = "200 OK", b"one"
        self.headers = [("Cache-Control", "public, max-age=2"), ("Vary", "Accept-Encoding")]
        self.asked = 0
        self.entered, self.go = threading.Event(), threading.Event()
        self.go.set()

    def __call__(self, environ, start_response):
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
def clock():
    return Clock()


@pytest.fixture
def plain():
    return Answers()


@pytest.fixture
def cache(plain, clock):
    return PublicCache(plain, clock=clock)


def ask(pages, path="/e/open/", method="GET", **headers):
    """Status, headers and body, as a server gets them."""
    told = []
    request = RequestFactory(headers={"Host": "localhost", **headers}).generic(method, path)
    parts = pages(request.environ, lambda status, headers: told.extend((status, headers)))
    return told[0], told[1], b"".join(parts)


def test_an_answer_is_kept_and_renewed_and_forgotten_once_it_is_public_no_longer(cache, plain, clock):
    """The server's time comes with each poll: a phone that got the time of the first would count wrong."""
    plain.headers.append(("Cutline-Now", "1000"))
    assert ask(cache)[2] == b"one"
    plain.headers[-1], clock.now = ("Cutline-Now", "2000"), FRESH_SECONDS - 0.01
    assert (dict(ask(cache)[1])["Cutline-Now"], plain.asked) == ("1000", 1)
    clock.now = FRESH_SECONDS
    for tag, expected in (('""', ("200 OK", b"one")), ('"one"', ("304 Not Modified", b""))):
        status, headers, body = ask(cache, **{"If-None-Match": tag})
        assert (status, body, dict(headers)["Cutline-Now"]) == (*expected, "2000")
    clock.now = 2 * FRESH_SECONDS - 0.01
    assert (ask(cache)[2], plain.asked) == (b"one", 2)
    plain.text, clock.now = b"two", 2 * FRESH_SECONDS
    assert (ask(cache)[2], plain.asked) == (b"two", 3)
    plain.status, plain.text, clock.now = "404 Not Found", b"none", 3 * FRESH_SECONDS
    assert [ask(cache)[0], ask(cache)[0], plain.asked] == ["404 Not Found", "404 Not Found", 5]


def hanging(cache, plain, many=1):
    """Requests that come at once, while the framework hangs with the first of them until ``plain.go``."""
    plain.entered.clear()
    plain.go.clear()
    told = []
    crowd = [threading.Thread(target=lambda: told.append(ask(cache)[2])) for _ in range(many)]
    for each in crowd:
        each.start()
    assert plain.entered.wait(60)
    return crowd, told


def end(plain, crowd):
    plain.go.set()
    for each in crowd:
        each.join(60)


@pytest.mark.parametrize("age", [MOST_SECONDS - 0.01, MOST_SECONDS])
def test_while_one_request_renews_it_others_get_what_is_less_than_a_second_old(
    cache, plain, clock, monkeypatch, age
):
    monkeypatch.setattr(public_cache, "WAIT_SECONDS", 0)
    ask(cache)
    plain.text, clock.now = b"two", FRESH_SECONDS
    slow, _ = hanging(cache, plain)
    clock.now = age
    if age < MOST_SECONDS:
        assert (ask(cache)[2], plain.asked) == (b"one", 2)
        return end(plain, slow)
    # It does not wait for ever for the one that hangs: it asks the framework itself.
    other, told = hanging(cache, plain)
    end(plain, [*slow, *other])
    assert (told, plain.asked) == ([b"two"], 3)


def test_many_who_come_at_once_ask_the_framework_once(cache, plain, clock):
    ask(cache)
    plain.text, clock.now = b"two", MOST_SECONDS
    crowd, told = hanging(cache, plain, many=8)
    end(plain, crowd)
    assert (told, plain.asked) == ([b"two"] * 8, 2)


def test_an_answer_is_as_old_as_the_question_to_the_framework(cache, plain, clock):
    slow, _ = hanging(cache, plain)
    plain.text, clock.now = b"two", MOST_SECONDS
    end(plain, slow)
    assert ask(cache)[2] == b"two"


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
def test_an_answer_that_is_not_for_everybody_is_not_kept(cache, plain, headers):
    plain.headers = headers
    assert [ask(cache)[2], ask(cache)[2]] == [b"one", b"one"]
    assert plain.asked == 2


@pytest.mark.parametrize(
    ("limit", "value", "oldest_asked"),
    [
        *(("MOST_ANSWERS", 3, 1), ("MOST_ANSWERS", 2, 2), ("MOST_BYTES", 9, 1), ("MOST_BYTES", 8, 2)),
        *(("LARGEST_BYTES", 3, 1), ("LARGEST_BYTES", 2, 2)),
    ],
)
def test_memory_is_bounded_and_the_oldest_has_to_go(plain, clock, monkeypatch, limit, value, oldest_asked):
    monkeypatch.setattr(public_cache, limit, value)
    cache = PublicCache(plain, clock=clock)
    for n in (0, 1, 2, 0):
        clock.now += 0.01
        ask(cache, f"/e/{n}/")
    assert plain.asked == 2 + oldest_asked


@pytest.mark.parametrize(
    "path", ["/e/open/?you=E001", "/house/", "/static/base.css", "//e/open/", "/de/e/open/tv/bar/slides"]
)
def test_what_is_no_page_for_everybody_is_not_kept(cache, plain, path):
    for _ in range(2):
        ask(cache, path)
    assert plain.asked == 2


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        *((method, {}) for method in ("POST", "OPTIONS")),
        *(("GET", {"Cookie": cookie}) for cookie in ("sessionid=abc", "x=1; csrftoken=abc")),
        *(("GET", {name: NIGHT}) for name in ("If-Modified-Since", "If-Unmodified-Since", "If-Match")),
        *(("GET", {name: "true"}) for name in ("HX-Request", "Authorization")),
    ],
)
def test_what_may_be_personal_passes_through(cache, plain, method, headers):
    ask(cache)
    plain.text = b"two"
    assert ask(cache, "/e/open/", method, **headers)[2] == b"two"
    # And nothing of it is kept; a cookie of somebody else's changes nothing.
    assert ask(cache, Cookie="_g=1; theme=dark")[2] == b"one"


def same(framework, path, method="GET", **headers):
    """Ask the framework and a cache, three times; return the status, which they must agree on."""
    cache, wanted = PublicCache(framework, clock=Clock()), ask(framework, path, method, **headers)
    # First with nothing kept, then from what GET has left behind, then again.
    for _ in range(3):
        got = ask(cache, path, method, **headers)
        assert (got[0], timeless(got[1]), got[2]) == (wanted[0], timeless(wanted[1]), wanted[2]), path
        ask(cache, path, **{name: value for name, value in headers.items() if name != "If-None-Match"})
    return wanted[0][:3]


def timeless(headers):
    """The headers, without the second in which each answer was asked for."""
    return sorted((name, "" if name == FRONT_KEEPS else value) for name, value in headers)


@pytest.fixture
def event(db):
    return round_1_posted()


@pytest.fixture(scope="module")
def framework():
    return WSGIHandler()


@pytest.fixture(autouse=True)
def one_connection():
    """A request that ends leaves the test's connection open, as with Django's own client."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.parametrize("encoding", ["", "gzip, deflate, br", "br", "gzip;q=0"])
def test_every_public_page_is_the_frameworks_header_by_header(framework, event, encoding):
    for path in public(event):
        for method in ("GET", "HEAD"):
            assert same(framework, path, method, **{"Accept-Encoding": encoding}) == "200", path


@pytest.mark.parametrize("form", ["{0}", "W/{0}", '"other", {0}', "*", '"other"', "nonsense"])
def test_so_is_every_304(framework, event, form):
    """A tag is read in the same way for each page: its other forms are sent to the page and to its poll."""
    own = [f"/e/{event.slug}/", f"/e/{event.slug}/standings"]
    for path in public(event) if form == "{0}" else own:
        tag = {"If-None-Match": form.format(dict(ask(framework, path)[1])["ETag"])}
        told = {same(framework, path, **tag), same(framework, path, "HEAD", **tag)}
        told |= {same(framework, path, **tag, **PACKED)}
        assert told == {"304" if "{0}" in form or form == "*" else "200"}, path


def test_what_a_server_starts_answers_from_memory(event, monkeypatch):
    """``make run``, gunicorn and ``make dev`` all take this application."""
    counted = Counted()
    for name, value in {"pages": counted, "_clock": Clock(), "_slots": {}}.items():
        monkeypatch.setattr(wsgi.pages, name, value)
    paths = public(event)
    for path in paths * 2:
        for method in ("GET", "HEAD"):
            assert ask(wsgi.pages, path, method, **PACKED)[0] == "200 OK"
    assert counted.asked == len(paths) >= 10


def test_hidden_figures_and_a_hidden_event_are_gone_from_memory_a_second_later(framework, event, monkeypatch):
    clock = Clock()
    cache, paths = PublicCache(framework, clock=clock), [f"/e/{event.slug}/", f"/e/{event.slug}/standings"]
    # As if another request were at it: only what is a second old is asked for anew whatever happens.
    monkeypatch.setattr(public_cache, "FRESH_SECONDS", MOST_SECONDS)
    for path in paths:
        ask(cache, path)
    publish(event, "hidden")
    for age, hidden in ((MOST_SECONDS - 0.01, False), (MOST_SECONDS, True)):
        clock.now = age
        for path in paths:
            assert (b'data-publication="hidden"' in ask(cache, path)[2]) is hidden, path
    Event.objects.filter(pk=event.pk).update(status=Event.Status.DRAFT)
    clock.now = 2 * MOST_SECONDS
    assert ask(cache, paths[0])[0] == "404 Not Found"


def test_nginx_is_told_the_second_in_which_an_answer_was_asked_for(framework, event, monkeypatch):
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


@pytest.mark.django_db
def test_errors_and_redirects_are_the_frameworks(framework):
    draft, board = (f"/e/{EventFactory(opened=opened).slug}/" for opened in (False, True))
    told = {path: same(framework, path) for path in ("/e/no-such-event/", draft, board, board.rstrip("/"))}
    assert [*told.values()] == ["404", "404", "200", "301"]
    assert same(framework, board, "POST") in ("403", "405")
    assert same(framework, board, **{"If-Match": '"other"'}) == "412"
    assert same(framework, board, Host="evil.example") == "400"


@pytest.mark.django_db
def test_behind_https_plain_requests_are_sent_on(settings):
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    cache, board = PublicCache(WSGIHandler(), clock=Clock()), f"/e/{EventFactory().slug}/"
    assert ask(cache, board, **{"X-Forwarded-Proto": "https"})[0] == "200 OK"
    for headers in ({}, {"X-Forwarded-Proto": "http"}):
        assert dict(ask(cache, board, **headers)[1])["Location"].startswith("https://")


@pytest.mark.django_db
def test_each_language_has_its_own_address_and_its_own_answer():
    House.objects.update_or_create(pk=1, defaults={"language": "de"})
    counted, slug, clock = Counted(), EventFactory().slug, Clock()
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
def test_two_hosts_have_their_own_addresses_in_a_page_and_a_wrong_host_gets_none(settings):
    settings.ALLOWED_HOSTS = ["one.example", "two.example"]
    cache, event = PublicCache(WSGIHandler(), clock=Clock()), EventFactory()
    poster = reverse("tournament:rules_poster", args=[event.slug])
    for host in ("one.example", "two.example") * 2:
        assert f"http://{host}/e/".encode() in ask(cache, poster, Host=host)[2]
    assert ask(cache, poster, Host="evil.example")[0] == "400 Bad Request"
