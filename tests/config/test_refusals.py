"""Who was refused what is in a log; wrong passwords are counted by name and by address (faults)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils.timezone import now

from config import web
from config.logs import NoLinks, NoQuery
from config.refusals import RefusalsMiddleware
from tests.cast.every_page import World, addresses, made_world, people, world
from tests.cast.factories import EventFactory, UserFactory, new_key
from tests.cast.manage import SERVER, manage, told
from tournament.models import JournalEntry

__all__ = ["made_world", "world"]

pytestmark = pytest.mark.django_db
PASSWORD, WRONG = "a long enough password", "wrong"


@pytest.fixture
def written(caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    """The lines of the log `cutline.security`."""
    lines: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    handler = Lines()
    logging.getLogger("cutline.security").addHandler(handler)
    yield lines
    logging.getLogger("cutline.security").removeHandler(handler)


def figures(line: str) -> dict[str, str]:
    """What a line of the log says by name."""
    return dict(part.split("=", 1) for part in line.split(" ") if "=" in part)


def log_in(name: str, password: str = WRONG, address: str = "203.0.113.9", **more: Any) -> int:
    client = Client(raise_request_exception=False)
    return client.post(
        "/login", {"username": name, "password": password}, REMOTE_ADDR=address, **more
    ).status_code


# -- The throttle ------------------------------------------------------------------------------------------


def test_faults_many_names_from_one_address_are_throttled_by_the_address(
    login_throttle: None, settings: Any
) -> None:
    settings.ADDRESS_FAILURE_LIMIT = 12
    user = UserFactory(roles=["cashier"])
    tries = [log_in(f"somebody{n}") for n in range(11)]
    assert tries == [422] * 11, "one below the limit"
    assert log_in("another") == 429, "the one that reaches it"
    assert log_in(user.username, PASSWORD) == 429, "whoever it is, from there"
    assert log_in(user.username, PASSWORD, address="203.0.113.10") == 302, "and nobody from elsewhere"


def test_faults_a_right_password_does_not_reset_the_count_of_an_address(
    login_throttle: None, settings: Any
) -> None:
    """One login of one's own does not pay for guessing at all the others."""
    settings.ADDRESS_FAILURE_LIMIT = 12
    own = UserFactory(roles=["cashier"])
    assert [log_in(f"somebody{n}") for n in range(11)] == [422] * 11
    assert log_in(own.username, PASSWORD) == 302
    assert log_in("another") == 429


def test_one_name_from_one_address_is_locked_at_ten_and_others_there_are_not(login_throttle: None) -> None:
    user, other = UserFactory(roles=["cashier"]), UserFactory(roles=["floor"])
    assert [log_in(user.username) for _ in range(9)] == [422] * 9
    assert log_in(user.username) == 429
    assert log_in(user.username, PASSWORD) == 429
    assert log_in(other.username, PASSWORD) == 302
    assert log_in(user.username, PASSWORD, address="203.0.113.10") == 302


def test_faults_nothing_of_a_form_is_kept_with_a_wrong_password(login_throttle: None) -> None:
    """A PIN and a new password stand beside the wrong one; the figures of a count may as well."""
    own = Client()
    own.force_login(UserFactory(roles=["floor"]))
    pin = {"pin-old": "Kestrel-wrong", "pin-pin": "204816", "pin-pin_again": "204816", "do": "set"}
    own.post("/house/password/pin/", {"key": new_key(), **pin})
    new = {"old": "Kestrel-wrong", "password": "Kestrel-new-1", "again": "Kestrel-new-1"}
    own.post("/house/password/", {"key": new_key(), **new})
    (kept,) = AccessAttempt.objects.values()
    assert kept["failures_since_start"] == 2
    assert "204816" not in str(kept) and "Kestrel" not in str(kept)


def test_what_is_tried_while_it_is_locked_does_not_prolong_it(login_throttle: None, settings: Any) -> None:
    """Or a guest of the house's network could keep everybody of the house out for good."""
    settings.ADDRESS_FAILURE_LIMIT = 12
    user = UserFactory(roles=["cashier"])
    for n in range(12):
        log_in(f"somebody{n}")
    AccessAttempt.objects.update(attempt_time=now() - timedelta(minutes=14))
    assert log_in("one-more") == 429
    AccessAttempt.objects.update(attempt_time=now() - timedelta(minutes=16))
    assert log_in(user.username, PASSWORD) == 302


def test_the_address_is_the_one_that_the_trusted_proxy_saw(login_throttle: None, settings: Any) -> None:
    settings.ADDRESS_FAILURE_LIMIT, settings.TRUSTED_PROXIES = 12, 1
    forged = [
        log_in(f"somebody{n}", headers={"X-Forwarded-For": f"198.51.100.{n}, 203.0.113.7"}) for n in range(12)
    ]
    assert forged[-1] == 429, "what a browser says of itself does not count"
    assert log_in("another", headers={"X-Forwarded-For": "203.0.113.8"}) == 422


# -- The log -----------------------------------------------------------------------------------------------


def test_a_lockout_is_written_down_by_number_and_address(
    login_throttle: None, settings: Any, written: list[str]
) -> None:
    settings.ADDRESS_FAILURE_LIMIT = 12
    user = UserFactory(username="Ann Berger", roles=["cashier"])
    for _ in range(10):
        log_in(user.username)
    for n in range(2):
        log_in(f"my-pass-word-{n}")
    by_name, by_address = map(figures, written)
    assert by_name == {"user": str(user.pk), "address": "203.0.113.9"}
    assert by_address == {"user": "unknown", "address": "203.0.113.9"}


def test_a_refused_permission_is_written_down_without_names_and_searches(written: list[str]) -> None:
    event, user = EventFactory(), UserFactory(username="Ann Berger", roles=["dealer"])
    client = Client()
    client.force_login(user)
    assert client.get(f"/staff/{event.slug}/desk/?q=Berger", REMOTE_ADDR="203.0.113.9").status_code == 403
    assert client.post("/house/settings/", {"name": "x"}, REMOTE_ADDR="203.0.113.9").status_code == 403
    assert [line.split(" ")[-2:] for line in written] == [
        ["GET", f"/staff/{event.slug}/desk/"],
        ["POST", "/house/settings/"],
    ]
    for line in written:
        assert figures(line) == {"user": str(user.pk), "role": "dealer", "address": "203.0.113.9"}


def test_a_form_without_its_token_is_written_down_too(written: list[str]) -> None:
    assert Client(enforce_csrf_checks=True).post("/login", {}).status_code == 403
    (line,) = written
    assert figures(line) == {"user": "none", "role": "none", "address": "127.0.0.1"}


@pytest.mark.parametrize(
    ("said", "args"),
    [
        ("refused %s %s", ("POST", f"/password/{'t' * 43}/")),
        (f"Not Found: /password/{'t' * 43}/", ()),
        ('"GET %(U)s" %(s)s', ({"U": f"/password/{'t' * 43}/", "s": "200"},)),
    ],
)
def test_no_log_has_the_secret_of_a_one_time_link(said: str, args: Any) -> None:
    record = logging.LogRecord("x", logging.WARNING, "x", 1, said, args, None)
    assert NoLinks().filter(record)
    assert "tttt" not in record.getMessage()
    assert "/password/…/" in record.getMessage()


def test_what_leaves_out_the_secrets_stands_before_every_log(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert all("no_links" in each["filters"] for each in settings.LOGGING["handlers"].values())
    monkeypatch.setattr("config.sweeping.start", lambda: None)
    # This process serves no pages: standings of the tests after this one are made at once.
    monkeypatch.setattr("tournament.services.queue.pages_served", lambda: None)
    web.worker_ready(SimpleNamespace(cfg=SimpleNamespace(threads=1)))
    assert any(isinstance(each, NoLinks) for each in logging.getLogger("gunicorn.access").filters)


def test_nobody_writes_a_line_of_their_own_into_the_log(written: list[str]) -> None:
    client = Client()
    client.force_login(UserFactory(roles=["dealer"]))
    client.get("/staff/x%0Arefused%20user=1/desk/")
    RefusalsMiddleware(lambda request: HttpResponse(status=403))(RequestFactory().get("/a%0Ab%20c"))
    assert all("\n" not in line for line in written)
    assert written[-1].endswith("GET /a%0Ab%20c")


def test_a_refusal_is_written_down_while_the_database_is_away(written: list[str]) -> None:
    class Away:
        @property
        def is_authenticated(self) -> bool:
            raise OperationalError("away")

    request = RequestFactory().get("/x")
    request.user = Away()
    RefusalsMiddleware(lambda request: HttpResponse(status=403))(request)
    (line,) = written
    assert figures(line) == {"user": "unknown", "role": "unknown", "address": "127.0.0.1"}


def test_what_is_answered_is_not_written_down(written: list[str]) -> None:
    Client().get("/")
    assert written == []


def test_the_log_is_written_whatever_the_log_level() -> None:
    code = "import logging; print(logging.getLogger('cutline.security').isEnabledFor(20))"
    assert manage("shell", "--no-imports", "-c", code, LOG_LEVEL="CRITICAL").stdout.strip() == "True"


# -- No names in access logs -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("GET /x/?q=Ann+B H/1", "GET /x/ H/1"),
        ("GET /x/?y=E017&m=a?b H/1", "GET /x/ H/1"),
        ("GET / HTTP/1.1", "GET / HTTP/1.1"),
    ],
)
def test_the_log_of_runserver_has_no_query(line: str, kept: str) -> None:
    record = logging.LogRecord("django.server", logging.INFO, "", 0, '"%s" %s %s', (line, "200", 17), None)
    assert NoQuery().filter(record)
    assert record.getMessage() == f'"{kept}" 200 17'
    assert any(isinstance(each, NoQuery) for each in logging.getLogger("django.server").filters)


def test_the_access_log_of_a_server_names_the_path_alone() -> None:
    """%(r)s is the request line, %(q)s the query, %(f)s where the browser came from, with its query."""
    assert not {"%(r)s", "%(q)s", "%(f)s"} & set(web.ACCESS_LOG_FORMAT.replace('"', " ").split())
    assert web.settings()["access_log_format"] == web.ACCESS_LOG_FORMAT


# -- HEAD, OPTIONS and other ways to ask -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "status"), [("options", 204), ("put", 405), ("delete", 405), ("patch", 405)]
)
def test_every_address_takes_get_head_and_post_alone(world: World, method: str, status: int) -> None:
    client, listed = Client(raise_request_exception=False), addresses(world, people(world))
    client.force_login(UserFactory(is_superuser=True, username="house"))
    before = JournalEntry.objects.count()
    for name, path in listed.items():
        answer = getattr(client, method)(path)
        assert (answer.status_code, answer.content) == (status, b""), name
        assert set(answer["Allow"].split(", ")) == {"GET", "HEAD", "POST", "OPTIONS"}
        assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert JournalEntry.objects.count() == before


def test_nobody_is_put_on_the_browsers_list_unless_the_house_asks_for_it() -> None:
    asked = "settings.SECURE_HSTS_PRELOAD, settings.SECURE_HSTS_SECONDS > 0"
    assert told(asked, **SERVER) == "False True"
    assert told(asked, **SERVER, SECURE_HSTS_PRELOAD="1") == "True True"
