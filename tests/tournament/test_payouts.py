"""Posting the payout structure and paying prizes (T30–T35)."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from ground.refused import Refused
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
from tournament.models import (
    Event,
    JournalEntry,
    MoneyAccount,
    MoneyEntry,
    Payment,
    PayoutStructure,
    Posting,
    Request,
    Stack,
)
from tournament.selectors.prizes import Compared, pool_of, prize_lines, prizes_for
from tournament.selectors.stages import live_payouts
from tournament.services.entries import entry_withdraw
from tournament.services.payments import prize_pay
from tournament.services.payouts import payouts_check, payouts_post, payouts_supersede_request
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db

FIXED = {"kind": "fixed", "amounts": [30_000, 20_000]}


@pytest.fixture
def manager():
    return UserFactory(roles=["manager"])


@pytest.fixture
def director():
    return UserFactory(roles=["director"])


def entry_of(event: Event, code: str):
    return event.entries.get(code=code)


def pay(event: Event, code: str, *, checked: bool = True, actor=None, key: str = ""):
    entry_id = entry_of(event, code).pk
    return prize_pay(entry_id=entry_id, identity_checked=checked, key=key or new_key(), actor=actor)


def refused(code: str):
    """The refusal's code is what a test asserts."""
    return pytest.raises(Refused, match=f"^{code}:")


# Posting ------------------------------------------------------------------------------------------------


def test_T31_nothing_is_posted_before_round_1_is_closed(manager):
    event = event_with(3)
    with refused("not_in_play"):
        payouts_post(event_id=event.pk, structure=SHARES, key=new_key(), actor=manager)
    round_seat(event)
    with refused("too_early"):
        payouts_post(event_id=event.pk, structure=SHARES, key=new_key(), actor=manager)
    assert not Posting.objects.filter(event=event, kind="payouts").exists()


def test_T31_posted_after_round_1_with_hash_and_prizes(manager):
    event = round_1_closed(5)
    result = payouts_post(event_id=event.pk, structure=SHARES, key=new_key(), actor=manager)
    posted = PayoutStructure.objects.get(event=event)
    assert (posted.version, posted.status, posted.prizes_cents) == (1, "live", [25_000, 15_000, 10_000])
    assert posted.posting.posted_by == manager
    assert posted.posting.hash == result["hash"]
    assert posted.posting.body["prizes_cents"] == posted.prizes_cents


def test_T31_a_second_structure_is_refused_and_the_same_key_gives_the_first_result(manager):
    event, key = round_1_closed(5), new_key()
    first = payouts_post(event_id=event.pk, structure=SHARES, key=key, actor=manager)
    assert payouts_post(event_id=event.pk, structure=SHARES, key=key, actor=manager) == first
    with refused("posted_already"):
        payouts_post(event_id=event.pk, structure=FIXED, key=new_key(), actor=manager)


def test_T31_the_database_holds_one_live_structure():
    event = round_1_closed(5)
    post(event)
    posted = PayoutStructure.objects.get(event=event)
    other = Posting.objects.create(
        event=event, kind="payouts", number=9, body={}, hash="", at=posted.posting.at
    )
    posted.pk, posted.version, posted.posting = None, 2, other
    with pytest.raises(IntegrityError, match="one_live_payout_structure"), transaction.atomic():
        posted.save(force_insert=True)


@pytest.mark.parametrize(
    ("structure", "code"),
    [
        ({"kind": "shares", "amounts": [10_000]}, "places_paid_few"),
        ({"kind": "shares", "amounts": [5_000, 4_000]}, "shares_wrong"),
        ({"kind": "shares", "amounts": [4_000, 6_000]}, "prizes_rising"),
        ({"kind": "fixed", "amounts": [600, 500, 400, 300, 200, 100]}, "places_paid_many"),
        ({"kind": "lottery", "amounts": [1, 1]}, "payout_kind"),
        ({"kind": "fixed", "amounts": [100.5, 50]}, "payout_amounts"),
        ({"kind": "fixed", "amounts": "100"}, "payout_amounts"),
    ],
)
def test_T30_T32_a_structure_that_cannot_be_paid_is_refused_whole(structure, code):
    event = round_1_closed(5)
    before = JournalEntry.objects.filter(event=event).count()
    with refused(code):
        payouts_post(event_id=event.pk, structure=structure, key=new_key(), actor=None)
    assert JournalEntry.objects.filter(event=event).count() == before
    check = payouts_check(event, structure)
    assert (check.ok, check.code, check.rows) == (False, code, ())


def test_T32_pool_is_buy_ins_less_fee_without_the_refunded():
    event = event_with(5, fee_cents=1_500)
    entry_withdraw(entry_id=entry_of(event, "E005").pk, key=new_key(), actor=None)
    pool = pool_of(event)
    assert (pool.entries, pool.buy_ins_cents, pool.fees_cents) == (4, 40_000, 6_000)
    assert (pool.cents, pool.raised_cents) == (34_000, 0)


def test_T32_pool_is_raised_to_the_guarantee():
    event = event_with(3, guarantee_cents=100_000)
    pool = pool_of(event)
    assert (pool.cents, pool.raised_cents) == (100_000, 70_000)


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
    payouts_post(event_id=event.pk, structure=structure, key=new_key(), actor=None)
    posted = live_payouts(event)
    assert (posted.structure, posted.prizes_cents) == (structure, [55_999, 4_000])
    assert posted.posting.body["structure"] == structure


@pytest.mark.parametrize("fixed", [None, "100", [100, None], [100, 1.5], [True, 1]])
def test_T32_fixed_amounts_that_are_no_figures_are_refused(fixed):
    structure = {"kind": "both", "amounts": [6_000, 4_000], "fixed": fixed}
    assert payouts_check(round_1_closed(3), structure).code == "payout_amounts"


def test_T32_shares_add_up_to_the_pool():
    event = round_1_closed(3, buy_in_cents=3_333)
    check = payouts_check(event, {"kind": "shares", "amounts": [3_334, 3_333, 3_333]})
    assert check.total_cents == check.pool_cents == 9_999
    assert [row.share_bp for row in check.rows] == [3_334, 3_333, 3_333]
    assert check.compared.pool == "exact"


@pytest.mark.parametrize(
    ("amounts", "difference", "pool"),
    [
        ([30_000, 20_000], 0, "exact"),
        ([30_000, 20_001], 1, "more"),
    ],
)
def test_T32_fixed_prizes_may_be_more_than_the_pool(amounts, difference, pool):
    check = payouts_check(round_1_closed(5), {"kind": "fixed", "amounts": amounts})
    assert check.ok
    assert check.difference_cents == difference
    assert check.compared == Compared(pool, 50_000, 50_000 + difference)


def test_T32_prizes_below_the_pool_that_was_promised_are_refused_with_both_sums(manager):
    event = round_1_closed(8)
    structure = {"kind": "fixed", "amounts": [10_000, 5_000]}
    with refused("pays_less_than_promised") as no:
        payouts_post(event_id=event.pk, structure=structure, key=new_key(), actor=manager)
    assert (no.value.message.figures["paid"], no.value.message.figures["promised"]) == ("$150.00", "$800.00")
    assert not PayoutStructure.objects.filter(event=event).exists()


def test_T32_a_posted_structure_is_not_superseded_by_less_than_was_promised(manager):
    event = round_1_closed(5)
    post(event)
    with refused("pays_less_than_promised"):
        supersede(event, {"kind": "fixed", "amounts": [30_000, 19_999]}, manager)


@pytest.mark.parametrize(
    ("structure", "code", "prizes", "difference"),
    [
        ({"kind": "shares", "amounts": [6_000, 4_000]}, "", [27_000, 18_000], -5_000),
        ({"kind": "both", "amounts": [6_000, 4_000], "fixed": [6_000, 0]}, "", [33_000, 18_000], 1_000),
        ({"kind": "fixed", "amounts": [30_000, 15_000]}, "", [30_000, 15_000], -5_000),
        ({"kind": "fixed", "amounts": [30_000, 14_999]}, "pays_less_than_promised", [], 0),
    ],
)
def test_T32_shares_divide_the_promised_share_of_the_pool(structure, code, prizes, difference):
    event = round_1_closed(5, prizes_promised="share", promised_share_bp=9_000)
    check = payouts_check(event, structure)
    assert (check.code, [row.prize_cents for row in check.rows]) == (code, prizes)
    assert check.difference_cents == difference
    compared = check.compared
    promised = (compared.promised_cents, compared.promised_bp) if compared else None
    assert promised == (None if code else (45_000, 9_000))


@pytest.mark.parametrize(
    ("amounts", "figures"),
    [
        ([20_000, 10_000], None),
        ([20_001, 10_000], None),
        ([20_000, 9_999], (None, "$299.99", "$300.00")),
        ([20_001, 9_999], (2, "$99.99", "$100.00")),
    ],
)
def test_T32_a_promised_list_of_prizes_is_kept_place_by_place(amounts, figures):
    event = round_1_closed(5, **promised(20_000, 10_000))
    check = payouts_check(event, {"kind": "fixed", "amounts": amounts})
    assert check.code == ("pays_less_than_promised" if figures else "")
    said = getattr(check.problem, "figures", {})
    assert figures is None or (said["place"], said["paid"], said["promised"]) == figures


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


# Superseding --------------------------------------------------------------------------------------------


def supersede(event: Event, structure, actor, reason="sponsor"):
    return payouts_supersede_request(
        event_id=event.pk, structure=structure, reason=reason, key=new_key(), actor=actor
    )


def approve(asked, actor):
    return request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=actor)


def test_T31_two_persons_supersede_and_both_versions_stay(manager, director):
    event = round_1_closed(5)
    post(event)
    asked = supersede(event, FIXED, manager)
    assert PayoutStructure.objects.get(event=event).status == "live"
    approve(asked, director)
    old, new = PayoutStructure.objects.filter(event=event).order_by("version")
    assert (old.status, new.status, new.version) == ("superseded", "live", 2)
    assert new.reason == "sponsor"
    assert Posting.objects.filter(event=event, kind="payouts").count() == 2


def test_T31_nobody_supersedes_alone(manager):
    event = round_1_closed(5)
    post(event)
    asked = supersede(event, FIXED, manager)
    with refused("own_request"):
        approve(asked, manager)
    assert PayoutStructure.objects.get(event=event).version == 1


def test_T31_superseding_needs_a_posted_structure_and_a_reason(manager):
    event = round_1_closed(5)
    with refused("nothing_posted"):
        supersede(event, FIXED, manager)
    post(event)
    with refused("reason_missing"):
        supersede(event, FIXED, manager, reason=" ")
    with refused("shares_wrong"):
        supersede(event, {"kind": "shares", "amounts": [1, 1]}, manager)


def test_T31_the_first_payment_ends_superseding(manager, director):
    event = finished()
    asked = supersede(event, FIXED, manager)
    pay(event, "E001")
    with refused("paid_from"):
        supersede(event, FIXED, manager)
    with refused("paid_from"):
        approve(asked, director)
    assert Request.objects.get(pk=asked["request"]).status == "open"


# Paying -------------------------------------------------------------------------------------------------


def test_T35_paid_by_place_with_who_and_when(manager):
    event = finished()
    result = pay(event, "E002", actor=manager)
    payment = Payment.objects.get(pk=result["payment"])
    assert (payment.place, payment.amount_cents, payment.entry.code) == (2, 15_000, "E002")
    assert payment.paid_by == payment.identity_checked_by == manager
    assert payment.second_person is None
    assert result["event_paid"] is False
    assert result["tax_form_from_cents"] is None


def test_T35_paid_once_and_the_same_key_gives_the_first_result(manager):
    event, key = finished(), new_key()
    first = pay(event, "E001", key=key, actor=manager)
    assert pay(event, "E001", key=key, actor=manager) == first
    with refused("paid_already"):
        pay(event, "E001", actor=manager)
    assert Payment.objects.filter(event=event).count() == 1


def test_T35_identity_is_checked_first():
    event = finished()
    with refused("identity_not_checked"):
        pay(event, "E001", checked=False)
    assert not Payment.objects.filter(event=event).exists()


def test_T35_no_prize_no_payment():
    event = finished()
    with refused("no_prize"):
        pay(event, "E004")


def test_T35_nothing_is_paid_before_every_place_is_decided():
    event = round_1_closed(5)
    post(event)
    with refused("not_finished"):
        pay(event, "E001")


def test_T35_event_is_paid_with_the_last_prize():
    event = finished()
    for code in ("E001", "E002"):
        assert pay(event, code)["event_paid"] is False
    assert pay(event, "E003")["event_paid"] is True
    event.refresh_from_db()
    assert event.status == "paid"


def test_T35_prizes_come_from_the_pool_and_the_rest_from_the_house():
    event = finished(structure={"kind": "fixed", "amounts": [40_000, 20_000]})
    pay(event, "E001")
    pay(event, "E002")
    legs = MoneyEntry.objects.filter(transaction__event=event)
    balance = {
        name: sum(leg.amount_cents for leg in legs.filter(account=name)) for name in MoneyAccount.values
    }
    assert balance == {"desk": -10_000, "pool": 0, "fee": 0, "house": 10_000}


def test_T35_from_the_threshold_on_a_second_person_confirms(manager, director):
    event = finished(second_person_from_cents=20_000)
    assert [line.second_person for line in prize_lines(event)] == [True, False, False]
    asked = pay(event, "E001", actor=manager)
    assert not Payment.objects.filter(event=event).exists()
    with refused("own_request"):
        approve(asked, manager)
    with refused("already_asked"):
        pay(event, "E001", actor=manager)
    done = approve(asked, director)["done"]
    payment = Payment.objects.get(pk=done["payment"])
    assert (payment.paid_by, payment.second_person, payment.amount_cents) == (manager, director, 25_000)
    assert "payment" in pay(event, "E002", actor=manager)


def test_T35_one_person_may_be_both_in_a_rehearsal_and_the_journal_says_so(manager):
    event = finished(second_person_from_cents=20_000, kind=Event.Kind.REHEARSAL)
    approve(pay(event, "E001", actor=manager), manager)
    entry = JournalEntry.objects.filter(event=event).latest("seq")
    assert entry.body["noted"]["one_person"] is True
    assert Payment.objects.get(event=event).amount_cents == 25_000


def test_T35_tax_notice_from_the_posted_amount_on():
    event = finished(tax_notice_from_cents=15_000)
    paid = [pay(event, code)["tax_form_from_cents"] for code in ("E001", "E002", "E003")]
    assert paid == [15_000, 15_000, None]


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
