"""Correct a wrongly recorded hand: reverse it, record it anew, and let later stacks follow (T17).

The core decides all consequences, the director sees them before confirming, and ``correction_write`` writes
them.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Unpack

from django.contrib.auth.models import User

from ground.refused import Refused, refuse
from tables.models import Deal, Shoe
from tables.selectors.correction_requests import AFTER_CLOSE, EntryChange, why_correction_requested
from tables.selectors.corrections_later import why_hand_open
from tournament.models import Request, Round
from tournament.selectors.moment import one_moment
from tournament.services.arguments import reason_clean
from tournament.services.journal import Command, Json, command
from tournament.services.requests import foreseen, handler, request_open

from .correcting import (
    CorrectHand,
    Correction,
    Entered,
    correction_of,
    correction_write,
    may_correct,
    may_correct_alone,
    may_open,
)
from .correction_preview import Preview, preview_of
from .locks import deal_get, deal_lock, shoe_lock, shoes_lock

# Preview and correction -----------------------------------------------------------------------------


def correction_preview(*, deal_id: int, **entered: Unpack[Entered]) -> Preview:
    """Return every stack, rank and cut that the correction would change; changes nothing (T17).

    It works for a closed round too. While a hand is open the preview rests on the settled hands. Otherwise it
    raises Refused as ``deal_correct`` does.
    """
    with one_moment():
        return preview_of(_correction_of(deal_get(deal_id), CorrectHand(**entered)))


def _correction_of(deal: Deal, anew: CorrectHand, *, asked: bool = False) -> Correction:
    """Work a correction out with all checks; a requested one (``asked``) is refused while any hand is
    open."""
    if asked or deal.shoe.round.status == Round.Status.CLOSED:
        may_open(deal)
    may_correct(deal)
    return correction_of(deal, anew)


def deal_correct(
    *, deal_id: int, reason: str, key: str, actor: User | None, **entered: Unpack[Entered]
) -> Json:
    """Reverse a settled hand and record it anew, by a record, by results, or as void (T17). One command.

    The number stays; the new hand names the old one and the reason. A table that was counted is
    counted again. Gives ``{"deal": id of the new hand, "corrects": id, "changes": {entry: chips}}``.

    Raises Refused ``deal_not_settled`` (409), ``round_closed`` (409), ``deal_open`` (409), ``tie_open``
    (409) while a play-off rests on the round, ``journal_not_whole`` (409),
    ``later_bet_not_covered`` with the hand that could not have been bet, ``line_chip_decided`` (row 23),
    ``nothing_given``, ``reason_missing``, and the codes of records and results.
    """
    anew = CorrectHand(**entered)
    event_id = deal_get(deal_id).shoe.round.event_id

    def act(cmd: Command) -> Json:
        return corrected(cmd, deal_id, anew, reason)

    body = {"deal": deal_id, "reason": reason, **anew.body()}
    return command(kind="deal.correct", key=key, actor=actor, event_id=event_id, body=body, act=act)


def corrected(cmd: Command, deal_id: int, anew: CorrectHand, reason: str) -> Json:
    """Correct a hand inside its command; gives and refuses what ``deal_correct`` does."""
    why = reason_clean(reason)
    deal = _locked(deal_id)
    may_correct_alone(deal)
    refuse(why_hand_open(deal))
    return correction_write(cmd, correction_of(deal, anew), why, by=cmd.actor)


def _locked(deal_id: int) -> Deal:
    """Lock a hand, and the shoes at which no hand may be opened meanwhile.

    In a round this is the hand's own shoe. A hand of a tie may end the tie at every table, and after the
    close chips may have been carried to any table.
    """
    shoe = deal_get(deal_id).shoe
    if shoe.round.status == Round.Status.CLOSED:
        shoes_lock(Shoe.objects.filter(round__event=shoe.round.event_id))
    elif shoe.round.kind != Round.Kind.ROUND:
        shoes_lock(Shoe.objects.filter(round=shoe.round))
    else:
        shoe_lock(shoe.pk)
    return deal_lock(deal_id)


# After the stage is closed ---------------------------------------------------------------------------


def correction_request(
    *, deal_id: int, reason: str, key: str, actor: User | None, **entered: Unpack[Entered]
) -> Json:
    """Ask a second person to put a hand of a closed stage right, or to make it void (T17).

    Possible until the first payment. No seats change by it (faults). Raises Refused ``round_not_closed``,
    ``paid_from`` (409), ``tie_open`` (409), ``draw_in_progress`` (409), ``already_asked`` (409) while a
    correction of the same hand waits, and the codes of ``deal_correct``.
    """
    deal = deal_get(deal_id)
    if deal.shoe.round.status != Round.Status.CLOSED:
        raise Refused("round_not_closed", "The round is not closed: correct the hand itself.")
    anew = CorrectHand(**entered)
    with one_moment():
        looked = preview_of(_correction_of(deal, anew))
    seen = looked.changed
    changes = {line.entry: line.after.chips - line.before.chips for line in seen}
    return request_open(
        event_id=deal.shoe.round.event_id,
        kind=AFTER_CLOSE,
        body={
            "deal": deal_id,
            "hand": {
                "round": deal.shoe.round.title,
                "table": deal.shoe.table.number,
                "number": deal.number,
            },
            "changes": {c: n for c, n in changes.items() if n},
            "seen": [_seen(line) for line in seen],
            "differs": _cut_body(looked),
            "ruled": list(looked.ruled),
            **anew.body(),
        },
        reason=reason,
        check=lambda: refuse(why_correction_requested(deal)),
        key=key,
        actor=actor,
    )


def _cut_body(looked: Preview) -> Json | None:
    return looked.differs.body() if looked.differs else None


def _seen(line: EntryChange) -> Json:
    """Return a line of the preview as the asker saw it, so that the second person reads the same."""
    before, after = asdict(line.before), asdict(line.after)
    return {"entry": line.entry, **{name: [before[name], after[name]] for name in before}}


def requested_correction(request: Request) -> Correction:
    """Work a requested correction out; writes nothing. Raises Refused as approving it would."""
    return _correction_of(deal_get(request.body["deal"]), CorrectHand.of(request.body), asked=True)


def requested_preview(request: Request) -> Preview | Refused:
    """Return what a requested correction would change now, or why it cannot be made."""
    found: Preview | Refused = foreseen(request, preview_of)
    return found


def recorded_now(deal: Deal) -> Deal:
    """Return the hand recorded under this number now: this one, or its correction."""
    same = Deal.objects.filter(shoe=deal.shoe_id, number=deal.number).exclude(status=Deal.Status.REVERSED)
    return same.select_related("shoe__table", "shoe__round", "opened_by").order_by("-pk").first() or deal


@handler(AFTER_CLOSE, check=requested_correction)
def _after_close(cmd: Command, request: Request) -> Json:
    """Correct the hand after the approval (T17); the journal keeps the changes as the second person saw
    them."""
    _locked(request.body["deal"])
    found = requested_correction(request)
    looked = preview_of(found)
    cmd.note(effects={"seen": [_seen(line) for line in looked.changed], "differs": _cut_body(looked)})
    cmd.note(recorded_by=request.requested_by_id)
    return correction_write(cmd, found, request.reason, by=request.requested_by)
