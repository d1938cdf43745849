"""The one-time link by which a login gets its password: whose it is, and how often it serves (faults)."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.cast.calls import refused
from tests.cast.factories import UserFactory, new_key
from tests.cast.two_persons import GOOD, TOKEN, answered, cast, disqualification, two_made
from tournament.models import LoginChange, PasswordLink, Request
from tournament.services import logins, passwords
from tournament.services.requests import why_not_confirm

pytestmark = pytest.mark.django_db


# -- Links --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "code"),
    [
        (timedelta(hours=24, microseconds=-1), None),
        (timedelta(hours=24), "link_expired"),
        (timedelta(hours=24, microseconds=1), "link_expired"),
    ],
)
def test_a_link_is_good_for_24_hours(after, code):
    link = PasswordLink.objects.get(pk=two_made(*cast())["link"])
    why_not = passwords.why_not_use(link, link.at + after)
    assert (why_not.code if why_not else None) == code


def test_a_link_made_out_again_or_replaced_voids_the_one_before():
    director, manager = cast()
    made = two_made(director, manager, roles=["cashier"])
    for token in ("a" * 43, "b" * 43):
        passwords.password_link_make(link_id=made["link"], token=token, key=new_key(), actor=director)
    with refused("no_such_link", 404):
        passwords.password_by_link(token="a" * 43, password=GOOD, key=new_key())
    asked = logins.staff_reset(user_id=made["user"], reason="lost it", key=new_key(), actor=director)
    answered(asked, manager)
    with refused("no_such_link", 404):
        passwords.password_by_link(token="b" * 43, password=GOOD, key=new_key())


def test_a_weak_password_is_refused_and_the_link_stays_good():
    director, manager = cast()
    made = two_made(director, manager, roles=["cashier"])
    passwords.password_link_make(link_id=made["link"], token=TOKEN, key=new_key(), actor=director)
    with refused("password_weak"):
        passwords.password_by_link(token=TOKEN, password="1234", key=new_key())
    passwords.password_by_link(token=TOKEN, password=GOOD, key=new_key())


# -- Two logins in one pair of hands ------------------------------------------------------------------


def by_link(made, asker, token):
    """Who asked for a login makes out its link and uses it; the login is in their hands."""
    passwords.password_link_make(link_id=made["link"], token=token, key=new_key(), actor=asker)
    passwords.password_by_link(token=token, password=GOOD, key=new_key())
    return User.objects.get(pk=made["user"])


@pytest.mark.parametrize("reset", [False, True])
def test_two_logins_whose_links_one_person_had_do_not_confirm_for_each_other(reset):
    director, manager = cast()
    one = by_link(two_made(director, manager, username="one", roles=["director"]), director, "1" * 43)
    if reset:
        two = UserFactory(roles=["director"])
        director.groups.add(*two.groups.all())
        asked = logins.staff_reset(user_id=two.pk, reason="forgot", key=new_key(), actor=director)
        two = by_link(answered(asked, manager)["done"], director, "2" * 43)
    else:
        two = by_link(two_made(director, manager, username="two"), director, "2" * 43)
    asked = disqualification(one)[1]
    with refused("login_of_yours", 403):
        answered({"request": asked}, two)
    assert answered({"request": asked}, manager)["status"] == "approved"


def test_a_login_made_with_a_login_of_one_s_own_making_is_one_s_own_as_well():
    director, manager = cast()
    one = by_link(two_made(director, manager, username="one", roles=["director", "manager"]), director, TOKEN)
    two = by_link(two_made(one, manager, username="two"), one, "2" * 43)
    asked = disqualification(director)[1]
    with refused("login_of_yours", 403):
        answered({"request": asked}, two)


@pytest.mark.parametrize(
    ("after", "held"), [(timedelta(hours=24, microseconds=-1), True), (timedelta(hours=24), False)]
)
def test_after_24_hours_two_logins_of_one_maker_are_two_people(after, held):
    director, manager = cast()
    one, two = (
        User.objects.get(pk=two_made(director, manager, username=name, roles=["director", "manager"])["user"])
        for name in ("one", "two")
    )
    asked = Request.objects.get(pk=disqualification(one)[1])
    first = LoginChange.objects.get(user=one)
    assert (why_not_confirm(asked, two, first.at + after) is not None) == held


def test_who_was_only_given_a_role_by_the_same_person_is_somebody_else():
    director, manager = cast()
    one, two = UserFactory(roles=["director"]), UserFactory(roles=["dealer"])
    director.groups.add(*one.groups.all())
    for each in (one, two):
        given = {"user_id": each.pk, "roles": ["director", "manager"], "reason": "helps"}
        answered(logins.staff_roles(**given, key=new_key(), actor=director), manager)
    asked = disqualification(User.objects.get(pk=one.pk))[1]
    assert answered({"request": asked}, User.objects.get(pk=two.pk))["status"] == "approved"


# -- A link whose maker has lost the power ------------------------------------------------------------


def test_the_link_of_somebody_who_was_dismissed_sets_no_password():
    director, manager = cast()
    made = two_made(director, manager)
    passwords.password_link_make(link_id=made["link"], token=TOKEN, key=new_key(), actor=director)
    User.objects.filter(pk=director.pk).update(is_active=False)
    with refused("link_void", 409):
        passwords.password_by_link(token=TOKEN, password=GOOD, key=new_key())
    assert Client().get(f"/password/{TOKEN}/").status_code == 409
    assert not User.objects.get(pk=made["user"]).has_usable_password()


def test_the_link_for_a_login_that_has_risen_above_its_maker_sets_no_password():
    director, manager = cast()
    made = two_made(manager, director, roles=["cashier"])
    passwords.password_link_make(link_id=made["link"], token=TOKEN, key=new_key(), actor=manager)
    given = {"user_id": made["user"], "roles": ["director"], "reason": "rises"}
    answered(logins.staff_roles(**given, key=new_key(), actor=director), UserFactory())
    with refused("link_void", 409):
        passwords.password_by_link(token=TOKEN, password=GOOD, key=new_key())
    with refused("link_void", 409):
        passwords.password_link_make(link_id=made["link"], token="x" * 43, key=new_key(), actor=manager)


def second_of_a_new_house() -> tuple[User, dict]:
    """A house with one director, who makes the manager and holds the link."""
    director = UserFactory(roles=["director"])
    made = logins.staff_add(
        username="max", roles=["manager"], reason="the second", key=new_key(), actor=director
    )
    passwords.password_link_make(link_id=made["link"], token=TOKEN, key=new_key(), actor=director)
    return director, made


def test_the_second_of_a_new_house_sets_a_password_though_the_first_lacks_the_role():
    _director, made = second_of_a_new_house()
    passwords.password_by_link(token=TOKEN, password=GOOD, key=new_key())
    assert User.objects.get(pk=made["user"]).has_usable_password()


@pytest.mark.parametrize("change", ["dismissed", "risen"])
def test_the_link_of_the_second_is_void_once_the_first_is_gone_or_it_has_risen(change):
    director, made = second_of_a_new_house()
    if change == "dismissed":
        User.objects.filter(pk=director.pk).update(is_active=False)
    else:
        User.objects.filter(pk=made["user"]).update(is_superuser=True)
    with refused("link_void", 409):
        passwords.password_by_link(token=TOKEN, password=GOOD, key=new_key())
