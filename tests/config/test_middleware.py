"""What holds for every answer."""

import gzip

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.db import SessionStore
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import path

from config import middleware, views
from tests.cast.factories import EventFactory, UserFactory
from tests.cast.failures import told


@pytest.fixture
def away(monkeypatch):
    def refuse(*args, **kwargs):
        raise OperationalError("the server is away")

    monkeypatch.setattr(connection, "cursor", refuse)


def count(request):
    return HttpResponse(User.objects.count())


def remember(request):
    request.session["seen"] = True  # saved after the view, by a middleware
    return HttpResponse()


urlpatterns = [path("count", count), path("remember", remember)]
handler500 = "config.failures.server_error"


@pytest.mark.django_db
@pytest.mark.urls(__name__)
@pytest.mark.parametrize("address", ["/count", "/remember"])
def test_a_database_that_is_away_is_a_503_that_says_try_again(client, away, address):
    client.raise_request_exception = False
    response = client.get(address)
    assert told(response) == (503, "not_shown")
    assert response["Retry-After"] == "2"


@pytest.mark.django_db
def test_readyz_says_that_the_database_is_away_and_healthz_needs_none(client, away):
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200
    assert views.healthz(RequestFactory().post("/healthz")).status_code == 405


@pytest.mark.parametrize(
    ("looks", "headers", "stored", "prolonged"),
    [(True, {}, False, True), (False, {}, True, False), (True, {"HX-Request": "true"}, False, False)],
)
def test_a_page_that_looked_at_the_session_is_not_stored_and_prolongs_it_unless_it_polls(
    looks, headers, stored, prolonged
):
    request = RequestFactory().get("/", headers=headers)
    session = SessionStore()
    session._session_cache = {"_auth_user_id": "1"}  # type: ignore[attr-defined]  # a session read before
    session.accessed = session.modified = False
    request.session, request.user = session, AnonymousUser()

    def view(request):
        return HttpResponse(request.session.get("anything") if looks else "")

    response = middleware.StaffSessionMiddleware(view)(request)
    assert ("no-store" in response.get("Cache-Control", "")) == (not stored)
    assert (session.accessed, session.modified) == (looks, prolonged)


@pytest.mark.parametrize(("proxies", "expected"), [(0, "127.0.0.1"), (1, "203.0.113.9"), (2, "198.51.100.7")])
def test_the_throttle_sees_the_address_that_the_proxy_saw(settings, proxies, expected):
    settings.TRUSTED_PROXIES = proxies
    request = RequestFactory().get("/", headers={"X-Forwarded-For": "198.51.100.7, 203.0.113.9"})
    assert middleware.client_address(request) == expected


# What is compressed -------------------------------------------------------------------------------------

PACKED = {"Accept-Encoding": "gzip, deflate, br"}


def whole(response):
    return b"".join(response.streaming_content) if response.streaming else response.content


@pytest.mark.django_db
def test_public_pages_are_compressed_with_a_tag_of_their_own_and_staff_pages_are_not(client):
    """BREACH: the length of a compressed page tells the token of its forms."""
    event = EventFactory()
    assert "Content-Encoding" not in client.get("/login", headers=PACKED)
    client.force_login(UserFactory(roles=["director"]))
    for asked, kept in (
        (f"/e/{event.slug}/rules/", True),
        ("/static/base.css", True),
        ("/house/", False),
        (f"/staff/{event.slug}/desk/?q=Berger", False),
    ):
        plain, packed = client.get(asked), client.get(asked, headers=PACKED)
        assert plain.status_code == 200, asked
        assert ("public" in packed["Cache-Control"]) == kept, asked
        assert (packed.get("Content-Encoding") == "gzip") == kept, asked
        assert "Content-Encoding" not in plain
        assert ("Accept-Encoding" in plain.get("Vary", "")) == kept, asked
        if kept:
            assert gzip.decompress(body := whole(packed)) == whole(plain), asked
            assert len(body) < len(gzip.decompress(body)) / 2
            again = client.get(asked, headers={**PACKED, "If-None-Match": packed["ETag"]})
            assert (again.status_code, b"".join(again)) == (304, b""), asked
            assert "Accept-Encoding" in again["Vary"]
