"""A PIN of six digits signs for its owner; five wrong ones, then the password alone (faults)."""

from __future__ import annotations

import pytest
from django.contrib.auth import authenticate

from tests.cast.at_desk import Somebody, done, refused_in_place
from tests.cast.calls import at_once, refused
from tests.cast.factories import UserFactory, new_key
from tournament.models import JournalEntry, Pin
from tournament.services import pins
from tournament.services.logins import staff_reset
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db
PASSWORD, RIGHT, WRONG = "a long enough password", "204816", "204817"


@pytest.fixture
def nora():
    user = UserFactory(roles=["floor"])
    pins.pin_set(pin=RIGHT, proved=True, key=new_key(), actor=user)
    return user


def signs(user, secret, among=None):
    """The code of the refusal; empty where the person has signed."""
    name = user.get_username()
    try:
        found = pins.person_signing(
            username=name,
            secret=secret,
            among={user.pk} if among is None else among,
            by_password=lambda: authenticate(None, username=name, password=secret),
        )
    except pins.Refused as no:
        return no.code
    assert found == user
    return ""


def tried(user, *secrets):
    return [signs(user, secret) for secret in secrets]


def test_after_five_wrong_pins_only_the_password_signs_until_it_was_right(client, nora):
    assert tried(nora, *[WRONG] * 4, RIGHT) == ["not_signed"] * 4 + [""]
    # The right one begins anew, and what is not typed counts nowhere.
    assert tried(nora, *[WRONG] * 4, "", RIGHT) == ["not_signed"] * 5 + [""]
    assert tried(nora, *[WRONG] * 5, RIGHT) == ["not_signed"] * 6
    assert tried(nora, "another password", RIGHT) == ["not_signed"] * 2
    assert tried(nora, PASSWORD, RIGHT) == ["", ""]
    tried(nora, *[WRONG] * 5)
    client.post("/login", {"username": nora.username, "password": PASSWORD})
    assert signs(nora, RIGHT) == ""


def test_without_a_pin_the_password_signs_and_nobody_signs_for_whom_it_is_not(nora):
    other = UserFactory(roles=["floor"])
    assert tried(other, RIGHT, PASSWORD) == ["not_signed", ""]
    assert signs(nora, RIGHT, among={other.pk}) == "not_signed"
    nora.is_active = False
    nora.save()
    assert tried(nora, RIGHT, PASSWORD) == ["not_signed"] * 2


@pytest.mark.parametrize(
    ("pin", "code"),
    [
        *((pin, "pin_not_six") for pin in ("", "20481", "2048160", "20481a", "٢٠٤٨١٦", "20 816")),
        *((pin, "pin_easy") for pin in ("000000", "123456", "654321", "567890", "098765")),
        *((pin, "") for pin in ("000001", "123457", "654320")),
    ],
)
def test_a_pin_has_six_digits_that_are_no_run(pin, code):
    user, about = UserFactory(), {"pin": pin, "proved": True, "key": new_key()}
    if not code:
        pins.pin_set(**about, actor=user)
        assert signs(user, pin) == ""
    else:
        with refused(code):
            pins.pin_set(**about, actor=user)
        assert not Pin.objects.exists()


def test_a_password_that_two_persons_have_set_anew_takes_the_pin_with_it(nora):
    boss, other = UserFactory(roles=["director"]), UserFactory(roles=["manager"])
    asked = staff_reset(user_id=nora.pk, reason="forgot it", key=new_key(), actor=boss)
    request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=other)
    assert not pins.has_pin(nora)


def test_the_own_page_sets_changes_and_removes_the_pin_and_asks_for_the_password():
    nora, path = Somebody("dealer"), "/house/password/pin/"

    def press(do="set", pin=RIGHT, again=None, old=PASSWORD, **fields):
        typed = {"pin-old": old, "pin-pin": pin, "pin-pin_again": again or pin}
        return nora.press(path, do=do, **typed, **fields)

    refused_in_place(press(old="wrong"), code="password_wrong")
    refused_in_place(press(pin="123456"), code="pin_easy")
    refused_in_place(press("remove", pin=""), code="no_pin", status=409)
    refused_in_place(press("other"), code="unknown_action")
    assert press(again=WRONG).status_code == 422 and not pins.has_pin(nora.user)
    key = new_key()
    done(press(key=key), "/house/password/")
    refused_in_place(press(pin=WRONG, key=key), code="key_reused")
    for pin in (RIGHT, WRONG):
        refused_in_place(press(pin=pin, old="wrong", key=key), code="password_wrong")
    assert signs(nora.user, RIGHT) == ""
    done(press(pin=WRONG))
    assert tried(nora.user, RIGHT, WRONG) == ["not_signed", ""]
    refused_in_place(press("remove", pin="", old="wrong"), code="password_wrong")
    done(press("remove", pin=""))
    assert not pins.has_pin(nora.user)
    kept = str(list(JournalEntry.objects.values_list("body", "result")))
    assert RIGHT not in kept and WRONG not in kept


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_of_eight_wrong_pins_at_once_five_are_looked_at(monkeypatch):
    user, looked = UserFactory(roles=["floor"]), []
    pins.pin_set(pin=RIGHT, proved=True, key=new_key(), actor=user)
    monkeypatch.setattr(pins, "check_password", lambda typed, _hash: bool(looked.append(typed)))
    assert at_once(*[lambda: signs(user, WRONG)] * 8) == ["not_signed"] * 8
    assert (len(looked), Pin.objects.get().tries) == (5, 5)
