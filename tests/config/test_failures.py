"""What is told of a failure is what the database holds: saved, perhaps saved, not saved (faults)."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import psycopg
import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore
from django.db import IntegrityError, InternalError, OperationalError, connection, transaction
from django.db.backends.postgresql.base import DatabaseWrapper
from django.test import Client, RequestFactory
from django.urls import reverse

from config import failures
from tables.models import Deal, Table
from tables.services import dealing
from tests.cast import floor as cast
from tests.cast.factories import UserFactory, new_key
from tests.cast.failures import NOT, PERHAPS, SAVED, Desk, told
from tests.cast.source import files
from tournament.models import JournalEntry
from tournament.services import journal
from tournament.services.saving import saving, watch

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def desk(db: None) -> Desk:
    return Desk()


def failing(error: Exception) -> Callable[..., Any]:
    def fail(*_args: Any, **_kwargs: Any) -> Any:
        raise error

    return fail


def test_the_press_is_carried_out_where_nothing_fails(desk: Desk) -> None:
    assert desk.send().status_code == 303
    assert desk.done


@pytest.mark.parametrize("error", [UpdateError(), OperationalError("away"), RuntimeError("a fault")])
@pytest.mark.parametrize("fails", ["session", "page", "fragment"])
def test_faults_what_fails_after_the_commit_is_told_as_saved(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, error: Exception, fails: str
) -> None:
    """UpdateError is what Django raises when the session's row was deleted while the command ran."""
    if fails == "session":
        monkeypatch.setattr(SessionStore, "save", failing(error))
    else:
        monkeypatch.setattr("pages.director.views.boxes.see_other", failing(error))
    answer = desk.send(**({"HX-Request": "true"} if fails == "fragment" else {}))
    assert desk.done
    if fails == "fragment":
        assert (answer.status_code, answer["HX-Retarget"]) == (200, "#messages")
        assert 'data-code="saved"' in answer.content.decode()
    else:
        assert told(answer) == (200, SAVED) and "no-store" in answer["Cache-Control"]
        to = re.search(r'data-to="([^"]+)"', answer.content.decode())[1]
        assert desk.client.get(to).status_code


def losing_the_commit(monkeypatch: pytest.MonkeyPatch, carried_out: bool) -> None:
    """The connection is lost at the commit: carried out or not, no answer comes."""

    def lost(database: DatabaseWrapper) -> None:
        if carried_out:
            commit(database)
        raise OperationalError("the connection was lost")

    commit = DatabaseWrapper._commit
    monkeypatch.setattr(DatabaseWrapper, "_commit", lost)


def test_faults_a_commit_without_an_answer_that_the_database_then_shows_is_told_as_saved(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as away:
        losing_the_commit(away, carried_out=True)
        answer = desk.send()
    assert desk.done
    assert told(answer) == (200, SAVED)


@pytest.mark.parametrize("carried_out", [True, False])
def test_faults_a_commit_without_an_answer_is_in_doubt_and_may_be_sent_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, carried_out: bool
) -> None:
    with monkeypatch.context() as away:
        losing_the_commit(away, carried_out)
        if carried_out:
            away.setattr("tournament.services.saving.JournalEntry", None)  # and stays away
        answer = desk.send()
    text = answer.content.decode()
    assert told(answer) == (503, PERHAPS)
    assert desk.done == carried_out
    # The form comes back as it was, with the same key.
    sent = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text))
    assert (sent.pop("key"), sent.pop("all")) == (desk.key, "1")
    assert sent.pop("csrfmiddlewaretoken")
    assert sent == desk.fields
    assert desk.send().status_code == 303
    assert JournalEntry.objects.filter(key=desk.key).count() == 1


LOCK, VIEW = (journal, "_lock_head"), ("pages.director.views.boxes.event_get",)


@pytest.mark.parametrize(
    ("sent_before", "where", "error", "looks", "expected"),
    [
        # The first answer was lost on its way; the second press fails before anything is done.
        (True, LOCK, OperationalError("away"), True, (200, SAVED)),
        (True, LOCK, RuntimeError("a fault"), True, (200, SAVED)),
        # Nobody knows of an earlier press.
        (True, VIEW, OperationalError("away"), True, (503, PERHAPS)),
        (True, VIEW, RuntimeError("a fault"), True, (500, "not_saved_this_time")),
        (False, VIEW, RuntimeError("a fault"), True, (500, "not_saved_this_time")),
        # The database cannot say more.
        (True, LOCK, RuntimeError("a fault"), False, (500, "not_saved_this_time")),
        # Before the commit, and never sent before.
        (False, (journal, "_append"), OperationalError("away"), True, (503, NOT)),
        (False, (journal, "_append"), RuntimeError("a fault"), True, (500, NOT)),
    ],
)
def test_faults_what_fails_before_the_commit_is_told_as_far_as_it_is_known(
    desk: Desk,
    monkeypatch: pytest.MonkeyPatch,
    sent_before: bool,
    where: tuple[Any, ...],
    error: Exception,
    looks: bool,
    expected: tuple[int, str],
) -> None:
    if sent_before:
        assert desk.send().status_code == 303
    monkeypatch.setattr(*where, failing(error))
    if not looks:
        monkeypatch.setattr("tournament.services.saving.Saved.look", lambda self: None)
    answer = desk.send()
    assert (told(answer), desk.done) == (expected, sent_before)
    assert (answer.get("Retry-After") == "2") == (expected[0] == 503)


def test_faults_the_form_of_a_503_is_sent_again_by_a_browser_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With every check of a real browser's form; what was typed comes back letter by letter."""
    key = new_key()
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.force_login(UserFactory(roles=["director"]))
    where = reverse("tournament:event_new")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get(where).content.decode())[1]
    typed = {"key": key, "name": 'Ann\'s "Night" <b>', "x": ["1", "2"], "csrfmiddlewaretoken": token}
    with monkeypatch.context() as away:
        away.setattr("pages.house.views.events.act_or_sentence", failing(OperationalError("away")))
        answer = client.post(where, typed)
    assert told(answer) == (503, PERHAPS)
    again = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', answer.content.decode())
    assert [(name, unescape(value)) for name, value in again if name != "csrfmiddlewaretoken"] == [
        *[("key", key), ("name", typed["name"]), ("x", "1"), ("x", "2")]
    ]
    fresh = next(value for name, value in again if name == "csrfmiddlewaretoken")
    assert client.post(where, {**typed, "csrfmiddlewaretoken": fresh}).status_code != 403


@pytest.mark.parametrize(("pin", "back"), [("204816", False), ("", True)])
def test_faults_no_page_of_a_503_says_the_pin_of_somebody_who_signed(
    monkeypatch: pytest.MonkeyPatch, pin: str, back: bool
) -> None:
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.force_login(UserFactory(roles=["director"]))
    where = reverse("tournament:event_new")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get(where).content.decode())[1]
    monkeypatch.setattr("pages.house.views.events.act_or_sentence", failing(OperationalError("away")))
    typed = {"key": new_key(), "csrfmiddlewaretoken": token, "pin": pin, "pin-pin": pin, "chips-1": "5400"}
    answer = client.post(where, typed)
    page = answer.content.decode()
    assert (answer.status_code, 'name="chips-1" value="5400"' in page) == (503, back)
    assert "204816" not in page


def test_a_session_that_was_ended_before_anything_was_saved_says_log_in(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.middleware.TOUCH_EVERY_SECONDS", 0)
    monkeypatch.setattr(journal, "_append", failing(journal.Refused("no", "No.", status=409)))
    monkeypatch.setattr(SessionStore, "save", failing(UpdateError()))
    answer = desk.send()
    assert not desk.done
    assert told(answer) == (400, "logged_out")


def test_faults_a_second_command_that_fails_after_the_first_is_in_doubt(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One press, two transactions: what is saved in part is never told as saved, nor as not saved."""

    def both(**kwargs: Any) -> dict[str, Any]:
        done = journal.command(kind="test", key=new_key(), actor=None, body={}, act=lambda cmd: {})
        journal.command(kind="test", key=desk.key, actor=None, body={}, act=failing(OperationalError("away")))
        return done

    monkeypatch.setattr("pages.director.views.boxes.tables_ensure", both)
    answer = desk.send()
    assert not desk.done
    assert told(answer) == (503, PERHAPS)


def test_faults_a_tap_is_told_as_saved_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Taps are kept with the hand and are no entries of the journal, but somebody's press all the same."""
    round_ = cast.seated(2)
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory(roles=["floor"]))
    deal = dealing.deal_open(shoe_id=cast.shoe_of(round_).pk, bets={1: 200, 2: 200}, mode="cards", actor=None)
    where = reverse("tables:table", kwargs={"slug": round_.event.slug, "number": Table.objects.get().number})
    monkeypatch.setattr("pages.dealer.views.table.see_other", failing(OperationalError("away")))
    tap = {"do": "tap", "deal": deal["deal"], "seen": 0, "key": new_key(), "op": "card", "card": "TS"}
    answer = client.post(where, {**tap, "card": "Ts"})
    assert len(Deal.objects.get(pk=deal["deal"]).taps) == 1, answer.content.decode()
    assert told(answer) == (200, SAVED)


@pytest.mark.parametrize(
    ("cause", "kind", "code"),
    [
        (psycopg.errors.LockNotAvailable, OperationalError, "locked"),
        (psycopg.errors.QueryCanceled, OperationalError, "too_long"),
        (psycopg.errors.DiskFull, OperationalError, "disk_full"),
        (psycopg.errors.ReadOnlySqlTransaction, InternalError, "read_only"),
        (psycopg.errors.IdleInTransactionSessionTimeout, InternalError, "away"),
        (psycopg.errors.AdminShutdown, OperationalError, "away"),
    ],
)
def test_faults_each_thing_that_a_database_cannot_do_has_its_code(
    cause: type[Exception], kind: type[Exception], code: str
) -> None:
    error = kind("no")
    error.__cause__ = cause("no")
    answer = failures.told(RequestFactory().post("/"), error)
    assert told(answer)[0] == 503 and f'data-code="{code}"' in answer.content.decode()


def test_a_form_with_a_password_is_not_written_into_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(raise_request_exception=False)
    client.get("/login")
    monkeypatch.setattr("pages.house.views.auth.LoginForm.is_valid", failing(OperationalError("away")))
    answer = client.post("/login", {"username": "ann", "password": "secret-secret", "key": "k"})
    assert answer.status_code == 503
    assert "secret-secret" not in answer.content.decode()


# -- What is watched ----------------------------------------------------------------------------------------


def test_what_is_saved_is_counted_at_the_outermost_commit_alone() -> None:
    saved = watch()
    with saving():
        with saving():
            pass
        assert saved.committed == 0
    assert saved.committed == 2
    assert saved.surely


def test_what_is_rolled_back_is_not_saved() -> None:
    saved = watch()
    with pytest.raises(ValueError, match="no"), saving():
        raise ValueError("no")
    assert not saved.committed
    assert not saved.in_doubt


def twice_the_same() -> None:
    with saving(), connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE once (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        cursor.execute("INSERT INTO once VALUES (1), (1)")


def test_a_constraint_that_says_no_at_the_commit_leaves_no_doubt() -> None:
    saved = watch()
    with pytest.raises(IntegrityError):
        twice_the_same()
    assert not saved.committed
    assert not saved.in_doubt


def test_nobody_watching_is_no_fault() -> None:
    with saving():
        assert transaction.get_connection().in_atomic_block


def test_every_transaction_of_a_press_is_watched() -> None:
    """A transaction of a service or a view that ``saving`` does not see would be told as not saved."""
    plain = [
        path.name
        for path in files("tournament/services", "tables/services", "pages")
        if "transaction.atomic" in path.read_text()
    ]
    # The first start's rehearsal is made by a command; no request is told of it. What is only tried goes
    # through ``taken_back``, which keeps nothing.
    assert sorted(plain) == ["rehearsal.py", "saving.py"]
