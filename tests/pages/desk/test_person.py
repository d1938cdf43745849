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


@pytest.mark.parametrize(
    ("typed", "given", "family"),
    [("Jan de Berg", "Jan", "de Berg"), ("Ronan McDonald", "Ronan", "McDonald")],
)
def test_T7_the_form_for_somebody_new_has_the_name_as_it_was_typed(typed, given, family):
    text = Somebody("cashier").get(staff(EventFactory(), "desk/"), q=typed).content.decode()
    assert values(text) == {"given_name": given, "family_name": family}


@pytest.mark.parametrize(("role", "linked"), [("cashier", True), ("director", True), ("floor", False)])
def test_T7_the_desk_and_the_entry_link_to_the_page_for_who_may_correct(role, linked):
    entry, somebody = EntryFactory(), Somebody(role)
    other, event = PlayerFactory(), entry.event
    page = somebody.get(staff(event, "entries/E001/")).content.decode()
    assert (f'href="{staff(event, f"people/{entry.player_id}/")}"' in page) == linked
    if linked:
        for pk in (other.pk, entry.player_id):
            page = somebody.get(staff(event, "desk/"), player=str(pk)).content.decode()
            assert f'href="{staff(event, f"people/{pk}/")}"' in page


def test_T7_a_cashier_corrects_a_name():
    player, event = PlayerFactory(given_name="Jan", family_name="De Berg"), EventFactory()
    cashier, path = Somebody("cashier"), staff(event, f"people/{player.pk}/")
    assert values(cashier.get(path).content.decode())["family_name"] == "De Berg"
    done(cashier.press(path, **TYPED), path)
    assert Player.objects.get().family_name == "de Berg"
    page = cashier.get(path).content.decode()
    assert states(page) == ["done"] and "Passport" in page


def test_T7_a_year_of_birth_waits_on_the_page_of_the_house_for_a_second_person():
    player = PlayerFactory(given_name="Jan", family_name="de Berg", birth_year=1974)
    cashier, path = Somebody("cashier"), staff(EventFactory(), f"people/{player.pk}/")
    assert 'value="1974"' in cashier.get(path).content.decode()
    done(cashier.press(path, **TYPED, birth_year="1947"), path)
    assert Player.objects.get().birth_year == 1974
    assert states(cashier.get(path).content.decode()) == ["open"]
    manager, asked = Somebody("manager"), Request.objects.get()
    waiting = manager.get("/house/requests/").content.decode()
    assert "1974 → 1947" in waiting and "Passport" in waiting
    done(manager.press(f"/house/requests/{asked.pk}/", answer="approve"))
    assert Player.objects.get().birth_year == 1947
    assert states(cashier.get(path).content.decode()) == ["approved"]


def test_T7_an_identity_number_is_never_shown():
    player = PlayerFactory(given_name="Jan", family_name="de Berg", birth_year=1974)
    cashier, path = Somebody("cashier"), staff(EventFactory(), f"people/{player.pk}/")
    done(cashier.press(path, **TYPED, birth_year="1974", identity_number="XK 4711"), path)
    for somebody, page in ((cashier, path), (Somebody("manager"), "/house/requests/")):
        text = somebody.get(page).content.decode()
        assert "4711" not in text and player.identity_digest not in text
    assert states(cashier.get(path).content.decode()) == ["open"]


def test_T7_what_was_typed_stays_where_it_is_refused():
    player, event = PlayerFactory(), EventFactory()
    cashier, path = Somebody("cashier"), staff(event, f"people/{player.pk}/")
    for wrong in ({"birth_year": "1899"}, {"reason": ""}):
        answer = cashier.press(path, **{**TYPED, **wrong})
        text = answer.content.decode()
        assert answer.status_code == 422 and text.count(" has-error") == 1
        assert values(text)["family_name"] == "de Berg"
    assert Player.objects.get().family_name == player.family_name
