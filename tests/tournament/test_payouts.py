"""Posting the payout structure and paying prizes (T30–T35)."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from pages.words.history import journal_lines
from tests.cast import playing
from tests.cast.calls import refused
from tests.cast.factories import UserFactory, as_command, new_key, round_seat, stack_of
from tests.cast.floor import confirm as decide
from tests.cast.floor import disqualify
from tests.cast.payments import accounts, ask_back, take_back, won
from tests.cast.playing import SHARES, event_with, finished, post, promised, round_1_closed
from tournament.engine.state import DESK, FURTHER, HOUSE, Move
from tournament.engine.steps.money import of_entry, with_rest
from tournament.models import Event, Payment, PayoutStructure, Posting, Request, Stack
from tournament.selectors.prizes import Compared, paid_of, payouts_check, pool_of, prize_lines, prizes_for
from tournament.selectors.stages import live_payouts
from tournament.services import events
from tournament.services.entries import entry_withdraw
from tournament.services.money import money_moved
from tournament.services.payments import prize_pay, prize_take_back_request
from tournament.services.payouts import payouts_post, payouts_supersede_request
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db

FIXED = {"kind": "fixed", "amounts": [30_000, 20_000]}


def entry_of(event: Event, code: str):
    return event.entries.get(code=code)


def pay(event: Event, code: str, actor=None, *, checked: bool = True, key: str = ""):
    entry_id = entry_of(event, code).pk
    return prize_pay(entry_id=entry_id, identity_checked=checked, key=key or new_key(), actor=actor)


def posted(event: Event, structure, actor=None):
    return payouts_post(event_id=event.pk, structure=structure, key=new_key(), actor=actor)


def test_T31_nothing_is_posted_before_round_1_is_closed():
    event = event_with(3)
    for seat in (lambda _event: None, round_seat):
        seat(event)
        with refused("too_early"):
            posted(event, SHARES)


def test_T31_posted_once_after_round_1_with_hash_and_prizes():
    event, manager = round_1_closed(5), UserFactory(roles=["manager"])
    result = posted(event, SHARES, manager)
    kept = PayoutStructure.objects.get(event=event)
    assert (kept.version, kept.status, kept.prizes_cents) == (1, "live", [25_000, 15_000, 10_000])
    assert (kept.posting.posted_by, kept.posting.hash) == (manager, result["hash"])
    assert kept.posting.body["prizes_cents"] == kept.prizes_cents
    with refused("posted_already"):
        posted(event, FIXED, manager)
    about = {"kind": "payouts", "number": 9, "body": {}, "hash": "", "at": kept.posting.at}
    kept.pk, kept.version, kept.posting = None, 2, Posting.objects.create(event=event, **about)
    with pytest.raises(IntegrityError, match="one_live_payout_structure"), transaction.atomic():
        kept.save(force_insert=True)


def test_T30_T32_a_structure_that_cannot_be_paid_is_refused_whole():
    event = round_1_closed(5)
    for structure, code in [
        ({"kind": "shares", "amounts": [10_000]}, "places_paid_few"),
        ({"kind": "fixed", "amounts": [600, 500, 400, 300, 200, 100]}, "places_paid_many"),
        ({"kind": "lottery", "amounts": [1, 1]}, "payout_kind"),
        ({"kind": "fixed", "amounts": [100.5, 50]}, "payout_amounts"),
        ({"kind": "fixed", "amounts": "100"}, "payout_amounts"),
        ({"kind": "both", "amounts": [6_000, 4_000], "fixed": None}, "payout_amounts"),
        ({"kind": "both", "amounts": [6_000, 4_000], "fixed": [True, 1]}, "payout_amounts"),
    ]:
        with refused(code):
            posted(event, structure)
        check = payouts_check(event, structure)
        assert (check.ok, check.code, check.rows) == (False, code, ())


def test_T32_pool_is_buy_ins_less_fee_without_the_refunded_raised_to_the_guarantee():
    event = event_with(5, fee_cents=1_500)
    entry_withdraw(entry_id=entry_of(event, "E005").pk, key=new_key(), actor=None)
    pool = pool_of(event)
    assert (pool.entries, pool.buy_ins_cents, pool.fees_cents) == (4, 40_000, 6_000)
    assert (pool.cents, pool.raised_cents) == (34_000, 0)
    raised = pool_of(event_with(3, guarantee_cents=100_000))
    assert (raised.cents, raised.raised_cents) == (100_000, 70_000)


def test_T32_shares_and_fixed_amounts_together_are_posted_with_who_bears_what():
    event = round_1_closed(3, buy_in_cents=3_333)
    structure = {"kind": "both", "amounts": [6_000, 4_000], "fixed": [50_000, 0]}
    check = payouts_check(event, structure)
    assert [(row.share_bp, row.fixed_cents, row.prize_cents) for row in check.rows] == [
        (6_000, 50_000, 55_999),
        (4_000, 0, 4_000),
    ]
    assert check.compared == Compared("fixed_on_top", 9_999, 59_999, unit_cents=1)
    nothing = payouts_check(event, {**structure, "fixed": [0, 0]})
    assert nothing.compared.pool == "exact"
    more = payouts_check(event, {"kind": "fixed", "amounts": [6_000, 4_000]})
    assert (more.ok, more.difference_cents, more.compared) == (True, 1, Compared("more", 9_999, 10_000))
    posted(event, structure)
    kept = live_payouts(event)
    assert (kept.structure, kept.prizes_cents) == (structure, [55_999, 4_000])
    assert kept.posting.body["structure"] == structure


def test_T32_prizes_below_the_pool_that_was_promised_are_refused_with_both_sums():
    event, less = round_1_closed(5), {"kind": "fixed", "amounts": [30_000, 19_999]}
    with refused("pays_less_than_promised") as no:
        posted(event, less)
    figures = no.value.message.figures
    assert (figures["paid"], figures["promised"]) == ("$499.99", "$500.00")
    post(event)
    with refused("pays_less_than_promised"):
        supersede(event, less, UserFactory())


def test_T32_a_promised_share_is_divided_and_a_promised_list_is_kept_place_by_place():
    event = round_1_closed(5, prizes_promised="share", promised_share_bp=9_000)
    for structure, code, prizes in (
        ({"kind": "shares", "amounts": [6_000, 4_000]}, "", [27_000, 18_000]),
        ({"kind": "fixed", "amounts": [30_000, 15_000]}, "", [30_000, 15_000]),
        ({"kind": "fixed", "amounts": [30_000, 14_999]}, "pays_less_than_promised", []),
    ):
        check = payouts_check(event, structure)
        assert (check.code, [row.prize_cents for row in check.rows]) == (code, prizes)
        assert code or (check.difference_cents, check.compared.promised_cents) == (-5_000, 45_000)
    event = round_1_closed(5, **promised(20_000, 10_000))
    assert payouts_check(event, {"kind": "fixed", "amounts": [20_000, 10_000]}).ok
    check = payouts_check(event, {"kind": "fixed", "amounts": [20_001, 9_999]})
    assert check.code == "pays_less_than_promised"
    figures = check.problem.figures
    assert (figures["place"], figures["paid"], figures["promised"]) == (2, "$99.99", "$100.00")


def test_T33_posting_after_the_last_round_settles_the_places():
    event = round_1_closed(2)
    for _ in range(2):
        event.refresh_from_db()
        round_ = round_seat(event)
        playing.win(round_, **playing.ladder(round_))
        playing.close(round_)
    event.refresh_from_db()
    assert event.status == "running"
    post(event, {"kind": "fixed", "amounts": [15_000, 5_000]})
    event.refresh_from_db()
    assert event.status == "finished"
    assert prizes_for(event) == {"E001": 15_000, "E002": 5_000}


def supersede(event: Event, structure, actor, reason="sponsor"):
    return payouts_supersede_request(
        event_id=event.pk, structure=structure, reason=reason, key=new_key(), actor=actor
    )


def test_T31_two_persons_supersede_and_both_versions_stay():
    event, manager = round_1_closed(5), UserFactory(roles=["manager"])
    with refused("nothing_posted"):
        supersede(event, FIXED, manager)
    post(event)
    with refused("reason_missing"):
        supersede(event, FIXED, manager, reason=" ")
    asked = supersede(event, FIXED, manager)
    assert PayoutStructure.objects.get(event=event).status == "live"
    decide(asked, UserFactory(roles=["director"]))
    old, new = PayoutStructure.objects.filter(event=event).order_by("version")
    assert (old.status, new.status, new.version) == ("superseded", "live", 2)
    assert new.reason == "sponsor"
    assert Posting.objects.filter(event=event, kind="payouts").count() == 2


def test_T31_the_first_payment_ends_superseding():
    event, manager = finished(5), UserFactory(roles=["manager"])
    asked = supersede(event, FIXED, manager)
    pay(event, "E001")
    with refused("paid_from"):
        supersede(event, FIXED, manager)
    with refused("paid_from"):
        decide(asked, UserFactory(roles=["director"]))


def test_T35_paid_by_place_once_the_identity_is_checked():
    event, key, manager = finished(5, tax_notice_from_cents=15_000), new_key(), UserFactory()
    for code, about in (("identity_not_checked", {"checked": False}), ("no_prize", {"code": "E004"})):
        with refused(code):
            pay(event, **{"code": "E002", **about})
    result = pay(event, "E002", actor=manager, key=key)
    payment = Payment.objects.get(pk=result["payment"])
    assert (payment.place, payment.amount_cents, payment.entry.code) == (2, 15_000, "E002")
    assert payment.paid_by == payment.identity_checked_by == manager
    assert payment.second_person is None and result["event_paid"] is False
    assert pay(event, "E002", key=key, actor=manager) == result
    with refused("paid_already"):
        pay(event, "E002", actor=manager)
    assert [result["tax_form_from_cents"], pay(event, "E003")["tax_form_from_cents"]] == [15_000, None]
    waits = round_1_closed(5)
    post(waits)
    with refused("not_finished"):
        pay(waits, "E001")


def test_T35_prizes_come_from_the_pool_and_the_rest_from_the_house_and_the_last_ends_the_event():
    event = finished(structure={"kind": "fixed", "amounts": [40_000, 20_000]})
    assert [pay(event, code)["event_paid"] for code in ("E001", "E002")] == [False, True]
    event.refresh_from_db()
    assert event.status == "paid"
    assert accounts(event) == {"desk": -10_000, "pool": 0, "fee": 0, "house": 10_000}


def test_T35_from_the_threshold_on_a_second_person_confirms():
    event = finished(5, second_person_from_cents=20_000)
    manager, director = UserFactory(), UserFactory()
    assert [line.second_person for line in prize_lines(event)] == [True, False, False]
    asked = pay(event, "E001", actor=manager)
    assert not Payment.objects.filter(event=event).exists()
    with refused("already_asked"):
        pay(event, "E001", actor=manager)
    done = decide(asked, director)
    payment = Payment.objects.get(pk=done["payment"])
    assert (payment.paid_by, payment.second_person, payment.amount_cents) == (manager, director, 25_000)
    assert "payment" in pay(event, "E002", actor=manager)


def test_T33_prizes_of_places_nobody_played_for_are_split_equally():
    event = finished(3, structure={"kind": "fixed", "amounts": [20_001, 10_000]})
    event.entries.filter(code__in=["E001", "E002"]).update(place=1, place_tied=True)
    assert prizes_for(event) == {"E001": 15_001, "E002": 15_000, "E003": 0}
    pay(event, "E002")
    assert journal_lines(event, event.journal.filter(kind="prize.pay"))[0].detail == "E002 · =1st · $150.00"


def test_T32_entries_out_of_the_event_are_no_paid_places():
    event = round_1_closed(3)
    event.entries.filter(code="E003").update(status="disqualified")
    Stack.objects.filter(pk=stack_of(entry_of(event, "E003")).pk).update(state="disqualified")
    assert payouts_check(event, SHARES).code == "places_paid_many"


def test_T26_until_the_event_is_paid_somebody_is_disqualified_and_who_was_paid_gets_the_difference():
    event = finished(5)
    pay(event, "E002")
    pay(event, "E003")
    disqualify(event, "E001")
    assert event.status == "finished"
    assert won(event) == {"E002": 25_000, "E003": 15_000, "E004": 10_000}
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
    results = event.postings.filter(kind="result", number__gt=3).order_by("version")
    assert list(results.values_list("number", "version")) == [(4, 1), (4, 2)]
    with refused("event_over"):
        disqualify(event, "E004")
    assert paid_of(event) == {"E002": 25_000, "E003": 15_000, "E004": 10_000}
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
    event = finished(5, second_person_from_cents=threshold, tax_notice_from_cents=threshold)
    assert pay(event, "E002")["tax_form_from_cents"] is None
    disqualify(event, "E001")
    done = pay(event, "E002", UserFactory())
    assert ("request" in done) is asks
    if asks:
        assert paid_of(event) == {"E002": 15_000}
        assert Request.objects.get(pk=done["request"]).body["amount_cents"] == 10_000
        done = decide(done)
    assert (Payment.objects.get(pk=done["payment"]).second_person is not None) is asks
    assert done["tax_form_from_cents"] == (threshold if asks else None)
    assert paid_of(event) == {"E002": 25_000}


def test_T26_what_a_second_person_was_asked_to_pay_is_another_amount_by_now():
    event = finished(5, second_person_from_cents=1)
    asked = pay(event, "E002", UserFactory())
    disqualify(event, "E001")
    with refused("prize_changed"):
        decide(asked)
    assert not Payment.objects.exists()


def test_T35_a_press_sent_again_has_its_first_result_although_the_prize_has_grown_over_the_threshold():
    event = finished(5, second_person_from_cents=20_000)
    about = {"entry_id": event.entries.get(code="E002").pk, "identity_checked": True, "actor": UserFactory()}
    once, then = ({**about, "key": new_key()} for _ in range(2))
    first = prize_pay(**once)
    disqualify(event, "E001")
    assert prize_pay(**once) == first
    asked = prize_pay(**then)
    decide(asked)
    assert prize_pay(**then) == asked


def test_T26_two_persons_take_a_payment_back_and_then_the_player_is_disqualified():
    event = finished(5)
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
    assert won(event) == {"E001": 25_000, "E003": 15_000, "E004": 10_000}
    for code in ("E001", "E003", "E004"):
        pay(event, code)
    assert Event.objects.get(pk=event.pk).status == "paid"
    assert reconcile(event) == []


def test_T31_with_every_payment_taken_back_nothing_has_been_paid_by_the_structure():
    event = finished(5)
    pay(event, "E001")
    with refused("already_paid"):
        events.call_off_check(event)
    take_back(event, "E001")
    events.call_off_check(event)
    two = {"kind": "fixed", "amounts": [30_000, 20_000]}
    asked = supersede(event, two, UserFactory())
    decide(asked)
    assert won(event) == {"E001": 30_000, "E002": 20_000}


def test_nobody_takes_a_payment_back_alone_or_twice_or_where_nothing_was_paid():
    event = finished(5)
    with refused("nothing_paid"):
        ask_back(event, "E001")
    pay(event, "E001")
    with refused("reason_missing"):
        ask_back(event, "E001", reason=" ")
    about = {"entry_id": event.entries.get(code="E001").pk, "reason": "too much", "key": new_key()}
    with refused("not_yours_to_ask"):
        prize_take_back_request(**about, actor=UserFactory(roles=["director"]))
    asker = UserFactory()
    asked = prize_take_back_request(**about, actor=asker)
    with refused("own_request"):
        decide(asked, asker)
    with refused("not_yours_to_confirm"):
        decide(asked, UserFactory(roles=["cashier"]))
    decide(asked)
    assert prize_take_back_request(**about, actor=asker) == asked
    with refused("nothing_paid"):
        ask_back(event, "E001")
    back = Payment.objects.get(kind="taken")
    back.pk, back.number = None, 3
    with pytest.raises(IntegrityError, match=r"takes_back_id|transaction_id"), transaction.atomic():
        back.save(force_insert=True)


def test_the_amount_that_was_asked_to_be_taken_back_is_another_one_by_now():
    event = finished(5)
    pay(event, "E002")
    asked = Request.objects.get(pk=ask_back(event, "E002")["request"])
    asked.body |= {"amount_cents": 5_000}
    asked.save()
    with refused("prize_changed"):
        decide({"request": asked.pk})
    assert paid_of(event) == {"E002": 15_000}


def test_T26_while_a_second_person_is_asked_to_take_it_back_nothing_more_is_paid():
    event = finished(5)
    pay(event, "E002")
    disqualify(event, "E001")
    asked = ask_back(event, "E002")
    with refused("answer_waits"):
        pay(event, "E002")
    assert pay(event, "E003")["amount_cents"] == 15_000
    decide(asked)
    assert pay(event, "E002")["amount_cents"] == 25_000
    assert reconcile(event) == []


def test_T35_the_database_holds_who_was_paid_what_once():
    event = finished(5)
    pay(event, "E001")

    def again(cmd: Any) -> None:
        money_moved(cmd, [Move(FURTHER, of_entry("E001"), with_rest((DESK, -1), rest=HOUSE))])

    as_command(event, again)
    other = entry_of(event, "E001").money_transactions.latest("pk")
    for change, name in (
        ({}, "one_payment_per_entry_and_number"),
        ({"kind": "further"}, "first_payment_is_the_prize"),
        ({"number": 2}, "first_payment_is_the_prize"),
        ({"number": 2, "kind": "taken"}, "taken_back_is_a_payment"),
    ):
        payment = Payment.objects.get()
        for field, value in {"pk": None, "transaction": other, **change}.items():
            setattr(payment, field, value)
        with pytest.raises(IntegrityError, match=name), transaction.atomic():
            payment.save(force_insert=True)
