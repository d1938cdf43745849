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
from django.test import Client
from django.urls import reverse

from config import failures
from tables.models import Deal, Table
from tables.services import dealing
from tests.cast import floor as cast
from tests.cast.factories import UserFactory, new_key
from tests.cast.failures import NOT, PERHAPS, SAVED, Desk
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
def test_faults_a_session_that_cannot_be_saved_after_the_commit_is_told_as_saved(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """UpdateError is what Django raises when the session's row was deleted while the command ran."""
    monkeypatch.setattr(SessionStore, "save", failing(error))
    answer = desk.send()
    assert desk.done
    assert answer.status_code == 200
    assert SAVED in answer.content.decode()
    assert answer["Cache-Control"] == "private, no-store"
    assert desk.client.get(re.search(r'href="([^"]+)">Open the page', answer.content.decode())[1]).status_code


@pytest.mark.parametrize("error", [OperationalError("away"), RuntimeError("a fault"), ValueError("a fault")])
def test_faults_a_page_that_cannot_be_made_after_the_commit_is_told_as_saved(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr("pages.director.views.boxes.see_other", failing(error))
    answer = desk.send()
    assert desk.done
    assert (answer.status_code, SAVED in answer.content.decode()) == (200, True)


def test_faults_a_fragment_that_cannot_be_made_after_the_commit_says_so_among_the_messages(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages.director.views.boxes.see_other", failing(OperationalError("away")))
    answer = desk.send(**{"HX-Request": "true"})
    assert desk.done
    assert (answer.status_code, answer["HX-Retarget"]) == (200, "#messages")
    assert "Saved." in answer.content.decode()


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
    assert (answer.status_code, SAVED in answer.content.decode()) == (200, True)


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
    assert (answer.status_code, PERHAPS in text) == (503, True)
    assert desk.done == carried_out
    # The form comes back as it was, with the same key.
    sent = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text))
    assert (sent.pop("key"), sent.pop("all")) == (desk.key, "1")
    assert sent.pop("csrfmiddlewaretoken")
    assert sent == desk.fields
    assert desk.send().status_code == 303
    assert JournalEntry.objects.filter(key=desk.key).count() == 1


def test_faults_a_form_that_was_saved_and_fails_when_it_is_sent_again_is_told_as_saved(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first answer was lost on its way; the second press fails before anything is done."""
    assert desk.send().status_code == 303
    monkeypatch.setattr(journal, "_lock_head", failing(OperationalError("away")))
    assert SAVED in desk.send().content.decode()


def test_faults_where_nobody_knows_of_an_earlier_press_it_is_perhaps_not_saved(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert desk.send().status_code == 303
    monkeypatch.setattr("pages.director.views.boxes.event_get", failing(OperationalError("away")))
    assert PERHAPS in desk.send().content.decode()


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
    assert (answer.status_code, PERHAPS in answer.content.decode()) == (503, True)
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


def test_faults_a_failure_before_the_commit_is_not_saved(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_append", failing(OperationalError("away")))
    answer = desk.send()
    assert not desk.done
    assert (answer.status_code, NOT in answer.content.decode()) == (503, True)
    assert answer["Retry-After"] == "2"


def test_faults_a_fault_of_ours_before_the_commit_says_that_nothing_was_saved(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "_append", failing(RuntimeError("a fault")))
    answer = desk.send()
    assert not desk.done
    assert (answer.status_code, "Nothing was saved." in answer.content.decode()) == (500, True)


def test_faults_a_fault_of_ours_when_a_form_that_was_saved_is_sent_again_is_told_as_saved(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert desk.send().status_code == 303
    monkeypatch.setattr(journal, "_lock_head", failing(RuntimeError("a fault")))
    answer = desk.send()
    assert (answer.status_code, SAVED in answer.content.decode()) == (200, True)


@pytest.mark.parametrize("sent_before", [True, False])
def test_faults_a_fault_of_ours_before_the_command_speaks_of_this_time_only(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, sent_before: bool
) -> None:
    """Nobody has looked whether the same was saved when it was sent before."""
    if sent_before:
        assert desk.send().status_code == 303
    monkeypatch.setattr("pages.director.views.boxes.event_get", failing(RuntimeError("a fault")))
    answer = desk.send()
    page = answer.content.decode()
    assert (answer.status_code, desk.done) == (500, sent_before)
    assert "Nothing was saved this time. If you had sent the same before, it may be saved" in page
    assert "Nothing was saved. " not in page


def test_faults_a_fault_of_ours_where_the_database_cannot_say_more_speaks_of_this_time_only(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert desk.send().status_code == 303
    monkeypatch.setattr(journal, "_lock_head", failing(RuntimeError("a fault")))
    monkeypatch.setattr("tournament.services.saving.Saved.look", lambda self: None)
    answer = desk.send()
    assert (answer.status_code, "Nothing was saved this time." in answer.content.decode()) == (500, True)


def test_a_session_that_was_ended_before_anything_was_saved_says_log_in(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.middleware.TOUCH_EVERY_SECONDS", 0)
    monkeypatch.setattr(journal, "_append", failing(journal.Refused("no", "No.", status=409)))
    monkeypatch.setattr(SessionStore, "save", failing(UpdateError()))
    answer = desk.send()
    assert not desk.done
    assert answer.status_code == 400
    assert "You are no longer logged in" in answer.content.decode()
    assert "What you sent was not carried out now." in answer.content.decode()
    assert "Nothing was changed" not in answer.content.decode(), "the first answer may have been lost"


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
    assert (answer.status_code, PERHAPS in answer.content.decode()) == (503, True)


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
    assert (answer.status_code, SAVED in answer.content.decode()) == (200, True)


@pytest.mark.parametrize(
    ("cause", "kind", "words"),
    [
        (psycopg.errors.LockNotAvailable, OperationalError, "Something else is changing the same things"),
        (psycopg.errors.QueryCanceled, OperationalError, "took too long"),
        (psycopg.errors.DiskFull, OperationalError, "disk of the database is full"),
        (psycopg.errors.ReadOnlySqlTransaction, InternalError, "takes no changes just now"),
        (psycopg.errors.IdleInTransactionSessionTimeout, InternalError, "not answering for a moment"),
        (psycopg.errors.AdminShutdown, OperationalError, "not answering for a moment"),
    ],
)
def test_faults_each_thing_that_a_database_cannot_do_has_its_sentence(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, cause: type[Exception], kind: type[Exception], words: str
) -> None:
    error = kind("no")
    error.__cause__ = cause("no")
    monkeypatch.setattr(journal, "_append", failing(error))
    answer = desk.send()
    assert answer.status_code == 503
    assert words in answer.content.decode()
    assert failures.database_fails(error)


def test_a_form_with_a_password_is_not_written_into_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(raise_request_exception=False)
    client.get("/login")
    monkeypatch.setattr("pages.house.views.auth.LoginForm.is_valid", failing(OperationalError("away")))
    answer = client.post("/login", {"username": "ann", "password": "secret-secret", "key": "k"})
    assert answer.status_code == 503
    assert "secret-secret" not in answer.content.decode()
    assert "Go back and send the same form again" in answer.content.decode()


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
