"""One person against every rule that wants two (faults, Who may do what): each attack as it is tried."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ground.canonical import canonical_json
from tables.services import counts, draws
from tests.cast import floor as floor_cast
from tests.cast.at_desk import Somebody, done, refused_in_place, staff
from tests.cast.calls import refused
from tests.cast.factories import EntryFactory, EventFactory, UserFactory, new_key
from tests.cast.two_persons import GOOD, TOKEN, answered, cast, disqualification, two_made
from tournament.models import Draw, Entry, JournalEntry, LoginChange, PasswordLink, Request
from tournament.roles import roles_of
from tournament.services import logins, passwords, power
from tournament.services.entries import entry_disqualify_request
from tournament.services.second_person import why_not_second

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough password"


def house_of_two():
    """A director and a manager, as every house has them."""
    return Somebody("director"), Somebody("manager")


def approve(client, event, request_id):
    path = staff(event, f"requests/{request_id}/")
    return client.post(path, {"key": new_key(), "answer": "approve"})


def words_on(page):
    """Everything on a page that could be a password or a link."""
    return re.findall(r'<p class="big code">([^<]+)</p>', page.content.decode())


def test_a_director_alone_makes_no_login_that_works():
    director, _manager = house_of_two()
    director.press("/house/staff/add/", username="ghost", roles=["manager"], reason="a hand more")
    assert words_on(director.get("/house/staff/")) == []
    assert not User.objects.filter(username="ghost").exists()


def test_a_director_alone_gets_nobody_s_password():
    director, manager = house_of_two()
    dealer = UserFactory(roles=["dealer"])
    for target in (manager.user, dealer):
        director.press(f"/house/staff/{target.pk}/password/", reason="forgot it")
        assert words_on(director.get("/house/staff/")) == []
        assert User.objects.get(pk=target.pk).check_password(PASSWORD)


def test_a_manager_has_no_power_over_a_superuser_or_a_director():
    _director, manager = house_of_two()
    boss = UserFactory(roles=[], is_superuser=True)
    chief = UserFactory(roles=["director"])
    for target in (boss, chief):
        for path, fields in (
            (f"/house/staff/{target.pk}/password/", {"reason": "forgot it"}),
            (f"/house/staff/{target.pk}/", {"roles": ["dealer"], "active": "1", "reason": "down"}),
            (f"/house/staff/{target.pk}/", {"roles": ["director"], "reason": "out"}),
        ):
            assert manager.press(path, **fields).status_code == 403
    assert not Request.objects.exists()
    assert User.objects.filter(pk__in=[boss.pk, chief.pk], is_active=True).count() == 2


def test_a_director_alone_gives_a_login_no_role():
    director, _manager = house_of_two()
    friend = UserFactory(roles=["dealer"])
    director.press(f"/house/staff/{friend.pk}/", roles=["dealer", "director"], active="1", reason="helps")
    assert set(friend.groups.values_list("name", flat=True)) == {"dealer"}


def test_floor_confirms_nothing_that_is_the_director_s_and_the_manager_s():
    director = Somebody("director")
    event, asked = disqualification(director.user)
    assert approve(Somebody("floor").client, event, asked).status_code == 403
    assert Entry.objects.get().status == "live"


# -- A login that the asker had a hand in -------------------------------------------------------------


def test_the_asker_who_takes_the_link_confirms_nothing_of_their_own_with_it():
    director, manager = cast()
    made = two_made(director, manager)
    passwords.password_link_make(link_id=made["link"], token=TOKEN, key=new_key(), actor=director)
    passwords.password_by_link(token=TOKEN, password=GOOD, key=new_key())
    ghost = User.objects.get(pk=made["user"])
    asked = disqualification(director)[1]
    with refused("login_of_yours", 403):
        answered({"request": asked}, ghost)
    # The other way round it is the same person as well: the ghost asks, its maker approves.
    by_ghost = logins.staff_add(
        username="next", roles=["dealer"], reason="x", key=new_key(), actor=User.objects.get(pk=ghost.pk)
    )
    with refused("login_of_yours", 403):
        answered(by_ghost, director)
    assert answered(by_ghost, manager)["status"] == "approved"
    assert answered({"request": asked}, manager)["status"] == "approved"


@pytest.mark.parametrize(
    ("after", "held"),
    [
        (timedelta(hours=24, microseconds=-1), True),
        (timedelta(hours=24), False),
        (timedelta(hours=25), False),
    ],
)
@pytest.mark.parametrize("what", ["made", "reset", "roles", "link used"])
def test_for_24_hours_the_two_are_not_two_people(what, after, held):
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
    change = LoginChange.objects.latest("pk")
    for first, second in ((director, friend), (friend, director)):
        why_not = why_not_second(first.pk, second, change.at + after)
        assert (why_not is not None) == held
        assert why_not is None or (why_not.code, why_not.status) == ("login_of_yours", 403)
    assert why_not_second(manager.pk, friend, change.at) is None


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


def test_in_a_rehearsal_one_person_may_still_be_both():
    director, manager = cast()
    ghost = User.objects.get(pk=two_made(director, manager)["user"])
    event = EventFactory(kind="rehearsal")
    entry = EntryFactory(event=event)
    asked = entry_disqualify_request(entry_id=entry.pk, reason="cheats", key=new_key(), actor=director)
    assert answered(asked, ghost)["status"] == "approved"


def test_nobody_confirms_what_is_given_to_themselves():
    director, manager = cast()
    given = {"user_id": manager.pk, "roles": ["manager", "cashier"], "reason": "sells too"}
    asked = logins.staff_roles(**given, key=new_key(), actor=director)
    with refused("about_you", 403):
        answered(asked, manager)
    with refused("own_request", 403):
        answered(asked, director)
    answered(asked, UserFactory())
    assert roles_of(User.objects.get(pk=manager.pk)) == {"manager", "cashier"}


# -- Through the pages, from the first login to the password ------------------------------------------


def test_two_persons_make_a_login_and_only_its_owner_sets_the_password():
    director, manager = house_of_two()
    done(
        director.press("/house/staff/add/", username="nora", roles=["cashier"], reason="starts tonight"),
        "/house/requests/",
    )
    asked = Request.objects.get()
    assert asked.event is None
    refused_in_place(
        director.press(f"/house/requests/{asked.pk}/", answer="approve"), code="own_request", status=403
    )
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
    assert User.objects.get(username="nora").check_password(GOOD)
    late = Client().post(address, {**fields, "key": new_key(), "password": "x" * 12, "again": "x" * 12})
    assert late.status_code == 409
    assert User.objects.get(username="nora").check_password(GOOD)
    written = canonical_json([each.body for each in JournalEntry.objects.all()])
    assert GOOD not in written
    assert address.split("/")[2] not in written


def test_a_password_is_set_anew_by_its_owner_and_the_old_one_and_its_sessions_end():
    director, manager = house_of_two()
    nora = Somebody("cashier")
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
    for wrong in ({"old": "wrong"}, {"again": "other"}, {"password": "short", "again": "short"}):
        assert nora.press("/house/password/", **{**typed, **wrong}).status_code == 422, wrong
    done(nora.press("/house/password/", **typed))
    assert nora.get("/house/").status_code == 200
    assert elsewhere.get("/house/").status_code == 302
    assert User.objects.get(pk=nora.user.pk).check_password(GOOD)


def test_one_s_own_password_sent_again_with_another_one_is_not_said_to_be_changed():
    nora = Somebody("dealer")
    once = {"key": new_key(), "old": PASSWORD}
    done(nora.press("/house/password/", password=GOOD, again=GOOD, **once))
    other = "nine green badgers"
    refused_in_place(nora.press("/house/password/", password=other, again=other, **once), code="key_reused")
    assert User.objects.get(pk=nora.user.pk).check_password(GOOD)
    done(nora.press("/house/password/", password=GOOD, again=GOOD, **once), "/house/")


def test_a_link_s_password_sent_again_with_another_one_is_not_said_to_be_set():
    director, manager = cast()
    made = two_made(director, manager)
    passwords.password_link_make(link_id=made["link"], token=TOKEN, key=new_key(), actor=director)
    fields, other = {"key": new_key(), "password": GOOD, "again": GOOD}, "nine green badgers"
    assert Client().post(f"/password/{TOKEN}/", fields).status_code == 303
    again = Client().post(f"/password/{TOKEN}/", {**fields, "password": other, "again": other})
    assert again.status_code == 422
    assert User.objects.get(pk=made["user"]).check_password(GOOD)
    assert Client().post(f"/password/{TOKEN}/", fields).status_code == 303, "the same content has its result"


def test_a_role_taken_away_ends_the_sessions():
    director, _manager = house_of_two()
    nora = Somebody("cashier", "floor")
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


def test_a_house_that_once_had_two_is_no_new_house():
    boss, other = UserFactory(roles=["director"]), UserFactory(roles=["director"])
    User.objects.filter(pk=other.pk).update(is_active=False)
    asked = logins.staff_add(username="ghost", roles=["director"], reason="x", key=new_key(), actor=boss)
    assert "request" in asked


# -- Power --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asker", "target", "code"),
    [
        (["director"], None, "roles_lacking"),
        (["director"], ["cashier", "auditor"], None),
        (["manager"], ["dealer", "floor"], None),
        (["director"], ["director"], None),
        (["director"], ["manager"], "roles_lacking"),
        (["manager"], ["director"], "roles_lacking"),
        (["director", "manager"], ["director", "manager"], None),
        (["cashier"], ["dealer"], "roles_lacking"),
    ],
)
def test_nobody_has_power_over_a_login_with_roles_that_they_lack(asker, target, code):
    why_not = power.why_not_power(UserFactory(roles=asker), target or [], superuser=target is None)
    assert (why_not.code if why_not else None) == code


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


def test_roles_that_are_the_same_are_no_change():
    dealer = UserFactory(roles=["dealer"])
    with refused("nothing_changed"):
        logins.staff_roles(user_id=dealer.pk, roles=["dealer"], key=new_key(), actor=UserFactory())


# -- The house's own journal --------------------------------------------------------------------------


def test_the_auditor_reads_the_journal_of_the_house_and_its_check():
    two_made(*cast())
    auditor = Somebody("auditor")
    assert "ghost" in auditor.get("/house/journal/").content.decode()
    assert "Chain verified" in auditor.get("/house/journal/check/").content.decode()
    assert "Chain verified" in auditor.get("/house/journal/", check="1").content.decode()
    assert Somebody("cashier").get("/house/journal/").status_code == 403


def test_nobody_changes_their_own_roles_or_resets_their_own_password():
    director = Somebody("director")
    path = f"/house/staff/{director.user.pk}/"
    changed = director.press(path, roles=["manager"], active="1", reason="x")
    refused_in_place(changed, code="own_roles", status=403)
    refused_in_place(director.press(f"{path}password/", reason="x"), code="own_password", status=403)


def test_who_no_longer_works_here_cannot_log_in():
    nora = UserFactory(roles=["cashier"])
    done(Somebody("director").press(f"/house/staff/{nora.pk}/", roles=["cashier"]))
    fields = {"username": nora.username, "password": PASSWORD}
    assert Client().post("/login", fields).status_code == 422


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"username": ""}, "username_missing"),
        ({"username": "KIM"}, "username_taken"),
        ({"username": "\uff4b\uff49\uff4d"}, "username_taken"),
        ({"username": "ki\u200bm"}, "text_bad"),
        ({"username": "\u202emik"}, "text_bad"),
        ({"roles": ["owner"]}, "role_unknown"),
        ({"roles": []}, "role_missing"),
        ({"reason": " "}, "reason_missing"),
    ],
)
def test_a_login_that_cannot_be_is_refused(given, code):
    UserFactory(username="kim")
    values = {"username": "lee", "roles": ["cashier"], "reason": "new", **given}
    with refused(code):
        logins.staff_add(**values, key=new_key(), actor=UserFactory())


@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("\u0430nna", "anna"),  # Cyrillic
        ("\u0391NNA", "anna"),  # Greek, as a capital
        ("ann\u0251", "anna"),  # the a of phonetic writing
        ("\xe0nna", "anna"),
        ("anna.berg", "Anna Berg"),
        ("anna_berg", "Anna\u2010Berg"),
        ("aIice", "alice"),  # a capital i
        ("al1ce", "alIce"),
        ("d0ra", "DORA"),
        ("\u04cfee", "lee"),  # Cyrillic, a stroke
        ("\u0585scar", "oscar"),  # Armenian
    ],
)
def test_a_login_that_looks_like_another_one_is_refused(name, like):
    """Whoever confirms reads a name, and two logins that read alike are taken for one person."""
    taken = UserFactory(username=like)
    User.objects.filter(pk=taken.pk).update(is_active=False)
    values = {"username": name, "roles": ["cashier"], "reason": "new"}
    with refused("username_alike"):
        logins.staff_add(**values, key=new_key(), actor=UserFactory())


@pytest.mark.parametrize(
    ("name", "other"),
    [("anne", "anna"), ("joe", "jo"), ("mia", "mla"), ("dealer1", "dealer2"), ("\u738b", "\u65b9")],
)
def test_a_login_that_reads_otherwise_is_no_look_alike(name, other):
    UserFactory(username=other)
    values = {"username": name, "roles": ["cashier"], "reason": "new"}
    assert "request" in logins.staff_add(**values, key=new_key(), actor=UserFactory())


def test_of_two_logins_that_look_alike_and_were_asked_for_at_once_one_is_made():
    director, manager = cast()
    asked = [
        logins.staff_add(username=name, roles=["cashier"], reason="x", key=new_key(), actor=director)
        for name in ("anna", "\u0430nna")
    ]
    answered(asked[0], manager)
    with refused("username_alike"):
        answered(asked[1], manager)
