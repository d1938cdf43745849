"""Do the books agree? What no CHECK of the database can see is compared here (architecture, Data).

| compared                                                  | with                                      |
|-----------------------------------------------------------|-------------------------------------------|
| the chips column of every stack                           | the legs of the chip ledger on it         |
| issued + stacks + bank + returned                         | 0                                         |
| the legs of every buy-in, refund and prize                | 0, and the amount                         |
| what a person has spent on a gaming day                   | buy-ins less refunds of that day (T2)     |
| the pool's account                                        | buy-ins less fees, less prizes (T32)      |
| the posted pool                                           | the pool of the entries (T32)             |
| what was paid                                             | the prizes of the places (T35)            |
| every posting, and the settings in force                  | the hash that was posted (T31)            |
| the prizes in force                                       | the posted ones (T31)                     |
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, Q, Sum

from ground.canonical import canonical_json, sha256_hex
from tournament.engine import payouts
from tournament.engine.settings import settings_hash
from tournament.models import (
    ChipAccount,
    ChipEntry,
    Entry,
    Event,
    HandOut,
    MoneyAccount,
    MoneyEntry,
    MoneyTransaction,
    Payment,
    PayoutStructure,
    PlayerDay,
    Posting,
    Stack,
)
from tournament.selectors.prizes import prizes_at

from .money import account_cents

Kind = MoneyTransaction.Kind
OF_PRIZES = (Kind.PRIZE, Kind.FURTHER, Kind.TAKEN_BACK)


def reconcile(event: Event) -> list[str]:
    """Every account of an event that differs, one sentence each; empty when the books agree."""
    checks = (
        _stacks,
        _chip_accounts,
        _money_legs,
        _buy_ins,
        _days,
        _pool,
        _posted_pool,
        _payments,
        _hand_outs,
        _postings,
    )
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


def _posted_pool(event: Event) -> Iterable[str]:
    posted = _live_payouts(event)
    if posted is None or event.status == Event.Status.CALLED_OFF:
        return
    entries = _entries_paid(event)
    pool_cents = payouts.pool(entries * event.buy_in_cents, entries * event.fee_cents, event.guarantee_cents)
    yield from _differs("payout structure: pool", posted.pool_cents, pool_cents, "cents of buy-ins")


def _live_payouts(event: Event) -> PayoutStructure | None:
    return PayoutStructure.objects.filter(event=event, status=PayoutStructure.Status.LIVE).first()


def _payments(event: Event) -> Iterable[str]:
    made = Payment.objects.filter(event=event).select_related("entry", "transaction", "takes_back")
    in_hand: dict[str, int] = {}
    for payment in made.order_by("place", "entry__number", "number"):
        code, posted = payment.entry.code, payment.transaction
        back = payment.takes_back.transaction_id if payment.takes_back else None
        is_it = (posted.kind, posted.entry_id, posted.reverses_id) == (payment.kind, payment.entry_id, back)
        booked = posted.amount_cents if is_it else 0
        yield from _differs(f"{code}: payment", payment.amount_cents, booked, "cents in the ledger")
        sign = -1 if payment.takes_back else 1
        in_hand[code] = in_hand.get(code, 0) + sign * payment.amount_cents
    unpaid = MoneyTransaction.objects.filter(event=event, kind__in=OF_PRIZES, payment__isnull=True)
    for transaction in unpaid.select_related("entry"):
        yield f"{transaction.entry.code}: prize {transaction.amount_cents:,}, no payment"
    yield from _prizes(event, {code: cents for code, cents in in_hand.items() if cents})


def _hand_outs(event: Event) -> Iterable[str]:
    """Compare what was handed out after the event was called off with the ledger (T8)."""
    given = HandOut.objects.filter(event=event).select_related("entry", "transaction")
    for each in given.order_by("entry__number"):
        name, posted = f"{each.entry.code}: handed out", each.transaction
        booked = posted.amount_cents if (posted.kind, posted.entry_id) == (Kind.REFUND, each.entry_id) else 0
        yield from _differs(name, each.amount_cents, booked, "cents in the ledger")


def _prizes(event: Event, paid_cents: dict[str, int]) -> Iterable[str]:
    """What was paid is the prize of the place; once the event is paid, nobody is missing (T35).

    T26: where somebody was disqualified, whoever was paid before may be owed more; while a tie that came of
    it is played nobody has a place.
    """
    disqualified = event.entries.filter(status=Entry.Status.DISQUALIFIED).exists()
    prizes = prizes_at(event, paid_cents if disqualified else {}).whole
    if _live_payouts(event) is None or (disqualified and not prizes):
        return
    everybody = event.status == Event.Status.PAID
    growing = disqualified and not everybody
    for code in sorted(prizes.keys() | paid_cents.keys()):
        paid, prize = paid_cents.get(code, 0), prizes.get(code, 0)
        if (everybody or paid) and not (growing and paid < prize):
            yield from _differs(f"{code}: paid", paid, prize, "cents by place")


def _postings(event: Event) -> Iterable[str]:
    """A posting is final: what it says is what was hashed, and what is in force is what it says (T31)."""
    for posting in Posting.objects.filter(event=event).order_by("kind", "number"):
        if posting.hash != sha256_hex(canonical_json(posting.body)):
            yield f"posting {posting.kind} {posting.number}: it is not what was posted under its hash"
    if event.rules_hash and event.rules_hash != settings_hash(event.settings_json):
        yield "settings: they are not those of the posted hash"
    posted = _live_payouts(event)
    if posted is not None and posted.prizes_cents != posted.posting.body.get("prizes_cents"):
        yield "payout structure: its prizes are not the posted ones"
