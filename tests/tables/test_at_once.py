"""Several people at once: one last seat, one hand, the last table (faults).

Each is run with the lock as well as without it: then it shows the breach, or the database's refusal.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError

from tables.models import CountSheet, Deal, Seat
from tables.services import (
    counts,
    dealing,
    locks,
    seating,
)
from tests.cast.calls import at_once, codes
from tests.cast.factories import EntryFactory, UserFactory, new_key
from tests.cast.floor import chips_at, hand, opened, seated, shoe_of, shoe_over
from tournament.models import ChipTransaction, Entry, JournalHead, Round
from tournament.services import journal
from tournament.services.journal import chain_verify

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def unlocked(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """``unlocked()`` takes every lock off; with a module and a name both threads wait after that check."""

    def head(event_id: int | None) -> JournalHead:
        return JournalHead.objects.get(event_id=event_id)

    def unlock(module: Any = None, name: str = "") -> None:
        monkeypatch.setattr(journal, "_lock_head", head)
        for each in (dealing, counts):
            monkeypatch.setattr(each, "shoe_lock", locks.shoe_get)
        monkeypatch.setattr(dealing, "deal_lock", locks.deal_get)
        if module is not None:
            _both_wait_after(monkeypatch, module, name)

    return unlock


def _both_wait_after(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> None:
    both = threading.Barrier(2)
    check = getattr(module, name)

    def checked(*args: Any, **kwargs: Any) -> Any:
        found = check(*args, **kwargs)
        both.wait(60)
        return found

    monkeypatch.setattr(module, name, checked)


def errors(answers: list[Any]) -> list[Exception]:
    return [answer for answer in answers if isinstance(answer, Exception)]


# -- One last seat -----------------------------------------------------------------------------------


def one_free_box(waiting: int) -> tuple[Round, list[Entry]]:
    """Box 7 of a table of six is free, and these entrants came late."""
    round_ = seated(6)
    late = [EntryFactory(event=round_.event) for _ in range(waiting)]
    Entry.objects.filter(pk__in=[entry.pk for entry in late]).update(status="live", waiting_since=None)
    return round_, late


def fill_at_once(round_: Round, late: list[Entry]) -> list[Any]:
    table = shoe_of(round_).table_id

    def fill(entry: Entry) -> Callable[[], Any]:
        return lambda: seating.seat_fill(
            round_id=round_.pk, table_id=table, box=7, entry_id=entry.pk, key=new_key(), actor=None
        )

    return at_once(*map(fill, late))


@pytest.mark.parametrize("people", [2, 8])
def test_T6_one_last_seat_is_taken_once(people: int):
    round_, late = one_free_box(people)
    answers = fill_at_once(round_, late)
    assert codes(answers) == ["box_taken"] * (people - 1)
    assert Seat.objects.filter(round=round_, box=7).count() == 1
    assert round_.stacks.count() == 7
    assert chain_verify(round_.event).broken_at is None


def test_T6_with_the_lock_off_the_database_refuses_the_second_in_a_box(unlocked: Any):
    round_, late = one_free_box(2)
    unlocked(seating, "box_check")
    failed = errors(fill_at_once(round_, late))
    assert [type(error) for error in failed] == [IntegrityError]
    assert "one_entry_per_box" in str(failed[0])
    assert Seat.objects.filter(round=round_, box=7).count() == 1


def test_T6_two_who_seat_the_next_alternate_seat_one():
    round_ = seated(6)
    for _ in range(2):
        EntryFactory(event=round_.event)
    table = shoe_of(round_).table_id
    answers = at_once(
        *[lambda: seating.seat_fill(round_id=round_.pk, table_id=table, box=7, key=new_key(), actor=None)] * 2
    )
    assert codes(answers) == ["box_taken"]
    assert round_.event.entries.filter(status="waiting").count() == 1


# -- One hand ----------------------------------------------------------------------------------------


def open_hand() -> tuple[Round, Deal]:
    round_ = seated(2)
    return round_, opened(shoe_of(round_), {1: 200})


def tap_at_once(deal: Deal, people: int) -> list[Any]:
    faces = ("Kh", "Qh", "Jh", "Th", "9h", "8h", "7h", "6h")

    def tap(n: int) -> Callable[[], Any]:
        op = {"op": "card", "card": faces[n]}
        return lambda: dealing.deal_tap(deal_id=deal.pk, seen=0, nonce=f"clerk-{n}", op=op)

    return at_once(*map(tap, range(people)))


@pytest.mark.parametrize("people", [2, 8])
def test_two_clerks_on_one_hand_the_second_is_told_what_changed(people: int):
    _, deal = open_hand()
    answers = tap_at_once(deal, people)
    assert codes(answers) == ["stale"] * (people - 1)
    deal.refresh_from_db()
    assert len(deal.taps) == 1
    assert all(deal.taps[0]["op"]["card"] in str(error) for error in errors(answers))


def test_with_the_lock_off_a_tap_is_lost_although_it_was_acknowledged(unlocked: Any):
    _, deal = open_hand()
    unlocked(dealing, "seen_check")
    answers = tap_at_once(deal, 2)
    assert errors(answers) == []
    deal.refresh_from_db()
    # The breach: two acknowledged, one kept.
    assert len(deal.taps) == 1


def finished_hand() -> tuple[Round, Deal]:
    round_, deal = open_hand()
    ops = [{"op": "card", "card": face} for face in ("Kh", "9c", "Ks")]
    ops += [{"op": "decision", "seat": 1, "action": "stand"}, {"op": "hole", "card": "Td"}]
    for n, op in enumerate(ops):
        dealing.deal_tap(deal_id=deal.pk, seen=n, nonce=f"n{n}", op=op)
    return round_, deal


def settle_at_once(deal: Deal, people: int) -> list[Any]:
    return at_once(*[lambda: dealing.deal_settle(deal_id=deal.pk, key=new_key(), actor=None)] * people)


@pytest.mark.parametrize("people", [2, 8])
def test_one_hand_is_settled_once(people: int):
    round_, deal = finished_hand()
    assert codes(settle_at_once(deal, people)) == ["deal_not_open"] * (people - 1)
    assert chips_at(round_, 1) == 5_200
    assert ChipTransaction.objects.filter(source=f"deal:{deal.pk}").count() == 1


def test_with_the_lock_off_a_hand_is_held_by_its_status_alone(unlocked: Any):
    round_, deal = finished_hand()
    unlocked(dealing, "_outcome_of_open")
    # Both have read an open hand; the swap of its status lets one through.
    assert codes(settle_at_once(deal, 2)) == ["changed_meanwhile"]
    assert chips_at(round_, 1) == 5_200


def open_at_once(round_: Round, people: int) -> list[Any]:
    shoe = shoe_of(round_)
    clerks = [UserFactory() for _ in range(people)]
    bets = {1: 200, 2: 200}
    return at_once(
        *(lambda clerk=clerk: dealing.deal_open(shoe_id=shoe.pk, bets=bets, actor=clerk) for clerk in clerks)
    )


@pytest.mark.parametrize("people", [2, 8])
def test_one_hand_is_open_at_a_table(people: int):
    round_ = seated(2)
    assert codes(open_at_once(round_, people)) == ["deal_open"] * (people - 1)
    assert Deal.objects.count() == 1
    assert round_.event.journal.filter(kind="round.play").count() == 1


def test_with_the_lock_off_the_database_refuses_a_second_open_hand(unlocked: Any):
    round_ = seated(2)
    hand(shoe_of(round_), {1: 200}, b1="win")
    unlocked(dealing, "bets_check")
    failed = errors(open_at_once(round_, 2))
    assert [type(error) for error in failed] == [IntegrityError]
    assert "deal_number_once_per_shoe" in str(failed[0]) or "one_open_deal_per_shoe" in str(failed[0])


# -- The last table ----------------------------------------------------------------------------------


def two_tables_to_count() -> Round:
    """Two tables are over and counted once; what is missing is the second count of each."""
    round_ = seated(9)
    for table in (1, 2):
        shoe_over(shoe_of(round_, table))
        enter(round_, table)()
    return round_


def enter(round_: Round, table: int) -> Callable[[], Any]:
    shoe, actor = shoe_of(round_, table), UserFactory()
    chips = dict.fromkeys(round_.seats.filter(table=shoe.table).values_list("box", flat=True), 5_000)
    return lambda: counts.count_enter(shoe_id=shoe.pk, chips=chips, key=new_key(), actor=actor)


def test_T19_closing_the_last_two_tables_at_once_counts_the_round_once():
    round_ = two_tables_to_count()
    assert codes(at_once(enter(round_, 1), enter(round_, 2))) == []
    round_.refresh_from_db()
    assert round_.status == "counted"
    assert chain_verify(round_.event).broken_at is None


def test_T19_with_the_lock_off_neither_table_sees_the_other_and_the_database_refuses(unlocked: Any):
    round_ = two_tables_to_count()
    unlocked(counts, "differences")
    failed = errors(at_once(enter(round_, 1), enter(round_, 2)))
    assert [type(error) for error in failed] == [IntegrityError]
    assert "journal_seq_once_per_chain" in str(failed[0])
    round_.refresh_from_db()
    assert round_.status == "playing"


def test_T18_two_counters_at_once_are_first_and_second():
    round_ = seated(2)
    shoe_over(shoe_of(round_))
    answers = at_once(enter(round_, 1), enter(round_, 1))
    assert codes(answers) == []
    assert sorted(answer["which"] for answer in answers) == [1, 2]
    round_.refresh_from_db()
    assert round_.status == "counted"


def test_T18_with_the_lock_off_the_database_refuses_two_first_counts(unlocked: Any):
    round_ = seated(2)
    shoe_over(shoe_of(round_))
    unlocked(counts, "live_sheets")
    failed = errors(at_once(enter(round_, 1), enter(round_, 1)))
    assert [type(error) for error in failed] == [IntegrityError]
    assert "two_counts_per_shoe" in str(failed[0])
    assert CountSheet.objects.count() == 1
