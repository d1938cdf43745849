"""Persons at the desk, the house and its staff (T2, T7)."""

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command

from ground.canonical import canonical_json
from tests.cast.calls import refused
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory, new_key
from tournament.engine.names import name_folded
from tournament.models import JournalEntry, Player, PlayerCheck, PlayerCorrection, Request, StandingsSnapshot
from tournament.roles import ROLES, roles_of
from tournament.selectors.standings import standings_body
from tournament.services import house, people
from tournament.services.requests import request_decide, why_not_carried_out
from tournament.services.standings import standings_behind, standings_recompute

pytestmark = pytest.mark.django_db


def person(**given):
    values = {"given_name": "Ann", "family_name": "Berg", **given}
    return people.player_create(**values, key=new_key(), actor=None)["player"]


def test_T7_one_person_has_one_record_by_the_identity_number():
    player = Player.objects.get(pk=person(identity_number="AB 123-456"))
    assert player.identity_digest == people.identity_digest(" ab123456 ")
    assert "123456" not in player.identity_digest
    with refused("identity_known"):
        person(given_name="Anna", identity_number="ab123456")


def test_same_key_with_another_name_is_refused_although_the_journal_holds_no_name():
    ann = {"given_name": "Ann", "family_name": "Berg", "key": "one", "actor": None}
    assert people.player_create(**ann) == people.player_create(**ann)
    with refused("key_reused"):
        people.player_create(**{**ann, "given_name": "Bea"})
    assert Player.objects.count() == 1


def test_person_that_cannot_be_is_refused():
    for given, code in [
        ({"given_name": "  "}, "name_missing"),
        ({"given_name": "A" * 61}, "text_too_long"),
        ({"family_name": "Be\x00rg"}, "text_bad"),
        ({"alias": "a" * 41}, "text_too_long"),
        ({"identity_number": " -- "}, "identity_bad"),
    ]:
        with refused(code):
            person(**given)


def test_T7_person_who_is_turned_away_is_recorded_with_time_and_checker():
    event, player, cashier = EventFactory(), PlayerFactory(), UserFactory(roles=["cashier"])
    about = {"event_id": event.pk, "player_id": player.pk, "actor": cashier}
    with refused("outcome_unknown"):
        people.player_check_refuse(**about, outcome="passed", key=new_key())
    people.player_check_refuse(**about, outcome="under_age", key=new_key())
    check = PlayerCheck.objects.get()
    assert (check.outcome, check.checked_by, check.event) == ("under_age", cashier, event)
    assert check.at == event.journal.latest("seq").at


def test_T2_house_that_cannot_be_is_refused():
    values = {"name": "Wonder", "currency": "usd", "language": "en", "time_zone": "UTC"}
    values |= {"day_limit_cents": 250_00, "day_turns_at_hour": 6}
    for given, code in [
        ({"currency": "dollar"}, "currency_bad"),
        ({"language": "fr"}, "language_unknown"),
        ({"time_zone": "Mars/Base"}, "time_zone_unknown"),
        ({"time_zone": "../etc/passwd"}, "time_zone_unknown"),
        ({"day_limit_cents": -1}, "day_limit_bad"),
        ({"day_turns_at_hour": 24}, "hour_bad"),
        ({"name": ""}, "name_missing"),
    ]:
        with refused(code):
            house.house_change(**{**values, **given}, key=new_key(), actor=None)


def test_roles_are_groups_from_the_first_migration_and_a_superuser_has_each():
    # Run here, because a test with real transactions before this one has emptied every table.
    import_module("tournament.migrations.0002_roles").roles_create(apps, None)
    assert set(Group.objects.values_list("name", flat=True)) >= set(ROLES)
    assert roles_of(UserFactory(roles=[], is_superuser=True)) == set(ROLES)


def test_passwords_prints_a_login_for_every_role_and_new_ones_each_time_but_none_in_production(
    settings, capsys
):
    settings.LOCAL = False
    with pytest.raises(CommandError, match="createsuperuser"):
        call_command("passwords")
    assert not User.objects.exists()
    settings.LOCAL = True
    call_command("passwords")
    first = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in first] == [["login", role, role] for role in ROLES]
    cashier = User.objects.get(username="cashier")
    assert cashier.check_password(first[2].split()[3])
    assert roles_of(cashier) == {"cashier"}
    call_command("passwords")
    assert not set(first) & set(capsys.readouterr().out.splitlines())


RECORD = {"given_name": "Jan", "family_name": "Von Berg", "alias": "", "birth_year": 1974}
ANN_BERG = {"given_name": "Ann", "family_name": "Berg", "birth_year": None}


@pytest.fixture
def player():
    made = people.player_create(**RECORD, identity_number="P 1", key=new_key(), actor=None)
    return Player.objects.get(pk=made["player"])


@pytest.fixture
def cashier():
    return UserFactory(roles=["cashier"])


def correct(player, actor, *, reason="the passport", **given):
    facts = {**RECORD, "identity_number": "", **given}
    return people.player_correct(player_id=player.pk, **facts, reason=reason, key=new_key(), actor=actor)


def answer(asked, actor, *, approve=True):
    return request_decide(request_id=asked["request"], approve=approve, key=new_key(), actor=actor)


def test_T7_a_name_and_an_alias_are_corrected_by_one_person_as_they_are_typed(player, cashier):
    done = correct(player, cashier, family_name="von Berg", alias="McDonald")
    assert done == {"player": player.pk, "corrected": ["family name", "alias"]}
    player.refresh_from_db()
    assert (player.family_name, player.alias) == ("von Berg", "McDonald")
    assert (player.birth_year, player.name_folded) == (1974, name_folded("Jan", "von Berg"))
    kept = PlayerCorrection.objects.get()
    assert kept.before == {"family_name": "Von Berg", "alias": ""}
    assert kept.after == {"family_name": "von Berg", "alias": "McDonald"}
    assert (kept.reason, kept.by, kept.request) == ("the passport", cashier, None)


def test_T7_a_year_of_birth_and_an_identity_number_wait_for_a_second_person(player, cashier):
    before = player.identity_digest
    asked = correct(player, cashier, given_name="Johan", birth_year=1947, identity_number="P 2")
    player.refresh_from_db()
    assert (player.given_name, player.birth_year, player.identity_digest) == ("Johan", 1974, before)
    with refused("not_yours_to_confirm"):
        answer(asked, cashier)
    answer(asked, UserFactory(roles=["director"]))
    player.refresh_from_db()
    assert (player.birth_year, player.identity_digest) == (1947, people.identity_digest("P 2"))


def test_T7_an_identity_number_of_another_record_is_refused(player, cashier):
    def other(number):
        about = {"given_name": "Bea", "family_name": "Lee", "identity_number": number}
        people.player_create(**about, key=new_key(), actor=None)

    other("P 2")
    with refused("identity_known"):
        correct(player, cashier, identity_number="p-2")
    asked = correct(player, cashier, identity_number="P 3")
    with refused("already_asked"):
        correct(player, cashier, birth_year=1948)
    other("P 3")
    with refused("identity_known"):
        answer(asked, UserFactory(roles=["director"]))


def test_T7_a_correction_lapses_once_the_record_is_another(cashier):
    made = people.player_create(**RECORD, key=new_key(), actor=None)
    player = Player.objects.get(pk=made["player"])
    asked = correct(player, cashier, identity_number="P 2")
    request = Request.objects.get()
    assert why_not_carried_out(request) is None
    people.player_identity(player_id=player.pk, identity_number="P 3", key=new_key(), actor=None)
    assert why_not_carried_out(request).code == "lapsed"
    with refused("lapsed"):
        answer(asked, UserFactory(roles=["director"]))


def test_T7_a_correction_that_cannot_be_is_refused(player, cashier):
    for given, code in [
        ({"given_name": " "}, "name_missing"),
        ({"alias": "a" * 41}, "text_too_long"),
        ({"birth_year": 1899}, "birth_year_bad"),
        ({"identity_number": "--"}, "identity_bad"),
        ({"alias": "Ace", "reason": " "}, "reason_missing"),
        ({}, "nothing_corrected"),
        ({"identity_number": "p1"}, "nothing_corrected"),
    ]:
        with refused(code):
            correct(player, cashier, **given)
    assert not PlayerCorrection.objects.exists()


def test_T7_the_journal_holds_no_fact_of_a_person(player, cashier):
    facts = {"alias": "Zebulon", "birth_year": 1947, "identity_number": "X9911", "reason": "Quist says"}
    answer(correct(player, cashier, **facts), UserFactory(roles=["director"]))
    written = canonical_json([[each.body, each.result] for each in JournalEntry.objects.all()])
    hidden = ("Zebulon", "1947", "1974", "X9911", people.identity_digest("X9911"), "Quist", "Berg")
    assert not [word for word in hidden if word in written]


def test_T7_the_standings_show_the_corrected_name(cashier):
    entry = EntryFactory(player__given_name="Ann", player__family_name="Berg")
    standings_recompute(event_id=entry.event_id)
    assert shown(entry) == "Ann B."
    correct(entry.player, cashier, **ANN_BERG, alias="Ace")
    assert standings_behind() == [entry.event_id]
    standings_recompute(event_id=entry.event_id)
    assert shown(entry) == "Ace"


def test_T7_a_snapshot_that_is_made_while_a_name_is_corrected_shows_the_corrected_name(cashier, monkeypatch):
    entry = EntryFactory(player__given_name="Ann", player__family_name="Berg")
    standings_recompute(event_id=entry.event_id)
    EntryFactory(event=entry.event)
    left = ["Bea", "Cleo"]

    def read_then_corrected(event):
        body = standings_body(event)
        if left:
            correct(entry.player, cashier, **ANN_BERG, alias=left.pop(0))
        return body

    monkeypatch.setattr("tournament.services.standings.standings_body", read_then_corrected)
    standings_recompute(event_id=entry.event_id)
    assert (left, shown(entry)) == ([], "Cleo")
    assert entry.event_id not in standings_behind()


def shown(entry):
    body = StandingsSnapshot.objects.get(event=entry.event_id).body
    return body["sections"][0]["rows"][0]["name"]
