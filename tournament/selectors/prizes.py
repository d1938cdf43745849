"""The pool, what a structure would pay, and what every entry is owed: reads only (T30–T35)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet, Sum
from django.utils.translation import gettext as _

from ground.refused import Refused, refuse
from ground.words import Sentence
from tournament.engine.payouts import BOTH, FIXED, Structure, difference_cents, payout_table, percent
from tournament.engine.payouts import pool as pool_of_buy_ins
from tournament.engine.promise import ALL_OF_POOL, NOT_PROMISED, SHARE_OF_POOL
from tournament.engine.settings import promise_of
from tournament.engine.ties import prizes_by_entry, prizes_whole
from tournament.figures import money, ordinal
from tournament.models import Entry, Event, House, MoneyTransaction, Payment, Request
from tournament.selectors.stages import live_payouts
from tournament.selectors.unheld import (
    places_ranked,
    sharing_waits,
    unheld_of,
    unheld_words,
    waiting_words,
)


@dataclass(frozen=True)
class Pool:
    """Where the pool comes from, in cents (T32); ``entries`` are those whose buy-in was not refunded."""

    entries: int
    buy_ins_cents: int
    fees_cents: int
    guarantee_cents: int
    cents: int

    @property
    def raised_cents(self) -> int:
        """What the house adds to reach the posted guarantee."""
        return max(0, self.cents - (self.buy_ins_cents - self.fees_cents))


@dataclass(frozen=True)
class PrizeRow:
    """One paid place: its share in basis points (None where prizes are fixed) and its prize in cents;
    ``fixed_cents`` of it come on top of the share, None where prizes are not both."""

    place: int
    share_bp: int | None
    prize_cents: int
    fixed_cents: int | None = None


@dataclass(frozen=True)
class PayoutsCheck:
    """What a structure comes to with the pool as it is; ``problem`` is a refusal's sentence, or empty."""

    rows: tuple[PrizeRow, ...]
    pool_cents: int
    difference_cents: int
    sentences: tuple[str, ...]
    code: str = ""
    problem: str = ""

    @property
    def ok(self) -> bool:
        """Whether it can be posted."""
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
    """The prize of one entry, what has been paid of it, and every payment as it was made (T35).

    ``amount_cents`` is the whole prize, ``paid_cents`` what has been paid and not taken back.
    """

    entry: Entry
    amount_cents: int
    paid_cents: int
    payments: tuple[Payment, ...]
    second_person: bool
    tax_notice: str

    @property
    def left_cents(self) -> int:
        """What is still to be paid: all of it, or what the prize has grown by since (T26)."""
        return self.amount_cents - self.paid_cents

    @property
    def payment(self) -> Payment | None:
        """The last payment, or its taking back; None before the first."""
        return self.payments[-1] if self.payments else None

    @property
    def last_cents(self) -> int:
        """What was paid, or taken back, the last time: one command may take several payments back."""
        last = self.payment
        return sum(each.amount_cents for each in self.payments if last and each.at == last.at)


TAKE_BACK = "prize_take_back"
"""The request of two persons to take a prize back that was paid."""


def take_back_waits(entry: Entry) -> Request | None:
    """The request by which a second person is asked to take a prize back; None where nobody is (T26)."""
    asked = Request.objects.filter(event=entry.event_id, kind=TAKE_BACK, status=Request.Status.OPEN)
    return asked.filter(body__entry=entry.pk).first()


@dataclass(frozen=True)
class SharedTo:
    """An entry that may be given something of what nobody holds: its own prize, its share now, in cents."""

    entry: Entry
    by_place_cents: int
    share_cents: int
    paid_cents: int


def currency_of(event: Event | None) -> str:
    """The currency of the event's amounts: the house's on the day when the rules were posted, or now."""
    posted = event.settings.house_rules.get("currency") if event and event.settings_json else None
    return str(posted or House.objects.values_list("currency", flat=True).first() or "USD")


def pool_of(event: Event) -> Pool:
    """The pool: buy-ins that were not refunded, less the fee, raised to the guarantee (T32).

    A called-off event has none: what lies in the drawer is due to the entries (T8).
    """
    if event.status == Event.Status.CALLED_OFF:
        return Pool(0, 0, 0, 0, 0)
    kept = MoneyTransaction.objects.filter(
        event=event, kind=MoneyTransaction.Kind.BUY_IN, reversed_by__isnull=True
    ).aggregate(count=Count("pk"), cents=Sum("amount_cents"))
    count, buy_ins_cents = int(kept["count"]), int(kept["cents"] or 0)
    fees_cents = count * event.fee_cents
    cents = pool_of_buy_ins(buy_ins_cents, fees_cents, event.guarantee_cents)
    return Pool(count, buy_ins_cents, fees_cents, event.guarantee_cents, cents)


def structure_from_dict(data: Mapping[str, Any]) -> Structure:
    """The structure that was stored or sent: ``{"kind": "shares" | "fixed" | "both", "amounts": [...]}``.

    ``both`` has ``fixed`` beside it, as long as ``amounts``. Raises Refused ``payout_amounts`` for amounts
    that are not whole numbers.
    """
    lists = [data.get("amounts"), *([data.get("fixed")] if data.get("kind") == BOTH else [])]
    found = [tuple(each) for each in lists if isinstance(each, list | tuple)]
    if len(found) < len(lists) or any(type(amount) is not int for each in found for amount in each):
        raise Refused("payout_amounts", _("Every place needs a share or an amount in figures."))
    return Structure(str(data.get("kind", "")), *found)


def structure_to_dict(structure: Structure) -> dict[str, Any]:
    """The structure as JSON, as it is posted and journalled."""
    said = {"kind": structure.kind, "amounts": list(structure.amounts)}
    return {**said, "fixed": list(structure.fixed)} if structure.kind == BOTH else said


def prize_rows(structure: Structure, prizes_cents: Sequence[int]) -> tuple[PrizeRow, ...]:
    """The paid places of a structure with what each of them is made of."""
    none: tuple[int | None, ...] = (None,) * len(prizes_cents)
    shares = none if structure.kind == FIXED else structure.amounts
    fixed = structure.fixed if structure.kind == BOTH else none
    return tuple(
        PrizeRow(place, *each)
        for place, each in enumerate(zip(shares, prizes_cents, fixed, strict=True), start=1)
    )


def entries_that_can_be_paid(event: Event) -> int:
    """How many entries can still win a prize: those that are in the event (T26, T32)."""
    return event.entries.filter(status=Entry.Status.LIVE).count()


def payouts_check(event: Event, structure: Structure | Mapping[str, Any]) -> PayoutsCheck:
    """What ``structure`` would pay with today's pool, place by place, in sentences; never raises (T30, T32).

    For the page where a structure is built: a structure that cannot be posted comes back with its
    ``code`` and ``problem`` and without rows. Prizes below the promise of the rules have the code
    ``pays_less_than_promised``.
    """
    pool, entries, settings = pool_of(event), entries_that_can_be_paid(event), event.settings
    divided_cents = promise_of(settings).divided_cents(pool.cents)
    try:
        structure = structure if isinstance(structure, Structure) else structure_from_dict(structure)
        prizes = payout_table(structure, divided_cents, entries, settings.prize_unit_cents)
        refuse(_pays_less(event, prizes, pool.cents, entries))
    except Refused as refused:
        return PayoutsCheck((), pool.cents, 0, (), refused.code, refused.message)
    return PayoutsCheck(
        prize_rows(structure, prizes),
        pool.cents,
        difference_cents(prizes, pool.cents),
        payout_sentences(structure.kind, prizes, pool.cents, event),
    )


def _pays_less(event: Event, prizes_cents: Sequence[int], pool_cents: int, entries: int) -> Refused | None:
    """T32: why these prizes break the promise of the posted rules, with what they pay and what it is."""
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


def payout_sentences(
    kind: str, prizes_cents: Sequence[int], pool_cents: int, event: Event
) -> tuple[str, ...]:
    """How the prizes compare with the promise and with the pool, and how shares were rounded (T32)."""
    said = (
        _pool_sentence(kind, prizes_cents, pool_cents, event),
        *_promise_sentences(prizes_cents, pool_cents, event),
    )
    if kind == FIXED:
        return said
    unit = money(event.settings.prize_unit_cents, currency_of(event))
    return (
        *said,
        f"Shares are rounded down to {unit}; what is left over goes to the places that lost most by it.",
    )


def _promise_sentences(prizes_cents: Sequence[int], pool_cents: int, event: Event) -> tuple[str, ...]:
    """T32: the promise beside the prizes, where it is another sum than the pool."""
    promise, currency = promise_of(event.settings), currency_of(event)
    if promise.kind in (ALL_OF_POOL, NOT_PROMISED):
        return ()
    promised_cents = promise.promised_cents(pool_cents, len(prizes_cents))
    said = money(promised_cents, currency)
    if promise.kind == SHARE_OF_POOL:
        said += f", {percent(promise.share_bp or 0)} of the pool"
    more_cents = sum(prizes_cents) - promised_cents
    if not more_cents:
        return (f"The prizes add up to what the posted rules promise: {said}.",)
    return (f"The prizes are {money(more_cents, currency)} more than the posted rules promise: {said}.",)


def _pool_sentence(kind: str, prizes_cents: Sequence[int], pool_cents: int, event: Event) -> str:
    """T32: the pool beside the prizes, and who bears a difference."""
    difference, currency = difference_cents(prizes_cents, pool_cents), currency_of(event)
    pool = money(pool_cents, currency)
    if kind == BOTH and difference > 0 and promise_of(event.settings).kind != SHARE_OF_POOL:
        added = money(difference, currency)
        shares = f"The shares add up to the pool of {pool} exactly"
        return f"{shares}, and the house adds the fixed amounts of {added}."
    if difference > 0:
        return f"The prizes are {money(difference, currency)} more than the pool; the house adds that."
    if difference < 0:
        return f"The prizes are {money(-difference, currency)} less than the pool; the house keeps that."
    return f"The prizes add up to the pool of {pool} exactly."


def paid_of(event: Event) -> dict[int, int]:
    """What has been paid to every entry and not taken back, in cents, by entry id; nobody with nothing."""
    standing = payments_standing(event).order_by().values_list("entry_id")
    return dict(standing.annotate(cents=Sum("amount_cents")))


def payments_standing(event: Event) -> QuerySet[Payment]:
    """The payments of an event that have not been taken back (T31: from the first one the prizes stand)."""
    made = Payment.objects.filter(event=event).exclude(kind=Payment.Kind.TAKEN_BACK)
    return made.filter(taken_back_by__isnull=True)


def why_paid_stands(event: Event, what: str, *, code: str = "paid_from") -> Refused | None:
    """``paid_from`` (409), or ``code``: what stands as long as a payment stands, said of ``what`` (T31).

    A payment that two persons take back is none any more: with the last of them it opens again.
    """
    if not payments_standing(event).exists():
        return None
    until = _("%(what)s until every payment has been taken back, each by two persons.")
    return Refused(code, until, status=409, what=Sentence(what))


def why_payouts_stand(event: Event) -> Refused | None:
    """Why the posted structure is not superseded any more: somebody has been paid by it (T31)."""
    return why_paid_stands(event, _("Prizes have been paid by the posted structure: it stands"))


def prizes_for(event: Event) -> dict[int, int]:
    """The whole prize of every placed entry in cents, by entry id: by its place and the structure (T35).

    Ties that nobody played for share the prizes of their places equally (T33), and a place that nobody holds
    any more leaves its prize to the others, as two persons ruled or in proportion, to nobody less than what
    they have been paid (T26). Empty before a structure is posted or places are decided, and once the event
    is called off (T8).
    """
    if event.status == Event.Status.CALLED_OFF:
        return {}
    live, ranked = live_payouts(event), places_ranked(event)
    if live is None or not ranked:
        return {}
    ids = dict(event.entries.filter(place__isnull=False).values_list("code", "pk"))
    paid = paid_of(event)
    in_hand = {code: paid.get(pk, 0) for code, pk in ids.items()}
    unheld = unheld_of(event, live, ranked)
    ruled = unheld.shares_cents if unheld else {}
    return {
        ids[code]: cents for code, cents in prizes_whole(ranked, live.prizes_cents, in_hand, ruled).items()
    }


def unheld_sentences(event: Event) -> list[str]:
    """What becomes of the prizes that nobody holds in an event, in sentences; empty where all are held."""
    live = live_payouts(event)
    unheld = unheld_of(event, live)
    return unheld_words(unheld, live.prizes_cents, currency_of(event)) if live and unheld else []


def unheld_told(event: Event) -> list[str]:
    """As ``unheld_sentences``, for the staff: a ruling that waits for a second person, where one does."""
    live = live_payouts(event)
    unheld = unheld_of(event, live)
    asked = sharing_waits(event, unheld, live) if live and unheld else None
    if asked is None or unheld is None:
        return unheld_sentences(event)
    return [waiting_words(unheld, asked, currency_of(event))]


def shared_to(event: Event) -> list[SharedTo]:
    """Everybody who holds a place, with the share that they have as things stand, best place first (T26)."""
    live, ranked, paid, prizes = live_payouts(event), places_ranked(event), paid_of(event), prizes_for(event)
    by_place = prizes_by_entry(ranked, live.prizes_cents) if live else {}
    placed = event.entries.filter(place__isnull=False).exclude(status=Entry.Status.DISQUALIFIED)
    return [
        SharedTo(
            each,
            by_place.get(each.code, 0),
            prizes.get(each.pk, 0) - by_place.get(each.code, 0),
            paid.get(each.pk, 0),
        )
        for each in placed.select_related("player").order_by("place", "number")
    ]


def prize_lines(event: Event) -> list[PrizeLine]:
    """Everybody who is owed a prize or has been paid one, best place first (T35)."""
    prizes, paid = prizes_for(event), paid_of(event)
    owed = {pk for pk, cents in prizes.items() if cents} | set(paid)
    entries = event.entries.filter(pk__in=owed).select_related("player")
    return _lines(event, entries.order_by("place", "number"), prizes, paid)


def prize_line(event: Event, entry: Entry) -> PrizeLine | None:
    """The line of one entry; None for who has no prize and never had a payment."""
    prizes, paid = prizes_for(event), paid_of(event)
    (line,) = _lines(event, [entry], prizes, paid)
    return line if line.amount_cents or line.payments else None


def _lines(
    event: Event, entries: Iterable[Entry], prizes: Mapping[int, int], paid: Mapping[int, int]
) -> list[PrizeLine]:
    made: dict[int, list[Payment]] = defaultdict(list)
    people = ("paid_by", "identity_checked_by", "second_person")
    for payment in Payment.objects.filter(event=event).select_related(*people).order_by("number"):
        made[payment.entry_id].append(payment)
    return [_line(event, each, prizes, paid.get(each.pk, 0), made[each.pk]) for each in entries]


def _line(
    event: Event, entry: Entry, prizes: Mapping[int, int], paid_cents: int, made: Iterable[Payment]
) -> PrizeLine:
    # While a tie is played after the first payments nobody has a prize: what was paid stands.
    amount_cents = max(prizes.get(entry.pk, 0), paid_cents)
    second, notice = prize_asks(event, amount_cents)
    return PrizeLine(entry, amount_cents, paid_cents, tuple(made), second, notice)


def still_to_pay_words(line: PrizeLine, currency: str) -> list[str]:
    """Of a prize that was paid and has grown since: by what, what it is now, what is left (T26)."""
    place, last = line.entry.place, line.payment
    if not line.left_cents or last is None:
        return []
    amounts = {"whole": line.amount_cents, "paid": line.paid_cents, "left": line.left_cents}
    names = {name: money(cents, currency) for name, cents in amounts.items()}
    if not line.paid_cents:
        return [_("What was paid has been taken back: the prize of %(whole)s is still to be paid.") % names]
    if place and place != last.place:
        names |= {"then": ordinal(last.place), "now": ordinal(place)}
        why = _(
            "Paid for %(then)s place; somebody ahead has been disqualified since, "
            "and the place is now %(now)s."
        )
    else:
        why = _("Since it was paid, a part of a prize that nobody is paid for any more has come to it.")
    said = _("The prize is %(whole)s now, and %(paid)s of it has been paid: %(left)s is still to be paid.")
    return [f"{why % names} {said % names}"]


def prize_asks(event: Event, amount_cents: int) -> tuple[bool, str]:
    """What the size of a whole prize asks for: a second person, a tax notice or an empty one (T35).

    Paid in parts it is the same prize: the last part asks for what the whole does.
    """
    settings = event.settings
    second_from, notice_from = settings.second_person_from_cents, settings.tax_notice_from_cents
    notice = ""
    if notice_from is not None and amount_cents >= notice_from:
        limit = money(notice_from, currency_of(event))
        notice = (
            f"This prize reaches the posted tax-report amount of {limit}: fill in the form before paying."
        )
    return second_from is not None and amount_cents >= second_from, notice
