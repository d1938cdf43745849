"""Posting the payout structure, and paying the prizes (T30–T35)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from ground.refused import Refused
from tournament.engine.payouts import Structure
from tournament.engine.ranking import Ranked
from tournament.engine.ties import money_ties
from tournament.models import Entry, Event, Payment, PayoutStructure, Posting, Request
from tournament.roles import CASHIER, MANAGER
from tournament.selectors.prizes import (
    PayoutsCheck,
    currency_of,
    entries_that_can_be_paid,
    payouts_check,
    payouts_may_be_posted,
    pool_of,
    prize_line,
    prizes_for,
    structure_from_dict,
    structure_to_dict,
)
from tournament.selectors.stages import live_payouts

from .asked import event_id_of_entry, event_of, find, reason_clean
from .journal import Command, Json, command
from .money import money_prize, money_text
from .requests import handler, request_open
from .rounds import places_settle, posting_make
from .status import status_move

__all__ = ["PAY", "SUPERSEDE", "payouts_check", "payouts_post", "payouts_supersede_request", "prize_pay"]

SUPERSEDE = "payouts_supersede"
PAY = "prize_pay"


# Posting ----------------------------------------------------------------------------------------------


def payouts_post(
    *, event_id: int, structure: Structure | Mapping[str, Any], key: str, actor: User | None
) -> Json:
    """Post the payout structure, from the close of round 1 on (T31). Result: ids, ``hash``, ``prizes_cents``.

    Where play is over already, the places are settled with it. Refuses ``too_early`` and ``not_in_play``
    (409), ``posted_already`` (409), ``alternates_waiting`` (409), and every structure that cannot be paid
    (T30, T32).
    """
    asked = structure_to_dict(_structure(structure))

    def act(cmd: Command) -> Json:
        event = event_of(cmd)
        _post_check(event)
        if live_payouts(event) is not None:
            raise Refused(
                "posted_already",
                "A payout structure is posted. Two persons may supersede it until the first payment.",
                status=409,
            )
        _refuse_waiting(event)
        posted = _post(cmd, _structure(asked), reason="")
        places_settle(cmd, event)
        return _result(posted)

    body = {"structure": asked}
    return command(
        kind="payouts.post", key=key, actor=actor, event_id=event_id, body=body, act=act, standings=True
    )


def payouts_supersede_request(
    *,
    event_id: int,
    structure: Structure | Mapping[str, Any],
    reason: str,
    key: str,
    actor: User | None,
) -> Json:
    """Ask a second person to supersede the structure, with a reason (T31). Result: ``{"request": id}``.

    Refuses what ``payouts_post`` refuses, ``nothing_posted`` (409), ``paid_from`` (409) after the first
    payment, and ``tie_again`` where settled places would have to be played for.
    """
    asked = structure_to_dict(_structure(structure))
    return request_open(
        event_id=event_id,
        kind=SUPERSEDE,
        body={"structure": asked},
        reason=reason,
        check=lambda: _supersede_check(find(Event, event_id, "event"), _structure(asked)),
        key=key,
        actor=actor,
    )


@handler(SUPERSEDE, asks=(MANAGER, CASHIER))
def _supersede(cmd: Command, request: Request) -> Json:
    """The second person has confirmed: the new version is posted, the old one stays public."""
    event, structure = event_of(cmd), _structure(request.body["structure"])
    old = _supersede_check(event, structure)
    status_move(old, PayoutStructure.Status.SUPERSEDED)
    posted = _post(cmd, structure, reason=reason_clean(request.reason))
    places_settle(cmd, event)
    return _result(posted)


def _structure(structure: Structure | Mapping[str, Any]) -> Structure:
    return structure if isinstance(structure, Structure) else structure_from_dict(structure)


def _post_check(event: Event) -> None:
    if event.status not in (Event.Status.RUNNING, Event.Status.FINISHED):
        status = event.get_status_display()
        raise Refused("not_in_play", f"The event is {status}; no prizes are posted now.", status=409)
    if not payouts_may_be_posted(event):
        raise Refused("too_early", "The payout structure is posted once round 1 is closed.", status=409)


def _refuse_waiting(event: Event) -> None:
    """T6, T32: an alternate who never had a seat has the buy-in back before the pool is divided."""
    waiting = event.entries.filter(status=Entry.Status.WAITING).order_by("number")
    codes = ", ".join(waiting.values_list("code", flat=True))
    if codes:
        raise Refused(
            "alternates_waiting",
            f"Nobody seated {codes}, who waited as alternates, and their buy-ins are still in the pool."
            " Withdraw them with their refund at the desk first.",
            status=409,
        )


def _supersede_check(event: Event, structure: Structure) -> PayoutStructure:
    """The live structure, if ``structure`` may take its place."""
    _post_check(event)
    live = live_payouts(event)
    if live is None:
        raise Refused("nothing_posted", "No payout structure is posted yet. Post one.", status=409)
    if Payment.objects.filter(event=event).exists():
        raise Refused("paid_from", "A prize has been paid by the posted structure; it stands.", status=409)
    check = _check(event, structure)
    if event.status == Event.Status.FINISHED:
        _no_new_tie(event, live, [row.prize_cents for row in check.rows])
    return live


def _check(event: Event, structure: Structure) -> PayoutsCheck:
    check = payouts_check(event, structure)
    if not check.ok:
        raise Refused(check.code, check.problem)
    return check


def _no_new_tie(event: Event, live: PayoutStructure, prizes_cents: list[int]) -> None:
    """T33: places that pay differently are played for, and once they are settled nobody plays any more."""
    places = [
        Ranked(e.code, e.final_chips or 0, e.place or 0, e.place_tied, e.status == Entry.Status.DISQUALIFIED)
        for e in event.entries.filter(place__isnull=False)
    ]
    before = {group.entries for group in money_ties(places, live.prizes_cents)}
    new = [group for group in money_ties(places, prizes_cents) if group.entries not in before]
    if new:
        names = ", ".join(new[0].entries)
        sentence = f"{names} share a place and would be paid differently. Pay their places the same."
        raise Refused("tie_again", sentence)


def _post(cmd: Command, structure: Structure, *, reason: str) -> PayoutStructure:
    """Post a structure as the next version, with the prizes that it comes to today."""
    event = event_of(cmd)
    check, pool = _check(event, structure), pool_of(event)
    version = PayoutStructure.objects.filter(event=event).count() + 1
    prizes_cents = [row.prize_cents for row in check.rows]
    body: Json = {
        "event": event.code,
        "version": version,
        "structure": structure_to_dict(structure),
        "prizes_cents": prizes_cents,
        "pool": {
            "entries": pool.entries,
            "entries_paid_from": entries_that_can_be_paid(event),
            "buy_ins_cents": pool.buy_ins_cents,
            "fees_cents": pool.fees_cents,
            "guarantee_cents": pool.guarantee_cents,
            "cents": pool.cents,
        },
        "unit_cents": event.settings.prize_unit_cents,
        "difference_cents": check.difference_cents,
        "sentences": list(check.sentences),
        "reason": reason,
    }
    posting = posting_make(cmd, kind=Posting.Kind.PAYOUTS, number=version, body=body)
    return PayoutStructure.objects.create(
        event=event,
        version=version,
        structure=structure_to_dict(structure),
        prizes_cents=prizes_cents,
        pool_cents=pool.cents,
        reason=reason,
        posting=posting,
    )


def _result(posted: PayoutStructure) -> Json:
    return {
        "structure": posted.pk,
        "version": posted.version,
        "posting": posted.posting_id,
        "hash": posted.posting.hash,
        "prizes_cents": posted.prizes_cents,
    }


# Paying -------------------------------------------------------------------------------------------------


def prize_pay(*, entry_id: int, identity_checked: bool, key: str, actor: User | None) -> Json:
    """Pay an entry its prize, once, after the identity has been checked (T35).

    Below the posted threshold it is paid at once; result: ``payment``, ``place``, ``amount_cents``,
    ``notice`` (the tax notice, or empty) and ``event_paid``. From the threshold on a second person is
    asked; result: ``{"request": id, …}``. Refuses ``not_finished``, ``paid_already`` (409), ``no_prize``,
    ``identity_not_checked`` and ``second_person_needed`` (409).
    """
    event_id = event_id_of_entry(entry_id)
    event = find(Event, event_id, "event")
    if _second_person_needed(event, entry_id):
        return _ask_second_person(event, entry_id, identity_checked, key, actor)

    def act(cmd: Command) -> Json:
        return _pay(cmd, entry_id, identity_checked, paid_by=cmd.actor, second_person=None)

    body = {"entry": entry_id, "identity_checked": identity_checked}
    return command(
        kind="prize.pay", key=key, actor=actor, event_id=event_id, body=body, act=act, standings=True
    )


def _second_person_needed(event: Event, entry_id: int) -> bool:
    from_cents = event.settings.second_person_from_cents
    return from_cents is not None and prizes_for(event).get(entry_id, 0) >= max(1, from_cents)


def _ask_second_person(
    event: Event, entry_id: int, identity_checked: bool, key: str, actor: User | None
) -> Json:
    entry, amount_cents = find(Entry, entry_id, "entry"), prizes_for(event)[entry_id]
    amount = money_text(amount_cents, currency_of(event))
    return request_open(
        event_id=event.pk,
        kind=PAY,
        body={"entry": entry_id, "amount_cents": amount_cents, "identity_checked": True},
        reason=f"The prize of {entry.code}, {amount}, is posted to need a second person.",
        check=lambda: _payable(find(Event, event.pk, "event"), entry_id, identity_checked),
        key=key,
        actor=actor,
    )


@handler(PAY, asks=(MANAGER, CASHIER))
def _pay_confirmed(cmd: Command, request: Request) -> Json:
    """The second person has confirmed the payment of a prize above the threshold."""
    entry_id = int(request.body["entry"])
    if prizes_for(event_of(cmd)).get(entry_id) != request.body["amount_cents"]:
        raise Refused(
            "prize_changed",
            "The prize is another one than when this was asked for. Refuse this, and ask for it anew.",
            status=409,
        )
    return _pay(cmd, entry_id, True, paid_by=request.requested_by, second_person=cmd.actor)


def _payable(event: Event, entry_id: int, identity_checked: bool) -> tuple[Entry, int]:
    """The entry and its prize in cents, if it can be paid now."""
    entry = find(Entry, entry_id, "entry")
    paid = Payment.objects.filter(entry=entry).first()
    if paid is not None:
        amount = money_text(paid.amount_cents, currency_of(event))
        raise Refused("paid_already", f"{entry.code} has been paid {amount} already.", status=409)
    if event.status != Event.Status.FINISHED:
        raise Refused("not_finished", "Prizes are paid once every place is decided.", status=409)
    amount_cents = prizes_for(event).get(entry.pk, 0)
    if not amount_cents:
        raise Refused("no_prize", f"{entry.code} has no prize by its place and the posted structure.")
    if not identity_checked:
        raise Refused("identity_not_checked", f"Check the identity of {entry.code} first, and say so.")
    return entry, amount_cents


def _pay(
    cmd: Command, entry_id: int, identity_checked: bool, *, paid_by: User | None, second_person: User | None
) -> Json:
    event = event_of(cmd)
    entry, amount_cents = _payable(event, entry_id, identity_checked)
    line = prize_line(event, entry, amount_cents)
    if line.second_person and second_person is None:
        sentence = "This prize needs a second person. Load the page again."
        raise Refused("second_person_needed", sentence, status=409)
    assert entry.place is not None, "who has a prize has a place"
    payment = Payment.objects.create(
        event=event,
        entry=entry,
        place=entry.place,
        amount_cents=amount_cents,
        paid_by=paid_by,
        identity_checked_by=paid_by,
        second_person=second_person,
        transaction=money_prize(cmd, entry=entry, amount_cents=amount_cents),
        at=cmd.at,
    )
    return {
        "payment": payment.pk,
        "entry": entry.pk,
        "place": payment.place,
        "amount_cents": amount_cents,
        "notice": line.tax_notice,
        "event_paid": _finish(event),
    }


def _finish(event: Event) -> bool:
    """The event is paid once every prize is."""
    owed = {pk for pk, cents in prizes_for(event).items() if cents}
    owed -= set(Payment.objects.filter(event=event).values_list("entry_id", flat=True))
    if not owed:
        status_move(event, Event.Status.PAID)
    return not owed
