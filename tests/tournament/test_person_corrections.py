"""A person's record is corrected: names by one person, year of birth and identity number by two (T7)."""

import pytest

from ground.canonical import canonical_json
from tests.cast.calls import refused
from tests.cast.factories import EntryFactory, UserFactory, new_key
from tournament.engine.names import name_folded
from tournament.models import JournalEntry, Player, PlayerCorrection, Request, StandingsSnapshot
from tournament.selectors.standings import standings_body
from tournament.services import people
from tournament.services.requests import request_decide, why_not_carried_out
from tournament.services.standings import standings_behind, standings_recompute

pytestmark = pytest.mark.django_db
RECORD = {"given_name": "Jan", "family_name": "Von Berg", "alias": "", "birth_year": 1974}


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
    assert (kept.before, kept.after) == (
        {"family_name": "Von Berg", "alias": ""},
        {"family_name": "von Berg", "alias": "McDonald"},
    )
    assert (kept.reason, kept.by, kept.request) == ("the passport", cashier, None)


@pytest.mark.parametrize(
    ("given", "field"),
    [({"birth_year": 1947}, "birth_year"), ({"identity_number": "P 2"}, "identity_digest")],
)
def test_T7_a_year_of_birth_and_an_identity_number_wait_for_a_second_person(player, cashier, given, field):
    before = getattr(player, field)
    asked = correct(player, cashier, given_name="Johan", **given)
    player.refresh_from_db()
    assert (player.given_name, getattr(player, field)) == ("Johan", before)
    with refused("not_yours_to_confirm"):
        answer(asked, cashier)
    answer(asked, UserFactory(roles=["director"]))
    player.refresh_from_db()
    after = 1947 if field == "birth_year" else people.identity_digest("P 2")
    assert (player.given_name, getattr(player, field)) == ("Johan", after)


def test_T7_nobody_confirms_a_correction_of_their_own_and_a_refused_one_changes_nothing(player):
    director = UserFactory(roles=["director"])
    asked = correct(player, director, birth_year=1947)
    with refused("own_request"):
        answer(asked, director)
    answer(asked, UserFactory(roles=["manager"]), approve=False)
    player.refresh_from_db()
    assert player.birth_year == 1974


def test_T7_one_correction_of_a_person_waits_at_a_time(player, cashier):
    correct(player, cashier, birth_year=1947)
    with refused("already_asked"):
        correct(player, cashier, birth_year=1948)
    assert Request.objects.count() == PlayerCorrection.objects.count() == 1


def test_T7_an_identity_number_of_another_record_is_refused(player, cashier):
    people.player_create(
        given_name="Bea", family_name="Lee", identity_number="P 2", key=new_key(), actor=None
    )
    with refused("identity_known"):
        correct(player, cashier, identity_number="p-2")
    asked = correct(player, cashier, identity_number="P 3")
    people.player_create(
        given_name="Cle", family_name="Lee", identity_number="P 3", key=new_key(), actor=None
    )
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


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"given_name": " "}, "name_missing"),
        ({"alias": "a" * 41}, "text_too_long"),
        ({"birth_year": 1899}, "birth_year_bad"),
        ({"identity_number": "--"}, "identity_bad"),
        ({"alias": "Ace", "reason": " "}, "reason_missing"),
        ({}, "nothing_corrected"),
        ({"identity_number": "p1"}, "nothing_corrected"),
    ],
)
def test_T7_a_correction_that_cannot_be_is_refused(player, cashier, given, code):
    with refused(code):
        correct(player, cashier, **given)
    assert not PlayerCorrection.objects.exists()


def test_T7_the_journal_holds_no_fact_of_a_correction(player, cashier):
    asked = correct(
        player, cashier, alias="Zebulon", birth_year=1947, identity_number="X9911", reason="Quist says"
    )
    answer(asked, UserFactory(roles=["director"]))
    written = canonical_json([[each.body, each.result] for each in JournalEntry.objects.all()])
    hidden = ("Zebulon", "1947", "1974", "X9911", people.identity_digest("X9911"), "Quist", "Berg")
    assert not [word for word in hidden if word in written]


def test_T7_the_standings_show_the_corrected_name(cashier):
    entry = EntryFactory(player__given_name="Ann", player__family_name="Berg")
    standings_recompute(event_id=entry.event_id)
    assert shown(entry) == "Ann B."
    facts = {"given_name": "Ann", "family_name": "Berg", "birth_year": None}
    correct(entry.player, cashier, **facts, alias="Ace")
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
            facts = {"given_name": "Ann", "family_name": "Berg", "birth_year": None}
            correct(entry.player, cashier, **facts, alias=left.pop(0))
        return body

    monkeypatch.setattr("tournament.services.standings.standings_body", read_then_corrected)
    standings_recompute(event_id=entry.event_id)
    assert (left, shown(entry)) == ([], "Cleo")
    assert entry.event_id not in standings_behind()


def test_T7_a_corrected_name_is_made_up_for_by_the_sweep(cashier):
    entry = EntryFactory(player__given_name="Ann", player__family_name="Berg")
    standings_recompute(event_id=entry.event_id)
    correct(entry.player, cashier, given_name="Ann", family_name="Berg", birth_year=None, alias="Ace")
    assert standings_behind() == [entry.event_id]


def shown(entry):
    body = StandingsSnapshot.objects.get(event=entry.event_id).body
    return body["sections"][0]["rows"][0]["name"]
