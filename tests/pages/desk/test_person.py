"""The page that corrects a person's record, and names as they are typed (T7)."""

import re

import pytest

from tests.cast.at_desk import Somebody, done, staff
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory
from tournament.models import Player, Request

pytestmark = pytest.mark.django_db
TYPED = {"given_name": "Jan", "family_name": "de Berg", "alias": "", "reason": "Passport"}


def states(text):
    return re.findall(r'<li class="wraps" data-state="(\w+)"', text)


def values(text):
    return dict(re.findall(r'name="(given_name|family_name)" value="([^"]*)"', text))


def test_T7_the_form_for_somebody_new_has_the_name_as_it_was_typed():
    text = Somebody("cashier").get(staff(EventFactory(), "desk/"), q="Jan de Berg").content.decode()
    assert values(text) == {"given_name": "Jan", "family_name": "de Berg"}


def test_T7_a_cashier_corrects_a_name_and_what_was_typed_stays_where_it_is_refused():
    entry, cashier = EntryFactory(player=PlayerFactory(family_name="De Berg")), Somebody("cashier")
    path = staff(entry.event, f"people/{entry.player_id}/")
    for role, linked in (("cashier", True), ("director", True), ("floor", False)):
        page = Somebody(role).get(staff(entry.event, "entries/E001/")).content.decode()
        assert (f'href="{path}"' in page) == linked
    for wrong in ({"birth_year": "1899"}, {"reason": ""}):
        answer = cashier.press(path, **{**TYPED, **wrong})
        text = answer.content.decode()
        assert answer.status_code == 422 and text.count(" has-error") == 1
        assert values(text)["family_name"] == "de Berg"
    assert values(cashier.get(path).content.decode())["family_name"] == "De Berg"
    done(cashier.press(path, **TYPED), path)
    assert Player.objects.get().family_name == "de Berg"
    page = cashier.get(path).content.decode()
    assert states(page) == ["done"] and "Passport" in page


def test_T7_a_year_of_birth_waits_for_a_second_person_and_an_identity_number_is_never_shown():
    player = PlayerFactory(given_name="Jan", family_name="de Berg", birth_year=1974)
    cashier, path = Somebody("cashier"), staff(EventFactory(), f"people/{player.pk}/")
    done(cashier.press(path, **TYPED, birth_year="1947", identity_number="XK 4711"), path)
    assert Player.objects.get().birth_year == 1974
    own, manager = cashier.get(path).content.decode(), Somebody("manager")
    waiting = manager.get("/house/requests/").content.decode()
    assert states(own) == ["open"]
    assert "1974 → 1947" in waiting and "Passport" in waiting
    assert not [number for number in ("4711", player.identity_digest) if number in own + waiting]
    done(manager.press(f"/house/requests/{Request.objects.get().pk}/", answer="approve"))
    assert Player.objects.get().birth_year == 1947
    assert states(cashier.get(path).content.decode()) == ["approved"]
