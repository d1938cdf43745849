"""Persons at the desk, the house and its staff (T2, T7)."""

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import AnonymousUser, Group, User
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import RequestFactory

from ground.canonical import canonical_json
from tests.cast.calls import refused
from tests.cast.factories import EventFactory, PlayerFactory, UserFactory, new_key
from tournament.models import House, JournalEntry, Player, PlayerCheck
from tournament.roles import AUDITOR, CASHIER, DEALER, DIRECTOR, ROLES, role_required, roles_of
from tournament.services import house, people

pytestmark = pytest.mark.django_db


def person(**given):
    values = {"given_name": "Ann", "family_name": "Berg", **given}
    return people.player_create(**values, key=new_key(), actor=None)["player"]


def test_T7_one_person_has_one_record_by_the_identity_number():
    person(identity_number="AB 123-456")
    with refused("identity_known"):
        person(given_name="Anna", identity_number="ab123456")


def test_T7_identity_number_is_stored_as_a_keyed_digest_only():
    player = Player.objects.get(pk=person(identity_number="AB123456"))
    assert player.identity_digest == people.identity_digest(" ab-123456 ")
    assert "123456" not in player.identity_digest


def test_T7_identity_number_without_a_sign_in_it_is_refused():
    with refused("identity_bad"):
        person(identity_number=" -- ")


def test_journal_holds_no_word_of_a_person():
    player = person(given_name="Zebulon", family_name="Quist", alias="Zeb", identity_number="X9911")
    people.player_exclude(player_id=player, reason="Zebulon shouted", key=new_key(), actor=None)
    written = canonical_json([[entry.body, entry.result] for entry in JournalEntry.objects.all()])
    assert not [word for word in ("Zebulon", "Quist", "Zeb", "X9911", "shouted") if word in written]


def test_same_key_with_another_name_is_refused_although_the_journal_holds_no_name():
    first = people.player_create(given_name="Ann", family_name="Berg", key="one", actor=None)
    assert people.player_create(given_name="Ann", family_name="Berg", key="one", actor=None) == first
    with refused("key_reused"):
        people.player_create(given_name="Bea", family_name="Berg", key="one", actor=None)
    assert Player.objects.count() == 1


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"given_name": "  "}, "name_missing"),
        ({"given_name": "A" * 61}, "text_too_long"),
        ({"family_name": "Be\x00rg"}, "text_bad"),
        ({"alias": "a" * 41}, "text_too_long"),
    ],
)
def test_person_that_cannot_be_is_refused(given, code):
    with refused(code):
        person(**given)


def test_public_name_shows_no_family_name():
    assert Player.objects.get(pk=person()).public_name == "Ann B."
    assert Player.objects.get(pk=person(alias="Ace")).public_name == "Ace"


def test_T7_person_who_is_turned_away_is_recorded_with_time_and_checker():
    event, player, cashier = EventFactory(), PlayerFactory(), UserFactory(roles=["cashier"])
    people.player_check_refuse(
        event_id=event.pk, player_id=player.pk, outcome="under_age", key=new_key(), actor=cashier
    )
    check = PlayerCheck.objects.get()
    assert (check.outcome, check.checked_by, check.event) == ("under_age", cashier, event)
    assert check.at == event.journal.latest("seq").at


def test_T7_person_is_turned_away_for_a_known_outcome_only():
    event, player = EventFactory(), PlayerFactory()
    with refused("outcome_unknown"):
        people.player_check_refuse(
            event_id=event.pk, player_id=player.pk, outcome="passed", key=new_key(), actor=None
        )


def test_T7_person_is_excluded_once_and_with_a_reason():
    player = PlayerFactory()
    with refused("reason_missing"):
        people.player_exclude(player_id=player.pk, reason=" ", key=new_key(), actor=None)
    people.player_exclude(player_id=player.pk, reason="banned by law", key=new_key(), actor=None)
    player.refresh_from_db()
    assert player.excluded_at is not None
    assert player.checks.get().outcome == "excluded"
    with refused("already_excluded"):
        people.player_exclude(player_id=player.pk, reason="again", key=new_key(), actor=None)


# -- The house and its staff --------------------------------------------------------------------------


def change_house(**given):
    values = {
        "name": "Wonder",
        "currency": "usd",
        "language": "en",
        "time_zone": "UTC",
        "day_limit_cents": 250_00,
        "day_turns_at_hour": 6,
        **given,
    }
    return house.house_change(**values, key=new_key(), actor=None)


def test_T2_house_is_changed_and_the_journal_says_what_it_was():
    change_house(name="Marvel", currency="eur", language="de")
    set_now = House.objects.get()
    assert (set_now.name, set_now.currency, set_now.language) == ("Marvel", "EUR", "de")
    before = {"name": "Cutline", "currency": "USD", "language": "en"}
    assert JournalEntry.objects.get().body["noted"]["before"] == before


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"currency": "dollar"}, "currency_bad"),
        ({"language": "fr"}, "language_unknown"),
        ({"time_zone": "Mars/Base"}, "time_zone_unknown"),
        ({"time_zone": "../etc/passwd"}, "time_zone_unknown"),
        ({"day_limit_cents": -1}, "day_limit_bad"),
        ({"day_turns_at_hour": 24}, "hour_bad"),
        ({"name": ""}, "name_missing"),
    ],
)
def test_T2_house_that_cannot_be_is_refused(given, code):
    with refused(code):
        change_house(**given)


# -- Roles --------------------------------------------------------------------------------------------


@role_required(DIRECTOR, CASHIER)
def page(request):
    return HttpResponse("in")


def asked(method, user, **headers):
    request = RequestFactory(headers=headers).generic(method, "/desk/")
    request.user = user
    return page(request)


def test_role_opens_the_page_and_another_role_does_not():
    assert asked("POST", UserFactory(roles=[CASHIER])).content == b"in"
    with pytest.raises(PermissionDenied):
        asked("GET", UserFactory(roles=[DEALER]))


def test_auditor_reads_every_staff_page_and_changes_nothing():
    auditor = UserFactory(roles=[AUDITOR])
    assert asked("GET", auditor).content == b"in"
    assert asked("HEAD", auditor).content == b"in"
    with pytest.raises(PermissionDenied):
        asked("POST", auditor)


def test_nobody_logged_in_goes_to_the_log_in_and_back():
    answer = asked("GET", AnonymousUser())
    assert (answer.status_code, answer["Location"].endswith("?next=/desk/")) == (302, True)
    assert "HX-Redirect" in asked("POST", AnonymousUser(), hx_request="true")


def test_superuser_who_sets_the_house_up_has_every_role():
    assert roles_of(UserFactory(is_superuser=True)) == set(ROLES)


def test_role_that_does_not_exist_is_a_mistake_at_once():
    with pytest.raises(ValueError, match="no such role: owner"):
        role_required("owner")


def test_roles_are_groups_from_the_first_migration():
    # Run here, because a test with real transactions before this one has emptied every table.
    migration = import_module("tournament.migrations.0002_roles")
    migration.roles_create(apps, None)
    assert set(Group.objects.values_list("name", flat=True)) >= set(ROLES)


# -- manage.py passwords ------------------------------------------------------------------------------


def test_passwords_prints_a_login_for_every_role_and_new_ones_each_time(settings, capsys):
    settings.LOCAL = True
    call_command("passwords")
    first = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in first] == [["login", role, role] for role in ROLES]
    cashier = User.objects.get(username="cashier")
    assert cashier.check_password(first[2].split()[3])
    assert roles_of(cashier) == {"cashier"}
    call_command("passwords")
    assert not set(first) & set(capsys.readouterr().out.splitlines())


def test_passwords_makes_nobody_in_production(settings):
    settings.LOCAL = False
    with pytest.raises(CommandError, match="createsuperuser"):
        call_command("passwords")
    assert not User.objects.exists()
