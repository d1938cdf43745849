"""What a page says is so: nothing is cut off without a word, and no word stands where it does not belong."""

import pytest
from django.test import Client

from tables.services.draws import draw_lock
from tables.services.seating import tables_ensure
from tests.cast.at_desk import Somebody, done, staff
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, new_key
from tests.cast.playing import round_1_closed
from tournament.models import Entry, Event, House, Player, Stack
from tournament.selectors.desk import Waits, why_new_entry_waits

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("length", "taken"), [(79, True), (80, True), (81, False), (130, False)])
def test_the_name_of_an_event_is_taken_whole_or_refused(length, taken):
    name = "w" * length
    response = Somebody("manager").press("/house/events/new/", name=name, kind="tournament")
    assert [event.name for event in Event.objects.all()] == ([name] if taken else [])
    if not taken:
        assert response.status_code == 422 and name in response.content.decode()


@pytest.mark.parametrize(("length", "taken"), [(60, True), (61, False)])
def test_the_name_of_a_person_is_taken_whole_or_refused(length, taken):
    event, name = EventFactory(), "W" + "w" * (length - 1)
    names = {"given_name": "Ann", "family_name": name, "identity_number": "P 1234"}
    response = Somebody("cashier").press(staff(event, "desk/player/"), **names)
    assert Player.objects.filter(family_name=name).exists() == taken
    if not taken:
        assert response.status_code == 422


@pytest.mark.parametrize(
    "path",
    ["/house/events/new/", "/house/settings/", "{event}setup/", "{event}desk/", "{event}entries/E001/"],
)
def test_no_field_lets_the_browser_cut_anything_off(path):
    event = EventFactory(opened="setup" not in path)
    if event.status == Event.Status.OPEN:
        EntryFactory(event=event)
    text = Somebody("manager", "director", "cashier").get(path.format(event=staff(event))).content.decode()
    assert "<input" in text and "maxlength" not in text


@pytest.mark.parametrize("typed", ["1,000,000,000", "12345678901234567890"])
def test_an_amount_that_is_too_long_is_refused_and_not_read_as_a_shorter_one(typed):
    response = Somebody("director").press(
        "/house/settings/",
        **{
            "name": "Wonder",
            "currency": "USD",
            "language": "en",
            "time_zone": "UTC",
            "day_limit_cents": typed,
            "day_turns_at_hour": "6",
        },
    )
    assert response.status_code == 422
    assert not House.objects.exclude(day_limit_cents=250_00).exists()


def test_T6_who_waits_although_boxes_are_free_is_told_why():
    event, cashier = EventFactory(settings={"tables_count": 1}), Somebody("cashier")
    for _ in range(3):
        EntryFactory(event=event)
    tables_ensure(event_id=event.pk, key=new_key(), actor=None)
    draw_lock(event_id=event.pk, key=new_key(), actor=None)
    assert why_new_entry_waits(event) == Waits(locked=True)
    assert 'data-code="sells_to_alternates"' in cashier.get(staff(event, "desk/")).content.decode()
    response = cashier.press(staff(event, "desk/buy-in/"), player=PlayerFactory().pk, identity_checked="on")
    assert 'data-code="sold_to_alternate"' in cashier.get(response["Location"]).content.decode()


@pytest.mark.parametrize(("entrants", "waits"), [(1, False), (2, True)])
def test_T6_the_desk_says_before_the_sale_that_every_box_is_sold(entrants, waits):
    event, cashier = EventFactory(settings={"tables_count": 1, "boxes_per_table": 2}), Somebody("cashier")
    for _ in range(entrants):
        EntryFactory(event=event)
    text = cashier.get(staff(event, "desk/")).content.decode()
    assert ('data-code="sells_to_alternates"' in text) == waits
    cashier.press(staff(event, "desk/buy-in/"), player=PlayerFactory().pk, identity_checked="on")
    assert Entry.objects.latest("pk").status == ("waiting" if waits else "live")


def test_T25_who_has_qualified_is_led_to_the_page_that_replaces():
    event = round_1_closed(5, cut_after_round_1=3, cut_after_round_2=2)
    passed = Stack.objects.filter(round__event=event, outcome=Stack.Outcome.ADVANCED)
    code = passed.latest("pk").entry.code
    path, replace = staff(event, f"entries/{code}/"), staff(event, f"seating/replace/{code}/")
    director = Somebody("director", "cashier")
    text = director.get(path).content.decode()
    assert replace in text and 'withdraw/"' not in text
    assert director.get(replace).status_code == 200
    assert replace not in Somebody("cashier").get(path).content.decode()
    refused = director.press(path + "withdraw/", reason="ill")
    assert refused.status_code == 409 and replace in refused.content.decode()
    done(director.press(replace, reason="ill"))
    out = Stack.objects.filter(round__event=event, outcome=Stack.Outcome.CUT).exclude(
        entry__status="withdrawn"
    )
    text = director.get(staff(event, f"entries/{out.latest('pk').entry.code}/")).content.decode()
    assert "/replace/" not in text


@pytest.mark.parametrize("role", ["cashier", "dealer"])
def test_a_page_of_another_role_offers_no_log_in_to_who_is_logged_in(role):
    who = Somebody(role)
    response = who.get("/house/staff/")
    page = response.content.decode()
    assert response.status_code == 403
    assert who.user.username in page
    assert ">Log in<" not in page and "Log out" in page and 'action="/logout"' in page


def test_a_form_that_is_too_old_offers_a_log_in_only_to_who_has_none():
    who = Somebody("cashier")
    for client, offered in ((who.client, False), (Client(), True)):
        client.handler.enforce_csrf_checks = True
        page = client.post("/logout", {"csrfmiddlewaretoken": "x"}).content.decode()
        assert (">Log in<" in page) is offered
