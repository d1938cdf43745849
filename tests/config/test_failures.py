"""What is told of a failure is what the database holds: saved, perhaps saved, not saved (faults)."""

import re
from html import unescape

import psycopg
import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore
from django.db import IntegrityError, InternalError, OperationalError, connection
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
from tournament.selectors.chain import chain_verify
from tournament.services import journal
from tournament.services.commits import saving, watch

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def desk(db):
    return Desk()


def failing(error):
    def fail(*_args, **_kwargs):
        raise error

    return fail


@pytest.mark.parametrize("error", [UpdateError(), OperationalError("away"), RuntimeError("a fault")])
@pytest.mark.parametrize("fails", ["session", "page", "fragment"])
def test_faults_what_fails_after_the_commit_is_told_as_saved(desk, monkeypatch, error, fails):
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


def test_faults_a_commit_whose_answer_is_lost_is_in_doubt_and_may_be_sent_again(desk, monkeypatch):
    """The database stays away; where it comes back, it is asked (below)."""
    commit = DatabaseWrapper._commit

    def lost(database):
        commit(database)
        raise OperationalError("the connection was lost")

    with monkeypatch.context() as away:
        away.setattr(DatabaseWrapper, "_commit", lost)
        away.setattr("tournament.services.commits.JournalEntry", None)
        answer = desk.send()
    assert desk.done and told(answer) == (503, PERHAPS)
    # The form comes back as it was, with the same key.
    sent = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', answer.content.decode()))
    assert sent.pop("csrfmiddlewaretoken")
    assert sent == {**desk.fields, "key": desk.key, "all": "1"}
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
    desk, monkeypatch, sent_before, where, error, looks, expected
):
    if sent_before:
        assert desk.send().status_code == 303
    monkeypatch.setattr(*where, failing(error))
    if not looks:
        monkeypatch.setattr("tournament.services.commits.Saved.look", lambda self: None)
    answer = desk.send()
    assert (told(answer), desk.done) == (expected, sent_before)
    assert (answer.get("Retry-After") == "2") == (expected[0] == 503)


def sent_while_away(monkeypatch, typed):
    """A form sent by a browser with every check, while the database is away: the browser, where, the page."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.force_login(UserFactory(roles=["director"]))
    where = reverse("tournament:event_new")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get(where).content.decode())[1]
    with monkeypatch.context() as away:
        away.setattr("pages.house.views.events.act_or_sentence", failing(OperationalError("away")))
        answer = client.post(where, {**typed, "csrfmiddlewaretoken": token})
    assert told(answer) == (503, PERHAPS)
    return client, where, answer.content.decode()


def test_faults_the_form_of_a_503_is_sent_again_by_a_browser_as_it_was(monkeypatch):
    typed = {"key": new_key(), "name": 'Ann\'s "Night" <b>', "x": ["1", "2"]}
    client, where, page = sent_while_away(monkeypatch, typed)
    again = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)
    came = [("key", typed["key"]), ("name", typed["name"]), ("x", "1"), ("x", "2")]
    assert [(name, unescape(value)) for name, value in again if name != "csrfmiddlewaretoken"] == came
    token = dict(again)["csrfmiddlewaretoken"]
    assert client.post(where, {**typed, "csrfmiddlewaretoken": token}).status_code != 403


@pytest.mark.parametrize(
    ("secret", "back"), [({"pin": "204816", "pin-pin": "204816"}, False), ({"pin": ""}, True)]
)
def test_faults_no_page_of_a_503_says_the_pin_of_somebody_who_signed(monkeypatch, secret, back):
    _, _, page = sent_while_away(monkeypatch, {"key": new_key(), "chips-1": "5400", **secret})
    assert ('name="chips-1" value="5400"' in page) == back
    assert "204816" not in page


def test_a_session_that_was_ended_before_anything_was_saved_says_log_in(desk, monkeypatch):
    monkeypatch.setattr("config.middleware.TOUCH_EVERY_SECONDS", 0)
    monkeypatch.setattr(journal, "_append", failing(journal.Refused("no", "No.", status=409)))
    monkeypatch.setattr(SessionStore, "save", failing(UpdateError()))
    answer = desk.send()
    assert not desk.done
    assert told(answer) == (400, "logged_out")


def test_faults_a_second_command_that_fails_after_the_first_is_in_doubt(desk, monkeypatch):
    """One press, two transactions: what is saved in part is never told as saved, nor as not saved."""

    def both(**kwargs):
        done = journal.command(kind="test", key=new_key(), actor=None, body={}, act=lambda cmd: {})
        journal.command(kind="test", key=desk.key, actor=None, body={}, act=failing(OperationalError("away")))
        return done

    monkeypatch.setattr("pages.director.views.boxes.tables_ensure", both)
    answer = desk.send()
    assert not desk.done
    assert told(answer) == (503, PERHAPS)


def test_faults_a_tap_is_told_as_saved_too(monkeypatch):
    """Taps are kept with the hand and are no entries of the journal, but somebody's press all the same."""
    round_ = cast.seated(2)
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory(roles=["floor"]))
    deal = dealing.deal_open(shoe_id=cast.shoe_of(round_).pk, bets={1: 200, 2: 200}, mode="cards", actor=None)
    where = reverse("tables:table", kwargs={"slug": round_.event.slug, "number": Table.objects.get().number})
    monkeypatch.setattr("pages.dealer.views.table.see_other", failing(OperationalError("away")))
    tap = {"do": "tap", "deal": deal["deal"], "seen": 0, "key": new_key(), "op": "card", "card": "Ts"}
    assert told(client.post(where, tap)) == (200, SAVED)
    assert len(Deal.objects.get(pk=deal["deal"]).taps) == 1


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
def test_faults_each_thing_that_a_database_cannot_do_has_its_code(cause, kind, code):
    error = kind("no")
    error.__cause__ = cause("no")
    answer = failures.failure_answer(RequestFactory().post("/"), error)
    assert told(answer)[0] == 503 and f'data-code="{code}"' in answer.content.decode()


def test_a_form_with_a_password_is_not_written_into_a_page(monkeypatch):
    client = Client(raise_request_exception=False)
    client.get("/login")
    monkeypatch.setattr("pages.house.views.auth.LoginForm.is_valid", failing(OperationalError("away")))
    answer = client.post("/login", {"username": "ann", "password": "secret-secret", "key": "k"})
    assert answer.status_code == 503
    assert "secret-secret" not in answer.content.decode()


def test_what_is_saved_is_counted_at_the_outermost_commit_alone_and_not_if_it_is_rolled_back():
    saved = watch()
    with saving():
        with saving():
            pass
        assert saved.committed == 0
    assert saved.committed == 2
    assert saved.surely
    saved = watch()
    with pytest.raises(ValueError, match="no"), saving():
        raise ValueError("no")
    assert (saved.committed, saved.in_doubt) == (0, False)


def test_a_constraint_that_says_no_at_the_commit_leaves_no_doubt():
    saved = watch()
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE once (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        with pytest.raises(IntegrityError), saving():
            cursor.execute("INSERT INTO once VALUES (1), (1)")
    assert (saved.committed, saved.in_doubt) == (0, False)


def test_every_transaction_of_a_press_is_watched():
    """A transaction of a service or a view that ``saving`` does not see would be told as not saved.

    The first start's rehearsal is made by a command, and no request is told of it.
    """
    code = files("tournament/services", "tables/services", "pages")
    plain = [path.name for path in code if "transaction.atomic" in path.read_text()]
    assert sorted(plain) == ["commits.py", "rehearsal.py"]


def end_connection():
    """End the connection of this thread from another one, as a database does that is shut down."""
    info = connection.connection.info
    with psycopg.connect(
        host=info.host, port=info.port, user=info.user, password=info.password, dbname=info.dbname
    ) as other:
        other.execute("SELECT pg_terminate_backend(%s, 60000)", [info.backend_pid])


def dies(step, *, first):
    """Return the step with the connection ended once, before it (``first``) or after it."""
    left = [True]

    def with_fault(*args, **kwargs):
        if first and left:
            left.clear()
            end_connection()
        result = step(*args, **kwargs)
        if left:
            left.clear()
            end_connection()
        return result

    return with_fault


POINTS = {
    "before the lock": (journal, "_lock_head", True, False),
    "after the insert": (journal, "_append", False, False),
    "at the commit": (DatabaseWrapper, "_commit", True, False),
    "after the commit": (DatabaseWrapper, "_commit", False, True),
}
"""Each point: where the step is, its name, whether the fault comes first, whether the command is saved."""


@pytest.mark.parametrize("point", POINTS)
def test_faults_a_connection_that_dies_there_leaves_the_command_done_once_or_not_at_all(monkeypatch, point):
    where, name, first, saved = POINTS[point]
    desk = Desk()
    with monkeypatch.context() as fault:
        fault.setattr(where, name, dies(getattr(where, name), first=first))
        answer = desk.send()
    connection.close()  # as a server does after each request
    assert desk.done == saved
    expected = (200, SAVED) if saved else (503, NOT if point == "before the lock" else PERHAPS)
    assert told(answer) == expected
    assert desk.send().status_code == 303
    assert JournalEntry.objects.filter(key=desk.key).count() == 1
    assert chain_verify(desk.event).why == ""
