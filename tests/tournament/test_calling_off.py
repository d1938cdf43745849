"""Called off: two persons once places are decided; every buy-in is due until it is handed out (T8)."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from pages.words.history import journal_kinds, journal_of_kind
from tables.selectors.next_hand import next_hand
from tables.services.dealing import deal_void
from tables.services.locks import shoe_get
from tests.cast import playing
from tests.cast.at_desk import Somebody, done, staff
from tests.cast.calls import at_once, codes, refused
from tests.cast.factories import (
    EntryFactory,
    EventFactory,
    PlayerFactory,
    UserFactory,
    new_key,
    round_seat,
    round_to,
)
from tests.cast.floor import close, opened, seated, shoe_of
from tests.cast.payments import accounts, pay
from tournament.models import Event, HandOut, PlayerDay, Request, Stack
from tournament.selectors.prizes import pool_of, prizes_for
from tournament.selectors.refunds import dues
from tournament.services import entries, events, payments, refunds
from tournament.services.reconcile import chip_accounts, reconcile
from tournament.services.requests import request_decide, why_not_carried_out

pytestmark = pytest.mark.django_db


def call_off(event, actor=None, key=None):
    about = {"key": key or new_key(), "actor": actor or UserFactory(roles=["director"])}
    return events.event_call_off(event_id=event.pk, reason="power cut", **about)


def approve(asked, actor=None, approve=True):
    second = actor or UserFactory(roles=["manager"])
    return request_decide(request_id=asked["request"], approve=approve, key=new_key(), actor=second)


def hand_out(entry, checked=True, key=None, actor=None):
    about = {"entry_id": entry.pk, "identity_checked": checked, "actor": actor}
    return refunds.refund_hand_out(**about, key=key or new_key())


def called_off(entrants=3, **settings):
    event = playing.event_with(entrants, **settings)
    call_off(event)
    event.refresh_from_db()
    return event


def filtered(event):
    """How many entries the journal's filters list, of what was asked for and of what was called off."""
    here = {kind for kind, _words in journal_kinds(event)} & {"event.call_off", "request.open"}
    return {kind: journal_of_kind(event.journal.all(), kind).count() for kind in here}


def status(event):
    return Event.objects.get(pk=event.pk).status


def test_T8_in_the_middle_of_a_round_one_person_is_enough_and_the_chips_are_handed_in():
    event = playing.event_with(3)
    round_ = round_seat(event)
    with refused("reason_missing"):
        events.event_call_off(event_id=event.pk, reason="", key=new_key(), actor=None)
    gone = EntryFactory(event=event)
    entries.entry_withdraw(entry_id=gone.pk, key=new_key(), actor=None)
    round_to(round_, "playing")
    result = call_off(event)
    assert (result["refunds"], result["refunded_cents"], status(event)) == (3, 300_00, "called_off")
    with refused("nothing_to_refund", 409):
        hand_out(gone)
    assert event.postings.get(kind="called_off").body["reason"] == "power cut"
    assert chip_accounts(event) == {"issued": -15_000, "stack": 0, "bank": 0, "returned": 15_000}
    assert set(Stack.objects.values_list("chips", flat=True)) == {0}
    assert reconcile(Event.objects.get(pk=event.pk)) == []
    with refused("move_not_allowed", 409):
        call_off(event)
    round_to(round_, "counted")
    with refused("event_over", 409):
        close(round_)


def test_T8_it_waits_for_every_open_hand_and_then_no_hand_is_opened():
    round_ = seated(8)
    deals = [opened(shoe_of(round_, table), {1: 200}, "results") for table in (1, 2)]
    with refused("hand_open", 409) as no:
        call_off(round_.event)
    assert "Table 1, Table 2" in str(no.value)
    for deal in deals:
        deal_void(deal_id=deal.pk, reason="fire alarm", key=new_key(), actor=None)
    read_before = shoe_get(deals[0].shoe_id)
    call_off(round_.event)
    with refused("event_not_running", 409):
        next_hand(read_before, {}, 200)


def test_T8_once_places_are_decided_calling_off_takes_two_persons():
    event, director = playing.finished(5), UserFactory(roles=["director"])
    asked = call_off(event, director)
    assert (asked["kind"], status(event)) == ("call_off", "finished")
    assert filtered(event) == {"request.open": 1}, "nothing is called off yet"
    with refused("own_request", 403):
        approve(asked, director)
    with refused("not_yours_to_confirm", 403):
        approve(asked, UserFactory(roles=["floor"]))
    with refused("places_decided", 409):
        entries.entry_withdraw(entry_id=event.entries.last().pk, reason="ill", key=new_key(), actor=None)
    assert status(event) == "finished"
    answer = approve(asked, UserFactory(roles=["manager"]))
    assert (answer["done"]["refunds"], answer["done"]["refunded_cents"]) == (5, 500_00)
    assert (status(event), filtered(event)) == ("called_off", {"event.call_off": 1, "request.open": 1})
    event.refresh_from_db()
    assert reconcile(event) == []
    assert (prizes_for(event), pool_of(event).cents) == ({}, 0)
    first = event.entries.get(place=1)
    with refused("not_finished"):
        payments.prize_pay(entry_id=first.pk, identity_checked=True, key=new_key(), actor=None)


def test_T8_no_prize_is_paid_while_calling_off_waits_and_after_the_first_payment_it_cannot_be_asked_for():
    event = playing.finished(5, second_person_from_cents=200_00)
    paid = pay(event, "E001")
    asked = call_off(event)
    waits = why_not_carried_out(Request.objects.get(pk=paid["request"]))
    assert waits is not None and waits.code == "answer_waits", "the list says so before the press"
    with refused("answer_waits", 409):
        approve(paid)
    with refused("answer_waits", 409):
        pay(event, "E002")
    approve(asked, approve=False)
    pay(event, "E002")
    with refused("already_paid", 409):
        call_off(event)


def test_T8_the_money_stays_in_the_drawer_and_owed_until_it_is_handed_out():
    sold = EntryFactory()
    with refused("not_called_off", 409):
        hand_out(sold)
    event = called_off(3)
    first, second, third = event.entries.order_by("number")
    with refused("identity_not_checked"):
        hand_out(first, checked=False)
    assert accounts(event)["desk"] == 300_00
    assert (dues(event).total_cents, dues(event).left_cents, dues(event).left) == (300_00, 300_00, 3)
    made = hand_out(first, actor=UserFactory(username="carla"))
    assert (made["code"], made["amount_cents"]) == ("E001", 100_00)
    assert accounts(event)["desk"] == 200_00
    given = HandOut.objects.get(entry=first)
    assert (given.transaction.kind, given.transaction.reverses.kind) == ("refund", "buy_in")
    assert (given.handed_by.username, given.identity_checked_by.username) == ("carla", "carla")
    assert (dues(event).given_cents, dues(event).left_cents, dues(event).left) == (100_00, 200_00, 2)
    assert reconcile(event) == []
    hand_out(second)
    hand_out(third)
    assert (dues(event).left, accounts(event)["desk"]) == (0, 0)
    assert reconcile(event) == []


@pytest.mark.django_db(transaction=True)
def test_T8_two_cashiers_at_once_hand_it_out_once():
    event, key = called_off(2), new_key()
    one, two = event.entries.order_by("number")
    first = hand_out(one, key=key)
    assert hand_out(one, key=key) == first
    assert codes(at_once(*[lambda: hand_out(two)] * 4)) == ["handed_out_already"] * 3
    assert accounts(event)["desk"] == 0
    given = HandOut.objects.get(entry=one)
    given.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        given.save(force_insert=True)


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


def test_T8_the_pages_say_who_is_owed_what_until_it_is_handed_out():
    event, cashier = called_off(2), Somebody("cashier")
    tonight = cashier.get(staff(event)).content.decode()
    assert staff(event, "refunds/") in tonight and "$200.00 of $200.00" in tonight
    path, receipt = staff(event, "refunds/E001/"), staff(event, "refunds/E001/receipt/")
    assert cashier.press(path).status_code == 422 and not HandOut.objects.exists()
    done(cashier.press(path, identity_checked="on"), receipt)
    text = cashier.get(receipt).content.decode()
    assert "$100.00" in text and "E001" in text and cashier.user.username in text
    assert "$100.00 of $200.00" in cashier.get(staff(event, "refunds/")).content.decode()
