"""Who was refused what is in a log; wrong passwords are counted by name and by address (faults)."""

from __future__ import annotations

import logging
import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from axes.models import AccessAttempt
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils.timezone import now

from config import web
from config.logs import NoLinks, NoQuery
from config.refusals import RefusalsMiddleware
from tests.cast.every_page import TABLE, addresses, made_world, people, rows_of, world
from tests.cast.factories import EventFactory, UserFactory, new_key
from tests.cast.manage import manage
from tests.cast.serving import Server, cookies_of
from tournament.models import JournalEntry

__all__ = ["made_world", "world"]

pytestmark = pytest.mark.django_db
PASSWORD, WRONG = "a long enough password", "wrong"


@pytest.fixture
def written(caplog):
    """The lines of the log `cutline.security`."""
    lines, handler = [], logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())
    logging.getLogger("cutline.security").addHandler(handler)
    yield lines
    logging.getLogger("cutline.security").removeHandler(handler)


def figures(line):
    """What a line of the log says by name."""
    return dict(part.split("=", 1) for part in line.split(" ") if "=" in part)


def log_in(name, password=WRONG, address="203.0.113.9", **more):
    client, typed = Client(raise_request_exception=False), {"username": name, "password": password}
    return client.post("/login", typed, REMOTE_ADDR=address, **more).status_code


@pytest.fixture
def twelve(login_throttle, settings):
    """An address is locked at its twelfth wrong password."""
    settings.ADDRESS_FAILURE_LIMIT = 12


def test_faults_many_names_from_one_address_are_throttled_by_the_address(twelve):
    """One right password of one's own does not pay for guessing at all the others."""
    user = UserFactory(roles=["cashier"])
    assert [log_in(f"somebody{n}") for n in range(11)] == [422] * 11, "one below the limit"
    assert log_in(user.username, PASSWORD) == 302
    assert log_in("another") == 429, "the one that reaches it"
    assert log_in(user.username, PASSWORD) == 429, "whoever it is, from there"
    assert log_in(user.username, PASSWORD, address="203.0.113.10") == 302, "and nobody from elsewhere"


def test_one_name_from_one_address_is_locked_at_ten_and_others_there_are_not(twelve, written):
    user, other = UserFactory(username="Ann Berger", roles=["cashier"]), UserFactory(roles=["floor"])
    assert [log_in(user.username) for _ in range(9)] == [422] * 9
    assert log_in(user.username) == 429
    assert log_in(user.username, PASSWORD) == 429
    assert log_in(other.username, PASSWORD) == 302
    assert log_in(user.username, PASSWORD, address="203.0.113.10") == 302
    for n in range(2):
        log_in(f"my-pass-word-{n}")
    # A lockout is written down by number and address.
    assert figures(written[0]) == {"user": str(user.pk), "address": "203.0.113.9"}
    assert figures(written[-1]) == {"user": "unknown", "address": "203.0.113.9"}
    assert not any("Berger" in line or "my-pass" in line for line in written)


def test_faults_nothing_of_a_form_is_kept_with_a_wrong_password(login_throttle):
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


def test_what_is_tried_while_it_is_locked_does_not_prolong_it(twelve):
    """Or a guest of the house's network could keep everybody of the house out for good."""
    user = UserFactory(roles=["cashier"])
    for n in range(12):
        log_in(f"somebody{n}")
    AccessAttempt.objects.update(attempt_time=now() - timedelta(minutes=14))
    assert log_in("one-more") == 429
    AccessAttempt.objects.update(attempt_time=now() - timedelta(minutes=16))
    assert log_in(user.username, PASSWORD) == 302


def test_the_address_is_the_one_that_the_trusted_proxy_saw(twelve, settings):
    settings.TRUSTED_PROXIES = 1
    forged = [
        log_in(f"somebody{n}", headers={"X-Forwarded-For": f"198.51.100.{n}, 203.0.113.7"}) for n in range(12)
    ]
    assert forged[-1] == 429, "what a browser says of itself does not count"
    assert log_in("another", headers={"X-Forwarded-For": "203.0.113.8"}) == 422


def test_a_refused_permission_is_written_down_without_names_and_searches(written):
    event, user = EventFactory(), UserFactory(username="Ann Berger", roles=["dealer"])
    assert Client(enforce_csrf_checks=True).post("/login", {}).status_code == 403
    assert figures(written.pop()) == {"user": "none", "role": "none", "address": "127.0.0.1"}
    client = Client()
    client.force_login(user)
    assert client.get(f"/staff/{event.slug}/desk/?q=Berger", REMOTE_ADDR="203.0.113.9").status_code == 403
    assert client.post("/house/settings/", {"name": "x"}, REMOTE_ADDR="203.0.113.9").status_code == 403
    paths = (f"GET /staff/{event.slug}/desk/", "POST /house/settings/")
    for line, path in zip(written, paths, strict=True):
        assert line.endswith(f" {path}")
        assert figures(line) == {"user": str(user.pk), "role": "dealer", "address": "203.0.113.9"}


@pytest.mark.parametrize(
    ("said", "args"),
    [
        ("refused %s %s", ("POST", f"/password/{'t' * 43}/")),
        (f"Not Found: /password/{'t' * 43}/", ()),
        ('"GET %(U)s" %(s)s', ({"U": f"/password/{'t' * 43}/", "s": "200"},)),
    ],
)
def test_no_log_has_the_secret_of_a_one_time_link(said, args):
    record = logging.LogRecord("x", logging.WARNING, "x", 1, said, args, None)
    assert NoLinks().filter(record)
    assert "tttt" not in record.getMessage()
    assert "/password/…/" in record.getMessage()


def test_what_leaves_out_the_secrets_stands_before_every_log_and_a_server_sweeps(settings, monkeypatch):
    assert all("no_links" in each["filters"] for each in settings.LOGGING["handlers"].values())
    started = []
    monkeypatch.setattr("config.periodic.start", lambda: started.append("sweeping"))
    # This process serves no pages: standings of the tests after this one are made at once.
    monkeypatch.setattr("tournament.services.commits.pages_served", lambda: started.append("queue"))
    web.worker_ready(SimpleNamespace(cfg=SimpleNamespace(threads=1)))
    assert sorted(started) == ["queue", "sweeping"]
    assert any(isinstance(each, NoLinks) for each in logging.getLogger("gunicorn.access").filters)


class Away:
    @property
    def is_authenticated(self):
        raise OperationalError("away")


def test_a_refusal_is_written_down_on_one_line_whatever_the_address_also_while_the_database_is_away(written):
    Client().get("/")
    assert written == [], "what is answered is not written down"
    request = RequestFactory().get("/a%0Ab%20c")
    request.user = Away()
    RefusalsMiddleware(lambda request: HttpResponse(status=403))(request)
    (line,) = written
    assert "\n" not in line and line.endswith("GET /a%0Ab%20c")
    assert figures(line) == {"user": "unknown", "role": "unknown", "address": "127.0.0.1"}


def test_the_log_is_written_whatever_the_log_level():
    code = "import logging; print(logging.getLogger('cutline.security').isEnabledFor(20))"
    assert manage("shell", "--no-imports", "-c", code, LOG_LEVEL="CRITICAL").stdout.strip() == "True"


def test_the_log_of_runserver_has_no_query():
    for line, kept in (("/x/?y=E017&m=a?b H/1", "/x/ H/1"), ("/ HTTP/1.1", "/ HTTP/1.1")):
        record = logging.LogRecord("django.server", logging.INFO, "", 0, '"GET %s" %s', (line, "200"), None)
        assert NoQuery().filter(record)
        assert record.getMessage() == f'"GET {kept}" 200'
    assert any(isinstance(each, NoQuery) for each in logging.getLogger("django.server").filters)


@pytest.mark.django_db(transaction=True)
def test_a_server_writes_no_search_into_its_access_log_and_no_warning_for_head(tmp_path, settings):
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


def test_every_address_takes_get_head_and_post_alone(world):
    """HEAD answers as GET does by the table of permissions, where that is not refused."""
    client, listed = Client(raise_request_exception=False), addresses(world, people(world))
    client.force_login(UserFactory(is_superuser=True, username="house"))
    before, rows = JournalEntry.objects.count(), rows_of(TABLE)
    for name, path in listed.items():
        read, head = {cell.split("/")[0] for cell in rows[name][:-1]} - {"403"}, client.head(path)
        assert ({str(head.status_code)}, head.content) == (read, b""), name
        for method, status in (("options", 204), ("put", 405), ("delete", 405), ("patch", 405)):
            answer = getattr(client, method)(path)
            assert (answer.status_code, answer.content) == (status, b""), name
            assert set(answer["Allow"].split(", ")) == {"GET", "HEAD", "POST", "OPTIONS"}
            assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert JournalEntry.objects.count() == before
