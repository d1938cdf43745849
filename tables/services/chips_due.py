"""Chips that a ruling has moved in the record: the table moves them on the felt and confirms it (T17,
T26)."""

from __future__ import annotations

from django.contrib.auth.models import User

from ground.refused import Conflict
from tables.models import Shoe
from tables.selectors.basis import due_basis
from tables.selectors.floor import stacks_by_box
from tables.selectors.next_hand import due_by_box
from tournament import sql
from tournament.selectors.basis import Basis
from tournament.services.journal import Command, Json

from .locks import running_check, shoe_command, shoe_get, shoe_lock


def chips_due_confirm(*, shoe_id: int, key: str, actor: User | None) -> Json:
    """Confirm that the chips due at a table were moved, so that every stack is as recorded.

    It moves no chips in the record. Gives ``{"shoe", "due": {box: chips}}``, below 0 where they were taken.
    Raises Refused ``no_chips_due`` (409), ``event_not_running`` (409), ``no_such_shoe`` (404).
    """

    def act(cmd: Command) -> Json:
        shoe = shoe_lock(shoe_id)
        running_check(shoe.round.event)
        due = due_by_box(shoe.round, stacks_by_box(shoe))
        if not due:
            raise Conflict("no_chips_due", "No chips are due at %(table)s.", table=shoe.table)
        due_clear(shoe)
        return {"shoe": shoe.pk, "due": {str(each.box): each.chips for each in due}}

    return shoe_command("chips.due", shoe_id, act, key=key, actor=actor)


_NOTHING_DUE = """
    UPDATE tournament_stack s SET due_chips = 0 FROM tables_seat seat
    WHERE seat.round_id = %s AND seat.table_id = %s AND seat.flight = %s AND seat.vacated_at IS NULL
        AND s.round_id = seat.round_id AND s.entry_id = seat.entry_id AND s.due_chips <> 0
"""


def due_clear(shoe: Shoe) -> None:
    """Note that no chips are due at a table any more, since they were moved or counted (T18)."""
    sql.send(_NOTHING_DUE, shoe.round_id, shoe.table_id, shoe.flight)


def due_basis_now(shoe_id: int) -> Basis:
    """Return the facts that the confirmation of a table rests on. Refused ``no_such_shoe`` (404)."""
    shoe = shoe_get(shoe_id)
    stacks = stacks_by_box(shoe)
    due = due_by_box(shoe.round, stacks)
    return due_basis(shoe_id, shoe.table, due, [stack.entry for stack in stacks.values()])
