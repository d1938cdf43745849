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


def test_dealer_lands_at_the_own_table():
    event, dealer = EventFactory(), UserFactory(roles=["dealer"])
    Clerk.objects.create(user=dealer, table=Table.objects.create(event=event, number=3))
    assert log_in(dealer)["Location"] == staff(event, "tables/3/")


def test_without_an_event_everybody_lands_at_the_house():
    for role in ("director", "cashier", "dealer", "auditor"):
        assert log_in(UserFactory(roles=[role]))["Location"] == "/house/"


@pytest.mark.parametrize(("role", "tail"), [("director", ""), ("cashier", "desk/")])
def test_everybody_lands_where_they_work_of_a_real_event_before_a_rehearsal(role, tail):
    event = EventFactory()
    EventFactory(kind=Event.Kind.REHEARSAL)
    assert log_in(UserFactory(roles=[role]))["Location"] == staff(event, tail)


def test_next_is_followed_on_this_host_only():
    user = UserFactory(roles=["director"])
    assert log_in(user, next="/house/staff/")["Location"] == "/house/staff/"
    assert log_in(user, next="https://elsewhere.example/")["Location"] == "/house/"


def test_a_login_by_htmx_is_answered_with_a_redirect_of_the_whole_page():
    response = log_in(UserFactory(roles=["director"]), headers=HTMX)
    assert (response.status_code, response["HX-Redirect"]) == (204, "/house/")


def test_a_wrong_password_keeps_the_name_and_too_many_are_told_to_wait(login_throttle):
    user = UserFactory(roles=["director"])
    answers = [log_in(user, password="wrong") for _ in range(10)]
    assert answers[0].status_code == 422 and codes(answers[0]) == ["invalid_login"]
    assert f'value="{user.username}"' in answers[0].content.decode()
    assert answers[-1].status_code == 429 and codes(answers[-1]) == ["locked_out"]
    assert log_in(user).status_code == 429


def test_log_out_is_a_press_and_ends_the_session():
    somebody = Somebody("director")
    assert somebody.client.get("/logout").status_code == 405
    assert somebody.client.post("/logout").status_code == 302
    assert somebody.get("/house/").status_code == 302


def test_staff_pages_are_never_stored():
    response = Somebody("director").get("/house/")
    assert "no-store" in response["Cache-Control"] and "HX-Request" in response["Vary"]


# -- Events -------------------------------------------------------------------------------------------


def test_an_empty_house_says_what_to_do_first():
    text = Somebody("director").get("/house/").content.decode()
    assert "/house/events/new/" in text
    assert "/house/events/new/" not in Somebody("cashier").get("/house/").content.decode()


def test_the_house_lists_tonight_first_and_marks_rehearsals():
    EventFactory(name="Being made", opened=False)
    EventFactory(name="The rehearsal", kind=Event.Kind.REHEARSAL)
    EventFactory(name="Real one")
    text = Somebody("auditor").get("/house/").content.decode()
    assert text.index("Real one") < text.index("The rehearsal") < text.index("Being made")
    assert text.count(">Rehearsal<") == 1


def test_a_new_event_leads_to_its_set_up():
    manager = Somebody("manager")
    response = manager.press(
        "/house/events/new/",
        name="Friday",
        kind="tournament",
        starts_at="2026-11-20T20:00",
        starts_zone="UTC",
    )
    event = Event.objects.get()
    done(response, staff(event, "setup/"))
    assert (event.name, event.status, event.starts_at.hour) == ("Friday", "draft", 20)


def test_F1_a_new_event_is_set_up_like_an_earlier_one():
    model, manager = EventFactory(name="Last Friday", settings={"decks": 8}), Somebody("manager")
    EventFactory(name="Simulated", kind=Event.Kind.SIMULATION)
    page = manager.get("/house/events/new/").content.decode()
    assert f"Last Friday · {model.code}" in page and "Simulated" not in page
    response = manager.press("/house/events/new/", name="Friday", kind="tournament", like=str(model.pk))
    event = Event.objects.get(name="Friday")
    done(response, staff(event, "setup/"))
    assert (event.settings.decks, event.status) == (8, "draft")
    assert model.code in Somebody("auditor").get("/house/journal/").content.decode()


@pytest.mark.parametrize("like", ["987654", "x"])
def test_a_new_event_like_one_that_is_not_offered_is_refused_beside_the_field(like):
    manager = Somebody("manager")
    EventFactory()
    response = manager.press("/house/events/new/", name="Friday", kind="tournament", like=like)
    text = refused_in_place(response, code="invalid_choice")
    assert "has-error" in text and Event.objects.count() == 1


def test_a_new_event_without_a_name_is_refused_beside_the_field():
    pressed = Somebody("manager").press("/house/events/new/", name=" ", kind="rehearsal")
    text = refused_in_place(pressed, code="required")
    assert "has-error" in text and not Event.objects.exists()
    assert re.search(r'value="rehearsal"[^>]*checked', text)


def test_the_same_press_twice_makes_one_event():
    manager = Somebody("manager")
    for _ in range(2):
        done(manager.press("/house/events/new/", name="Friday", kind="tournament", key="one-press"))
    assert Event.objects.count() == 1


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
    assert "clock_changed" in codes(Somebody("auditor").get("/house/settings/"))


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
        ("language", "fr", "invalid_choice"),
        ("currency", "E1", "currency_bad"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_beside_its_field(field, typed, code):
    before = journal_length()
    pressed = Somebody("director").press("/house/settings/", **house_fields(**{field: typed}))
    text = refused_in_place(pressed, code=code)
    assert typed in text and "has-error" in text and "Wonder" in text
    assert journal_length() == before


def test_an_auditor_reads_and_presses_nothing():
    auditor, event = Somebody("auditor"), EventFactory(opened=False)
    assert auditor.get(staff(event, "setup/")).status_code == 200
    assert 'type="submit"' not in auditor.get(staff(event, "setup/")).content.decode().split("<main")[1]
    assert auditor.press("/house/settings/", **house_fields()).status_code == 403
