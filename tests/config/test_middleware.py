"""What holds for every answer."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.db import SessionStore
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path

from config import middleware, views
from tests.cast.factories import EventFactory, UserFactory
from tests.cast.failures import told


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise OperationalError("the server is away")

    monkeypatch.setattr(connection, "cursor", refuse)


def count(request: HttpRequest) -> HttpResponse:
    return HttpResponse(User.objects.count())


def remember(request: HttpRequest) -> HttpResponse:
    request.session["seen"] = True  # saved after the view, by a middleware
    return HttpResponse()


urlpatterns = [path("count", count), path("remember", remember)]
handler500 = "config.failures.server_error"


@pytest.mark.django_db
@pytest.mark.urls(__name__)
@pytest.mark.parametrize("address", ["/count", "/remember"])
def test_a_database_that_is_away_is_a_503_that_says_try_again(
    client: Client, away: None, address: str
) -> None:
    client.raise_request_exception = False
    response = client.get(address)
    assert told(response) == (503, "not_shown")
    assert response["Retry-After"] == "2"


@pytest.mark.django_db
def test_readyz_says_that_the_database_is_away(client: Client, away: None) -> None:
    assert client.get("/readyz").status_code == 503


def test_healthz_needs_no_database(client: Client) -> None:
    assert client.get("/healthz").status_code == 200


def test_an_error_that_is_not_the_databases_is_left_to_others() -> None:
    away = middleware.FailuresMiddleware(lambda request: HttpResponse())
    request = RequestFactory().post("/")
    assert away.process_exception(request, ValueError("x")) is None
    answer = away.process_exception(request, OperationalError("x"))
    assert answer is not None
    assert answer.status_code == 503


def test_no_answer_allows_scripts_of_others_or_is_indexed(client: Client) -> None:
    response = client.get("/healthz")
    policy = response["Content-Security-Policy"]
    assert "'self'" in policy
    assert "unsafe" not in policy
    assert response["X-Robots-Tag"] == "noindex, nofollow"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"


def test_a_public_answer_has_no_cookie_and_varies_with_none(client: Client) -> None:
    response = client.get("/healthz")
    assert not response.cookies
    assert "Cookie" not in response.get("Vary", "")


def answer(*, looks: bool, user: bool = True, **headers: str) -> tuple[HttpResponse, SessionStore]:
    request = RequestFactory().get("/", headers=headers)
    session = SessionStore()
    if user:
        session._session_cache = {"_auth_user_id": "1"}  # type: ignore[attr-defined]  # a session read before
    session.accessed = session.modified = False
    request.session, request.user = session, AnonymousUser()

    def view(request: HttpRequest) -> HttpResponse:
        if looks:
            request.session.get("anything")
        return HttpResponse()

    return middleware.StaffSessionMiddleware(view)(request), session


def test_a_page_that_looked_at_the_session_is_not_stored_and_prolongs_it() -> None:
    response, session = answer(looks=True)
    assert "no-store" in response["Cache-Control"]
    assert session.modified


def test_a_page_that_did_not_look_is_left_to_caches() -> None:
    response, session = answer(looks=False)
    assert "Cache-Control" not in response
    assert not session.accessed


def test_a_fragment_that_polls_does_not_keep_an_idle_person_logged_in() -> None:
    response, session = answer(looks=True, **{"HX-Request": "true"})
    assert "no-store" in response["Cache-Control"]
    assert not session.modified


@pytest.mark.parametrize(("proxies", "expected"), [(0, "127.0.0.1"), (1, "203.0.113.9"), (2, "198.51.100.7")])
def test_the_throttle_sees_the_address_that_the_proxy_saw(settings: Any, proxies: int, expected: str) -> None:
    settings.TRUSTED_PROXIES = proxies
    request = RequestFactory().get("/", headers={"X-Forwarded-For": "198.51.100.7, 203.0.113.9"})
    assert middleware.client_address(request) == expected


def test_machines_pages_answer_get_alone() -> None:
    assert views.healthz(RequestFactory().post("/healthz")).status_code == 405


# What is compressed -------------------------------------------------------------------------------------

PACKED = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.mark.django_db
def test_public_pages_are_compressed_and_staff_pages_are_not(client: Client) -> None:
    """BREACH: the length of a compressed page tells the token of its forms."""
    event = EventFactory()
    client.force_login(UserFactory(roles=["director"]))
    for asked, kept in (
        (f"/e/{event.slug}/rules/", True),
        ("/static/base.css", True),
        ("/house/", False),
        (f"/staff/{event.slug}/desk/?q=Berger", False),
    ):
        plain = client.get(asked)
        assert plain.status_code == 200, asked
        packed = client.get(asked, headers=PACKED)
        assert ("public" in packed["Cache-Control"]) == kept, asked
        assert (packed.get("Content-Encoding") == "gzip") == kept, asked
        assert "Content-Encoding" not in plain
        assert ("Accept-Encoding" in plain.get("Vary", "")) == kept, asked
        if kept:
            body = b"".join(packed.streaming_content) if packed.streaming else packed.content
            whole = b"".join(plain.streaming_content) if plain.streaming else plain.content
            assert gzip.decompress(body) == whole and len(body) < len(whole) / 2


@pytest.mark.django_db
def test_the_log_in_is_not_compressed_for_a_stranger_either(client: Client) -> None:
    assert "Content-Encoding" not in client.get("/login", headers=PACKED)


@pytest.mark.django_db
def test_a_compressed_page_is_304_by_its_own_tag(client: Client) -> None:
    event = EventFactory()
    for asked in (f"/e/{event.slug}/rules/", f"/e/{event.slug}/standings", "/static/base.css"):
        first = client.get(asked, headers=PACKED)
        again = client.get(asked, headers={**PACKED, "If-None-Match": first["ETag"]})
        assert (again.status_code, b"".join(again)) == (304, b""), asked
        assert "Accept-Encoding" in again["Vary"]
