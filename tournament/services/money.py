"""The money ledger and the day limit (T2). Called inside commands.

Amounts are in cents. Desk is the cash in the drawer; pool and fee are what the desk owes, kept negative;
house is money that the house adds. The legs of every transaction add up to 0.

The row of a person's gaming day holds the approved limit: each buy-in is checked against the house's current
limit and writes it into the row. A changed limit therefore applies from the next buy-in on, and lowering it
never turns an approved buy-in into a breach.
"""

from collections.abc import Iterable, Mapping
from datetime import date

from django.db.models import F

from ground.refused import Conflict, Refused
from tournament import sql
from tournament.engine.state import DESK, FURTHER, PRIZE, TAKEN, Move
from tournament.figures import money
from tournament.models import Entry, Event, House, MoneyAccount, MoneyTransaction, Player, PlayerDay

from .arguments import event_of
from .house import house_current
from .journal import Command

Kind = MoneyTransaction.Kind
LOCK_THE_DAY = True
"""Only a test switches this off, to show that the lock is needed."""


def money_buy_in(cmd: Command, *, entry: Entry, house: House) -> MoneyTransaction:
    """Take an entry's buy-in into the drawer; pool and fee are owed it (T2). Refuses ``day_limit``."""
    event, day = event_of(cmd), house.day_of(cmd.at)
    if _counts(event) and event.buy_in_cents:
        _day_spend(entry.player, day, event.buy_in_cents, house)
    legs: dict[str, int] = {
        MoneyAccount.DESK: event.buy_in_cents,
        MoneyAccount.POOL: event.fee_cents - event.buy_in_cents,
        MoneyAccount.FEE: -event.fee_cents,
    }
    return _post(cmd, Kind.BUY_IN, entry, event.buy_in_cents, legs, day)


def money_refund(cmd: Command, *, entry: Entry) -> MoneyTransaction:
    """Refund an entry's buy-in once, and reduce the spending of the day on which it was taken (T2, T7).

    If the event was called off, the spending was reduced then. Refuses ``nothing_to_refund`` if there is no
    buy-in, or it has been refunded before.
    """
    original, event = _buy_in_of(entry), event_of(cmd)
    if event.status != Event.Status.CALLED_OFF:
        _day_give_back(event, original)
    legs = {leg.account: -leg.amount_cents for leg in original.legs.all()}
    day = house_current().day_of(cmd.at)
    return _post(cmd, Kind.REFUND, entry, original.amount_cents, legs, day, reverses=original)


def money_due(cmd: Command, *, entry: Entry) -> int:
    """Mark an entry's buy-in as due because the event is called off, and return its amount in cents (T8).

    The spending of the day is reduced at once; the cash stays in the drawer until it is paid out. Refuses
    ``nothing_to_refund``.
    """
    original = _buy_in_of(entry)
    _day_give_back(event_of(cmd), original)
    return original.amount_cents


def buy_in_standing(entry: Entry) -> MoneyTransaction | None:
    """Return the buy-in of an entry; None once it has been refunded."""
    return MoneyTransaction.objects.filter(entry=entry, kind=Kind.BUY_IN, reversed_by=None).first()


def _buy_in_of(entry: Entry) -> MoneyTransaction:
    original = buy_in_standing(entry)
    if original is None:
        raise Conflict(
            "nothing_to_refund", "The buy-in of %(entry)s has been given back already.", entry=entry.code
        )
    return original


def _day_give_back(event: Event, original: MoneyTransaction) -> None:
    """Reduce the person's spending on the day of a buy-in by its amount (T2)."""
    if _counts(event) and original.amount_cents:
        day = PlayerDay.objects.filter(player=original.entry.player_id, gaming_day=original.gaming_day)
        day.update(spent_cents=F("spent_cents") - original.amount_cents)


def money_moved(cmd: Command, moves: Iterable[Move]) -> None:
    """Post the prizes that are paid at the desk or reversed (T26, T32, T35)."""
    for move in moves:
        if move.kind not in (PRIZE, FURTHER, TAKEN):
            continue
        entry = event_of(cmd).entries.get(code=move.source[1])
        legs = {account: cents for account, _stage, _entry, cents in move.legs}
        day, back = house_current().day_of(cmd.at), None
        if move.kind == TAKEN:
            paid = entry.money_transactions.filter(kind__in=(PRIZE, FURTHER), reversed_by=None)
            back = paid.order_by("pk").last()
        _post(cmd, move.kind, entry, abs(legs[DESK]), legs, day, reverses=back)


def _counts(event: Event) -> bool:
    # T2: rehearsals, and simulations like them, do not count towards the limit.
    return not event.is_rehearsal


def _day_spend(player: Player, day: date, cents: int, house: House) -> None:
    """Add to a person's spending of a day, over all events of the house (T2). Refuses ``day_limit``."""
    limit_cents = house.day_limit_cents
    row = _day_row(player, day, limit_cents)
    left_cents = limit_cents - row.spent_cents
    if cents > left_cents:
        raise Refused(
            "day_limit", "Limit: %(amount)s left today.", amount=money(max(0, left_cents), house.currency)
        )
    PlayerDay.objects.filter(pk=row.pk).update(spent_cents=F("spent_cents") + cents, limit_cents=limit_cents)


def _day_row(player: Player, day: date, limit_cents: int) -> PlayerDay:
    """Return the row of a person's gaming day, locked: another cashier, in another event, waits here."""
    # Another command may be inserting the same row: this insert waits for it and then does nothing.
    PlayerDay.objects.bulk_create(
        [PlayerDay(player=player, gaming_day=day, limit_cents=limit_cents)], ignore_conflicts=True
    )
    rows = PlayerDay.objects.filter(player=player, gaming_day=day)
    return (rows.select_for_update() if LOCK_THE_DAY else rows).get()


# The transaction and its legs in one statement.
_POST = """
    WITH posted AS (
        INSERT INTO tournament_moneytransaction
            (event_id, entry_id, kind, amount_cents, gaming_day, reverses_id, by_id, at)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s) RETURNING id
    ), legs AS (
        INSERT INTO tournament_moneyentry (transaction_id, account, amount_cents)
        SELECT posted.id, leg.account, leg.cents
        FROM posted, unnest(%s::text[], %s::bigint[]) AS leg (account, cents)
    )
    SELECT id FROM posted
"""


def _post(
    cmd: Command,
    kind: str,
    entry: Entry,
    amount_cents: int,
    legs: Mapping[str, int],
    day: date,
    *,
    reverses: MoneyTransaction | None = None,
) -> MoneyTransaction:
    # The day is stored and never recomputed, so the journal records it too (audit).
    cmd.note(gaming_day=day.isoformat())
    posted = MoneyTransaction(
        event=event_of(cmd),
        entry=entry,
        kind=kind,
        amount_cents=amount_cents,
        gaming_day=day,
        reverses=reverses,
        by=cmd.actor,
        at=cmd.at,
    )
    moved = {str(account): cents for account, cents in legs.items() if cents}
    ((posted.pk,),) = sql.rows(
        _POST,
        *(posted.event_id, posted.entry_id, str(kind), amount_cents, day),
        *(posted.reverses_id, posted.by_id, cmd.at, list(moved), list(moved.values())),
    )
    posted._state.adding = False
    return posted
