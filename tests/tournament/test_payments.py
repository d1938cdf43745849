"""A prize paid in parts, and a payment taken back (T26, T35)."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tests.cast import playing
from tests.cast.factories import UserFactory, as_command, new_key, round_seat, round_to
from tests.cast.payments import ask_back, by_code, decide, disqualify, pay, refused, take_back
from tournament.models import Event, JournalEntry, MoneyAccount, MoneyEntry, Payment, Request, Round
from tournament.selectors.prizes import paid_of, prize_lines, prizes_for
from tournament.services import events, payments, payouts, requests, rounds
from tournament.services.chips import chips_settle
from tournament.services.money import money_prize
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db

PRIZES = {"E001": 25_000, "E002": 15_000, "E003": 10_000}


def legs(event: Event) -> dict[str, int]:
    found = dict.fromkeys(MoneyAccount.values, 0)
    for account, cents in MoneyEntry.objects.filter(transaction__event=event).values_list(
        "account", "amount_cents"
    ):
        found[account] += cents
    return found


# -- Paid further --------------------------------------------------------------------------------------


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
    assert legs(event) == {"desk": 0, "pool": 0, "fee": 0, "house": 0}
    assert reconcile(event) == []


@pytest.mark.parametrize(
    ("threshold", "asks"), [(24_999, True), (25_000, True), (25_001, False)], ids=["over", "equal", "below"]
)
def test_T35_paid_further_the_whole_prize_counts_towards_the_threshold(threshold: int, asks: bool):
    """What was paid before, and what is paid now, are each below it."""
    event = playing.finished(5, second_person_from_cents=threshold, tax_notice_from_cents=threshold)
    assert pay(event, "E002")["tax_form_from_cents"] is None
    disqualify(event, "E001")
    done = pay(event, "E002", UserFactory())
    assert ("request" in done) is asks
    if asks:
        assert paid_of(event)[event.entries.get(code="E002").pk] == 15_000
        assert Request.objects.get(pk=done["request"]).body["amount_cents"] == 10_000
        done = decide(done)
        assert Payment.objects.get(pk=done["payment"]).second_person is not None
        assert done["tax_form_from_cents"] == threshold
    else:
        assert done["tax_form_from_cents"] is None
    assert by_code(event, paid_of(event)) == {"E002": 25_000}


def test_T26_what_a_second_person_was_asked_to_pay_is_another_amount_by_now():
    event = playing.finished(5, second_person_from_cents=1)
    asked = pay(event, "E002", UserFactory())
    disqualify(event, "E001")
    with refused("prize_changed"):
        decide(asked)
    assert not Payment.objects.exists()


def test_T26_a_prize_that_nobody_holds_any_more_is_paid_further_in_proportion():
    event = playing.finished(3)
    assert by_code(event, prizes_for(event)) == {"E001": 15_000, "E002": 9_000, "E003": 6_000}
    pay(event, "E001"), pay(event, "E002")
    disqualify(event, "E003")
    assert by_code(event, prizes_for(event)) == {"E001": 18_750, "E002": 11_250}
    assert pay(event, "E001")["amount_cents"] == 3_750
    assert pay(event, "E002")["event_paid"] is True
    assert reconcile(event) == []


def test_T26_a_tie_for_money_that_comes_of_it_is_played_although_some_are_paid():
    """Two share places that pay the same; moved up, their places do not."""
    amounts = [20_000, 12_000, 8_000, 5_000, 5_000]
    event = playing.round_1_closed(6, stacks="reset", **playing.promised(*amounts))
    playing.post(event, {"kind": "fixed", "amounts": amounts})
    for number in (2, 3):
        event.refresh_from_db()
        round_ = round_seat(event)
        nets = playing.ladder(round_)
        if number == 3:
            nets |= {"E004": 400, "E005": 400}
        playing.win(round_, **nets)
        playing.close(round_)
    event.refresh_from_db()
    places = dict(event.entries.values_list("code", "place"))
    tied = [code for code, place in places.items() if place == 4]
    assert len(tied) == 2 and event.status == "finished"
    pay(event, tied[0])
    disqualify(event, "E001")
    assert (event.status, prizes_for(event)) == ("running", {})
    assert [(line.entry.code, line.amount_cents, line.left_cents) for line in prize_lines(event)] == [
        (tied[0], 5_000, 0)
    ]
    with refused("not_finished"):
        pay(event, tied[1])
    with refused("paid_from"):
        payouts.payouts_supersede_request(
            event_id=event.pk, structure=playing.SHARES, reason="late", key=new_key(), actor=UserFactory()
        )
    assert reconcile(event) == []
    stage = round_seat(event)
    round_to(stage, "playing")
    one_hand(stage, {tied[0]: 200})
    rounds.round_close(round_id=stage.pk, key=new_key(), actor=None)
    event.refresh_from_db()
    assert event.status == "finished"
    assert pay(event, tied[0])["amount_cents"] == 3_000
    for code in ("E002", "E003", tied[1]):
        pay(event, code)
    assert pay(event, "E006")["event_paid"] is True
    assert sum(paid_of(event).values()) == 50_000
    assert reconcile(event) == []


def one_hand(stage: Any, nets: dict[str, int]) -> None:
    """One hand of a sudden death, and the look after it."""

    def act(cmd: Any) -> None:
        stacks = {s.entry.code: s for s in stage.stacks.select_related("entry")}
        chips_settle(cmd, nets={stacks[code]: net for code, net in nets.items()}, source="deal:9")
        rounds.round_step(cmd, Round.objects.get(pk=stage.pk))

    as_command(stage.event, act)


def test_T35_a_press_sent_again_has_its_first_result_although_the_prize_has_grown_over_the_threshold():
    event, key, cashier = playing.finished(5, second_person_from_cents=20_000), new_key(), UserFactory()
    entry = event.entries.get(code="E002")

    def press() -> dict[str, Any]:
        return payments.prize_pay(entry_id=entry.pk, identity_checked=True, key=key, actor=cashier)

    first = press()
    disqualify(event, "E001")
    assert press() == first
    key = new_key()
    asked = press()
    decide(asked)
    assert press() == asked


# -- Taken back ----------------------------------------------------------------------------------------


def test_T26_two_persons_take_a_payment_back_and_then_the_player_is_disqualified():
    event = playing.finished(5)
    pay(event, "E002")
    before = legs(event)
    done = take_back(event, "E002")
    assert done == {"entry": event.entries.get(code="E002").pk, "amount_cents": 15_000}
    assert before["desk"] + 15_000 == legs(event)["desk"] == 50_000
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


def test_T26_what_was_paid_in_parts_is_taken_back_whole_and_paid_anew():
    event = playing.finished(5)
    pay(event, "E002")
    disqualify(event, "E001")
    pay(event, "E002")
    assert take_back(event, "E002")["amount_cents"] == 25_000
    rows = Payment.objects.filter(entry__code="E002").order_by("number")
    assert [(row.number, row.kind, row.amount_cents) for row in rows] == [
        (1, "prize", 15_000),
        (2, "further", 10_000),
        (3, "taken", 10_000),
        (4, "taken", 15_000),
    ]
    (line,) = [each for each in prize_lines(event) if each.entry.code == "E002"]
    assert (line.left_cents, line.last_cents) == (25_000, 25_000)
    assert pay(event, "E002")["amount_cents"] == 25_000
    assert reconcile(event) == []


def test_T35_a_paid_event_is_to_be_paid_again_once_a_payment_is_taken_back():
    event = playing.finished(5)
    for code in PRIZES:
        pay(event, code)
    event.refresh_from_db()
    assert event.status == "paid"
    take_back(event, "E003")
    assert event.status == "finished"
    assert reconcile(event) == []
    assert pay(event, "E003")["event_paid"] is True
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
    again = {
        "entry_id": event.entries.get(code="E001").pk,
        "reason": "too much",
        "key": new_key(),
        "actor": UserFactory(),
    }
    asked = payments.prize_take_back_request(**again)
    asker = Request.objects.get(pk=asked["request"]).requested_by
    with refused("own_request"):
        decide(asked, asker)
    cashier = UserFactory(roles=["cashier"])
    with refused("not_yours_to_confirm"):
        decide(asked, cashier)
    with refused("not_yours_to_ask"):
        payments.prize_take_back_request(
            entry_id=event.entries.get(code="E001").pk,
            reason="why not",
            key=new_key(),
            actor=UserFactory(roles=["director"]),
        )
    before = JournalEntry.objects.count()
    decide(asked)
    assert payments.prize_take_back_request(**again) == asked
    assert JournalEntry.objects.count() == before + 1
    with refused("nothing_paid"):
        ask_back(event, "E001")


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
    requests.request_decide(
        request_id=back["request"], approve=False, key=new_key(), actor=UserFactory(roles=["manager"])
    )
    assert decide(further)["amount_cents"] == 10_000


# -- What the database holds -----------------------------------------------------------------------------


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


def test_the_database_holds_a_payment_taken_back_once():
    event = playing.finished(5)
    pay(event, "E001")
    take_back(event, "E001")
    back = Payment.objects.get(kind="taken")
    back.pk, back.number = None, 3
    with pytest.raises(IntegrityError, match=r"takes_back_id|transaction_id"), transaction.atomic():
        back.save(force_insert=True)
