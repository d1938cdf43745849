"""Note the cut card during a hand, and reopen shoes that were ended by mistake (T11)."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User

from ground.refused import refuse
from tables.models import Shoe
from tables.selectors.floor import why_tie_done
from tables.selectors.next_hand import play_check
from tables.selectors.shoe_again import why_not_last_hand, why_not_reopen
from tables.selectors.shoe_left import why_not_end
from tournament.engine.facts import ShoeReopened, key_of
from tournament.services.arguments import reason_clean, text_clean
from tournament.services.journal import Command, Json, command
from tournament.services.status import status_move

from .locks import event_of_shoe, running_check, shoe_lock


def shoe_last_hand(*, shoe_id: int, out: bool = True, reason: str = "", key: str, actor: User | None) -> Json:
    """Note that the cut card is out: the shoe is over with the hand being dealt (T11).

    ``out`` False: it was not the cut card; possible until that hand ends. Gives ``{"shoe", "out"}``. Raises
    Refused ``shoe_over`` (409), ``already_last`` or ``not_last`` (409), ``tie_decided`` (409), and
    ``cut_card_not_out`` without a reason long before the cut card can be out.
    """

    def act(cmd: Command) -> Json:
        shoe = shoe_lock(shoe_id)
        refuse(why_not_last_hand(shoe, out=out))
        play_check(shoe.round)
        refuse(why_tie_done(shoe.round, shoe.table))
        why = text_clean(reason, "The reason", longest=200, missing="")
        if out and not why:
            refuse(why_not_end(shoe))
        shoe.last_hand, shoe.ended_reason = out, why if out else ""
        shoe.save(update_fields=["last_hand", "ended_reason"])
        return {"shoe": shoe.pk, "out": out}

    body = {"shoe": shoe_id, "out": out, "reason": reason}
    return _command("shoe.last_hand", shoe_id, body, act, key, actor)


def shoe_reopen(*, shoe_id: int, reason: str, key: str, actor: User | None) -> Json:
    """Open a shoe again that was ended by mistake: its hands go on where they were (T11).

    Gives ``{"shoe", "table"}``. Raises Refused whatever ``why_not_reopen`` says, ``event_not_running`` (409)
    and ``reason_missing``.
    """

    def act(cmd: Command) -> Json:
        why = reason_clean(reason)
        shoe = shoe_lock(shoe_id)
        running_check(shoe.round.event)
        refuse(why_not_reopen(shoe))
        refuse(why_tie_done(shoe.round, shoe.table))
        cmd.note(ended_reason=shoe.ended_reason, ended_at=shoe.ended_at and shoe.ended_at.isoformat())
        status_move(shoe, Shoe.Status.DEALING, ended_reason="", ended_at=None, last_hand=False)
        cmd.write(ShoeReopened(key_of(shoe.round), shoe.table.number))
        return {"shoe": shoe.pk, "table": shoe.table.number, "reason": why}

    return _command("shoe.reopen", shoe_id, {"shoe": shoe_id, "reason": reason}, act, key, actor)


def _command(
    kind: str, shoe_id: int, body: Json, act: Callable[[Command], Json], key: str, actor: User | None
) -> Json:
    event_id = event_of_shoe(shoe_id)
    return command(kind=kind, key=key, actor=actor, event_id=event_id, body=body, act=act)
