"""Rule that a cut stands although a correction would change it (T17, T19)."""

from __future__ import annotations

from django.contrib.auth.models import User

from ground.refused import refuse
from tables.selectors.cut_since import cut_since, why_not_stands
from tournament.services.asked import reason_clean
from tournament.services.journal import Command, Json, command
from tournament.services.rounds import round_get


def cut_stands(*, round_id: int, reason: str, key: str, actor: User | None) -> Json:
    """Let the cut of a closed round stand as it was made (T17).

    The ruling names the entries that the hands now put on the other side. If a later correction changes who
    they are, a new ruling is needed. No chips move. Gives ``{"round", "missed", "extra", "tied", "seats",
    "reason"}``, entries by their codes. Raises Refused ``cut_agrees``, ``cut_ruled`` (409), ``event_over``
    (409), ``reason_missing``, ``no_such_round`` (404).
    """
    round_ = round_get(round_id)

    def act(cmd: Command) -> Json:
        round_.refresh_from_db()
        found = cut_since(round_)
        refuse(why_not_stands(round_, found))
        assert found is not None, "otherwise it has been refused"
        return {"round": round_.pk, **found.about.body(), "reason": reason_clean(reason)}

    body = {"round": round_id, "reason": reason}
    return command(
        kind="round.cut_stands", key=key, actor=actor, event_id=round_.event_id, body=body, act=act
    )
