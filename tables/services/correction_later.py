"""Corrections that are requested while a hand is open wait for the end of that hand (T17).

As soon as the end of the hand is saved, the same process makes them, as commands of the director who asked.
If that process dies, the sweep makes them, or the next hand at the table.
"""

from __future__ import annotations

import logging
from typing import Unpack

from django.contrib.auth.models import User

from ground.refused import Conflict, Forbidden, Refused, refuse
from tables.models import Shoe
from tables.selectors.corrections_later import (
    LATER,
    Later,
    hand_open,
    waiting_beside,
    why_correction_waits,
    why_hand_open,
)
from tables.selectors.next_hand import why_not_running
from tournament.roles import DIRECTOR, roles_of
from tournament.services.arguments import reason_clean
from tournament.services.journal import Command, Json, command, kind_pressed

from .correcting import CorrectHand, Entered, correction_of, may_correct_alone
from .corrections import corrected, deal_correct
from .locks import deal_get, event_of_deal, hand_lock, shoe_get, shoe_lock

logger = logging.getLogger(__name__)


def deal_correct_or_later(
    *, deal_id: int, reason: str, key: str, actor: User | None, **entered: Unpack[Entered]
) -> Json:
    """Correct a hand now, or let the correction wait while a hand is open at its table (T17).

    Sent twice, it gives the first answer again. Gives and refuses the same as ``deal_correct`` or
    ``correction_later``.
    """
    before = kind_pressed(key)
    waits = before == LATER or (not before and why_hand_open(deal_get(deal_id)) is not None)
    service = correction_later if waits else deal_correct
    return service(deal_id=deal_id, reason=reason, key=key, actor=actor, **entered)


def correction_later(
    *, deal_id: int, reason: str, key: str, actor: User | None, **entered: Unpack[Entered]
) -> Json:
    """Let a correction wait for the end of the open hand. Gives ``{"deal", "later": journal entry number}``.

    Raises Refused ``no_hand_open`` (409), ``already_asked`` (409) while another correction of the same hand
    waits, and what ``deal_correct`` refuses now.
    """
    anew = CorrectHand(**entered)

    def act(cmd: Command) -> Json:
        reason_clean(reason)
        deal = hand_lock(deal_id)
        may_correct_alone(deal)
        if hand_open(deal) is None:
            raise Conflict(
                "no_hand_open", "The hand that was open has ended. Look at the preview, and confirm it again."
            )
        refuse(why_correction_waits(deal))
        cmd.note(changes=correction_of(deal, anew).changes)
        shoe = deal.shoe
        shoe.to_correct.append({"seq": cmd.seq, "deal": deal.pk, "hand": deal.number, "no": "", "why": ""})
        shoe.save(update_fields=["to_correct"])
        return {"deal": deal.pk, "later": cmd.seq}

    body = {"deal": deal_id, "reason": reason, **anew.body()}
    event_id = event_of_deal(deal_id)
    return command(kind="deal.correct_later", key=key, actor=actor, event_id=event_id, body=body, act=act)


def correction_drop(*, deal_id: int, later: int, key: str, actor: User | None) -> Json:
    """Take back a waiting correction, or mark the refusal of one as read.

    Gives ``{"deal", "later"}``. Raises Refused ``not_waiting`` (409).
    """
    shoe_id, event_id = deal_get(deal_id).shoe_id, deal_get(deal_id).shoe.round.event_id

    def act(cmd: Command) -> Json:
        gone = _taken_out(shoe_lock(shoe_id), deal_id, later)
        cmd.note(was="lapsed" if gone["no"] else "waits")
        return {"deal": deal_id, "later": later}

    body = {"deal": deal_id, "later": later}
    return command(kind="deal.correct_drop", key=key, actor=actor, event_id=event_id, body=body, act=act)


# Carried out ----------------------------------------------------------------------------------------


def corrections_carry_out(*, shoe_id: int) -> None:
    """Make the corrections that waited for the end of a hand of this shoe. Calling it twice is harmless.

    A refused correction changes nothing and stays on Tonight until a director has read the refusal. After an
    unexpected error it keeps waiting, other tables go on, and a director can take it back.
    """
    for each in waiting_beside(shoe_get(shoe_id)):
        try:
            _carry_out(each)
        except Refused:
            # Somebody has just taken it back.
            continue
        except Exception:
            logger.exception("correction %s of hand %s was not made", each.seq, each.deal)


def _carry_out(later: Later) -> None:
    deal = deal_get(later.deal)
    event = deal.shoe.round.event
    if why_not_running(event) is None and hand_open(deal) is not None:
        return
    entry = later.entry
    asked: Json = entry.body["asked"]
    anew = CorrectHand.of(asked)

    def act(cmd: Command) -> Json:
        _taken_out(shoe_lock(later.shoe.pk), later.deal, later.seq, waits=True)
        cmd.note(later=later.seq)
        _asker_check(entry.actor)
        return corrected(cmd, later.deal, anew, asked["reason"])

    key = f"correct_later:{event.pk}:{later.seq}"
    try:
        command(kind="deal.correct", key=key, actor=entry.actor, event_id=event.pk, body=asked, act=act)
    except Refused as no:
        # Another hand has begun, or another process was first: the correction is made there.
        if no.code not in ("deal_open", "not_waiting"):
            _lapse(later, event.pk, no, f"{key}:no")


def _asker_check(asker: User | None) -> None:
    """Refuse ``asker_gone`` (403) if the asker's login is switched off by now, or is no director's."""
    if asker is not None and DIRECTOR not in roles_of(asker):
        raise Forbidden(
            "asker_gone",
            "%(name)s, who asked for it, may no longer correct hands. A director can ask for it again.",
            name=asker.username,
        )


def _lapse(later: Later, event_id: int, no: Refused, key: str) -> None:
    """Record the refusal of a correction; Tonight shows it until a director has read it."""

    def act(cmd: Command) -> Json:
        shoe = shoe_lock(later.shoe.pk)
        lapsed = _named(shoe, later.deal, later.seq, waits=True)
        why = no.message.to_json()
        lapsed |= {"no": no.code, "why": why}
        shoe.save(update_fields=["to_correct"])
        cmd.note(code=no.code, why=why)
        return {"deal": later.deal, "later": later.seq}

    body = {"deal": later.deal, "later": later.seq}
    command(kind="deal.correct_lapse", key=key, actor=None, event_id=event_id, body=body, act=act)


def _taken_out(shoe: Shoe, deal_id: int, seq: int, *, waits: bool = False) -> Json:
    gone = _named(shoe, deal_id, seq, waits=waits)
    shoe.to_correct.remove(gone)
    shoe.save(update_fields=["to_correct"])
    return gone


def _named(shoe: Shoe, deal_id: int, seq: int, *, waits: bool) -> Json:
    """Return a correction in the locked shoe's list; with ``waits`` only if it still waits."""
    for each in shoe.to_correct:
        if (each["deal"], each["seq"]) == (deal_id, seq) and not (waits and each["no"]):
            found: Json = each
            return found
    raise Conflict(
        "not_waiting",
        "This correction no longer waits: the open hand has ended, or somebody took the correction back.",
    )
