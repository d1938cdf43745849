"""A form whose session had ended is shown again to the same user, unsaved, and to nobody else (faults)."""

import re

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from pages.desk.views import desk, entry, person, refunds
from tests.cast.at_desk import codes, journal_length, staff
from tests.cast.every_form import FORMS
from tests.cast.factories import EntryFactory, EventFactory, UserFactory
from tests.cast.screens import Form, Screen, form_on, hidden_of
from tournament.models import Player

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough password"
ADDED = {"given_name": "Jan", "family_name": "de Berg", "alias": "Jay", "birth_year": "1974"}


def somebody_new(**typed):
    event = EventFactory()
    return Form(staff(event, "desk/"), staff(event, "desk/player/"), typed={**ADDED, **typed}, role="cashier")


def send_without_session(form, **fields):
    """Load the page, lose the session, send the form; the browser and where it was sent."""
    screen = Screen(form)
    screen.client.logout()
    answer = screen.client.post(form.path, {**screen.fields, **fields})
    assert answer.status_code == 302 and answer["Location"].startswith("/login?next=")
    return screen, answer["Location"]


def log_in(client, login, user):
    """Log in on the page to which the form was sent; what the browser then shows."""
    to = re.search(r'name="next" value="([^"]*)"', client.get(login).content.decode())[1]
    fields = {"username": user.username, "password": PASSWORD, "next": to}
    return client.get(client.post("/login", fields)["Location"], follow=True)


def kept():
    return [data for data in (each.get_decoded() for each in Session.objects.all()) if "unsaved_form" in data]


AT_THE_DESK = (
    *("desk_buy_in", "desk_turn_away", "desk_identity", "desk_ask", "person", "entry_leave"),
    *("entry_penalty", "entry_disqualify", "entry_penalty_cancel", "refund_entry", "pay_entry"),
)


def test_every_form_of_the_desk_is_among_them():
    patterns = [*desk.urlpatterns, *entry.urlpatterns, *person.urlpatterns, *refunds.urlpatterns]
    takes = {each.name for each in patterns if hasattr(each.callback, "kinds")}
    assert takes == {*AT_THE_DESK, "desk_player"} - {"pay_entry"}


@pytest.mark.parametrize("name", AT_THE_DESK)
def test_a_form_without_a_session_is_shown_again_and_can_be_sent(name):
    form = FORMS[f"tournament:{name}"]()
    before = journal_length()
    screen, login = send_without_session(form)
    assert codes(screen.client.get(login)) == ["not_saved"]
    shown = log_in(screen.client, login, screen.user)
    assert codes(shown)[0] == "not_saved"
    page = shown.content.decode()
    assert str(form.typed.get("reason", "")) in page and 'name="key"' in page
    assert journal_length() == before and kept() == []
    again = {**screen.fields, **hidden_of(form_on(page, form))}
    assert screen.client.post(form.path, again).status_code == 303


def test_T7_somebody_new_at_the_desk_is_typed_once_but_for_the_identity_number():
    form = somebody_new(identity_number="XK 4711")
    screen, login = send_without_session(form)
    assert "4711" not in str(kept()) and "de Berg" in str(kept())
    page = log_in(screen.client, login, screen.user).content.decode()
    fields = hidden_of(form_on(page, form))
    assert {name: fields[name] for name in ADDED} == ADDED and "4711" not in page
    assert not Player.objects.exists()
    assert screen.client.post(form.path, {**fields, "identity_number": "P 1"}).status_code == 303
    assert Player.objects.get().family_name == "de Berg"


@pytest.mark.parametrize("who", ["another", "without the role", "nobody"])
def test_nobody_else_is_shown_it_nor_is_it_there_afterwards(who):
    form = somebody_new()
    screen, login = send_without_session(form)
    if who == "without the role":
        screen.user.groups.clear()
    user = UserFactory(roles=["cashier"]) if who == "another" else screen.user
    shown = screen.client.get(login) if who == "nobody" else log_in(screen.client, login, user)
    assert shown.status_code == (403 if who == "without the role" else 200)
    assert "de Berg" not in shown.content.decode()
    if who == "another":
        assert codes(shown) == [] and kept() == []
        screen.client.logout()
        assert "de Berg" not in log_in(screen.client, login, screen.user).content.decode()


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"old_password": "secret"}, ["not_saved"]),
        ({"alias": "x" * 5_001}, ["not_saved"]),
        ({"typed_by": "1:forged"}, []),
        ({"typed_by": ""}, []),
    ],
    ids=["a password", "too long", "forged", "nobody"],
)
def test_what_may_not_be_kept_is_not(typed, told):
    screen, login = send_without_session(somebody_new(), **typed)
    assert kept() == []
    assert codes(screen.client.get(login)) == told


def test_the_page_of_a_table_keeps_nothing():
    entry = EntryFactory()
    client = Client()
    client.post(staff(entry.event, "tables/1/"), {"key": "1", "typed_by": "1:x", "reason": "typed"})
    assert kept() == []
