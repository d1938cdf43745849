"""Note before the first bet of round 1 which players were seen at the table (T6)."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import User

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Seat
from tables.selectors.draws import before_first_bet
from tables.selectors.unseen import asks_who_is_there
from tournament.services.journal import Command, Json, command

from .locks import event_of_shoe, running_check, shoe_lock


def seats_seen(
    *, shoe_id: int, boxes: Iterable[int], seen: bool = True, key: str, actor: User | None
) -> Json:
    """Mark the players of these boxes as seen at their table, or as not seen (T6).

    It moves no chips and frees no seat; players not seen are asked about later: no-show or absent. Raises
    Refused ``no_box_named``, ``box_empty``, ``first_bet_called`` (409), ``not_round_1``,
    ``event_not_running`` (409), ``no_such_shoe`` (404).
    """
    named = sorted(set(boxes))

    def act(cmd: Command) -> Json:
        shoe = shoe_lock(shoe_id)
        running_check(shoe.round.event)
        before_first_bet(shoe.round)
        if not asks_who_is_there(shoe.round):
            raise Refused("not_round_1", _("Only before round 1 is it asked which players have come."))
        if not named:
            raise Refused("no_box_named", _("Tick the boxes whose players are at the table."))
        here = Seat.objects.filter(
            round=shoe.round_id, table=shoe.table_id, flight=shoe.flight, vacated_at__isnull=True
        )
        missing = set(named) - set(here.values_list("box", flat=True))
        if missing:
            raise Refused("box_empty", _("Nobody has the seat at box %(box)s."), box=min(missing))
        here.filter(box__in=named).update(seen_at=cmd.at if seen else None)
        return {"shoe": shoe.pk, "boxes": named, "seen": seen}

    body = {"shoe": shoe_id, "boxes": named, "seen": seen}
    event_id = event_of_shoe(shoe_id)
    return command(kind="seat.seen", key=key, actor=actor, event_id=event_id, body=body, act=act)
