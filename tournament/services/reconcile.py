"""Do the books agree? What no CHECK of the database can see is compared here (architecture, Data).

| compared                                                  | with                                      |
|-----------------------------------------------------------|-------------------------------------------|
| the chips column of every stack                           | the legs of the chip ledger on it         |
| issued + stacks + bank + returned                         | 0                                         |
| the legs of every buy-in, refund and prize                | 0, and the amount                         |
| what a person has spent on a gaming day                   | buy-ins less refunds of that day (T2)     |
| the pool's account                                        | buy-ins less fees, less prizes (T32)      |

Rows that follow from the journal are compared by ``manage.py audit``: payments, hand-outs, postings, prizes.
"""

from collections.abc import Iterable

from django.db.models import Count, Q, Sum

from tournament.models import (
    ChipAccount,
    ChipEntry,
    Event,
    MoneyAccount,
    MoneyEntry,
    MoneyTransaction,
    PlayerDay,
    Stack,
)

from .money import account_cents

Kind = MoneyTransaction.Kind
OF_PRIZES = (Kind.PRIZE, Kind.FURTHER, Kind.TAKEN_BACK)


def reconcile(event: Event) -> list[str]:
    """Every account of an event that differs, one sentence each; empty when the books agree."""
    checks = (_stacks, _chip_accounts, _money_legs, _buy_ins, _days, _pool)
    return [difference for check in checks for difference in check(event)]


def chip_accounts(event: Event) -> dict[str, int]:
    """The four chip accounts of an event, in chips; issued is negative (Standing orders)."""
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


def _buy_ins(event: Event) -> Iterable[str]:
    """Every entry has one buy-in of the posted amount."""
    paid = Sum("money_transactions__amount_cents", filter=Q(money_transactions__kind=Kind.BUY_IN))
    for entry in event.entries.annotate(paid=paid, number_paid=Count("money_transactions")):
        yield from _differs(f"{entry.code}: buy-in", entry.paid or 0, event.buy_in_cents, "cents posted")


def _days(event: Event) -> Iterable[str]:
    """The gaming days on which somebody bought into this event, over all events of the house (T2)."""
    if event.is_rehearsal:
        return
    here = MoneyTransaction.objects.filter(event=event, kind=Kind.BUY_IN)
    for player_id, day in sorted(set(here.values_list("entry__player_id", "gaming_day"))):
        kept = MoneyTransaction.objects.filter(
            entry__player_id=player_id,
            gaming_day=day,
            kind=Kind.BUY_IN,
            event__kind=Event.Kind.TOURNAMENT,
            reversed_by__isnull=True,
        ).exclude(event__status=Event.Status.CALLED_OFF)  # T8: given back when it was called off
        ledger = kept.aggregate(total=Sum("amount_cents"))["total"] or 0
        row = PlayerDay.objects.filter(player_id=player_id, gaming_day=day).first()
        name = f"player {player_id}, {day}: spent"
        yield from _differs(name, row.spent_cents if row else 0, ledger, "cents in the ledger")


def _pool(event: Event) -> Iterable[str]:
    prizes = MoneyEntry.objects.filter(
        transaction__event=event, transaction__kind__in=OF_PRIZES, account=MoneyAccount.POOL
    )
    paid_cents = prizes.aggregate(total=Sum("amount_cents"))["total"] or 0
    owed = _entries_paid(event) * (event.buy_in_cents - event.fee_cents) - paid_cents
    yield from _differs("pool: account", -account_cents(event, MoneyAccount.POOL), owed, "cents of buy-ins")
    fees = _entries_paid(event) * event.fee_cents
    yield from _differs("fee: account", -account_cents(event, MoneyAccount.FEE), fees, "cents of buy-ins")


def _entries_paid(event: Event) -> int:
    kept = MoneyTransaction.objects.filter(event=event, kind=Kind.BUY_IN, reversed_by__isnull=True)
    return kept.count()
