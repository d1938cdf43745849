"""Post the payout structure, and supersede it (T30–T33)."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User

from ground.refused import Refused, refuse
from tournament.engine.facts import Posted
from tournament.engine.payouts import Structure
from tournament.models import Event, PayoutStructure, Posting, Request
from tournament.selectors.payouts import why_not_post, why_not_supersede
from tournament.selectors.prizes import (
    PayoutsCheck,
    payable_entries_count,
    payouts_check,
    pool_of,
    structure_from_dict,
    structure_to_dict,
)

from .arguments import event_of, find, reason_clean
from .entries import facts_apply
from .journal import Command, Json, command
from .requests import handler, request_open
from .rounds import posting_make
from .status import status_move

SUPERSEDE = "payouts_supersede"

# Posting ----------------------------------------------------------------------------------------------


def payouts_post(
    *, event_id: int, structure: Structure | Mapping[str, Any], key: str, actor: User | None
) -> Json:
    """Post the payout structure, from the close of round 1 on (T31). Result: ids, ``hash``, ``prizes_cents``.

    If play is over already, the places are decided with it. Refuses ``too_early`` and ``event_over`` (409),
    ``posted_already`` (409), ``alternates_waiting`` (409), and every structure that cannot be paid (T30,
    T32).
    """
    asked = structure_to_dict(_structure(structure))

    def act(cmd: Command) -> Json:
        refuse(why_not_post(event_of(cmd)))
        return _result(_post(cmd, _structure(asked), reason=""))

    body = {"structure": asked}
    return command(kind="payouts.post", key=key, actor=actor, event_id=event_id, body=body, act=act)


def payouts_supersede_request(
    *,
    event_id: int,
    structure: Structure | Mapping[str, Any],
    reason: str,
    key: str,
    actor: User | None,
) -> Json:
    """Request to supersede the structure, with a reason (T31). Result: ``{"request": id}``.

    Once confirmed, a sudden death goes on for the new prizes, and a new tie for money is played (T33).
    Refuses what ``payouts_post`` refuses, ``nothing_posted`` (409), and ``paid_from`` (409) after the first
    payment.
    """
    body = structure_to_dict(_structure(structure))
    return request_open(
        event_id=event_id,
        kind=SUPERSEDE,
        body={"structure": body},
        reason=reason,
        check=lambda: _supersede_check(find(Event, event_id, "event"), _structure(body)),
        key=key,
        actor=actor,
    )


@handler(SUPERSEDE)
def _supersede(cmd: Command, request: Request) -> Json:
    """Post the new version after a second person confirmed; the old one stays public."""
    structure = _structure(request.body["structure"])
    old = _supersede_check(event_of(cmd), structure)
    status_move(old, PayoutStructure.Status.SUPERSEDED)
    return _result(_post(cmd, structure, reason=reason_clean(request.reason)))


def _structure(structure: Structure | Mapping[str, Any]) -> Structure:
    return structure if isinstance(structure, Structure) else structure_from_dict(structure)


def _supersede_check(event: Event, structure: Structure) -> PayoutStructure:
    """Return the live structure if ``structure`` may supersede it."""
    refuse(why_not_supersede(event))
    _check(event, structure)
    return PayoutStructure.objects.get(event=event, status=PayoutStructure.Status.LIVE)


def _check(event: Event, structure: Structure) -> PayoutsCheck:
    check = payouts_check(event, structure)
    if not check.ok:
        raise Refused(check.code, check.problem)
    return check


def _post(cmd: Command, structure: Structure, *, reason: str) -> PayoutStructure:
    """Post a structure as the next version, with its prizes of today."""
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
            "entries_paid_from": payable_entries_count(event),
            "buy_ins_cents": pool.buy_ins_cents,
            "fees_cents": pool.fees_cents,
            "guarantee_cents": pool.guarantee_cents,
            "cents": pool.cents,
        },
        "unit_cents": event.settings.prize_unit_cents,
        "difference_cents": check.difference_cents,
        "compared": asdict(check.compared) if check.compared else None,
        "reason": reason,
    }
    posting = posting_make(cmd, kind=Posting.Kind.PAYOUTS, number=version, body=body)
    made = PayoutStructure.objects.create(
        event=event,
        version=version,
        structure=structure_to_dict(structure),
        prizes_cents=prizes_cents,
        pool_cents=pool.cents,
        reason=reason,
        posting=posting,
    )
    facts_apply(cmd, Posted(tuple(prizes_cents)))
    return made


def _result(posted: PayoutStructure) -> Json:
    return {
        "structure": posted.pk,
        "version": posted.version,
        "posting": posted.posting_id,
        "hash": posted.posting.hash,
        "prizes_cents": posted.prizes_cents,
    }
