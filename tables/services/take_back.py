"""Take back the hand that was settled last: it is reversed, and open again as it was (T17)."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import F

from ground.refused import refuse
from tables.models import Deal, Shoe
from tables.selectors.take_back import why_not_take_back
from tournament.models import ChipTransaction, Stack
from tournament.services.chips import chips_rewrite
from tournament.services.journal import Command, Json, command
from tournament.services.status import status_move

from .locks import event_of_deal, hand_lock, running_check

Kind = ChipTransaction.Kind


def deal_take_back(*, deal_id: int, key: str, actor: User | None) -> Json:
    """Take back the hand that was settled last: its chips go back, and it is open again with all its taps.

    Only the clerk who settled it can, for half a minute, and as long as nothing was dealt since; everything
    else is a correction (T17). The number stays, the open hand says which one it replaces. Gives ``{"deal":
    id of the open hand, "corrects": id, "number", "changes": {entry: chips}}``. Raises Refused whatever
    ``why_not_take_back`` says, and ``event_not_running`` (409).
    """
    event_id = event_of_deal(deal_id)

    def act(cmd: Command) -> Json:
        deal = hand_lock(deal_id)
        running_check(deal.shoe.round.event)
        refuse(why_not_take_back(deal, actor_id=cmd.actor.pk if cmd.actor else None, at=cmd.at))
        status_move(deal, Deal.Status.REVERSED)
        # It is open again, with its taps or the results that were entered.
        again = deal.again(taps=deal.taps, outcomes=deal.outcomes, corrects=deal)
        again.opened_by, again.opened_at = cmd.actor, cmd.at
        again.save(force_insert=True)
        changes = _chips_back(cmd, deal)
        _shoe_back(deal)
        cmd.note(number=deal.number, record=deal.record)
        return {"deal": again.pk, "corrects": deal.pk, "number": deal.number, "changes": changes}

    body = {"deal": deal_id}
    return command(kind="deal.take_back", key=key, actor=actor, event_id=event_id, body=body, act=act)


def _chips_back(cmd: Command, deal: Deal) -> dict[str, int]:
    """Reverse the hand in the ledger; every stack shows again what the hand before did to it."""
    posted = ChipTransaction.objects.filter(
        event=cmd.event, source=f"deal:{deal.pk}", kind=Kind.DEAL, reversed_by__isnull=True
    )
    chips_rewrite(cmd, reverse=list(posted), post=())
    bettors = [deal.entries[box] for box in deal.bets]
    stacks = Stack.objects.filter(round=deal.shoe.round_id, entry__in=bettors).select_related("entry")
    by_entry = {stack.entry_id: stack for stack in stacks}
    last = last_nets(deal, bettors)
    for entry, stack in by_entry.items():
        Stack.objects.filter(pk=stack.pk).update(last_change_chips=last.get(entry))
    nets = (deal.answer or {"net": {}})["net"]
    return {by_entry[deal.entries[box]].entry.code: -net for box, net in nets.items() if net}


def last_nets(deal: Deal, entries: list[int]) -> dict[int, int]:
    """Map each entry id to the net of its last settled hand of the shoe before this one."""
    found: dict[int, int] = {}
    before = Deal.objects.filter(shoe=deal.shoe_id, status=Deal.Status.SETTLED, number__lt=deal.number)
    for earlier in before.order_by("-number").only("entries", "answer"):
        for box, net in (earlier.answer or {"net": {}})["net"].items():
            found.setdefault(earlier.entries[box], net)
        if set(entries) <= set(found):
            break
    return found


def _shoe_back(deal: Deal) -> None:
    """Take the cards of the hand off the count, and put the button back (T14).

    The cut card stays out: when the hand is settled again, the shoe is over again (T11).
    """
    if deal.shoe.status == Shoe.Status.OVER:
        status_move(deal.shoe, Shoe.Status.DEALING, ended_at=None)
    cards = len((deal.record or {}).get("cards", ()))
    Shoe.objects.filter(pk=deal.shoe_id).update(
        cards_dealt=F("cards_dealt") - cards, button_box=deal.button_box
    )
