"""The pool, the prizes of a structure, and the prize of every entry (T30–T35)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import Count, QuerySet, Sum

from ground.refused import Conflict, Refused, refuse
from ground.words import gettext_noop as _
from tournament.engine.payouts import BOTH, FIXED, Structure, difference_cents, payout_table
from tournament.engine.payouts import pool as pool_of_buy_ins
from tournament.engine.plan import plan_of
from tournament.engine.prizes import Prizes
from tournament.engine.promise import ALL_OF_POOL, SHARE_OF_POOL
from tournament.engine.ranking import Ranked
from tournament.engine.settings import promise_of
from tournament.engine.state import Money, State
from tournament.engine.steps.prizes import prizes_now
from tournament.figures import money
from tournament.models import Entry, Event, House, MoneyTransaction, Payment
from tournament.selectors.stages import live_payouts


@dataclass(frozen=True)
class Pool:
    """The parts of the pool, in cents (T32); ``entries`` are those whose buy-in was not refunded."""

    entries: int
    buy_ins_cents: int
    fees_cents: int
    guarantee_cents: int
    cents: int

    @property
    def raised_cents(self) -> int:
        """The amount that the house adds to reach the posted guarantee."""
        return max(0, self.cents - (self.buy_ins_cents - self.fees_cents))


@dataclass(frozen=True)
class PrizeRow:
    """One paid place: its share in basis points (None for fixed prizes) and its prize in cents, of which
    ``fixed_cents`` are fixed (None unless the kind is ``both``)."""

    place: int
    share_bp: int | None
    prize_cents: int
    fixed_cents: int | None = None


class PoolBeside(StrEnum):
    """The comparison of the prizes with the pool (T32)."""

    EXACT = "exact"
    FIXED_ON_TOP = "fixed_on_top"
    MORE = "more"
    LESS = "less"


@dataclass(frozen=True)
class Compared:
    """Prizes compared with the pool and with the promise of the posted rules, in cents (T32).

    ``promised_cents`` is None if the rules promise all of the pool; ``promised_bp`` if they promise no share
    of it. ``unit_cents``: shares are rounded down to it; None for fixed prizes.
    """

    pool: str
    pool_cents: int
    prizes_cents: int
    unit_cents: int | None = None
    promised_cents: int | None = None
    promised_bp: int | None = None


@dataclass(frozen=True)
class PayoutsCheck:
    """The prizes of a structure with today's pool.

    ``problem``: the sentence of a refusal, empty if the structure can be posted; then ``compared`` compares
    its prizes with the pool.
    """

    rows: tuple[PrizeRow, ...]
    pool_cents: int
    difference_cents: int
    compared: Compared | None
    code: str = ""
    problem: str = ""

    @property
    def ok(self) -> bool:
        """Whether the structure can be posted."""
        return not self.code

    @property
    def total_cents(self) -> int:
        """All prizes together."""
        return sum(row.prize_cents for row in self.rows)

    @property
    def whole_bp(self) -> int:
        """All shares together, in basis points."""
        return sum(row.share_bp or 0 for row in self.rows)


@dataclass(frozen=True)
class PrizeLine:
    """The prize of one entry, the amount paid, and every payment (T35).

    ``amount_cents``: the whole prize. ``paid_cents``: payments less reversals. ``tax_form_from_cents``: the
    posted amount from which a tax form is needed, None if the prize does not reach it.
    """

    entry: Entry
    amount_cents: int
    paid_cents: int
    payments: tuple[Payment, ...]
    second_person: bool
    tax_form_from_cents: int | None

    @property
    def left_cents(self) -> int:
        """The unpaid amount: the whole prize, or its increase since the last payment (T26)."""
        return self.amount_cents - self.paid_cents

    @property
    def payment(self) -> Payment | None:
        """The last payment or its reversal; None before the first."""
        return self.payments[-1] if self.payments else None

    @property
    def last_cents(self) -> int:
        """The amount last paid or reversed; one command may reverse several payments."""
        last = self.payment
        return sum(each.amount_cents for each in self.payments if last and each.at == last.at)


TAKE_BACK = "prize_take_back"
"""The request to reverse the payments of a prize."""
CALL_OFF = "call_off"
"""The request to call an event off once every place is decided."""


def currency_of(event: Event | None, house: House | None = None) -> str:
    """Return the currency of the event's amounts: the house's on the day when the rules were posted, or now.

    ``house``: the house, if it has been read already.
    """
    posted = event.settings.house_rules.get("currency") if event and event.settings_json else None
    if not posted:
        posted = house.currency if house else House.objects.values_list("currency", flat=True).first()
    return str(posted or "USD")


def pool_of(event: Event) -> Pool:
    """Return the pool: buy-ins that were not refunded, less the fee, raised to the guarantee (T32).

    A called-off event has none: the money in the drawer is owed to the entries (T8).
    """
    if event.status == Event.Status.CALLED_OFF:
        return Pool(0, 0, 0, 0, 0)
    kept = buy_ins_standing(event).aggregate(count=Count("pk"), cents=Sum("amount_cents"))
    count, buy_ins_cents = int(kept["count"]), int(kept["cents"] or 0)
    fees_cents = count * event.fee_cents
    cents = pool_of_buy_ins(buy_ins_cents, fees_cents, event.guarantee_cents)
    return Pool(count, buy_ins_cents, fees_cents, event.guarantee_cents, cents)


def buy_ins_standing(event: Event) -> QuerySet[MoneyTransaction]:
    """Return the buy-ins of an event that were not refunded."""
    return MoneyTransaction.objects.filter(
        event=event, kind=MoneyTransaction.Kind.BUY_IN, reversed_by__isnull=True
    )


def structure_from_dict(data: Mapping[str, Any]) -> Structure:
    """Return a structure from JSON: ``{"kind": "shares" | "fixed" | "both", "amounts": [...]}``.

    ``both`` also has ``fixed``, of the same length as ``amounts``. Raises Refused ``payout_amounts`` for
    amounts that are not whole numbers.
    """
    lists = [data.get("amounts"), *([data.get("fixed")] if data.get("kind") == BOTH else [])]
    found = [tuple(each) for each in lists if isinstance(each, list | tuple)]
    if len(found) < len(lists) or any(type(amount) is not int for each in found for amount in each):
        raise Refused("payout_amounts", "Every place needs a share or an amount in figures.")
    return Structure(str(data.get("kind", "")), *found)


def structure_to_dict(structure: Structure) -> dict[str, Any]:
    """Return the structure as JSON, as it is posted and journalled."""
    stored = {"kind": structure.kind, "amounts": list(structure.amounts)}
    return {**stored, "fixed": list(structure.fixed)} if structure.kind == BOTH else stored


def prize_rows(structure: Structure, prizes_cents: Sequence[int]) -> tuple[PrizeRow, ...]:
    """Return the paid places of a structure, each with the parts of its prize."""
    none: tuple[int | None, ...] = (None,) * len(prizes_cents)
    shares = none if structure.kind == FIXED else structure.amounts
    fixed = structure.fixed if structure.kind == BOTH else none
    return tuple(
        PrizeRow(place, *each)
        for place, each in enumerate(zip(shares, prizes_cents, fixed, strict=True), start=1)
    )


def payable_entries_count(event: Event) -> int:
    """Return how many entries can still win a prize: those that are in the event (T26, T32)."""
    return event.entries.filter(status=Entry.Status.LIVE).count()


def payouts_check(event: Event, structure: Structure | Mapping[str, Any]) -> PayoutsCheck:
    """Return the prizes of ``structure`` with today's pool, by place; never raises (T30, T32).

    For the page where a structure is built: a structure that cannot be posted is returned with its ``code``
    and ``problem`` and without rows. Prizes below the promise of the rules have the code
    ``pays_less_than_promised``.
    """
    pool, entries, settings = pool_of(event), payable_entries_count(event), event.settings
    divided_cents = promise_of(settings).divided_cents(pool.cents)
    try:
        structure = structure if isinstance(structure, Structure) else structure_from_dict(structure)
        prizes = payout_table(structure, divided_cents, entries, settings.prize_unit_cents)
        refuse(_pays_less(event, prizes, pool.cents, entries))
    except Refused as refused:
        return PayoutsCheck((), pool.cents, 0, None, refused.code, refused.message)
    return PayoutsCheck(
        prize_rows(structure, prizes),
        pool.cents,
        difference_cents(prizes, pool.cents),
        payouts_compared(structure.kind, prizes, pool.cents, event),
    )


def _pays_less(event: Event, prizes_cents: Sequence[int], pool_cents: int, entries: int) -> Refused | None:
    """T32: return why these prizes break the promise of the posted rules, with both amounts."""
    short = promise_of(event.settings).shortfall(prizes_cents, pool_cents, entries)
    if short is None:
        return None
    currency = currency_of(event)
    sentence = _("These prizes add up to %(paid)s. The posted rules promise %(promised)s.")
    if short.place is not None:
        sentence = _("Place %(place)s would be paid %(paid)s. The posted rules promise %(promised)s for it.")
    return Refused(
        "pays_less_than_promised",
        sentence,
        place=short.place,
        paid=money(short.paid_cents, currency),
        promised=money(short.promised_cents, currency),
    )


def payouts_compared(kind: str, prizes_cents: Sequence[int], pool_cents: int, event: Event) -> Compared:
    """Compare prizes with the pool, and with the promise of the rules if it is another amount (T32)."""
    promise, settings = promise_of(event.settings), event.settings
    return Compared(
        _pool_beside(kind, difference_cents(prizes_cents, pool_cents), promise.kind),
        pool_cents,
        sum(prizes_cents),
        None if kind == FIXED else settings.prize_unit_cents,
        promise.promised_cents(pool_cents, len(prizes_cents)) if promise.kind != ALL_OF_POOL else None,
        promise.share_bp or 0 if promise.kind == SHARE_OF_POOL else None,
    )


def _pool_beside(kind: str, more_cents: int, promise: str) -> PoolBeside:
    if kind == BOTH and more_cents > 0 and promise != SHARE_OF_POOL:
        return PoolBeside.FIXED_ON_TOP
    if not more_cents:
        return PoolBeside.EXACT
    return PoolBeside.MORE if more_cents > 0 else PoolBeside.LESS


def paid_of(event: Event) -> dict[str, int]:
    """Return the net payments to entries in cents, by entry code; without entries that got nothing."""
    standing = payments_standing(event).order_by().values_list("entry__code")
    return dict(standing.annotate(cents=Sum("amount_cents")))


def payments_standing(event: Event) -> QuerySet[Payment]:
    """Return the payments of an event that were not reversed (T31: from the first one on the prizes
    stand)."""
    made = Payment.objects.filter(event=event).exclude(kind=Payment.Kind.TAKEN_BACK)
    return made.filter(taken_back_by__isnull=True)


def why_payouts_stand(event: Event) -> Refused | None:
    """Return ``paid_from`` (409) if a prize was paid by the posted structure, so that it cannot be superseded
    (T31).

    Once two people have reversed the last payment, it can be superseded again.
    """
    if not payments_standing(event).exists():
        return None
    return Conflict(
        "paid_from",
        "Prizes have been paid by the posted structure. It can be replaced once two people have "
        "taken back each payment.",
    )


def money_state(event: Event) -> State:
    """Return the state of an event without its stages: the decided places, the prizes, the money.

    Buy-ins are read only for a called-off event, which refunds them (T8).
    """
    live, plan = live_payouts(event), plan_of(event.settings_json)
    placed = list(event.entries.filter(place__isnull=False).order_by("place", "number"))
    places = tuple(Ranked(e.code, e.final_chips or 0, e.place or 0, e.place_tied) for e in placed)
    # Only the ledger knows how much of a payment was from the pool.
    paid = {code: ((cents, 0),) for code, cents in paid_of(event).items()}
    due = buy_ins_standing(event) if event.status == Event.Status.CALLED_OFF else None
    spent = dict(due.values_list("entry__code", "amount_cents")) if due is not None else {}
    prizes_cents = tuple(live.prizes_cents) if live else None
    entries = {each.code: each.status for each in placed}
    return State(plan, event.status, entries, (), {}, prizes_cents, places, Money(spent, paid, 0), (), ())


def prizes_at(event: Event, state: State | None = None) -> Prizes:
    """Return every prize by the stored places, structure and payments.

    ``state``: the event's ``money_state``, if it has been read.
    """
    return prizes_now(state or money_state(event))


def prizes_for(event: Event) -> dict[str, int]:
    """Return the whole prize of every placed entry in cents, by entry code (T35, T26)."""
    return prizes_at(event).whole


def prize_lines(event: Event, state: State | None = None) -> list[PrizeLine]:
    """Return every entry that is owed a prize or has been paid one, best place first (T35).

    ``state``: the event's ``money_state``, if it has been read.
    """
    prizes = prizes_at(event, state)
    owed = {code for code, cents in prizes.whole.items() if cents} | prizes.paid_cents.keys()
    entries = event.entries.filter(code__in=owed).select_related("player")
    return _lines(event, entries.order_by("place", "number"), prizes)


def prize_line(event: Event, entry: Entry) -> PrizeLine:
    """Return the line of one entry; one of 0 cents if it has no prize and never had a payment."""
    (line,) = _lines(event, [entry], prizes_at(event))
    return line


def _lines(event: Event, entries: Iterable[Entry], prizes: Prizes) -> list[PrizeLine]:
    made: dict[int, list[Payment]] = defaultdict(list)
    people = ("paid_by", "identity_checked_by", "second_person")
    for payment in Payment.objects.filter(event=event).select_related(*people).order_by("number"):
        made[payment.entry_id].append(payment)
    lines = []
    for entry in entries:
        prize = prizes.of(entry.code)
        # While a tie is played after the first payments nobody has a prize: the payments stand.
        amount_cents = max(prize.whole_cents, prize.paid_cents)
        needs = prize_needs(event, amount_cents)
        lines.append(PrizeLine(entry, amount_cents, prize.paid_cents, tuple(made[entry.pk]), *needs))
    return lines


def prize_needs(event: Event, amount_cents: int) -> tuple[bool, int | None]:
    """Return whether a prize needs a second person, and the amount from which it needs a tax form (T35).

    A prize paid in parts is one prize: the last part needs what the whole prize needs.
    """
    second_from, form_from = event.settings.second_person_from_cents, event.settings.tax_notice_from_cents
    asks_form = form_from is not None and amount_cents >= form_from
    return second_from is not None and amount_cents >= second_from, form_from if asks_form else None
