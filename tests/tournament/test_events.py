"""Set-up, posting of the rules, calling off (T2, T8, T10, T16, T24; verifiable-draw, Commit)."""

import hashlib
from dataclasses import replace

import pytest

from ground.canonical import canonical_json
from tests.cast.calls import refused
from tests.cast.factories import (
    EntryFactory,
    EventFactory,
    PlayerFactory,
    UserFactory,
    as_command,
    new_key,
    round_seat,
    round_to,
)
from tournament.engine.settings import settings_hash
from tournament.models import Draw, DrawSecret, Event, JournalEntry, Payment, PlayerDay, Posting, Stack
from tournament.selectors.desk import why_too_few
from tournament.services import events
from tournament.services.money import money_prize
from tournament.services.reconcile import chip_accounts, reconcile

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


def test_event_code_chosen_by_the_director_is_used_once():
    assert create(code="ev-1").code == "EV-1"
    with refused("code_taken"):
        create(code="EV-1")


def test_simulations_of_one_seed_share_their_posted_code():
    assert {create(code="SIM-7", kind="simulation").code for _ in range(2)} == {"SIM-7"}


PLAN = [
    {"stack": "reset", "advance": {"top": 9}},
    {"stack": "carried", "advance": None, "bets": {"min": 400, "max": None, "step": 200}},
]


def test_F1_an_event_begins_with_the_settings_of_another_and_its_rules_are_frozen_anew():
    model = EventFactory(settings={"plan": PLAN, "decks": 8, "buy_in_cents": 75_00})
    assert model.settings.house_rules
    made = create(like=model.pk, settings={"fee_cents": 5_00})
    assert made.status == Event.Status.DRAFT and made.settings.house_rules == {}
    assert made.settings == replace(model.settings, house_rules={}, fee_cents=5_00)
    assert (made.buy_in_cents, made.fee_cents) == (75_00, 5_00)
    entry = JournalEntry.objects.get(kind="event.create", result__event=made.pk)
    assert entry.body["asked"]["like"] == model.code


def test_rules_posted_before_a_setting_was_there_are_copied_as_they_read():
    model = EventFactory()
    older = {name: value for name, value in model.settings_json.items() if name != "sudden_death_until"}
    Event.objects.filter(pk=model.pk).update(settings_json=older)
    assert create(like=model.pk).settings.sudden_death_until == "stacks"


def test_an_event_like_one_that_is_not_there_is_refused():
    with refused("no_such_event"):
        create(like=987_654)


@pytest.mark.parametrize(("rounds", "draws"), [(2, 12), (3, 12), (4, 15), (12, 39)])
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


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"name": " "}, "name_missing"),
        ({"code": "a b"}, "code_bad"),
        ({"code": "É1"}, "code_bad"),
        ({"code": "A" * 33}, "code_bad"),
        ({"kind": "cash game"}, "kind_unknown"),
        ({"settings": {"decks": 7}}, "not_a_choice"),
        ({"settings": {"jackpot": 1}}, "settings_unknown"),
        ({"settings": {"buy_in_cents": 250_01}}, "over_day_limit"),
    ],
)
def test_event_that_cannot_be_is_refused(given, code):
    with refused(code):
        create(**given)


def test_T2_rehearsal_may_cost_more_than_the_day_limit():
    assert create(kind="rehearsal", settings={"buy_in_cents": 900_00}).buy_in_cents == 900_00


def test_settings_that_cannot_be_say_so_field_by_field():
    with pytest.raises(events.SettingsRefused) as caught:
        create(settings={"decks": 7, "bet_step_chips": 100})
    assert {field for field, _, _ in caught.value.problems} == {"decks", "bet_step_chips"}


def test_settings_are_changed_until_the_rules_are_posted():
    event = create(settings={"decks": 8})
    change = {"event_id": event.pk, "actor": None}
    events.event_settings_change(**change, settings={"starting_chips": 6_000}, name="Gala", key=new_key())
    event.refresh_from_db()
    assert (event.settings.decks, event.starting_chips, event.name) == (8, 6_000, "Gala")
    with refused("out_of_range"):
        events.event_settings_change(**change, settings={"starting_chips": 0}, key=new_key())
    events.event_open(event_id=event.pk, key=new_key(), actor=None)
    with refused("rules_frozen", 409):
        events.event_settings_change(**change, settings={"decks": 6}, key=new_key())


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


def test_T4_simulation_brings_its_own_secrets():
    event = EventFactory(kind="simulation", opened=False)
    events.event_open(event_id=event.pk, secrets=[b"x" * 32, b"y" * 32], key=new_key(), actor=None)
    assert [bytes(draw.secret_row.secret) for draw in event.draws.order_by("number")] == [
        b"x" * 32,
        b"y" * 32,
    ]
    other = EventFactory(kind="simulation", opened=False)
    with refused("secret_bad"):
        events.event_open(event_id=other.pk, secrets=[b"short"], key=new_key(), actor=None)


def test_rules_are_posted_once():
    event = EventFactory()
    with refused("move_not_allowed", 409):
        events.event_open(event_id=event.pk, key=new_key(), actor=None)


def test_set_up_again_only_while_no_entry_was_sold():
    event = EventFactory()
    before = list(event.draws.values_list("commitment", flat=True))
    events.event_setup_again(event_id=event.pk, key=new_key(), actor=None)
    events.event_settings_change(event_id=event.pk, settings={"decks": 8}, key=new_key(), actor=None)
    events.event_open(event_id=event.pk, key=new_key(), actor=None)
    assert list(event.draws.values_list("commitment", flat=True)) == before
    assert list(event.postings.values_list("kind", "number")) == [("rules", 1), ("rules", 2)]
    EntryFactory(event=event)
    with refused("entries_sold", 409):
        events.event_setup_again(event_id=event.pk, key=new_key(), actor=None)


def test_T24_minimum_of_entrants_counts_who_is_in():
    event = EventFactory(settings={"min_entrants": 3})
    EntryFactory.create_batch(2, event=event)
    assert why_too_few(event)
    EntryFactory(event=event)
    assert why_too_few(event) is None


def call_off(event, key=None):
    return events.event_call_off(
        event_id=event.pk, reason="power cut", key=key or new_key(), actor=UserFactory()
    )


def test_T8_called_off_event_owes_every_buy_in_once():
    event, twice = EventFactory(), PlayerFactory()
    first, second = EntryFactory(event=event, player=twice), EntryFactory(event=event)
    result = call_off(event)
    assert (result["refunds"], result["refunded_cents"]) == (2, 200_00)
    event.refresh_from_db()
    assert event.status == "called_off"
    # Due, and still in the drawer: handed out one by one (test_calling_off).
    assert not first.money_transactions.filter(kind="refund").exists()
    assert PlayerDay.objects.get(player=second.player).spent_cents == 0
    assert event.postings.get(kind="called_off").body["reason"] == "power cut"
    assert reconcile(event) == []
    with refused("move_not_allowed", 409):
        call_off(event)


def test_T8_event_is_called_off_in_the_middle_of_a_round_and_its_chips_are_handed_in():
    event = EventFactory()
    EntryFactory.create_batch(3, event=event)
    round_to(round_seat(event), "playing")
    call_off(event)
    assert chip_accounts(event) == {"issued": -15_000, "stack": 0, "bank": 0, "returned": 15_000}
    assert set(Stack.objects.values_list("chips", flat=True)) == {0}
    assert reconcile(event) == []


def test_T8_event_is_called_off_before_the_first_payment_only():
    event = EventFactory()
    entry = EntryFactory(event=event)

    def pay(cmd):
        posted = money_prize(cmd, entry=entry, amount_cents=100_00)
        Payment.objects.create(
            event=event, entry=entry, place=1, amount_cents=100_00, transaction=posted, at=cmd.at
        )

    as_command(event, pay)
    with refused("already_paid", 409):
        call_off(event)


def test_T8_calling_off_needs_a_reason():
    event = EventFactory()
    with refused("reason_missing"):
        events.event_call_off(event_id=event.pk, reason="", key=new_key(), actor=None)


def test_command_for_an_event_that_is_not_there_is_refused():
    with refused("no_such_event", 404):
        events.event_open(event_id=999_999, key=new_key(), actor=None)
