"""The tables where a play-off or a sudden death is played (T19, T23, T33)."""

from __future__ import annotations

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Shoe
from tournament.engine.state import stage_of
from tournament.engine.steps.ties import waits

from .facts_standing import course_standing


def why_not_level(shoe: Shoe) -> Refused | None:
    """``wait_for_other_table`` (409): where a tie plays at two tables, none is a hand ahead (T23, T33).

    ``journal_not_whole`` (409) where nobody can work out what a hand would decide.
    """
    try:
        names, course = course_standing(shoe.round.event)
    except Refused as why:
        return why
    stage, table, _number = names.shoes[shoe.pk]
    if not waits(stage_of(course.state, stage), table):
        return None
    return Refused(
        "wait_for_other_table",
        _("%(table)s waits until the other tables have played this hand."),
        status=409,
        table=shoe.table,
    )
