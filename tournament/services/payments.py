"""Pay prizes, and reverse payments (T26, T35).

A prize is paid once. If it grows later, because a player ahead is disqualified, the difference is paid; if a
payment was wrong, two people reverse it.
"""

from django.contrib.auth.models import User
from django.db.models import Q

from ground.refused import Conflict, Refused, refuse
from ground.words import Sentence
from ground.words import gettext_noop as _
from tournament.catalogue import REQUESTS
from tournament.engine.facts import Paid, PaymentReversed
from tournament.engine.prizes import Prize
from tournament.figures import money
from tournament.models import Entry, Event, MoneyTransaction, Payment, Request
from tournament.selectors.penalties import DISQUALIFY
from tournament.selectors.prizes import (
    CALL_OFF,
    TAKE_BACK,
    currency_of,
    payments_standing,
    prize_needs,
    prizes_at,
)

from .arguments import event_id_of_entry, event_of, find, reason_clean
from .entries import facts_apply
from .heads import heads_after_commit
from .journal import Command, Json, command
from .people import refuse_unchecked
from .requests import handler, request_add

PAY = "prize_pay"


# Paying ------------------------------------------------------------------------------------------------


def prize_pay(*, entry_id: int, identity_checked: bool, key: str, actor: User | None) -> Json:
    """Pay an entry its prize, or the increase since it was paid, after the identity check (T35).

    Below the posted threshold it is paid at once; result: ``payment``, ``place``, ``tied`` if others share
    it, ``amount_cents`` paid now, ``paid_before_cents`` if some of it was paid before,
    ``tax_form_from_cents`` (None if no tax form is needed) and ``event_paid``. If the whole prize reaches
    the threshold a second person must confirm; result: ``{"request": id, …}`` and ``amount_cents``. Refuses
    ``identity_not_checked``, ``journal_not_whole`` (409), and what ``why_not_pay`` returns.
    """

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        entry, prize = _payable(event, entry_id, identity_checked)
        if not prize_needs(event, prize.whole_cents)[0]:
            return _pay(cmd, entry, prize, paid_by=cmd.actor, second_person=None)
        about = {"entry": entry_id, "amount_cents": prize.left_cents, "identity_checked": True}
        requested = request_add(cmd, kind=PAY, body=about, reason=_why_second(event, entry, prize))
        return {**requested, "amount_cents": prize.left_cents}

    body, event_id = {"entry": entry_id, "identity_checked": identity_checked}, event_id_of_entry(entry_id)
    return command(kind="prize.pay", key=key, actor=actor, event_id=event_id, body=body, act=act)


def _why_second(event: Event, entry: Entry, prize: Prize) -> str:
    currency = currency_of(event)
    whole, paid = money(prize.whole_cents, currency), money(prize.paid_cents, currency)
    reason = f"The prize of {entry.code}, {whole}, is posted to need a second person."
    return f"{reason} {paid} of it is paid already." if prize.paid_cents else reason


def _payable_as_requested(request: Request) -> tuple[Entry, Prize]:
    """Return the entry and its prize if the requested amount can still be paid."""
    assert request.event is not None, "prizes are those of an event"
    entry, prize = _payable(request.event, int(request.body["entry"]), True)
    if prize.left_cents != request.body["amount_cents"]:
        raise Conflict(
            "prize_changed",
            "The prize has changed since this was asked for. Refuse this request, and make a new one.",
        )
    return entry, prize


@handler(PAY, check=_payable_as_requested)
def _pay_confirmed(cmd: Command, request: Request) -> Json:
    """Pay a prize that reaches the threshold after a second person confirmed it."""
    entry, prize = _payable_as_requested(request)
    return _pay(cmd, entry, prize, paid_by=request.requested_by, second_person=cmd.actor)


def _payable(event: Event, entry_id: int, identity_checked: bool) -> tuple[Entry, Prize]:
    """Return the entry and its prize if some of it can be paid now."""
    entry = find(Entry, entry_id, "entry")
    entry.event = event
    prize = _prize_of(entry)
    refuse(_why_not_pay(entry, prize))
    refuse_unchecked(identity_checked)
    return entry, prize


def _prize_of(entry: Entry) -> Prize:
    return prizes_at(entry.event).of(entry.code)


def why_not_pay(entry: Entry) -> Refused | None:
    """Return why an entry cannot be paid now (T35).

    ``paid_already`` (409): all of it; ``not_finished`` (409): a place is still played for; ``no_prize``; and
    what ``why_not_pay_yet`` returns.
    """
    return _why_not_pay(entry, _prize_of(entry))


def _why_not_pay(entry: Entry, prize: Prize) -> Refused | None:
    event = entry.event
    if prize.paid_cents and prize.left_cents <= 0:
        amount = money(prize.paid_cents, currency_of(event))
        return Conflict(
            "paid_already", "%(entry)s has been paid %(amount)s already.", entry=entry.code, amount=amount
        )
    if event.status not in (Event.Status.FINISHED, Event.Status.PAID):
        return Conflict("not_finished", "Prizes are paid once every place is decided.")
    if not prize.whole_cents:
        return Refused(
            "no_prize", "%(entry)s has no prize by its place and the posted structure.", entry=entry.code
        )
    return why_not_pay_yet(entry)


def why_not_pay_yet(entry: Entry) -> Refused | None:
    """Return ``answer_waits`` (409) while a request about this prize is open.

    Such a request disqualifies the player, reverses a payment, or calls the event off.
    """
    waiting = Request.waiting(entry.event_id, CALL_OFF, DISQUALIFY, TAKE_BACK)
    request = waiting.filter(Q(kind=CALL_OFF) | Q(body__entry=entry.pk)).first()
    if request is None:
        return None
    sentence = _(
        "A request waits for a second person: %(what)s. It must be confirmed or refused before %(entry)s "
        "is paid, because it cannot be confirmed after the payment."
    )
    what = Sentence(REQUESTS[request.kind].words)
    return Conflict("answer_waits", sentence, what=what, entry=entry.code)


def _pay(
    cmd: Command, entry: Entry, prize: Prize, *, paid_by: User | None, second_person: User | None
) -> Json:
    event, tax_form_from_cents = event_of(cmd), prize_needs(entry.event, prize.whole_cents)[1]
    assert entry.place is not None, "who has a prize has a place"
    number, amount_cents = _next_number(entry), prize.left_cents
    facts_apply(cmd, Paid(entry.code, amount_cents))
    payment = Payment.objects.create(
        event=event,
        entry=entry,
        number=number,
        kind=Payment.Kind.PRIZE if number == 1 else Payment.Kind.FURTHER,
        place=entry.place,
        amount_cents=amount_cents,
        paid_by=paid_by,
        identity_checked_by=paid_by,
        second_person=second_person,
        transaction=entry.money_transactions.latest("pk"),
        at=cmd.at,
    )
    heads_after_commit(event)
    return {
        "payment": payment.pk,
        "entry": entry.pk,
        "place": payment.place,
        **({"tied": True} if entry.place_tied else {}),
        "amount_cents": amount_cents,
        **({"paid_before_cents": prize.paid_cents} if prize.paid_cents else {}),
        "tax_form_from_cents": tax_form_from_cents,
        "event_paid": event.status == Event.Status.PAID,
    }


def _next_number(entry: Entry) -> int:
    return Payment.objects.filter(entry=entry).count() + 1


# Reversals -----------------------------------------------------------------------------------------------


def prize_take_back_request(*, entry_id: int, reason: str, key: str, actor: User | None) -> Json:
    """Request to reverse all payments to an entry, with a reason (faults, T26).

    The money must be back in the drawer first; result: ``{"request": id, …}``. A paid event then has a prize
    to pay again. Refuses ``nothing_paid`` (409) and ``reason_missing``.
    """
    why = reason_clean(reason)

    def act(cmd: Command) -> Json:
        paid_cents = _in_hand(find(Entry, entry_id, "entry"))
        return request_add(
            cmd, kind=TAKE_BACK, body={"entry": entry_id, "amount_cents": paid_cents}, reason=why
        )

    body = {"kind": TAKE_BACK, "body": {"entry": entry_id}, "reason": why}
    event_id = event_id_of_entry(entry_id)
    return command(kind="request.open", key=key, actor=actor, event_id=event_id, body=body, act=act)


def _in_hand(entry: Entry) -> int:
    """Return the amount paid to an entry, in cents. Raises Refused ``nothing_paid`` (409)."""
    paid_cents = _prize_of(entry).paid_cents
    if not paid_cents:
        raise Conflict(
            "nothing_paid", "There is no payment to %(entry)s that could be taken back.", entry=entry.code
        )
    return paid_cents


@handler(TAKE_BACK)
def _take_back(cmd: Command, request: Request) -> Json:
    """Reverse every standing payment by a row of its own, after a second person confirmed."""
    event, entry = event_of(cmd), find(Entry, int(request.body["entry"]), "entry")
    if _in_hand(entry) != request.body["amount_cents"]:
        raise Conflict(
            "prize_changed",
            "A different amount has been paid since. Refuse this request, and make a new one.",
        )
    standing = list(payments_standing(event).filter(entry=entry).order_by("-number"))
    facts_apply(cmd, PaymentReversed(entry.code, request.body["amount_cents"]))
    for payment in standing:
        Payment.objects.create(
            event=event,
            entry=entry,
            number=_next_number(entry),
            kind=Payment.Kind.TAKEN_BACK,
            place=payment.place,
            amount_cents=payment.amount_cents,
            paid_by=request.requested_by,
            second_person=cmd.actor,
            takes_back=payment,
            reason=reason_clean(request.reason),
            transaction=MoneyTransaction.objects.get(reverses=payment.transaction_id),
            at=cmd.at,
        )
    heads_after_commit(event)
    return {"entry": entry.pk, "amount_cents": request.body["amount_cents"]}
