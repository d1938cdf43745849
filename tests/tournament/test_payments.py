"""A prize paid in parts, and a payment taken back (T26, T35)."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tests.cast import playing
from tests.cast.factories import UserFactory, as_command, new_key
from tests.cast.payments import ask_back, by_code, decide, disqualify, pay, refused, take_back
from tournament.models import Event, MoneyAccount, Payment, Request
from tournament.selectors.prizes import paid_of, prize_lines, prizes_for
from tournament.services import events, payments, payouts, requests
from tournament.services.money import account_cents, money_prize
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db

PRIZES = {"E001": 25_000, "E002": 15_000, "E003": 10_000}


def accounts(event: Event) -> dict[str, int]:
    return {name: account_cents(event, name) for name in MoneyAccount.values}


def test_T26_until_the_event_is_paid_somebody_is_disqualified_and_who_was_paid_gets_the_difference():
    event = playing.finished(5)
    pay(event, "E002"), pay(event, "E003")
    disqualify(event, "E001")
    assert event.status == "finished"
    assert by_code(event, prizes_for(event)) == {"E002": 25_000, "E003": 15_000, "E004": 10_000}
    left = {line.entry.code: (line.paid_cents, line.left_cents) for line in prize_lines(event)}
    assert left == {"E002": (15_000, 10_000), "E003": (10_000, 5_000), "E004": (0, 10_000)}
    assert reconcile(event) == []
    done = pay(event, "E002")
    assert (done["amount_cents"], done["paid_before_cents"], done["place"]) == (10_000, 15_000, 1)
    with refused("paid_already"):
        pay(event, "E002")
    assert pay(event, "E004")["event_paid"] is False
    assert pay(event, "E003")["event_paid"] is True
    event.refresh_from_db()
    assert event.status == "paid"
    assert by_code(event, paid_of(event)) == {"E002": 25_000, "E003": 15_000, "E004": 10_000}
    rows = Payment.objects.filter(entry__code="E002").order_by("number")
    assert [(row.number, row.kind, row.place, row.amount_cents) for row in rows] == [
        (1, "prize", 2, 15_000),
        (2, "further", 1, 10_000),
    ]
    assert [row.transaction.kind for row in rows] == ["prize", "further"]
    assert accounts(event) == {"desk": 0, "pool": 0, "fee": 0, "house": 0}
    assert reconcile(event) == []
    # What was paid in parts is taken back whole, and the event is to be paid again.
    assert take_back(event, "E002")["amount_cents"] == 25_000
    taken = Payment.objects.filter(entry__code="E002", kind="taken").order_by("number")
    assert list(taken.values_list("number", "amount_cents")) == [(3, 10_000), (4, 15_000)]
    assert event.status == "finished"
    (line,) = [each for each in prize_lines(event) if each.entry.code == "E002"]
    assert (line.left_cents, line.last_cents) == (25_000, 25_000)
    done = pay(event, "E002")
    assert (done["amount_cents"], done["event_paid"]) == (25_000, True)
    assert reconcile(event) == []


@pytest.mark.parametrize(("threshold", "asks"), [(24_999, True), (25_000, True), (25_001, False)])
def test_T35_paid_further_the_whole_prize_counts_towards_the_threshold(threshold: int, asks: bool):
    """What was paid before, and what is paid now, are each below it."""
    event = playing.finished(5, second_person_from_cents=threshold, tax_notice_from_cents=threshold)
    assert pay(event, "E002")["tax_form_from_cents"] is None
    disqualify(event, "E001")
    done = pay(event, "E002", UserFactory())
    assert ("request" in done) is asks
    if asks:
        assert by_code(event, paid_of(event)) == {"E002": 15_000}
        assert Request.objects.get(pk=done["request"]).body["amount_cents"] == 10_000
        done = decide(done)
    assert (Payment.objects.get(pk=done["payment"]).second_person is not None) is asks
    assert done["tax_form_from_cents"] == (threshold if asks else None)
    assert by_code(event, paid_of(event)) == {"E002": 25_000}


def test_T26_what_a_second_person_was_asked_to_pay_is_another_amount_by_now():
    event = playing.finished(5, second_person_from_cents=1)
    asked = pay(event, "E002", UserFactory())
    disqualify(event, "E001")
    with refused("prize_changed"):
        decide(asked)
    assert not Payment.objects.exists()


def test_T35_a_press_sent_again_has_its_first_result_although_the_prize_has_grown_over_the_threshold():
    event = playing.finished(5, second_person_from_cents=20_000)
    about = {"entry_id": event.entries.get(code="E002").pk, "identity_checked": True, "actor": UserFactory()}
    once, then = ({**about, "key": new_key()} for _ in range(2))
    first = payments.prize_pay(**once)
    disqualify(event, "E001")
    assert payments.prize_pay(**once) == first
    asked = payments.prize_pay(**then)
    decide(asked)
    assert payments.prize_pay(**then) == asked


def test_T26_two_persons_take_a_payment_back_and_then_the_player_is_disqualified():
    event = playing.finished(5)
    pay(event, "E002")
    before = accounts(event)
    done = take_back(event, "E002")
    assert done == {"entry": event.entries.get(code="E002").pk, "amount_cents": 15_000}
    assert before["desk"] + 15_000 == accounts(event)["desk"] == 50_000
    first, back = Payment.objects.order_by("number")
    assert (back.kind, back.takes_back, back.amount_cents) == ("taken", first, 15_000)
    assert back.reason and back.transaction.reverses == first.transaction
    assert back.paid_by and back.second_person and back.paid_by != back.second_person
    assert paid_of(event) == {} and reconcile(event) == []
    disqualify(event, "E002")
    assert by_code(event, prizes_for(event)) == {"E001": 25_000, "E003": 15_000, "E004": 10_000}
    for code in ("E001", "E003", "E004"):
        pay(event, code)
    assert Event.objects.get(pk=event.pk).status == "paid"
    assert reconcile(event) == []


def test_T31_with_every_payment_taken_back_nothing_has_been_paid_by_the_structure():
    event = playing.finished(5)
    pay(event, "E001")
    with refused("already_paid"):
        events.call_off_check(event)
    take_back(event, "E001")
    events.call_off_check(event)
    two = {"kind": "fixed", "amounts": [30_000, 20_000]}
    asked = payouts.payouts_supersede_request(
        event_id=event.pk, structure=two, reason="two places", key=new_key(), actor=UserFactory()
    )
    decide(asked)
    assert by_code(event, prizes_for(event)) == {"E001": 30_000, "E002": 20_000}


def test_nobody_takes_a_payment_back_alone_or_twice_or_where_nothing_was_paid():
    event = playing.finished(5)
    with refused("nothing_paid"):
        ask_back(event, "E001")
    pay(event, "E001")
    with refused("reason_missing"):
        ask_back(event, "E001", reason=" ")
    about = {"entry_id": event.entries.get(code="E001").pk, "reason": "too much", "key": new_key()}
    with refused("not_yours_to_ask"):
        payments.prize_take_back_request(**about, actor=UserFactory(roles=["director"]))
    asker = UserFactory()
    asked = payments.prize_take_back_request(**about, actor=asker)
    with refused("own_request"):
        decide(asked, asker)
    with refused("not_yours_to_confirm"):
        decide(asked, UserFactory(roles=["cashier"]))
    decide(asked)
    assert payments.prize_take_back_request(**about, actor=asker) == asked
    with refused("nothing_paid"):
        ask_back(event, "E001")
    back = Payment.objects.get(kind="taken")
    back.pk, back.number = None, 3
    with pytest.raises(IntegrityError, match=r"takes_back_id|transaction_id"), transaction.atomic():
        back.save(force_insert=True)


def test_the_amount_that_was_asked_to_be_taken_back_is_another_one_by_now():
    event = playing.finished(5)
    pay(event, "E002")
    asked = Request.objects.get(pk=ask_back(event, "E002")["request"])
    asked.body |= {"amount_cents": 5_000}
    asked.save()
    with refused("prize_changed"):
        decide({"request": asked.pk})
    assert by_code(event, paid_of(event)) == {"E002": 15_000}


def test_T26_while_a_second_person_is_asked_to_take_it_back_nothing_more_is_paid():
    event = playing.finished(5)
    pay(event, "E002")
    disqualify(event, "E001")
    asked = ask_back(event, "E002")
    with refused("taking_back_asked"):
        pay(event, "E002")
    assert pay(event, "E003")["amount_cents"] == 15_000
    decide(asked)
    assert pay(event, "E002")["amount_cents"] == 25_000
    assert reconcile(event) == []


def test_T26_nor_is_it_paid_by_who_was_asked_before_to_confirm_the_payment():
    event = playing.finished(5, second_person_from_cents=20_000)
    pay(event, "E002")
    disqualify(event, "E001")
    further, back = pay(event, "E002", UserFactory()), ask_back(event, "E002")
    with refused("taking_back_asked"):
        decide(further)
    about = {"request_id": back["request"], "key": new_key(), "actor": UserFactory(roles=["manager"])}
    requests.request_decide(**about, approve=False)
    assert decide(further)["amount_cents"] == 10_000


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({}, "one_payment_per_entry_and_number"),
        ({"kind": "further"}, "first_payment_is_the_prize"),
        ({"number": 2}, "first_payment_is_the_prize"),
        ({"number": 2, "kind": "taken"}, "taken_back_is_a_payment"),
    ],
)
def test_T35_the_database_holds_who_was_paid_what_once(change: dict[str, Any], name: str):
    event = playing.finished(5)
    pay(event, "E001")
    payment = Payment.objects.get()
    payment.pk = None

    def again(cmd: Any) -> None:
        payment.transaction = money_prize(cmd, entry=payment.entry, amount_cents=1, further=True)

    as_command(event, again)
    for field, value in change.items():
        setattr(payment, field, value)
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        payment.save(force_insert=True)
