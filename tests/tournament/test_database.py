"""What the database itself holds, from the first migration on (architecture, Data)."""

import pgtrigger
import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction

from tests.cast.edits import unguarded
from tests.cast.factories import EntryFactory, EventFactory, round_seat
from tournament.models import (
    ChipEntry,
    ChipTransaction,
    Entry,
    Event,
    House,
    MoneyEntry,
    MoneyTransaction,
    Round,
    Stack,
)

pytestmark = pytest.mark.django_db


def installed():
    """(table, trigger) → whether it is switched on, as the database says."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, t.tgname, t.tgenabled <> 'D' FROM pg_trigger t"
            " JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal"
        )
        return {(table, name): on for table, name, on in cursor.fetchall()}


def test_every_trigger_of_the_models_is_installed_and_on():
    wanted = {(model._meta.db_table, trigger.get_pgid(model)) for model, trigger in pgtrigger.registered()}
    found = installed()
    assert wanted <= set(found)
    assert all(found[each] for each in wanted)


@pytest.fixture
def event():
    made = EventFactory()
    EntryFactory.create_batch(2, event=made)
    round_seat(made)
    return made


def run_sql(sql):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


def test_a_ledger_is_never_edited_deleted_or_emptied(event):
    run_sql("SET CONSTRAINTS ALL IMMEDIATE")
    for table, change in [
        ("tournament_chipentry", "amount_chips = 1"),
        ("tournament_chiptransaction", "kind = 'deal'"),
        ("tournament_moneytransaction", "amount_cents = 1"),
        ("tournament_moneyentry", "amount_cents = 1"),
        ("tournament_journalentry", "kind = 'other'"),
        ("tournament_posting", "hash = ''"),
        ("tournament_playercheck", "outcome = 'excluded'"),
    ]:
        for sql in (f"UPDATE {table} SET {change}", f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE"):
            with pytest.raises(ProgrammingError, match="append-only"):
                run_sql(sql)


def test_the_legs_of_a_transaction_add_up_to_0_or_the_database_refuses(event):
    bought = MoneyTransaction.objects.filter(entry__code="E001").get()
    for legs, leg in (
        (ChipEntry, {"transaction": ChipTransaction.objects.get(), "account": "bank", "amount_chips": 100}),
        (MoneyEntry, {"transaction": bought, "account": "desk", "amount_cents": 100}),
    ):
        legs.objects.create(**leg)
        with pytest.raises(IntegrityError, match="is off by 100"):
            run_sql("SET CONSTRAINTS ALL IMMEDIATE")
        with unguarded():
            legs.objects.filter(**leg).delete()


def first_entry(event):
    return event.entries.get(number=1)


def bought_again(event):
    original = first_entry(event).money_transactions.get()
    original.pk = None
    original.save(force_insert=True)


FACTS = {
    "stack_never_negative": lambda e: Stack.objects.update(chips=-100),
    "one_buy_in_per_entry": bought_again,
    "one_live_entry_per_player": lambda e: Entry.objects.create(
        event=e, player=first_entry(e).player, number=9, code="E009", view_token="x"
    ),
    "entry_code_once_per_event": lambda e: Entry.objects.filter(number=2).update(code="E001"),
    "one_unclosed_round_per_event": lambda e: Round.objects.create(event=e, number=2),
    "round_parent_only_of_a_play_off": lambda e: Round.objects.create(event=e, number=1, kind="play_off"),
    "one_stack_per_round_and_entry": lambda e: Stack.objects.create(
        round=e.rounds.get(), entry=first_entry(e)
    ),
    "event_rules_frozen_before_the_desk_opens": lambda e: Event.objects.update(rules_hash=""),
    "event_fee_within_buy_in": lambda e: Event.objects.update(fee_cents=100_01),
    "event_code_once": lambda e: Event.objects.create(code=e.code, slug="other", name="Other"),
    "house_is_one_row": lambda e: House.objects.create(id=2),
    "posting_once": lambda e: e.postings.create(kind="rules", number=1, body={}, hash="", at=e.created_at),
    "chip_entry_names_its_stack": lambda e: ChipEntry.objects.create(
        transaction=ChipTransaction.objects.get(), account="stack", amount_chips=0
    ),
    "draw_secret_revealed_only_when_drawn": lambda e: e.draws.filter(number=5).update(revealed_secret="aa"),
}


def test_each_fact_is_held_by_the_database(event):
    for name, broken in FACTS.items():
        with pytest.raises(IntegrityError, match=name), transaction.atomic():
            broken(event)
