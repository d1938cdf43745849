"""Start the corrections that wait for the end of a hand (T17).

They run as a task, because they are commands of the director and not of the dealer who settles the hand.
"""

from __future__ import annotations

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Shoe
from tournament import sql
from tournament.models import Round
from tournament.services import queue

TASK = "tables.correct_waiting"


def correct_after(shoe: Shoe) -> None:
    """Carry out what waits at a table as soon as the end of its hand is saved."""
    if shoe.to_correct or shoe.round.kind != Round.Kind.ROUND:
        queue.after_commit_here(TASK, shoe.pk)


_WAITS = """
    SELECT r.event_id, EXISTS (SELECT 1 FROM tables_shoe o WHERE o.round_id = r.id
        AND (o.id = s.id OR r.kind <> 'round') AND o.to_correct @> '[{"no": ""}]')
    FROM tables_shoe s JOIN tournament_round r ON r.id = s.round_id WHERE s.id = %s
"""


def corrected_first(shoe_id: int) -> int:
    """Carry out what still waits before a table goes on; gives the id of the event.

    The process that ended the hand may have died between the two. Raises Refused ``no_such_shoe`` (404).
    """
    found = sql.row(_WAITS, shoe_id)
    if found is None:
        raise Refused("no_such_shoe", _("There is no such shoe."), status=404)
    event_id, waits = found
    if waits:
        queue.carry_out_here(TASK, shoe_id)
    return int(event_id)
