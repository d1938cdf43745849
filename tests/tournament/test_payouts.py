"""Posting the payout structure and paying prizes (T30–T35)."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from tests.cast.calls import refused
from tests.cast.factories import UserFactory, new_key, round_seat, stack_of
from tests.cast.playing import (
    SHARES,
    close,
    event_with,
    finished,
    ladder,
    post,
    promised,
    round_1_closed,
    win,
)
from tournament.models import Event, MoneyAccount, Payment, PayoutStructure, Posting, Stack
from tournament.selectors.prizes import Compared, pool_of, prize_lines, prizes_for
from tournament.selectors.stages import live_payouts
from tournament.services.entries import entry_withdraw
from tournament.services.money import account_cents
from tournament.services.payments import prize_pay
from tournament.services.payouts import payouts_check, payouts_post, payouts_supersede_request
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db

FIXED = {"kind": "fixed", "amounts": [30_000, 20_000]}


def entry_of(event: Event, code: str):
    return event.entries.get(code=code)


def pay(event: Event, code: str, *, checked: bool = True, actor=None, key: str = ""):
    entry_id = entry_of(event, code).pk
    return prize_pay(entry_id=entry_id, identity_checked=checked, key=key or new_key(), actor=actor)


def posted(event: Event, structure, actor=None):
    return payouts_post(event_id=event.pk, structure=structure, key=new_key(), actor=actor)


def test_T31_nothing_is_posted_before_round_1_is_closed():
    event = event_with(3)
    with refused("not_in_play"):
        posted(event, SHARES)
    round_seat(event)
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


@pytest.mark.parametrize(
    ("structure", "code"),
    [
        ({"kind": "shares", "amounts": [10_000]}, "places_paid_few"),
        ({"kind": "fixed", "amounts": [600, 500, 400, 300, 200, 100]}, "places_paid_many"),
        ({"kind": "lottery", "amounts": [1, 1]}, "payout_kind"),
        ({"kind": "fixed", "amounts": [100.5, 50]}, "payout_amounts"),
        ({"kind": "fixed", "amounts": "100"}, "payout_amounts"),
        ({"kind": "both", "amounts": [6_000, 4_000], "fixed": None}, "payout_amounts"),
        ({"kind": "both", "amounts": [6_000, 4_000], "fixed": [True, 1]}, "payout_amounts"),
    ],
)
def test_T30_T32_a_structure_that_cannot_be_paid_is_refused_whole(structure, code):
    event = round_1_closed(5)
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
        win(round_, **ladder(round_))
        close(round_)
    event.refresh_from_db()
    assert event.status == "running"
    post(event, {"kind": "fixed", "amounts": [15_000, 5_000]})
    event.refresh_from_db()
    assert event.status == "finished"
    assert prizes_for(event) == {entry_of(event, "E001").pk: 15_000, entry_of(event, "E002").pk: 5_000}


def supersede(event: Event, structure, actor, reason="sponsor"):
    return payouts_supersede_request(
        event_id=event.pk, structure=structure, reason=reason, key=new_key(), actor=actor
    )


def approve(asked, actor):
    return request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=actor)


def test_T31_two_persons_supersede_and_both_versions_stay():
    event, manager = round_1_closed(5), UserFactory(roles=["manager"])
    with refused("nothing_posted"):
        supersede(event, FIXED, manager)
    post(event)
    with refused("reason_missing"):
        supersede(event, FIXED, manager, reason=" ")
    asked = supersede(event, FIXED, manager)
    assert PayoutStructure.objects.get(event=event).status == "live"
    approve(asked, UserFactory(roles=["director"]))
    old, new = PayoutStructure.objects.filter(event=event).order_by("version")
    assert (old.status, new.status, new.version) == ("superseded", "live", 2)
    assert new.reason == "sponsor"
    assert Posting.objects.filter(event=event, kind="payouts").count() == 2


def test_T31_the_first_payment_ends_superseding():
    event, manager = finished(), UserFactory(roles=["manager"])
    asked = supersede(event, FIXED, manager)
    pay(event, "E001")
    with refused("paid_from"):
        supersede(event, FIXED, manager)
    with refused("paid_from"):
        approve(asked, UserFactory(roles=["director"]))


def test_T35_paid_by_place_once_the_identity_is_checked():
    event, key, manager = finished(tax_notice_from_cents=15_000), new_key(), UserFactory()
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
    balance = {name: account_cents(event, name) for name in MoneyAccount.values}
    assert balance == {"desk": -10_000, "pool": 0, "fee": 0, "house": 10_000}


def test_T35_from_the_threshold_on_a_second_person_confirms():
    event, manager, director = finished(second_person_from_cents=20_000), UserFactory(), UserFactory()
    assert [line.second_person for line in prize_lines(event)] == [True, False, False]
    asked = pay(event, "E001", actor=manager)
    assert not Payment.objects.filter(event=event).exists()
    with refused("already_asked"):
        pay(event, "E001", actor=manager)
    done = approve(asked, director)["done"]
    payment = Payment.objects.get(pk=done["payment"])
    assert (payment.paid_by, payment.second_person, payment.amount_cents) == (manager, director, 25_000)
    assert "payment" in pay(event, "E002", actor=manager)


def test_T33_prizes_of_places_nobody_played_for_are_split_equally():
    event = finished(3, structure={"kind": "fixed", "amounts": [20_001, 10_000]})
    event.entries.filter(code__in=["E001", "E002"]).update(place=1, place_tied=True)
    first, second = (entry_of(event, code).pk for code in ("E001", "E002"))
    assert prizes_for(event) == {first: 15_001, second: 15_000, entry_of(event, "E003").pk: 0}


def test_T32_entries_out_of_the_event_are_no_paid_places():
    event = round_1_closed(3)
    event.entries.filter(code="E003").update(status="disqualified")
    Stack.objects.filter(pk=stack_of(entry_of(event, "E003")).pk).update(state="disqualified")
    assert payouts_check(event, SHARES).code == "places_paid_many"
