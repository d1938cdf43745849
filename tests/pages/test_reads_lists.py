"""Lists that the staff reads, newest first; and the money of a prize that is more than the pool holds."""

from __future__ import annotations

import re

import pytest
from django.db.models import Sum

from tests.cast.at_desk import Somebody, staff
from tests.cast.factories import UserFactory, new_key, round_seat
from tests.cast.playing import close, finished, ladder, post, round_1_closed, win
from tournament.models import MoneyEntry, PayoutStructure, Posting
from tournament.selectors.entrants import Standing, Where, entry_may_play, standings_by_entry
from tournament.selectors.prizes import pool_of
from tournament.selectors.standings import standings_body
from tournament.services.journal import entry_row
from tournament.services.payments import prize_pay
from tournament.services.payouts import payouts_supersede_request
from tournament.services.requests import request_decide

pytestmark = pytest.mark.django_db
FIXED = {"kind": "fixed", "amounts": [400_00, 100_00]}


def test_T31_the_versions_of_the_payouts_are_listed_newest_first():
    event = round_1_closed(5)
    post(event)
    asked = payouts_supersede_request(
        event_id=event.pk,
        structure=FIXED,
        reason="The sponsor adds",
        key=new_key(),
        actor=UserFactory(roles=["manager"]),
    )
    request_decide(
        request_id=asked["request"], approve=True, key=new_key(), actor=UserFactory(roles=["director"])
    )
    assert PayoutStructure.objects.filter(event=event).count() == 2
    text = Somebody("manager").get(staff(event, "payouts/")).content.decode()
    posted = text[text.index('id="posted-title"') :]
    assert re.findall(r"[Vv]ersion (\d)", posted)[:2] == ["2", "1"]


def test_T4_the_rules_posted_before_are_listed_newest_first():
    event = round_1_closed(3)
    first = Posting.objects.get(event=event, kind=Posting.Kind.RULES)
    Posting.objects.create(
        event=event, kind=Posting.Kind.RULES, number=2, body=first.body, hash="f" * 64, at=first.at
    )
    text = Somebody("director").get(staff(event, "setup/")).content.decode()
    assert re.findall(r"Version (\d)", text) == ["2", "1"]


def test_T20_an_entry_is_in_the_event_or_out_after_a_round():
    event = round_1_closed(5, cut_after_round_1=3, cut_after_round_2=2)
    entries = list(event.entries.order_by("number"))
    found = standings_by_entry(event, entries)
    assert [found[entry.pk] for entry in entries] == [Standing(Where.IN)] * 3 + [
        Standing(Where.OUT, out_in=1)
    ] * 2
    assert [entry_may_play(event, entry) for entry in entries] == [True] * 3 + [False] * 2


def test_T35_in_the_money_is_told_down_to_the_last_place_that_pays_and_to_nobody_below():
    """Two prizes: the second is in the money; where the second and third are level, neither is."""
    event = round_1_closed(5)
    post(event, FIXED)
    for _ in range(2):
        event.refresh_from_db()
        round_ = round_seat(event)
        if round_.number == 2:
            win(round_, **ladder(round_))
            close(round_)
    codes = sorted(round_.stacks.values_list("entry__code", flat=True))
    win(round_, **ladder(round_))

    def in_the_money():
        (section,) = [each for each in standings_body(event)["sections"] if each["kind"] == "live"]
        return [row["code"] for row in section["rows"] if row["chance"] == {"state": "in_the_money"}]

    assert in_the_money() == codes[:2]
    level = round_.stacks.get(entry__code=codes[1]).chips - round_.stacks.get(entry__code=codes[2]).chips
    win(round_, **{codes[2]: level})
    assert in_the_money() == codes[:1]


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


# What is hashed (faults, threats) ----------------------------------------------------------------------


def test_the_row_of_the_journal_that_is_hashed_has_its_written_names():
    """Whoever checks a journal from outside hashes these names: they never change."""
    event = round_1_closed(3)
    entry = event.journal.order_by("seq").last()
    assert list(entry_row(entry)) == [
        *("seq", "event", "key", "actor", "approver", "kind", "body", "result", "at")
    ]
