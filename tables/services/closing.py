"""Rounds, play-offs and sudden deaths are closed; the core says with what result (T19, T20, T33)."""

from __future__ import annotations

from django.contrib.auth.models import User

from ground.refused import refuse
from tables.selectors.facts_standing import Course, course_standing
from tables.selectors.names import Names
from tournament.engine.state import stage_of
from tournament.engine.steps.cut import cut_of
from tournament.models import Round, Stack
from tournament.selectors.waiting import why_not_close
from tournament.services.asked import event_of
from tournament.services.journal import Command, Json, command
from tournament.services.rounds import round_get

from .facts_write import facts_write


def round_close(*, round_id: int, key: str, actor: User | None) -> Json:
    """Close a counted round: freeze its ranking and its cut, hand in the chips of who is out (T19, T20).

    After the last round the places are settled: the event is finished, or waits for sudden death (T33).
    Raises Refused what ``why_not_close`` says, and ``journal_not_whole`` (409).
    """
    round_ = round_get(round_id)
    body = {"round": round_id}

    def act(cmd: Command) -> Json:
        round_.refresh_from_db()
        refuse(why_not_close(round_))
        standing = course_standing(event_of(cmd), (cmd.seq - 1, cmd.head))
        result = {"round": round_.pk, "advanced": _advanced(cmd, round_, *standing)}
        facts_write(cmd, "round.close", asked=body, result=result, standing=standing)
        return result

    return command(kind="round.close", key=key, actor=actor, event_id=round_.event_id, body=body, act=act)


def _advanced(cmd: Command, round_: Round, names: Names, course: Course) -> list[str]:
    """Return who goes on, and note it of a round."""
    if round_.kind != Round.Kind.ROUND:
        won = round_.stacks.filter(outcome=Stack.Outcome.ADVANCED).order_by("entry__number")
        return list(won.values_list("entry__code", flat=True))
    through = list(cut_of(course.state, stage_of(course.state, names.stages[round_.pk])).entries)
    cmd.note(through={str(round_.pk): through})
    return through
