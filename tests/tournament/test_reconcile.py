"""What no CHECK can see: ledgers against columns (Standing orders; architecture, Data)."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from tests.cast.edits import unguarded
from tests.cast.factories import (
    EntryFactory,
    EventFactory,
    as_command,
    new_key,
    round_seat,
    round_to,
    stack_of,
)
from tournament.engine.state import DESK, POOL, PRIZE, Move
from tournament.engine.steps.money import of_entry, with_rest
from tournament.models import ChipEntry, MoneyEntry, MoneyTransaction, Stack
from tournament.services import entries
from tournament.services.chips import chips_hand
from tournament.services.money import money_moved
from tournament.services.reconcile import reconcile

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """Three entries in round 1 (one more withdrawn), a hand played, and a prize paid."""
    event = EventFactory(settings={"fee_cents": 10_00, "guarantee_cents": 300_00})
    sold = EntryFactory.create_batch(4, event=event)
    entries.entry_withdraw(entry_id=sold[3].pk, key=new_key(), actor=None)
    round_to(round_seat(event), "playing")
    nets = {stack_of(sold[0]): 400, stack_of(sold[1]): -200}
    as_command(event, lambda cmd: chips_hand(cmd, nets=nets, source="deal:1"))
    paid = Move(PRIZE, of_entry(sold[0].code), with_rest((DESK, -200_00), rest=POOL))
    as_command(event, lambda cmd: money_moved(cmd, [paid]))
    connection.cursor().execute("SET CONSTRAINTS ALL IMMEDIATE")
    connection.cursor().execute("SET CONSTRAINTS ALL DEFERRED")
    return event


def chip_leg(event):
    return ChipEntry.objects.filter(transaction__event=event, transaction__kind="deal", stack__isnull=False)


def buy_in_of(code):
    return MoneyTransaction.objects.filter(entry__code=code, kind="buy_in")


DAMAGE = [
    (
        lambda e: Stack.objects.filter(entry__code="E001").update(chips=9_900),
        ["E001, Round 1: stack 9,900, 5,400", "chip account stacks: stacks 19,700, 15,200"],
    ),
    (
        lambda e: chip_leg(e).filter(amount_chips=400).update(amount_chips=500),
        ["E001, Round 1: stack 5,400, 5,500", "chip accounts: they add up to 100, 0", "chip account stacks"],
    ),
    (
        lambda e: MoneyEntry.objects.filter(transaction__entry__code="E001", account="fee").update(
            amount_cents=0
        ),
        ["E001, buy-in: the legs add up to 1,000, 0"],
    ),
    (
        lambda e: buy_in_of("E002").update(amount_cents=1),
        ["E002, buy-in: desk 10,000, 1 "],
    ),
]


def test_every_account_that_differs_is_named(event):
    assert reconcile(event) == []
    for damage, said in DAMAGE:
        with transaction.atomic():
            with unguarded():
                damage(event)
            found = reconcile(event)
            transaction.set_rollback(True)
        assert len(found) == len(said), found
        for sentence, begins in zip(found, said, strict=True):
            assert sentence.startswith(begins)


def test_command_prints_ok_or_every_account_and_exit_1(event, capsys):
    other = EventFactory()
    call_command("reconcile")
    assert capsys.readouterr().out == "ok\n"
    Stack.objects.filter(entry__code="E001").update(chips=5_500)
    with pytest.raises(SystemExit) as stopped:
        call_command("reconcile", event.slug)
    assert stopped.value.code == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [event.slug, event.slug]
    call_command("reconcile", other.code)
    assert capsys.readouterr().out == "ok\n"
    with pytest.raises(CommandError) as caught:
        call_command("reconcile", "nope")
    assert caught.value.returncode == 2
