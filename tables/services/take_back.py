"""Take back the hand that was settled last: reverse it, and open it again as it was (T17)."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import F

from ground.refused import refuse
from tables.models import Deal, Shoe
from tables.selectors.floor import stacks_by_box
from tables.selectors.names import hand_key
from tables.selectors.take_back import why_not_take_back
from tournament.engine.facts import TakenBack
from tournament.engine.state import stacks_changed
from tournament.selectors.facts_standing import course_standing
from tournament.services.journal import Command, Json, command
from tournament.services.status import status_move

from .facts_write import course_after, course_written
from .locks import event_of_deal, hand_lock, running_check
from .project import Rows, project


def deal_take_back(*, deal_id: int, key: str, actor: User | None) -> Json:
    """Take back the hand that was settled last: its chips go back, and it is open again with all its taps.

    Only the clerk who settled it can, within half a minute, if nothing was dealt since; anything else is a
    correction (T17). The number stays; the open hand names the one it replaces. Gives ``{"deal": id of the
    open hand, "corrects": id, "number", "changes": {entry: chips}}``. Raises Refused whatever
    ``why_not_take_back`` says, ``event_not_running`` and ``journal_not_whole`` (both 409).
    """
    event_id = event_of_deal(deal_id)

    def act(cmd: Command) -> Json:
        deal = hand_lock(deal_id)
        running_check(deal.shoe.round.event)
        actor_id, stacks = cmd.actor.pk if cmd.actor else None, stacks_by_box(deal.shoe)
        refuse(why_not_take_back(deal, stacks, actor_id=actor_id, at=cmd.at))
        event = deal.shoe.round.event
        before = course_standing(event, (cmd.seq - 1, cmd.head))
        back = TakenBack(hand_key(deal))
        after = course_after(event, before, [back])
        rows = Rows.of(event, {}, stacks_changed(before.state, after.state).keys())
        project(cmd, rows, before, after, at_table=True)
        cmd.write(back)
        course_written(cmd, after)
        status_move(deal, Deal.Status.REVERSED)
        # The hand is open again, with its taps or the entered results.
        again = deal.copy_with(taps=deal.taps, outcomes=deal.outcomes, corrects=deal)
        again.opened_by, again.opened_at = cmd.actor, cmd.at
        again.save(force_insert=True)
        # The cut card stays out: when the hand is settled again, the shoe is over again (T11).
        cards = len((deal.record or {}).get("cards", ()))
        Shoe.objects.filter(pk=deal.shoe_id).update(cards_dealt=F("cards_dealt") - cards)
        cmd.note(number=deal.number, record=deal.record)
        changes = after.changes(before, back.at[0])
        return {"deal": again.pk, "corrects": deal.pk, "number": deal.number, "changes": changes}

    body = {"deal": deal_id}
    return command(kind="deal.take_back", key=key, actor=actor, event_id=event_id, body=body, act=act)
