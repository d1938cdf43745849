"""One person against every rule that wants two (faults, Who may do what): each attack as it is tried."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.test import Client

from ground.canonical import canonical_json
from tables.services import counts, draws
from tests.cast import floor as floor_cast
from tests.cast.at_desk import Somebody, done, refused_in_place
from tests.cast.calls import at_once, refused
from tests.cast.factories import EntryFactory, UserFactory, new_key
from tournament.models import Draw, JournalEntry, LoginChange, PasswordLink, Pin, Request
from tournament.roles import roles_of
from tournament.services import logins, passwords, pins
from tournament.services.entries import entry_disqualify_request
from tournament.services.requests import request_decide, why_not_confirm
from tournament.services.second_person import why_not_second

pytestmark = pytest.mark.django_db
PASSWORD, GOOD = "a long enough password", "seven brown foxes"
TOKEN = "t" * 43


def disqualification(asker):
    entry = EntryFactory()
    about = {"entry_id": entry.pk, "reason": "marked a card"}
    return entry_disqualify_request(**about, key=new_key(), actor=asker)


def two_made(director, manager, **given):
    """A login that the first asked for and the second confirmed; its link is with the first."""
    values = {"username": "ghost", "roles": ["manager"], "reason": "one more", **given}
    asked = logins.staff_add(**values, key=new_key(), actor=director)
    return answered(asked, manager)["done"]


def answered(asked, by, approve=True):
    return request_decide(request_id=asked["request"], approve=approve, key=new_key(), actor=by)


def cast():
    return UserFactory(roles=["director", "manager"]), UserFactory(roles=["manager"])


@pytest.mark.parametrize("what", ["made", "reset", "roles", "link used"])
def test_for_24_hours_the_two_are_not_two_people(what):
    director, manager = cast()
    friend = UserFactory(username="friend", roles=["dealer"])
    if what == "made":
        friend = User.objects.get(pk=two_made(director, manager)["user"])
    elif what == "roles":
        about = {"user_id": friend.pk, "roles": ["manager"], "reason": "helps out"}
        answered(logins.staff_roles(**about, key=new_key(), actor=director), manager)
    else:
        asked = logins.staff_reset(user_id=friend.pk, reason="forgot", key=new_key(), actor=director)
        made = answered(asked, manager)["done"]
        if what == "link used":
            passwords.password_link_make(link_id=made["link"], token=TOKEN, key=new_key(), actor=director)
            passwords.password_by_link(token=TOKEN, password=GOOD, key=new_key())
    day_on = LoginChange.objects.latest("pk").at + timedelta(hours=24)
    for first, second in ((director, friend), (friend, director)):
        why_not = why_not_second(first.pk, second, day_on - timedelta(microseconds=1))
        assert (why_not.code, why_not.status) == ("login_of_yours", 403)
        assert why_not_second(first.pk, second, day_on) is None
    assert why_not_second(manager.pk, friend, day_on - timedelta(hours=24)) is None


def test_T4_five_cards_are_not_confirmed_with_a_login_of_one_s_own_making():
    director, manager = cast()
    helper = User.objects.get(pk=two_made(director, manager, roles=["floor"])["user"])
    event = floor_cast.event_make(4, public_input=True)
    locked = draws.draw_lock(event_id=event.pk, key=new_key(), actor=None)
    draw = Draw.objects.get(pk=locked["draw"])
    for first, second in ((director, helper), (helper, director)):
        draws.draw_cards(draw_id=draw.pk, cards="KH 4D 7S AC 2D", key=new_key(), actor=first)
        with refused("login_of_yours", 403):
            draws.draw_confirm(draw_id=draw.pk, key=new_key(), actor=second)
    draws.draw_confirm(draw_id=draw.pk, key=new_key(), actor=manager)


def test_T18_a_shoe_is_not_counted_twice_with_a_login_of_one_s_own_making():
    director, manager = cast()
    helper = User.objects.get(pk=two_made(director, manager, roles=["dealer"])["user"])
    shoe = floor_cast.shoe_of(floor_cast.seated(2))
    floor_cast.hand(shoe, {1: 200, 2: 200}, b1="win", b2="lose")
    floor_cast.shoe_over(shoe)
    chips = {1: 5200, 2: 4800}
    counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=director)
    with refused("login_of_yours", 403):
        counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=helper)
    assert counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=manager)["agreed"]


def test_nobody_confirms_what_is_given_to_themselves():
    director, manager = cast()
    given = {"user_id": manager.pk, "roles": ["manager", "cashier"], "reason": "sells too"}
    asked = logins.staff_roles(**given, key=new_key(), actor=director)
    with refused("about_you", 403):
        answered(asked, manager)
    assert roles_of(User.objects.get(pk=manager.pk)) == {"manager"}
    answered(asked, UserFactory())
    assert roles_of(User.objects.get(pk=manager.pk)) == {"manager", "cashier"}


def test_two_persons_make_a_login_and_only_its_owner_sets_the_password():
    director, manager = Somebody("director"), Somebody("manager")
    given = {"username": "nora", "roles": ["cashier"], "reason": "starts tonight"}
    done(director.press("/house/staff/add/", **given), "/house/requests/")
    asked = Request.objects.get()
    assert asked.event is None and not User.objects.filter(username="nora").exists()
    own = director.press(f"/house/requests/{asked.pk}/", answer="approve")
    refused_in_place(own, code="own_request", status=403)
    assert "starts tonight" in manager.get("/house/requests/").content.decode()
    done(manager.press(f"/house/requests/{asked.pk}/", answer="approve"), "/house/requests/")
    link = PasswordLink.objects.get()
    assert manager.press(f"/house/staff/links/{link.pk}/").status_code == 403
    done(director.press(f"/house/staff/links/{link.pk}/"), "/house/staff/")
    page = director.get("/house/staff/").content.decode()
    address = re.search(r"http://testserver(/password/[\w-]{43}/)", page)[1]
    assert address not in director.get("/house/staff/").content.decode(), "shown once"
    assert address not in manager.get("/house/staff/").content.decode()
    nora = Client()
    fields = {"password": GOOD, "again": GOOD, "key": new_key()}
    assert nora.post(address, {**fields, "again": "another one"}).status_code == 422
    assert nora.post(address, fields).status_code == 303
    late = Client().post(address, {**fields, "key": new_key(), "password": "x" * 12, "again": "x" * 12})
    assert late.status_code == 409
    assert User.objects.get(username="nora").check_password(GOOD)
    written = canonical_json([each.body for each in JournalEntry.objects.all()])
    assert GOOD not in written
    assert address.split("/")[2] not in written


def test_a_password_is_set_anew_by_its_owner_and_the_old_one_and_its_sessions_end():
    director, manager, nora = Somebody("director"), Somebody("manager"), Somebody("cashier")
    done(director.press(f"/house/staff/{nora.user.pk}/password/", reason="forgot it"), "/house/requests/")
    assert nora.get("/house/").status_code == 200, "nothing has happened yet"
    done(manager.press(f"/house/requests/{Request.objects.get().pk}/", answer="approve"))
    assert nora.get("/house/").status_code == 302
    assert not User.objects.get(pk=nora.user.pk).has_usable_password()


def test_everybody_changes_their_own_password_and_stays_in():
    nora = Somebody("dealer")
    elsewhere = Client()
    elsewhere.force_login(nora.user)
    typed = {"old": PASSWORD, "password": GOOD, "again": GOOD}
    named = f"{nora.user.username} {nora.user.username.upper()} {nora.user.username}"
    for wrong in (
        {"old": "wrong"},
        {"again": "other"},
        *(dict.fromkeys(("password", "again"), p) for p in ("short", PASSWORD, named)),
    ):
        assert nora.press("/house/password/", **{**typed, **wrong}).status_code == 422, wrong
    key, other = new_key(), "nine green badgers"
    done(nora.press("/house/password/", **typed, key=key))
    again = nora.press("/house/password/", **{**typed, "password": other, "again": other}, key=key)
    refused_in_place(again, code="key_reused")
    assert nora.get("/house/").status_code == 200
    assert elsewhere.get("/house/").status_code == 302
    assert User.objects.get(pk=nora.user.pk).check_password(GOOD)


def test_a_role_taken_away_ends_the_sessions():
    director, _manager, nora = Somebody("director"), Somebody("manager"), Somebody("cashier", "floor")
    done(director.press(f"/house/staff/{nora.user.pk}/", roles=["floor"], active="1"), "/house/staff/")
    assert nora.get("/house/").status_code == 302


def test_the_second_of_a_new_house_is_made_alone_and_the_third_is_not():
    boss = UserFactory(roles=[], is_superuser=True)
    first = logins.staff_add(username="cash", roles=["cashier"], reason="first", key=new_key(), actor=boss)
    assert set(first) == {"request", "kind"}, "somebody who can confirm comes first"
    made = logins.staff_add(username="dan", roles=["director"], reason="second", key="once", actor=boss)
    assert set(made) == {"user", "roles", "link"}
    again = logins.staff_add(username="dan", roles=["director"], reason="second", key="once", actor=boss)
    assert again == made
    third = logins.staff_add(username="mia", roles=["manager"], reason="third", key=new_key(), actor=boss)
    assert "request" in third
    # So that the house can be set up on its first day, these two do count as two.
    dan = User.objects.get(pk=made["user"])
    assert answered(third, dan)["status"] == "approved"


def test_the_second_of_a_new_house_may_have_a_role_that_the_first_lacks():
    director = UserFactory(roles=["director"])
    made = logins.staff_add(username="max", roles=["manager"], reason="2", key=new_key(), actor=director)
    assert made["roles"] == ["manager"]
    with refused("roles_lacking", 403):
        logins.staff_add(username="mia", roles=["manager"], reason="3", key=new_key(), actor=director)
    # A house that once had two is no new house.
    User.objects.filter(username="max").update(is_active=False)
    again = logins.staff_add(username="dan", roles=["director"], reason="4", key=new_key(), actor=director)
    assert "request" in again


def test_nobody_has_power_over_a_login_with_roles_that_they_lack():
    for asker, target, code in [
        (["director"], None, "roles_lacking"),
        (["director"], ["cashier", "auditor"], None),
        (["manager"], ["dealer", "floor"], None),
        (["director"], ["director"], None),
        (["director"], ["manager"], "roles_lacking"),
        (["manager"], ["director"], "roles_lacking"),
        (["director", "manager"], ["director", "manager"], None),
        (["cashier"], ["dealer"], "roles_lacking"),
    ]:
        why_not = logins.why_not_power(UserFactory(roles=asker), target or [], superuser=target is None)
        assert (why_not.code if why_not else None) == code, (asker, target)


def test_over_an_equal_one_a_second_person_confirms_even_what_is_taken():
    director, equal = UserFactory(roles=["director"]), UserFactory(roles=["director"])
    out = {"user_id": equal.pk, "roles": ["director"], "active": False, "reason": "left"}
    asked = logins.staff_roles(**out, key=new_key(), actor=director)
    assert User.objects.get(pk=equal.pk).is_active
    answered(asked, UserFactory(roles=["manager"]))
    assert not User.objects.get(pk=equal.pk).is_active
    # Below one it is done at once; back at work only with a second person.
    dealer = UserFactory(roles=["dealer"])
    about = {"user_id": dealer.pk, "roles": ["dealer"], "reason": "left"}
    assert "user" in logins.staff_roles(**about, active=False, key=new_key(), actor=director)
    assert "request" in logins.staff_roles(**about, active=True, key=new_key(), actor=director)


def test_who_has_lost_the_power_meanwhile_has_asked_in_vain():
    director, manager = cast()
    values = {"username": "ghost", "roles": ["director"], "reason": "x"}
    asked = logins.staff_add(**values, key=new_key(), actor=director)
    director.groups.clear()
    with refused("roles_lacking", 403):
        answered(asked, manager)


def test_roles_that_were_changed_meanwhile_are_asked_for_anew():
    director, manager = cast()
    dealer = UserFactory(roles=["dealer", "floor"])
    given = {"user_id": dealer.pk, "roles": ["dealer", "floor", "cashier"], "reason": "sells"}
    asked = logins.staff_roles(**given, key=new_key(), actor=director)
    logins.staff_roles(user_id=dealer.pk, roles=["dealer"], key=new_key(), actor=director)
    with refused("changed_meanwhile", 409):
        answered(asked, manager)
    with refused("nothing_changed"):
        logins.staff_roles(user_id=dealer.pk, roles=["dealer"], key=new_key(), actor=director)


def test_nobody_changes_their_own_roles_or_resets_their_own_password():
    director = Somebody("director")
    path = f"/house/staff/{director.user.pk}/"
    changed = director.press(path, roles=["manager"], active="1", reason="x")
    refused_in_place(changed, code="own_roles", status=403)
    refused_in_place(director.press(f"{path}password/", reason="x"), code="own_password", status=403)


def test_a_login_that_cannot_be_is_refused():
    UserFactory(username="kim")
    boss, values = UserFactory(), {"username": "lee", "roles": ["cashier"], "reason": "new"}
    for given, code in [
        ({"username": ""}, "username_missing"),
        ({"username": "KIM"}, "username_taken"),
        ({"username": "\uff4b\uff49\uff4d"}, "username_taken"),
        ({"username": "ki\u200bm"}, "text_bad"),
        ({"username": "\u202emik"}, "text_bad"),
        ({"roles": ["owner"]}, "role_unknown"),
        ({"roles": []}, "role_missing"),
        ({"reason": " "}, "reason_missing"),
    ]:
        with refused(code):
            logins.staff_add(**{**values, **given}, key=new_key(), actor=boss)


def test_a_login_that_looks_like_another_one_is_refused():
    """Whoever confirms reads a name, and two logins that read alike are taken for one person."""
    for like in ("anna", "Anna\u2010Berg", "alice", "DORA", "jo", "mla", "dealer2"):
        UserFactory(username=like, is_active=False)
    boss, about = UserFactory(), {"roles": ["cashier"], "reason": "new"}
    for name in (
        "\u0430nna",  # Cyrillic
        "\u0391NNA",  # Greek, as a capital
        "\xe0nna",
        "anna_berg",
        "aIice",  # a capital i
        "d0ra",
    ):
        with refused("username_alike"):
            logins.staff_add(username=name, **about, key=new_key(), actor=boss)
    for name in ("anne", "joe", "mia", "dealer1"):
        assert "request" in logins.staff_add(username=name, **about, key=new_key(), actor=boss)


def test_of_two_logins_that_look_alike_and_were_asked_for_at_once_one_is_made():
    director, manager = cast()
    asked = [
        logins.staff_add(username=name, roles=["cashier"], reason="x", key=new_key(), actor=director)
        for name in ("anna", "\u0430nna")
    ]
    answered(asked[0], manager)
    with refused("username_alike"):
        answered(asked[1], manager)


def link_made(link, token, actor):
    passwords.password_link_make(link_id=link, token=token, key=new_key(), actor=actor)


def password_set(token=TOKEN, password=GOOD):
    passwords.password_by_link(token=token, password=password, key=new_key())


def test_a_link_is_good_for_24_hours_and_a_weak_password_does_not_use_it():
    director, manager = cast()
    made = two_made(director, manager)
    link = PasswordLink.objects.get(pk=made["link"])
    assert passwords.why_not_use(link, link.at + timedelta(hours=24, microseconds=-1)) is None
    assert passwords.why_not_use(link, link.at + timedelta(hours=24)).code == "link_expired"
    with refused("not_your_link", 403):
        link_made(made["link"], TOKEN, manager)
    link_made(made["link"], TOKEN, director)
    with refused("password_weak"):
        password_set(password="1234")
    password_set()


def test_a_link_made_out_again_or_replaced_voids_the_one_before():
    director, manager = cast()
    made = two_made(director, manager, roles=["cashier"])
    for token in ("a" * 43, "b" * 43):
        link_made(made["link"], token, director)
    with refused("no_such_link", 404):
        password_set("a" * 43)
    asked = logins.staff_reset(user_id=made["user"], reason="lost it", key=new_key(), actor=director)
    answered(asked, manager)
    with refused("no_such_link", 404):
        password_set("b" * 43)


def by_link(made, asker, token):
    """Who asked for a login makes out its link and uses it; the login is in their hands."""
    link_made(made["link"], token, asker)
    password_set(token)
    return User.objects.get(pk=made["user"])


def test_two_logins_whose_links_one_person_had_do_not_confirm_for_each_other():
    director, manager = cast()
    one = by_link(two_made(director, manager, username="one", roles=["director"]), director, "1" * 43)
    two = UserFactory(roles=["director"])
    director.groups.add(*two.groups.all())
    asked = logins.staff_reset(user_id=two.pk, reason="forgot", key=new_key(), actor=director)
    two = by_link(answered(asked, manager)["done"], director, "2" * 43)
    asked = disqualification(one)
    with refused("login_of_yours", 403):
        answered(asked, two)
    assert answered(asked, manager)["status"] == "approved"


def test_a_login_made_with_a_login_of_one_s_own_making_is_one_s_own_as_well():
    director, manager = cast()
    one = by_link(two_made(director, manager, username="one", roles=["director", "manager"]), director, TOKEN)
    two = by_link(two_made(one, manager, username="two"), one, "2" * 43)
    asked = disqualification(director)
    with refused("login_of_yours", 403):
        answered(asked, two)


def test_after_24_hours_two_logins_of_one_maker_are_two_people():
    director, manager = cast()
    roles = ["director", "manager"]
    made = [two_made(director, manager, username=name, roles=roles)["user"] for name in ("one", "two")]
    one, two = (User.objects.get(pk=pk) for pk in made)
    asked = Request.objects.get(pk=disqualification(one)["request"])
    day_on = LoginChange.objects.get(user=one).at + timedelta(hours=24)
    assert why_not_confirm(asked, two, day_on) is None
    assert why_not_confirm(asked, two, day_on - timedelta(microseconds=1)).code == "login_of_yours"


def test_who_was_only_given_a_role_by_the_same_person_is_somebody_else():
    director, manager = cast()
    one, two = UserFactory(roles=["director"]), UserFactory(roles=["dealer"])
    director.groups.add(*one.groups.all())
    for each in (one, two):
        given = {"user_id": each.pk, "roles": ["director", "manager"], "reason": "helps"}
        answered(logins.staff_roles(**given, key=new_key(), actor=director), manager)
    asked = disqualification(User.objects.get(pk=one.pk))
    assert answered(asked, User.objects.get(pk=two.pk))["status"] == "approved"


def test_the_link_of_somebody_who_was_dismissed_sets_no_password():
    director, manager = cast()
    made = two_made(director, manager)
    link_made(made["link"], TOKEN, director)
    gone = {"user_id": director.pk, "roles": [], "active": False, "reason": "dismissed"}
    answered(logins.staff_roles(**gone, key=new_key(), actor=UserFactory()), UserFactory())
    with refused("no_such_link", 404):
        password_set()
    assert Client().get(f"/password/{TOKEN}/").status_code == 404
    assert not User.objects.get(pk=made["user"]).has_usable_password()


def test_the_link_for_a_login_that_has_risen_above_its_maker_sets_no_password():
    director, manager = cast()
    made = two_made(manager, director, roles=["cashier"])
    link_made(made["link"], TOKEN, manager)
    given = {"user_id": made["user"], "roles": ["director"], "reason": "rises"}
    answered(logins.staff_roles(**given, key=new_key(), actor=director), UserFactory())
    with refused("no_such_link", 404):
        password_set()
    with refused("link_used", 409):
        link_made(made["link"], "x" * 43, manager)


RIGHT, WRONG = "204816", "204817"


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


def test_a_pin_has_six_digits_that_are_no_run():
    user = UserFactory()
    for code, pins_typed in (
        ("pin_not_six", ("", "20481", "2048160", "20481a", "٢٠٤٨١٦", "20 816")),
        ("pin_easy", ("000000", "123456", "654321", "567890", "098765")),
    ):
        for pin in pins_typed:
            with refused(code):
                pins.pin_set(pin=pin, proved=True, key=new_key(), actor=user)
    assert not Pin.objects.exists()
    for pin in ("000001", "123457", "654320"):
        pins.pin_set(pin=pin, proved=True, key=new_key(), actor=user)
        assert signs(user, pin) == ""


def test_a_password_that_two_persons_have_set_anew_takes_the_pin_with_it(nora):
    boss, other = UserFactory(roles=["director"]), UserFactory(roles=["manager"])
    answered(logins.staff_reset(user_id=nora.pk, reason="forgot it", key=new_key(), actor=boss), other)
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
