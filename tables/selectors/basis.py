"""What the forms of the floor are made from."""

from __future__ import annotations

import json

from tables.models import Shoe
from tournament.engine.basis import Basis
from tournament.engine.refused import Refused
from tournament.selectors import quick

# The page of a table asks this with every press: one statement, with how far the journal is.
_SHOE = """
    SELECT s.status, t.number, r.event_id,
        (SELECT h.seq FROM tournament_journalhead h WHERE h.event_id = r.event_id),
        (SELECT coalesce(max(d.number), 0) FROM tables_deal d WHERE d.shoe_id = s.id),
        (SELECT max(d.id) FROM tables_deal d WHERE d.shoe_id = s.id AND d.status = 'settled'),
        (SELECT array_agg(d.id) FROM tables_deal d WHERE d.shoe_id = s.id),
        (SELECT jsonb_build_array(d.id, jsonb_array_length(d.taps), d.mode, d.bets)::text
            FROM tables_deal d WHERE d.shoe_id = s.id AND d.status = 'open'),
        (SELECT jsonb_agg(jsonb_build_array(p.box, k.id, k.state) ORDER BY p.box)::text
            FROM tables_seat p JOIN tournament_stack k ON k.entry_id = p.entry_id AND k.round_id = p.round_id
            WHERE p.round_id = s.round_id AND p.table_id = s.table_id AND p.vacated_at IS NULL),
        (SELECT array_agg(c.id ORDER BY c.id) FROM tables_countsheet c
            WHERE c.shoe_id = s.id AND c.status = 'live')
    FROM tables_shoe s JOIN tables_table t ON t.id = s.table_id JOIN tournament_round r ON r.id = s.round_id
    WHERE s.id = %s
"""


def shoe_basis(shoe_id: int) -> Basis:
    """A table at its shoe: its last hand, the hand on the table, who sits there and is present, its counts.

    Refused ``no_such_shoe`` (404).
    """
    found = quick.row(_SHOE, shoe_id)
    if found is None:
        raise Refused("no_such_shoe", "There is no such shoe.", status=404)
    status, table, event_id, seq, number, settled, deals, on_table, sitting, counts = found
    return Basis(
        of=f"shoe {shoe_id}",
        facts=[status, number, settled, on_table, sitting, counts],
        now=_shoe_now(status, table, number, on_table, counts or []),
        event_id=event_id,
        about=frozenset([("shoe", shoe_id), *(("deal", pk) for pk in deals or ()), *_stacks(sitting)]),
        seq=seq or 0,
    )


def _stacks(sitting: str | None) -> list[tuple[str, int]]:
    """By the stacks the journal names who is absent, or back."""
    return [("stack", stack) for _box, stack, _state in json.loads(sitting or "[]")]


def _shoe_now(status: str, table: int, number: int, on_table: str | None, counts: list[int]) -> str:
    if on_table is not None:
        return f"Hand {number} is on table {table}."
    if status == Shoe.Status.DEALING:
        return f"Hand {number + 1} is next at table {table}."
    if status == Shoe.Status.COUNTED:
        return f"Table {table} is counted."
    entered = ("no count is", "one count is", "both counts are")[len(counts)]
    return f"The shoe at table {table} is over; {entered} in."
