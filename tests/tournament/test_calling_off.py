"""Called off: two persons once places are decided; every buy-in is due until it is handed out (T8)."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from tests.cast import playing
from tests.cast.at_desk import Somebody, done, staff
from tests.cast.calls import at_once, codes, refused
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory, new_key
from tournament.models import Entry, Event, HandOut, MoneyAccount, PlayerDay
from tournament.selectors.prizes import pool_of, prizes_for
from tournament.selectors.refunds import dues
from tournament.services import entries, events, payments, refunds
from tournament.services.money import account_cents
from tournament.services.reconcile import reconcile
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db


def call_off(event, actor=None, key=None):
    return events.event_call_off(
        event_id=event.pk,
        reason="power cut",
        key=key or new_key(),
        actor=actor or UserFactory(roles=["director"]),
    )


def approve(asked, actor=None):
    second = actor or UserFactory(roles=["manager"])
    return request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=second)


def hand_out(entry, checked=True, key=None, actor=None):
    return refunds.refund_hand_out(
        entry_id=entry.pk, identity_checked=checked, key=key or new_key(), actor=actor
    )


def called_off(entrants=3, **settings):
    event = playing.event_with(entrants, **settings)
    call_off(event)
    event.refresh_from_db()
    return event


def status(event):
    return Event.objects.get(pk=event.pk).status


# -- Two persons ---------------------------------------------------------------------------------------


def test_T8_once_places_are_decided_calling_off_takes_two_persons():
    event, director = playing.finished(5), UserFactory(roles=["director"])
    asked = call_off(event, director)
    assert (asked["kind"], status(event)) == ("call_off", "finished")
    assert event.postings.filter(kind="called_off").count() == 0
    with refused("own_request", 403):
        approve(asked, director)
    for role in ("floor", "cashier", "dealer"):
        with refused("not_yours_to_confirm", 403):
            approve(asked, UserFactory(roles=[role]))
    assert status(event) == "finished"
    answer = approve(asked, UserFactory(roles=["manager"]))
    assert (answer["done"]["refunds"], answer["done"]["refunded_cents"]) == (5, 500_00)
    assert status(event) == "called_off"
    assert event.postings.get(kind="called_off").body["reason"] == "power cut"
    assert reconcile(Event.objects.get(pk=event.pk)) == []


def test_T8_before_the_last_round_is_closed_one_person_is_enough():
    event = playing.round_1_closed(5)
    assert call_off(event)["refunds"] == 5
    assert status(event) == "called_off"


def test_T8_a_prize_paid_meanwhile_keeps_the_event_from_being_called_off():
    event = playing.finished(5)
    asked = call_off(event)
    first = event.entries.get(place=1)
    payments.prize_pay(entry_id=first.pk, identity_checked=True, key=new_key(), actor=None)
    with refused("already_paid", 409):
        approve(asked)
    assert status(event) == "finished"
    with refused("already_paid", 409):
        call_off(event)


def test_T8_places_that_are_decided_meanwhile_are_seen_under_the_lock(monkeypatch):
    event = playing.finished(5)
    seen = iter([False, True])
    monkeypatch.setattr(events, "_places_decided", lambda each: next(seen))
    with refused("second_person_needed", 409):
        call_off(event)
    assert status(event) == "finished"


def test_T8_nobody_has_a_prize_or_a_pool_once_it_is_called_off():
    event = playing.finished(5)
    approve(call_off(event))
    event.refresh_from_db()
    assert prizes_for(event) == {}
    assert pool_of(event).cents == 0
    with refused("not_finished"):
        payments.prize_pay(
            entry_id=event.entries.get(place=1).pk, identity_checked=True, key=new_key(), actor=None
        )


# -- Due until it is handed out ------------------------------------------------------------------------


def test_T8_the_money_stays_in_the_drawer_and_owed_until_it_is_handed_out():
    event = called_off(3)
    first, second, _third = event.entries.order_by("number")
    assert account_cents(event, MoneyAccount.DESK) == 300_00
    assert (dues(event).total_cents, dues(event).left_cents, dues(event).left) == (300_00, 300_00, 3)
    made = hand_out(first, actor=UserFactory(username="carla"))
    assert (made["code"], made["amount_cents"]) == ("E001", 100_00)
    assert account_cents(event, MoneyAccount.DESK) == 200_00
    given = HandOut.objects.get(entry=first)
    assert (given.transaction.kind, given.transaction.reverses.kind) == ("refund", "buy_in")
    assert (given.handed_by.username, given.identity_checked_by.username) == ("carla", "carla")
    assert (dues(event).given_cents, dues(event).left_cents, dues(event).left) == (100_00, 200_00, 2)
    assert reconcile(event) == []
    hand_out(second)
    hand_out(_third)
    assert (dues(event).left, account_cents(event, MoneyAccount.DESK)) == (0, 0)
    assert reconcile(event) == []


def test_T8_a_buy_in_is_handed_out_once():
    event, key = called_off(2), new_key()
    entry = event.entries.get(code="E001")
    first = hand_out(entry, key=key)
    assert hand_out(entry, key=key) == first
    with refused("handed_out_already", 409):
        hand_out(entry)
    assert entry.money_transactions.filter(kind="refund").count() == 1
    given = HandOut.objects.get(entry=entry)
    again = HandOut(event=event, entry=entry, amount_cents=1, transaction=given.transaction, at=given.at)
    with pytest.raises(IntegrityError), transaction.atomic():
        again.save()


@pytest.mark.django_db(transaction=True)
def test_T8_two_cashiers_at_once_hand_it_out_once():
    event = called_off(2)
    entry = event.entries.get(code="E001")
    answers = at_once(*[lambda: hand_out(entry)] * 4)
    assert codes(answers) == ["handed_out_already"] * 3
    assert account_cents(event, MoneyAccount.DESK) == 100_00


def test_T8_nothing_is_handed_out_without_the_identity_or_before_it_is_called_off():
    sold = EntryFactory()
    with refused("not_called_off", 409):
        hand_out(sold)
    entry = called_off(1).entries.get()
    with refused("identity_not_checked"):
        hand_out(entry, checked=False)
    assert not HandOut.objects.exists()


def test_T8_who_had_the_buy_in_back_before_is_owed_nothing():
    event = playing.event_with(3)
    gone = event.entries.get(code="E002")
    entries.entry_withdraw(entry_id=gone.pk, key=new_key(), actor=None)
    assert call_off(event)["refunds"] == 2
    event.refresh_from_db()
    assert [row.entry.code for row in dues(event).rows] == ["E001", "E003"]
    with refused("nothing_to_refund", 409):
        hand_out(gone)


# -- The gaming day ------------------------------------------------------------------------------------


def test_T8_what_is_due_is_off_the_day_at_once_and_only_once():
    player, event = PlayerFactory(), EventFactory(settings={"buy_in_cents": 200_00})
    entry = EntryFactory(event=event, player=player)
    other = EventFactory(settings={"buy_in_cents": 200_00})
    with refused("day_limit"):
        EntryFactory(event=other, player=player)
    call_off(event)
    assert PlayerDay.objects.get(player=player).spent_cents == 0
    EntryFactory(event=other, player=player)
    hand_out(entry)
    assert PlayerDay.objects.get(player=player).spent_cents == 200_00
    for each in Event.objects.all():
        assert reconcile(each) == []


# -- Pages ---------------------------------------------------------------------------------------------


def test_T8_the_pages_say_who_is_owed_what_until_it_is_handed_out():
    event, cashier = called_off(3), Somebody("cashier")
    tonight = cashier.get(staff(event)).content.decode()
    assert staff(event, "refunds/") in tonight and "$300.00 of $300.00" in tonight
    assert cashier.get(staff(event, "pay/"))["Location"] == staff(event, "refunds/")
    assert "$0.00 of $300.00" in cashier.get(staff(event, "refunds/")).content.decode()
    path = staff(event, "refunds/E001/")
    assert cashier.press(path).status_code == 422 and not HandOut.objects.exists()
    done(cashier.press(path, identity_checked="on"), staff(event, "refunds/E001/receipt/"))
    receipt = cashier.get(staff(event, "refunds/E001/receipt/")).content.decode()
    entry = Entry.objects.get(event=event, code="E001")
    for said in ("$100.00", "E001", entry.player.full_name, cashier.user.username):
        assert said in receipt
    listed = cashier.get(staff(event, "refunds/")).content.decode()
    assert "$100.00 of $300.00" in listed and "$200.00" in listed
    for code in ("E002", "E003"):
        done(cashier.press(staff(event, f"refunds/{code}/"), identity_checked="on"))
    assert "$300.00 of $300.00" in cashier.get(staff(event, "refunds/")).content.decode()


def test_T8_nothing_is_listed_while_the_event_goes_on():
    event = playing.event_with(2)
    cashier = Somebody("cashier")
    assert cashier.get(staff(event, "refunds/E001/")).status_code == 404
    assert cashier.get(staff(event, "refunds/E001/receipt/")).status_code == 404
