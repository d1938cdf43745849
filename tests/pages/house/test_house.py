"""Logging in, the events, the house's settings, the staff."""

import re

import pytest
from django.test import Client

from tables.models import Clerk, Table
from tests.cast.at_desk import HTMX, Somebody, codes, done, journal_length, refused_in_place, staff
from tests.cast.factories import EventFactory, UserFactory
from tournament.models import Event, House, Request

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough password"


def log_in(user, client=None, headers=None, **fields):
    data = {"username": user.username, "password": PASSWORD, **fields}
    return (client or Client()).post("/login", data, headers=headers or {})


# -- Logging in ---------------------------------------------------------------------------------------


def test_everybody_lands_where_they_work_of_a_real_event_before_a_rehearsal():
    dealer = UserFactory(roles=["dealer"])
    assert log_in(dealer)["Location"] == "/house/", "without an event"
    event = EventFactory()
    EventFactory(kind=Event.Kind.REHEARSAL)
    Clerk.objects.create(user=dealer, table=Table.objects.create(event=event, number=3))
    assert log_in(dealer)["Location"] == staff(event, "tables/3/")
    ended = EventFactory()
    Clerk.objects.filter(user=dealer).update(table=Table.objects.create(event=ended, number=3))
    Event.objects.filter(pk=ended.pk).update(status=Event.Status.PAID)
    assert log_in(dealer)["Location"] == staff(event), "not a table of an event that is over"
    for role, tail in (("director", ""), ("cashier", "desk/")):
        assert log_in(UserFactory(roles=[role]))["Location"] == staff(event, tail)


def test_next_is_followed_on_this_host_only():
    user = UserFactory(roles=["director"])
    assert log_in(user, next="/house/staff/")["Location"] == "/house/staff/"
    assert log_in(user, next="https://elsewhere.example/")["Location"] == "/house/"
    response = log_in(user, headers=HTMX)
    assert (response.status_code, response["HX-Redirect"]) == (204, "/house/"), "the whole page"


def test_a_wrong_password_keeps_the_name_and_too_many_are_told_to_wait(login_throttle):
    user = UserFactory(roles=["director"])
    answers = [log_in(user, password="wrong") for _ in range(10)]
    assert answers[0].status_code == 422 and codes(answers[0]) == ["invalid_login"]
    assert f'value="{user.username}"' in answers[0].content.decode()
    assert answers[-1].status_code == 429 and codes(answers[-1]) == ["locked_out"]
    assert log_in(user).status_code == 429


def test_log_out_is_a_press_and_ends_the_session():
    somebody = Somebody("director")
    assert "no-store" in somebody.get("/house/")["Cache-Control"]
    assert somebody.client.get("/logout").status_code == 405
    assert somebody.client.post("/logout").status_code == 302
    assert somebody.get("/house/").status_code == 302


# -- Events -------------------------------------------------------------------------------------------


def test_the_house_lists_tonight_first_and_marks_rehearsals():
    EventFactory(name="Being made", opened=False)
    EventFactory(name="The rehearsal", kind=Event.Kind.REHEARSAL)
    EventFactory(name="Real one")
    text = Somebody("auditor").get("/house/").content.decode()
    assert text.index("Real one") < text.index("The rehearsal") < text.index("Being made")
    assert text.count(">Rehearsal<") == 1
    for role, offered in (("director", True), ("cashier", False)):
        assert ("/house/events/new/" in Somebody(role).get("/house/").content.decode()) == offered


def test_F1_a_new_event_is_set_up_like_an_earlier_one():
    model, manager = EventFactory(name="Last Friday", settings={"decks": 8}), Somebody("manager")
    EventFactory(name="Simulated", kind=Event.Kind.SIMULATION)
    new = "/house/events/new/"
    page = manager.get(new).content.decode()
    assert f"Last Friday · {model.code}" in page and "Simulated" not in page
    typed = {"name": "Friday", "kind": "tournament", "like": str(model.pk), "starts_at": "2026-11-20T20:00"}
    # The same press twice makes one event.
    for _ in range(2):
        response = manager.press(new, **typed, starts_zone="UTC", key="one-press")
        event = Event.objects.get(name="Friday")
        done(response, staff(event, "setup/"))
    assert (event.settings.decks, event.status, event.starts_at.hour) == (8, "draft", 20)
    assert model.code in Somebody("auditor").get("/house/journal/").content.decode()
    # What is not offered is refused beside its field, and what was chosen stays.
    for wrong, code in (({"like": "x"}, "invalid_choice"), ({"name": " ", "kind": "rehearsal"}, "required")):
        text = refused_in_place(manager.press(new, **typed | wrong), code=code)
        assert "has-error" in text and Event.objects.count() == 3
    assert re.search(r'value="rehearsal"[^>]*checked', text)


# -- Settings -----------------------------------------------------------------------------------------


def house_fields(**changed):
    fields = {
        "name": "Wonder",
        "currency": "EUR",
        "language": "de",
        "time_zone": "Europe/Vienna",
        "day_limit_cents": "125.50",
        "day_turns_at_hour": "7",
        "reason": "as the licence says",
    }
    return {**fields, **changed}


def test_T2_the_day_limit_is_a_setting_of_the_house():
    done(Somebody("director").press("/house/settings/", **house_fields()), "/house/requests/")
    asked = Request.objects.get()
    text = Somebody("manager").get("/house/requests/").content.decode()
    assert "€250.00 → €125.50" in text
    done(Somebody("manager").press(f"/house/requests/{asked.pk}/", answer="approve"))
    house = House.objects.get()
    assert (house.day_limit_cents, house.currency, house.day_turns_at_hour) == (125_50, "EUR", 7)


def test_T2_name_currency_and_language_alone_need_no_second_person():
    as_it_is = {"time_zone": "UTC", "day_limit_cents": "250.00", "day_turns_at_hour": "6", "reason": ""}
    fields = house_fields(**as_it_is, identity_required="on")
    done(Somebody("director").press("/house/settings/", **fields), "/house/settings/")
    house = House.objects.get()
    assert (house.name, house.currency, house.language) == ("Wonder", "EUR", "de")


@pytest.mark.parametrize(
    ("field", "typed", "code"),
    [
        ("day_limit_cents", "a lot", "amount"),
        ("time_zone", "Mars/Base", "time_zone_unknown"),
        ("currency", "E1", "currency_bad"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_beside_its_field(field, typed, code):
    before = journal_length()
    pressed = Somebody("director").press("/house/settings/", **house_fields(**{field: typed}))
    text = refused_in_place(pressed, code=code)
    assert typed in text and "has-error" in text and "Wonder" in text
    assert journal_length() == before
