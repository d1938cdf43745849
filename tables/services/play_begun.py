"""Undo 'Play has begun' in an event on counts alone, where no bet is entered (T6, T18, T19)."""

from __future__ import annotations

from django.contrib.auth.models import User

from tables.selectors.play_begun import undo_check
from tournament.models import Round
from tournament.services.journal import Command, Json, command
from tournament.services.rounds import round_get
from tournament.services.status import status_move

from .locks import running_check


def round_play_undo(*, round_id: int, key: str, actor: User | None) -> Json:
    """Undo 'Play has begun' until the first count: seats can be given again (T6). Gives ``{"round": id}``.

    Raises Refused ``not_counts_alone``, ``counted_already`` (409), ``shoe_over`` (409),
    ``round_not_playing`` (409), ``event_not_running`` (409).
    """
    round_ = round_get(round_id)

    def act(cmd: Command) -> Json:
        round_.refresh_from_db()
        running_check(round_.event)
        undo_check(round_)
        status_move(round_, Round.Status.SEATED)
        return {"round": round_.pk}

    body = {"round": round_id}
    return command(kind="round.play_undo", key=key, actor=actor, event_id=round_.event_id, body=body, act=act)
