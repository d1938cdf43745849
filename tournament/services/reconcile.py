"""Compare the books where no CHECK of the database can (architecture, Data).

| compared                                   | with                              |
|--------------------------------------------|-----------------------------------|
| the chips column of every stack            | the legs of the chip ledger on it |
| issued + stacks + bank + returned          | 0                                 |
| the legs of every buy-in, refund and prize | 0, and the amount                 |

``manage.py audit`` compares what the journal determines: amounts, gaming days, the pool, payments.
"""

from collections.abc import Iterable

from django.db.models import Q, Sum

from tournament.models import ChipAccount, ChipEntry, Event, MoneyAccount, MoneyTransaction, Stack

Kind = MoneyTransaction.Kind


def reconcile(event: Event) -> list[str]:
    """Return one sentence for every account of an event that differs; empty if the books agree."""
    checks = (_stacks, _chip_accounts, _money_legs)
    return [difference for check in checks for difference in check(event)]


def chip_accounts(event: Event) -> dict[str, int]:
    """Return the four chip accounts of an event, in chips; issued is negative (Standing orders)."""
    legs = ChipEntry.objects.filter(transaction__event=event)
    totals = dict(legs.order_by().values_list("account").annotate(total=Sum("amount_chips")))
    return {str(account): totals.get(account, 0) for account in ChipAccount.values}


def _differs(account: str, one: int, other: int, unit: str) -> Iterable[str]:
    if one != other:
        yield f"{account} {one:,}, {other:,} {unit}"


def _stacks(event: Event) -> Iterable[str]:
    stacks = Stack.objects.filter(round__event=event).select_related("entry", "round")
    for stack in stacks.annotate(ledger=Sum("chip_entries__amount_chips")).order_by(
        "round_id", "entry__number"
    ):
        name = f"{stack.entry.code}, {stack.round.title}: stack"
        yield from _differs(name, stack.chips, stack.ledger or 0, "chips in the ledger")


def _chip_accounts(event: Event) -> Iterable[str]:
    totals = chip_accounts(event)
    yield from _differs("chip accounts: they add up to", sum(totals.values()), 0, "chips wanted")
    columns = Stack.objects.filter(round__event=event).aggregate(total=Sum("chips"))["total"] or 0
    yield from _differs(
        "chip account stacks: stacks", columns, totals[ChipAccount.STACK], "chips in the ledger"
    )


def _money_legs(event: Event) -> Iterable[str]:
    desk = Q(legs__account=MoneyAccount.DESK)
    posted = MoneyTransaction.objects.filter(event=event).select_related("entry").order_by("id")
    for each in posted.annotate(total=Sum("legs__amount_cents"), desk=Sum("legs__amount_cents", filter=desk)):
        name = f"{each.entry.code}, {each.get_kind_display()}"
        yield from _differs(f"{name}: the legs add up to", each.total or 0, 0, "cents wanted")
        desk_cents = each.amount_cents if each.kind in (Kind.BUY_IN, Kind.TAKEN_BACK) else -each.amount_cents
        yield from _differs(f"{name}: desk", each.desk or 0, desk_cents, "cents booked")
