"""What a real server sends and writes down."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import Client, RequestFactory
from django.urls import reverse

from tests.cast.every_page import addresses, people, world_of
from tests.cast.factories import EventFactory, UserFactory
from tests.cast.serving import Server, cookies_of
from tournament.models import Event


def asked(handler: WSGIHandler, method: str, path: str, cookies: str) -> tuple[str, str, bytes]:
    """Status, length as told, and body, as a server gets them from the pages."""
    told: dict[str, Any] = {}

    def start(status: str, headers: list[tuple[str, str]]) -> None:
        told.update(status=status, headers=dict(headers))

    environ = RequestFactory(headers={"Cookie": cookies}).generic(method, path).environ
    body = b"".join(handler(environ, start))
    return told["status"], told["headers"].get("Content-Length", ""), body


@pytest.mark.django_db
def test_head_has_the_length_of_get_and_no_body_at_every_address() -> None:
    world, client, handler = world_of(Event.Kind.TOURNAMENT), Client(), WSGIHandler()
    client.force_login(UserFactory(is_superuser=True, username="house"))
    cookies = cookies_of(client)
    for name, path in {**addresses(world, people(world)), "nothing": "/nothing/"}.items():
        read, head = (asked(handler, method, path, cookies) for method in ("GET", "HEAD"))
        assert (head[0], head[2]) == (read[0], b""), name
        assert head[1], name
        # Keys of forms and the age of a page differ from one answer to the next, never by much.
        assert abs(int(head[1]) - len(read[2])) < 100, name


@pytest.mark.django_db(transaction=True)
def test_a_server_writes_no_search_into_its_access_log_and_no_warning_for_head(
    tmp_path: Path, settings: Any
) -> None:
    event, client = EventFactory(), Client()
    client.force_login(UserFactory(roles=["director"]))
    desk, cookies = reverse("tournament:desk", kwargs={"slug": event.slug}), cookies_of(client)
    server = Server("--access-logfile", "-", log=tmp_path / "log", SECRET_KEY=settings.SECRET_KEY)
    try:
        for method in ("GET", "HEAD"):
            assert server.send(method, f"{desk}?q=Berger", cookies=cookies)[0] == 200
        assert server.send("GET", f"/e/{event.slug}/?you=Berger")[0] == 200
    finally:
        server.stop()
    text = server.log.read_text()
    assert re.search(rf'"GET {desk}" 200', text), text
    assert re.search(rf'"HEAD {desk}" 200', text), text
    assert "Berger" not in text
    assert "WARN" not in text
    assert "gunicorn.ctl" not in text
