"""What the database itself holds, from the first migration on (architecture, Data)."""

import pgtrigger
import pytest
from django.core.management import call_command
from django.db import IntegrityError, ProgrammingError, connection, transaction

from tests.cast.factories import EntryFactory, EventFactory, as_command, round_seat, stack_of
from tournament.models import ChipEntry, ChipTransaction, Entry, Event, House, Round, Stack
from tournament.services.chips import chips_return, chips_settle
from tournament.sql import unguarded

pytestmark = pytest.mark.django_db

APPEND_ONLY = {
    "tournament_chipentry",
    "tournament_chiptransaction",
    "tournament_journalentry",
    "tournament_moneyentry",
    "tournament_moneytransaction",
    "tournament_payment",
    "tournament_playercheck",
    "tournament_posting",
}


def test_models_and_migrations_agree():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


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


@pytest.mark.parametrize("table", sorted(APPEND_ONLY))
def test_ledgers_and_postings_are_append_only(table):
    names = {name for found, name in installed() if found == table}
    for what in ("no_edit", "no_truncate"):
        assert [name for name in names if what in name], f"{table} has no trigger {what}"


@pytest.fixture
def event():
    made = EventFactory()
    EntryFactory.create_batch(2, event=made)
    round_seat(made)
    return made


def run_sql(sql):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.mark.parametrize(
    ("table", "change"),
    [("tournament_chipentry", "amount_chips = 1"), ("tournament_chiptransaction", "kind = 'deal'")],
)
def test_chips_are_reversed_and_never_edited(event, table, change):
    run_sql("SET CONSTRAINTS ALL IMMEDIATE")
    for sql in (f"UPDATE {table} SET {change}", f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE"):
        with pytest.raises(ProgrammingError, match="append-only"):
            run_sql(sql)


def test_chips_of_a_transaction_add_up_to_0_or_the_database_refuses(event):
    ChipEntry.objects.create(transaction=ChipTransaction.objects.get(), account="bank", amount_chips=100)
    with pytest.raises(IntegrityError, match="is off by 100"):
        run_sql("SET CONSTRAINTS ALL IMMEDIATE")
    with unguarded():
        ChipEntry.objects.filter(amount_chips=100).delete()


def test_stack_is_never_negative(event):
    with pytest.raises(IntegrityError, match="stack_never_negative"), transaction.atomic():
        Stack.objects.update(chips=-100)


def test_stack_and_ledger_move_together(event):
    one, two = (stack_of(entry) for entry in event.entries.order_by("number"))
    as_command(event, lambda cmd: chips_settle(cmd, nets={one: 400, two: -5_000}, source="deal:1"))
    as_command(event, lambda cmd: chips_return(cmd, stacks=[one, two], source="test"))
    one.refresh_from_db()
    two.refresh_from_db()
    assert (one.chips, two.chips) == (0, 0)
    assert [t.legs.count() for t in ChipTransaction.objects.order_by("pk")] == [3, 3, 2]


def first_entry(event):
    return event.entries.get(number=1)


FACTS = {
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


@pytest.mark.parametrize("name", FACTS)
def test_fact_is_held_by_the_database(event, name):
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        FACTS[name](event)
