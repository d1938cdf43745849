"""Set-up, posting of the rules, calling off (T2, T8, T10, T16, T24; verifiable-draw, Commit)."""

import hashlib
from dataclasses import replace

import pytest

from ground.canonical import canonical_json
from tests.cast.calls import refused
from tests.cast.factories import EntryFactory, EventFactory, new_key
from tournament.engine.settings import settings_hash
from tournament.models import Draw, DrawSecret, Event, JournalEntry, Posting
from tournament.services import events

pytestmark = pytest.mark.django_db


def create(**given):
    made = events.event_create(**{"name": "Friday Night", **given}, key=new_key(), actor=None)
    return Event.objects.get(pk=made["event"])


def test_event_gets_a_code_of_its_name_and_day_and_a_random_address():
    one, two = create(), create()
    assert one.code.startswith("FRIDAY-NIGHT-20")
    assert two.code == f"{one.code}-2"
    assert one.slug != two.slug
    assert one.slug.startswith("friday-night-")
    assert one.journal_head.seq == 0
    assert create(code="ev-1").code == "EV-1"
    with refused("code_taken"):
        create(code="EV-1")
    assert {create(code="SIM-7", kind="simulation").code for _ in range(2)} == {"SIM-7"}


def test_F1_an_event_begins_with_the_settings_of_another_and_its_rules_are_frozen_anew():
    plan = [{"stack": "reset", "advance": {"top": 9}}, {"stack": "carried", "advance": None}]
    model = EventFactory(settings={"plan": plan, "decks": 8, "buy_in_cents": 75_00})
    assert model.settings.house_rules
    made = create(like=model.pk, settings={"fee_cents": 5_00})
    assert made.status == Event.Status.DRAFT and made.settings.house_rules == {}
    assert made.settings == replace(model.settings, house_rules={}, fee_cents=5_00)
    entry = JournalEntry.objects.get(kind="event.create", result__event=made.pk)
    assert entry.body["asked"]["like"] == model.code


@pytest.mark.parametrize(("rounds", "draws"), [(3, 12), (4, 15), (12, 39)])
def test_F1_T21_a_longer_plan_posted_again_has_a_secret_for_every_draw_and_the_old_ones_stand(rounds, draws):
    event = EventFactory()
    before = list(event.draws.order_by("number").values_list("number", "commitment"))
    events.event_setup_again(event_id=event.pk, key=new_key(), actor=None)
    plan = [{"stack": "reset" if n == 1 else "carried", "advance": {"top": 9}} for n in range(1, rounds)]
    plan.append({"stack": "carried", "advance": None})
    events.event_settings_change(event_id=event.pk, settings={"plan": plan}, key=new_key(), actor=None)
    posted = events.event_open(event_id=event.pk, key=new_key(), actor=None)
    now = list(event.draws.order_by("number").values_list("number", "commitment"))
    assert now[:12] == before and [number for number, _ in now] == list(range(1, draws + 1))
    assert posted["commitments"] == [commitment for _, commitment in now]
    assert DrawSecret.objects.filter(draw__event=event).count() == draws
    assert list(event.postings.values_list("kind", "number")) == [("rules", 1), ("rules", 2)]
    EntryFactory(event=event)
    with refused("entries_sold", 409):
        events.event_setup_again(event_id=event.pk, key=new_key(), actor=None)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"name": " "}, "name_missing"),
        ({"name": "w" * 81}, "text_too_long"),
        ({"code": "a b"}, "code_bad"),
        ({"code": "É1"}, "code_bad"),
        ({"code": "A" * 33}, "code_bad"),
        ({"kind": "cash game"}, "kind_unknown"),
        ({"settings": {"decks": 7}}, "not_a_choice"),
        ({"settings": {"jackpot": 1}}, "settings_unknown"),
        ({"settings": {"buy_in_cents": 250_01}}, "over_day_limit"),
        ({"like": 987_654}, "no_such_event"),
    ],
)
def test_T2_event_that_cannot_be_is_refused(given, code):
    with refused(code):
        create(**given)
    # A rehearsal may cost more than the limit of a day.
    assert create(kind="rehearsal", settings={"buy_in_cents": 900_00}).buy_in_cents == 900_00


def test_settings_are_changed_until_the_rules_are_posted():
    event = create(settings={"decks": 8})
    change = {"event_id": event.pk, "actor": None}
    events.event_settings_change(**change, settings={"starting_chips": 6_000}, name="Gala", key=new_key())
    event.refresh_from_db()
    assert (event.settings.decks, event.starting_chips, event.name) == (8, 6_000, "Gala")
    with pytest.raises(events.SettingsRefused) as caught:
        events.event_settings_change(
            **change, settings={"starting_chips": 0, "bet_step_chips": 100}, key=new_key()
        )
    assert {field for field, _, _ in caught.value.problems} >= {"starting_chips", "bet_step_chips"}
    events.event_open(**change, key=new_key())
    with refused("rules_frozen", 409):
        events.event_settings_change(**change, settings={"decks": 6}, key=new_key())
    with refused("move_not_allowed", 409):
        events.event_open(**change, key=new_key())
    with refused("no_such_event", 404):
        events.event_open(event_id=999_999, key=new_key(), actor=None)


def test_T16_posted_rules_hold_settings_and_house_rules_with_their_hash():
    event = EventFactory(settings={"decks": 8})
    posting = Posting.objects.get(event=event)
    assert (posting.kind, posting.number, posting.body["event"]) == ("rules", 1, event.code)
    assert posting.body["settings"] == event.settings_json
    assert event.settings.house_rules["decks"] == 8
    assert event.settings.house_rules["soft17"] == "hit"
    assert event.rules_hash == posting.body["rules_hash"] == settings_hash(event.settings_json)
    assert posting.hash == hashlib.sha256(canonical_json(posting.body).encode()).hexdigest()


def test_T4_a_secret_for_every_planned_draw_is_committed_to_and_none_is_in_the_journal():
    event = EventFactory()
    draws = list(Draw.objects.filter(event=event).order_by("number"))
    assert [draw.number for draw in draws] == list(range(1, 13))
    secrets = [bytes(DrawSecret.objects.get(draw=draw).secret) for draw in draws]
    assert len(set(secrets)) == 12
    assert [draw.commitment for draw in draws] == [hashlib.sha256(each).hexdigest() for each in secrets]
    assert Posting.objects.get(event=event).body["commitments"] == [draw.commitment for draw in draws]
    journal = canonical_json([[e.body, e.result] for e in JournalEntry.objects.filter(event=event)])
    assert not [each for each in secrets if each.hex() in journal]
