"""What the staff reads of rules, entries and places; and the money of a prize above the pool."""

from __future__ import annotations

import re

import pytest
from django.db.models import Sum

from tests.cast.at_desk import Somebody, staff
from tests.cast.factories import new_key
from tests.cast.playing import finished, round_1_closed
from tournament.models import MoneyEntry, Posting
from tournament.selectors.prizes import pool_of
from tournament.services.payments import prize_pay

pytestmark = pytest.mark.django_db
FIXED = {"kind": "fixed", "amounts": [400_00, 100_00]}


def test_T4_the_rules_posted_before_are_listed_newest_first():
    event = round_1_closed(3)
    first = Posting.objects.get(event=event, kind=Posting.Kind.RULES)
    Posting.objects.create(
        event=event, kind=Posting.Kind.RULES, number=2, body=first.body, hash="f" * 64, at=first.at
    )
    text = Somebody("director").get(staff(event, "setup/")).content.decode()
    assert re.findall(r"Version (\d)", text) == ["2", "1"]


# A prize and the pool (T32, T35) -----------------------------------------------------------------------


@pytest.mark.parametrize("over_cents", [-1, 0, 1, 100_00])
def test_T32_the_pool_pays_what_it_holds_and_the_house_the_rest(over_cents):
    """Three prizes; the first two take the pool but a cent, all of it, or more; the third is 50.00."""
    pool = pool_of(round_1_closed(5)).cents
    second = 100_00
    amounts = [pool - second + over_cents, second, 50_00]
    event = finished(structure={"kind": "fixed", "amounts": amounts})
    assert pool_of(event).cents == pool
    left = pool
    for entry, amount in zip(event.entries.order_by("place")[:3], amounts, strict=True):
        prize_pay(entry_id=entry.pk, identity_checked=True, key=new_key(), actor=None)
        legs = MoneyEntry.objects.filter(transaction__entry=entry, transaction__kind="prize")
        said = dict(legs.values_list("account").annotate(Sum("amount_cents")))
        from_pool = min(left, amount)
        assert said.pop("desk") == -amount
        assert {account: cents for account, cents in said.items() if cents} == {
            account: cents for account, cents in (("pool", from_pool), ("house", amount - from_pool)) if cents
        }
        left -= from_pool
