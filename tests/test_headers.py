"""What a browser is told with every answer (faults): policy, no sniffing, no frames, no store, no cookie.

`check --deploy` is in tests/config/test_settings.py.
"""

import json
import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve

from pages.languages import path_in
from tests.cast.every_page import World, addresses, made_world, people, world
from tests.cast.factories import UserFactory
from tests.cast.manage import SERVER, told

__all__ = ["made_world", "world"]

pytestmark = [pytest.mark.django_db, pytest.mark.soak]
PUBLIC = re.compile(
    r"^(?:de )?tournament:"
    r"(events|leaderboard|standings|seats|rules|rules_poster|prizes|results|results_poster|draws?|public_entry|public_hand|tv|tv_slides|table_display|table_picture)$"
)
MACHINES = {"healthz", "readyz", "service_worker"}
# What the policy forbids, and what a page must therefore do without.
INLINE = re.compile(
    r"\sstyle\s*=|\son[a-z]+\s*=\s*[\"']|<style\b|javascript:|<script(?![^>]*\ssrc=)[^>]*>", re.IGNORECASE
)
POLICY = {
    "default-src": "'self'",
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}


WANTED = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Robots-Tag": "noindex, nofollow",
}


def policy_of(response: HttpResponse) -> dict[str, str]:
    """The content security policy, part by part."""
    parts = [part.strip() for part in response["Content-Security-Policy"].split(";") if part.strip()]
    return dict(part.split(" ", 1) for part in parts)


def faults_of(name: str, response: HttpResponse) -> list[str]:
    """What is wrong with the headers of an answer, whoever asked."""
    told = {header: response.get(header) for header in WANTED}
    found = [] if told == WANTED else [f"{name}: {told}"]
    if policy_of(response) != POLICY:
        found.append(f"{name}: the policy is {policy_of(response)}")
    inline = INLINE.search(response.content.decode())
    if inline:
        found.append(f"{name}: inline {response.content.decode()[inline.start() : inline.start() + 80]!r}")
    return found


def answers(world: World, client: Client, method: str) -> dict[str, Any]:
    """Every address, asked once; what players read once more at its address in German."""
    asked = addresses(world, people(world))
    twins = {f"de {name}": path_in("de", path) for name, path in asked.items() if has_twins(path)}
    return {name: getattr(client, method)(path) for name, path in (asked | twins).items()}


def has_twins(path: str) -> bool:
    return bool(getattr(resolve(path.partition("?")[0]).func, "for_players", False))


@pytest.fixture
def everybody(world: World) -> Client:
    """Somebody who may open every page."""
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory(is_superuser=True, username="house"))
    return client


@pytest.mark.parametrize("method", ["get", "post"])
def test_every_answer_carries_the_policy_and_needs_nothing_inline(
    world: World, everybody: Client, method: str
) -> None:
    assert [
        fault for name, each in answers(world, everybody, method).items() for fault in faults_of(name, each)
    ] == []


def test_so_does_every_answer_to_a_stranger_and_every_error(world: World) -> None:
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    found = [
        fault for name, each in answers(world, client, "post").items() for fault in faults_of(name, each)
    ]
    for path in ("/nothing/here/", "/e/no-such-event/", "/de/e/no-such-event/", "/static/none.css"):
        found += faults_of(path, client.get(path))
    assert found == []


def test_public_pages_set_no_cookie_and_staff_pages_are_never_stored(world: World, everybody: Client) -> None:
    for client in (Client(), everybody):
        for name, response in answers(world, client, "get").items():
            if PUBLIC.match(name) or name in MACHINES:
                assert not response.cookies, name
                assert "cookie" not in response.get("Vary", "").lower(), name
            if PUBLIC.match(name):
                assert response["Cache-Control"].startswith("public, max-age="), name
            elif response.status_code == 200:
                assert "no-store" in response["Cache-Control"], name


def test_the_pages_that_answer_in_parts_vary_with_who_asks(world: World, everybody: Client) -> None:
    """A fragment at the page's address must not be kept as the page (stack, htmx)."""
    listed = addresses(world, {"cashier": UserFactory()})
    for name in ("tournament:desk", "tables:tonight", "tables:table 1", "tables:floor"):
        page = everybody.get(listed[name])
        part = everybody.get(listed[name], headers={"HX-Request": "true"})
        assert "HX-Request" in page["Vary"], name
        assert part.status_code == 204 or "HX-Request" in part["Vary"], name


def test_a_form_without_its_token_is_refused_everywhere(world: World) -> None:
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.force_login(UserFactory(is_superuser=True, username="house"))
    for name, response in answers(world, client, "post").items():
        assert response.status_code in (403, 405), f"{name}: {response.status_code}"


def test_in_a_house_cookies_are_secure_and_plain_http_is_sent_on(settings: Any) -> None:
    cookies = [f"{name}_COOKIE_{part}" for name in ("SESSION", "CSRF") for part in ("SECURE", "SAMESITE")]
    names = [*cookies, "SECURE_HSTS_SECONDS", "SECURE_SSL_REDIRECT", "SECURE_REDIRECT_EXEMPT"]
    found = told(f"__import__('json').dumps({{n: getattr(settings, n) for n in {names!r}}})", **SERVER)
    for name, value in json.loads(found).items():
        setattr(settings, name, value)
    UserFactory(username="somebody", roles=["cashier"])
    client = Client()
    page = client.get("/login", secure=True)
    typed = {"username": "somebody", "password": "a long enough password"}
    entered = client.post("/login", typed, secure=True)
    assert (entered.status_code, "max-age=31536000" in page["Strict-Transport-Security"]) == (302, True)
    held = {**page.cookies, **entered.cookies}
    assert set(held) == {"csrftoken", "sessionid"}
    for name, cookie in held.items():
        assert cookie["secure"] and cookie["httponly"] and cookie["samesite"] in ("Lax", "Strict"), name
    sent_on = Client().get("/house/")
    assert (sent_on.status_code, sent_on["Location"][:8]) == (301, "https://")
    assert Client().get("/healthz").status_code == 200
