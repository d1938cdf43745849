"""Several people at once: one last seat, one hand, the last table (faults).

Each is run with the lock as well as without it: then it shows the breach, or the database's refusal.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, transaction

from pages.words.news import news_since
from tables.models import Deal, Seat, Shoe
from tables.selectors.basis import shoe_basis
from tables.services import counts, dealing, locks, seating
from tables.services.locks import shoe_basis_locked
from tests.cast.amending import tapped
from tests.cast.calls import at_once, codes
from tests.cast.corrected import SWAPPED, ask, post, round_1
from tests.cast.factories import UserFactory, new_key
from tests.cast.floor import (
    chips_at,
    confirm,
    draw_and_seat,
    hand,
    opened,
    result,
    seated,
    shoe_of,
    shoe_over,
)
from tournament.models import ChipTransaction, JournalHead, Round
from tournament.selectors.basis import Submission
from tournament.selectors.chain import chain_verify
from tournament.services import journal

pytestmark = pytest.mark.django_db(transaction=True)
Race = tuple[Round, list[Callable[[], Any]]]
"""A round, and what several people do in it at once."""


@pytest.fixture
def unlocked(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str], None]:
    """``unlocked(module, name)`` takes every lock off and lets both threads wait after that check."""

    def unlock(module: Any, name: str) -> None:
        monkeypatch.setattr(
            journal, "_lock_head", lambda event_id: JournalHead.objects.get(event_id=event_id)
        )
        for each in (dealing, counts):
            monkeypatch.setattr(each, "shoe_lock", locks.shoe_get)
        for lock in ("deal_lock", "hand_lock"):
            monkeypatch.setattr(dealing, lock, locks.deal_get)
        both, check = threading.Barrier(2), getattr(module, name)

        def checked(*args: Any, **kwargs: Any) -> Any:
            found = check(*args, **kwargs)
            both.wait(60)
            return found

        monkeypatch.setattr(module, name, checked)

    return unlock


def last_seat(people: int) -> Race:
    """Box 7 of a table is free, and these no-shows come after all."""
    round_ = seated(people + 1)
    late = list(round_.seats.all()[:people])
    for each in late:
        seating.seat_no_show(seat_id=each.pk, key=new_key(), actor=None)
    seat = {"round_id": round_.pk, "table_id": shoe_of(round_).table_id, "box": 7, "actor": None}
    return round_, [
        partial(seating.seat_fill, entry_id=each.entry_id, key=new_key(), **seat) for each in late
    ]


def next_card(people: int) -> Race:
    round_ = seated(2)
    deal = opened(shoe_of(round_), {1: 200})
    taps = [
        {"nonce": f"clerk-{rank}", "op": {"op": "card", "card": f"{rank}h"}} for rank in "KQJT9876"[:people]
    ]
    return round_, [partial(dealing.deal_tap, deal_id=deal.pk, seen=0, **tap) for tap in taps]


def settling(people: int) -> Race:
    round_ = seated(2)
    deal = tapped(opened(shoe_of(round_), {1: 200}), "Kh 9c Ks stand:1 Td")
    return round_, [lambda: dealing.deal_settle(deal_id=deal.pk, key=new_key(), actor=None)] * people


def opening(people: int) -> Race:
    round_ = seated(2)
    hand_ = {"shoe_id": shoe_of(round_).pk, "bets": {1: 200, 2: 200}}
    return round_, [partial(dealing.deal_open, actor=UserFactory(), **hand_) for _ in range(people)]


def typed(people: int) -> Race:
    """Screens send the results of the hand that all of them show."""
    round_ = seated(2)
    shoe = shoe_of(round_)
    seen, outcomes = str(shoe_basis(shoe.pk)), {1: result("win"), 2: result("lose")}
    about = {"shoe_id": shoe.pk, "bets": {1: 200, 2: 200}, "outcomes": outcomes, "actor": None}

    def settle() -> Any:
        key = Submission(new_key(), seen=seen, basis=lambda: shoe_basis_locked(shoe.pk), news=news_since)
        return dealing.deal_record_results(**about, key=key)

    return round_, [settle] * people


def count(round_: Round, table: int) -> Callable[[], Any]:
    shoe, actor = shoe_of(round_, table), UserFactory()
    chips = dict.fromkeys(round_.seats.filter(table=shoe.table).values_list("box", flat=True), 5_000)
    return lambda: counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=actor)


def last_tables(people: int) -> Race:
    """Two tables are over and counted once; what is missing is the second count of each."""
    round_ = seated(4, boxes_per_table=2)
    for table in (1, 2):
        shoe_over(shoe_of(round_, table))
        count(round_, table)()
    return round_, [count(round_, 1), count(round_, 2)]


def two_counters(people: int) -> Race:
    round_ = seated(2)
    shoe_over(shoe_of(round_))
    return round_, [count(round_, 1), count(round_, 1)]


def done_once(race: Callable[[int], Race], round_: Round) -> None:
    if race is last_seat:
        assert Seat.objects.filter(round=round_, box=7).count() == 1
        assert round_.stacks.filter(state="playing").count() == 2
    elif race is next_card:
        assert len(Deal.objects.get().taps) == 1
    elif race is settling:
        assert chips_at(round_, 1) == 5_200
        assert ChipTransaction.objects.filter(source=f"deal:{Deal.objects.get().pk}").count() == 1
    else:
        assert Deal.objects.count() == 1
        assert race is typed or round_.event.journal.filter(kind="round.play").count() == 1
    assert chain_verify(round_.event).broken_at is None


@pytest.mark.parametrize(
    ("race", "code"),
    [
        (last_seat, "box_taken"),
        (next_card, "stale"),
        (settling, "deal_not_open"),
        (opening, "deal_open"),
        (typed, "stale"),
    ],
)
def test_T6_T17_of_eight_at_once_one_is_carried_out(race: Callable[[int], Race], code: str):
    round_, calls = race(8)
    assert codes(at_once(*calls)) == [code] * 7
    done_once(race, round_)


@pytest.mark.parametrize("race", [last_tables, two_counters])
def test_T18_T19_counts_at_once_are_first_and_second_and_count_the_round_once(race: Callable[[int], Race]):
    round_, calls = race(2)
    answers = at_once(*calls)
    assert codes(answers) == []
    assert sorted(answer["which"] for answer in answers) == ([2, 2] if race is last_tables else [1, 2])
    round_.refresh_from_db()
    assert round_.status == "counted"
    assert chain_verify(round_.event).broken_at is None


def test_with_the_lock_off_a_tap_is_lost_although_it_was_acknowledged(unlocked: Any):
    round_, calls = next_card(2)
    unlocked(dealing, "seen_check")
    assert codes(at_once(*calls)) == []
    done_once(next_card, round_)


def test_T17_no_hand_is_opened_where_a_correction_carries_chips():
    round_, old = round_1()
    post(round_.event, 30_000, 10_000)
    shoe, asked = shoe_of(draw_and_seat(round_.event)), ask(old, outcomes=SWAPPED)

    @transaction.atomic
    def taken() -> Shoe:
        """The lock with which bets are called."""
        return Shoe.objects.select_for_update(nowait=True).get(pk=shoe.pk)

    with transaction.atomic():
        confirm(asked)
        [no] = at_once(taken)
    assert isinstance(no, OperationalError)


def test_without_the_look_at_the_state_typed_results_would_count_every_time(monkeypatch: Any):
    monkeypatch.setattr(journal, "basis_check", lambda key: None)
    assert codes(at_once(*typed(2)[1])) == []
    assert Deal.objects.count() == 2


def test_with_the_lock_off_a_hand_is_held_by_its_status_alone(unlocked: Any):
    round_, calls = settling(2)
    unlocked(dealing, "_outcome_of_open")
    # Both have read an open hand; the swap of its status lets one through.
    assert codes(at_once(*calls)) == ["changed_meanwhile"]
    done_once(settling, round_)


@pytest.mark.parametrize(
    ("race", "module", "check", "constraint"),
    [
        (last_seat, seating, "box_check", "one_entry_per_box"),
        (opening, dealing, "bets_check", "deal_number_once_per_shoe|one_open_deal_per_shoe"),
        (last_tables, counts, "hands_say", "journal_seq_once_per_chain"),
        (two_counters, counts, "live_sheets", "two_counts_per_shoe"),
    ],
)
def test_with_the_lock_off_the_database_refuses_the_second(
    unlocked: Any, race: Callable[[int], Race], module: Any, check: str, constraint: str
):
    round_, calls = race(2)
    if race is opening:
        hand(shoe_of(round_), {1: 200}, b1="win")
    unlocked(module, check)
    failed = [answer for answer in at_once(*calls) if isinstance(answer, Exception)]
    assert [type(error) for error in failed] == [IntegrityError]
    assert re.search(constraint, str(failed[0]))
