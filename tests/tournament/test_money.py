"""The money ledger and the day limit (T2, T32, T35; faults, two cashiers)."""

import os
import threading
from datetime import UTC, date, datetime

import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction

from tests.cast.calls import at_once, codes, refused
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, as_command, new_key
from tournament.models import House, MoneyEntry, MoneyTransaction, Payment, PlayerDay
from tournament.selectors import desk
from tournament.services import entries, money
from tournament.services.reconcile import reconcile
from tournament.sql import unguarded

pytestmark = pytest.mark.django_db


def buy_in(event, player):
    return entries.entry_buy_in(
        event_id=event.pk, player_id=player.pk, identity_checked=True, key=new_key(), actor=None
    )


def withdraw(entry_id):
    return entries.entry_withdraw(entry_id=entry_id, key=new_key(), actor=None)


# -- The gaming day -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "day"),
    [
        (datetime(2026, 11, 21, 12, 59, tzinfo=UTC), date(2026, 11, 20)),  # 5:59 in Denver
        (datetime(2026, 11, 21, 13, 0, tzinfo=UTC), date(2026, 11, 21)),  # 6:00
        (datetime(2026, 11, 22, 8, 30, tzinfo=UTC), date(2026, 11, 21)),  # 1:30 at night
        (
            datetime(2026, 11, 1, 11, 59, tzinfo=UTC),
            date(2026, 10, 31),
        ),  # 4:59, in winter
        (datetime(2026, 7, 1, 12, 0, tzinfo=UTC), date(2026, 7, 1)),  # 6:00 in summer
    ],
)
def test_T2_gaming_day_turns_at_the_hour_of_the_house(at, day):
    assert money.gaming_day(at, House(time_zone="America/Denver", day_turns_at_hour=6)) == day


def test_T2_gaming_day_is_stored_and_never_recomputed():
    entry = EntryFactory()
    before = entry.money_transactions.get().gaming_day
    House.objects.update(time_zone="Pacific/Kiritimati", day_turns_at_hour=0)
    assert entry.money_transactions.get().gaming_day == before
    assert PlayerDay.objects.get().gaming_day == before


# -- The limit ----------------------------------------------------------------------------------------


def test_T2_limit_is_over_all_events_of_the_house_and_the_refusal_says_what_is_left():
    player = PlayerFactory()
    for cents in (100_00, 25_00):
        EntryFactory(player=player, event=EventFactory(settings={"buy_in_cents": cents}))
    big = EventFactory(settings={"buy_in_cents": 200_00})
    with refused("day_limit") as no:
        buy_in(big, player)
    assert "$125.00" in str(no.value)
    assert PlayerDay.objects.get().spent_cents == 125_00
    assert not big.entries.exists()


def test_T2_exactly_the_limit_may_be_spent():
    player = PlayerFactory()
    sold = [buy_in(EventFactory(settings={"buy_in_cents": 125_00}), player) for _ in range(2)]
    assert sold[-1]["left_today_cents"] == 0
    cheap = EventFactory(settings={"buy_in_cents": 1})
    with refused("day_limit"):
        buy_in(cheap, player)


@pytest.mark.parametrize("kind", ["rehearsal", "simulation"])
def test_T2_rehearsals_do_not_count(kind):
    player = PlayerFactory()
    for _ in range(4):
        sold = buy_in(EventFactory(kind=kind), player)
    assert sold["left_today_cents"] is None
    withdraw(sold["entry"])
    assert not PlayerDay.objects.exists()


def test_T2_refund_gives_the_spend_of_its_day_back(monkeypatch):
    player, friday = PlayerFactory(), date(2026, 11, 20)
    with monkeypatch.context() as on_friday:
        on_friday.setattr(money, "gaming_day", lambda at, house: friday)
        sold = buy_in(EventFactory(), player)
    withdraw(sold["entry"])
    assert PlayerDay.objects.get(gaming_day=friday).spent_cents == 0
    refund = MoneyTransaction.objects.get(kind="refund")
    assert refund.gaming_day != friday
    assert refund.reverses.gaming_day == friday


def test_T2_row_of_the_day_holds_the_limit_that_was_approved():
    player = PlayerFactory()
    buy_in(EventFactory(), player)
    House.objects.update(day_limit_cents=400_00)
    assert PlayerDay.objects.get().limit_cents == 250_00
    buy_in(EventFactory(settings={"buy_in_cents": 300_00}), player)
    assert PlayerDay.objects.get().limit_cents == 400_00
    House.objects.update(day_limit_cents=100_00)
    cheap = EventFactory(settings={"buy_in_cents": 50_00})
    with refused("day_limit"):
        buy_in(cheap, player)
    row = PlayerDay.objects.get()
    assert (row.spent_cents, row.limit_cents) == (400_00, 400_00)


def test_T2_buy_in_of_nothing_is_free_of_the_limit():
    event = EventFactory(settings={"buy_in_cents": 0})
    buy_in(event, PlayerFactory())
    assert not PlayerDay.objects.exists()
    assert reconcile(event) == []


# -- Refunds and prizes -------------------------------------------------------------------------------


def test_T7_refund_is_the_reversal_of_an_original_and_only_once():
    entry = EntryFactory(event=EventFactory(settings={"fee_cents": 10_00}))
    as_command(entry.event, lambda cmd: money.money_refund(cmd, entry=entry))
    legs = MoneyEntry.objects.filter(transaction__kind="refund").values_list("account", "amount_cents")
    assert dict(legs) == {"desk": -100_00, "pool": 90_00, "fee": 10_00}
    with refused("nothing_to_refund", 409):
        as_command(entry.event, lambda cmd: money.money_refund(cmd, entry=entry))


def test_T32_prize_is_paid_from_the_pool_and_the_house_adds_what_is_missing():
    event = EventFactory()
    one, two = EntryFactory.create_batch(2, event=event)

    def pay(cmd, entry, cents):
        posted = money.money_prize(cmd, entry=entry, amount_cents=cents)
        Payment.objects.create(
            event=event, entry=entry, place=1, amount_cents=cents, transaction=posted, at=cmd.at
        )

    as_command(event, lambda cmd: pay(cmd, one, 150_00))
    as_command(event, lambda cmd: pay(cmd, two, 80_00))
    balances = {account: money.account_cents(event, account) for account in ("desk", "pool", "fee", "house")}
    assert balances == {"desk": -30_00, "pool": 0, "fee": 0, "house": 30_00}
    assert reconcile(event) == []


def test_amounts_are_said_in_the_currency_of_the_house():
    assert money.money_text(1_234_56, "USD") == "$1,234.56"
    assert money.money_text(5, "EUR") == "EUR 0.05"


# -- What the database refuses ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("tournament_moneytransaction", "amount_cents = 1"),
        ("tournament_moneyentry", "amount_cents = 1"),
        ("tournament_journalentry", "kind = 'other'"),
        ("tournament_posting", "hash = ''"),
        ("tournament_playercheck", "outcome = 'excluded'"),
    ],
)
def test_ledger_is_never_edited_deleted_or_emptied(table, change):
    EntryFactory()
    run_sql("SET CONSTRAINTS ALL IMMEDIATE")
    for sql in (f"UPDATE {table} SET {change}", f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE"):
        with pytest.raises(ProgrammingError, match="append-only"):
            run_sql(sql)


def run_sql(sql):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


def test_legs_that_do_not_add_up_are_refused_by_the_database():
    original = EntryFactory().money_transactions.get()
    MoneyEntry.objects.create(transaction=original, account="desk", amount_cents=1)
    with pytest.raises(IntegrityError, match="is off by 1"):
        run_sql("SET CONSTRAINTS ALL IMMEDIATE")
    with unguarded():
        MoneyEntry.objects.filter(amount_cents=1).delete()


def test_second_buy_in_of_an_entry_is_refused_by_the_database():
    original = EntryFactory().money_transactions.get()
    original.pk = None
    with pytest.raises(IntegrityError, match="one_buy_in_per_entry"), transaction.atomic():
        original.save(force_insert=True)


# -- Two cashiers, and eight (faults) -----------------------------------------------------------------


def sold_by(number):
    """An event for each of so many cashiers."""
    return [EventFactory(settings={"buy_in_cents": 125_00}) for _ in range(number)]


def race(chosen):
    """So many cashiers sell one person 125.00 each, in events of their own, at once; limit 250.00."""
    player = PlayerFactory()
    answers = at_once(*(lambda event=event: buy_in(event, player) for event in chosen))
    return player, answers


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("cashiers", [3, 8])
def test_T2_cashiers_at_once_cannot_break_the_day_limit(cashiers):
    for _ in range(3):
        player, answers = race(sold_by(cashiers))
        assert codes(answers) == ["day_limit"] * (cashiers - 2)
        assert PlayerDay.objects.get(player=player).spent_cents == 250_00
        assert player.entries.count() == 2


RACES = int(os.environ.get("CUTLINE_SOAK_RACES", "60"))
"""Races in one run: no two runs have the same."""


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_T2_eight_cashiers_again_and_again_never_break_the_day_limit():
    for n in range(RACES):
        if n % 10 == 0:  # the events are no part of the race, and making them takes as long
            chosen = sold_by(8)
        player, answers = race(chosen)
        assert codes(answers) == ["day_limit"] * 6
        assert PlayerDay.objects.get(player=player).spent_cents == 250_00


@pytest.fixture
def unlocked(monkeypatch):
    """The lock off, and both cashiers have looked at what is left before either of them writes."""
    both_looked = threading.Barrier(2)
    day_row = money._day_row

    def look(*args):
        row = day_row(*args)
        both_looked.wait(60)
        return row

    monkeypatch.setattr(money, "LOCK_THE_DAY", False)
    monkeypatch.setattr(money, "_day_row", look)


def two_unlocked():
    # The row of the day is there beforehand: two who insert it would wait for each other as well.
    player = PlayerFactory()
    PlayerDay.objects.create(
        player=player, gaming_day=desk.today(desk.house_read()), spent_cents=25_00, limit_cents=250_00
    )
    chosen = [EventFactory(settings={"buy_in_cents": 200_00}) for _ in range(2)]
    answers = at_once(*(lambda event=event: buy_in(event, player) for event in chosen))
    return PlayerDay.objects.get(player=player), [a for a in answers if isinstance(a, Exception)]


@pytest.mark.django_db(transaction=True)
def test_T2_with_the_lock_off_the_database_refuses_what_breaks_the_limit(unlocked):
    row, errors = two_unlocked()
    assert [type(error) for error in errors] == [IntegrityError]
    assert "spend_within_the_day_limit" in str(errors[0])
    assert row.spent_cents == 225_00


@pytest.mark.django_db(transaction=True)
def test_T2_with_lock_and_constraint_off_the_limit_is_broken(unlocked):
    limit = next(c for c in PlayerDay._meta.constraints if c.name == "spend_within_the_day_limit")
    with connection.schema_editor() as schema:
        schema.remove_constraint(PlayerDay, limit)
    try:
        row, errors = two_unlocked()
        assert errors == []
        assert row.spent_cents == 425_00 > row.limit_cents
    finally:
        PlayerDay.objects.all().delete()
        with connection.schema_editor() as schema:
            schema.add_constraint(PlayerDay, limit)
