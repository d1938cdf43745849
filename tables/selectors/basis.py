"""The state that each form of the floor rests on: a form made from an older one is refused."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ground.refused import Refused
from tables.models import Deal, Seat, Shoe, Table
from tables.selectors.correction_requests import AFTER_CLOSE
from tables.selectors.draws import open_draw
from tables.selectors.next_hand import BoxDue
from tournament import sql
from tournament.models import Entry, Event, Round
from tournament.selectors.basis import STATUS, Basis, Name, basis_made, marked
from tournament.selectors.open_requests import COUNT_RULING, RULINGS
from tournament.selectors.penalties import DISQUALIFY

# The table's page reads this with every press, so it is one statement, the journal's number included.
_SHOE = """
    SELECT s.status, t.number, r.event_id, r.kind,
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
            WHERE c.shoe_id = s.id AND c.status = 'live'),
        (SELECT array_agg(q.id ORDER BY q.id) FROM tournament_request q
            WHERE s.status <> 'dealing' AND q.event_id = r.event_id AND q.status = 'open'
                AND q.kind = %s AND q.body->'shoe' = to_jsonb(s.id)),
        s.last_hand,
        (SELECT array_agg(p.box ORDER BY p.box) FROM tables_seat p
            WHERE p.round_id = s.round_id AND p.table_id = s.table_id
                AND p.vacated_at IS NULL AND p.seen_at IS NOT NULL)
    FROM tables_shoe s JOIN tables_table t ON t.id = s.table_id JOIN tournament_round r ON r.id = s.round_id
    WHERE s.id = %s
"""


def shoe_basis(shoe_id: int) -> Basis:
    """Return the state of a shoe: its last hand, the open hand, the seated and present players, its counts.

    Before the first bet it includes which players have been seen (T6), so the press that calls the bets rests
    on them.

    Refused ``no_such_shoe`` (404).
    """
    found = sql.row(_SHOE, COUNT_RULING, shoe_id)
    if found is None:
        raise Refused("no_such_shoe", "There is no such shoe.", status=404)
    status, table, event_id, kind, seq, number, settled, deals, *of_shoe = found
    on_table, sitting, counts, asked, last, seen = of_shoe
    facts = [
        *(status, number, settled, on_table, sitting, counts, asked),
        *(["last hand"] if last else []),
        *([["seen", *seen]] if seen else []),
    ]
    names = [
        ("shoe", shoe_id),
        *(("deal", pk) for pk in deals or ()),
        *(("request", pk) for pk in asked or ()),
        *_stacks(sitting),
    ]
    return Basis(
        event_id,
        seq or 0,
        frozenset(names),
        mark=marked(f"shoe {shoe_id}", facts),
        now=_shoe_now(status, table, kind, number, on_table, counts or []),
    )


def _stacks(sitting: str | None) -> list[tuple[str, int]]:
    """Return the stacks as names, since the journal names a player who is absent or back by stack."""
    return [("stack", stack) for _box, stack, _state in json.loads(sitting or "[]")]


def _shoe_now(
    status: str, table: int, kind: str, number: int, on_table: str | None, counts: list[int]
) -> str:
    if on_table is not None:
        return f"Hand {number} is on table {table}."
    if status == Shoe.Status.DEALING:
        return f"Hand {number + 1} is next at table {table}."
    if status == Shoe.Status.COUNTED:
        return f"Table {table} is counted."
    if kind != Round.Kind.ROUND:
        return f"The shoe at table {table} is over."  # the chips of a tie are not counted
    entered = ("no count is", "one count is", "both counts are")[len(counts)]
    return f"The shoe at table {table} is over; {entered} in."


# -- Tables and seats ---------------------------------------------------------------------------------

ALTERNATES = ("entry", "seat.fill", "disqualify", "table.add", "table.change", "tables.ensure", "redraw")


def play_basis(round_id: int) -> Basis:
    """Return the state for 'Play has begun': the round, the alternates, the free boxes and the tables."""
    round_ = Round.objects.get(pk=round_id)
    return basis_made(round_.event_id, "round", "shoe", "count", "count_ruling", "seat.no_show", *ALTERNATES)


def tables_basis(event_id: int) -> Basis:
    """Return the state of an event's tables and their dealers."""
    return basis_made(event_id, "table", "tables", "clerk")


SITS = ("seat.fill", "shoe.next")
CLERKS = ("clerk.bind", "clerk.release")


def table_basis(table_id: int) -> Basis:
    """Return the state of one table: whether it is in use, and its boxes. Occupied boxes have a check of
    their own."""
    event_id = Table.objects.get(pk=table_id).event_id
    return basis_made(event_id, names=[("table", table_id)], besides=(*SITS, *CLERKS))


def clerk_basis(table_id: int, user_id: int) -> Basis:
    """Return the state of a table (in use, its dealers) and of a dealer (the dealer's table in this
    event)."""
    event_id = Table.objects.get(pk=table_id).event_id
    return basis_made(event_id, names=[("table", table_id), ("user", user_id)], besides=SITS)


def draw_basis(event_id: int) -> Basis:
    """Return the state of an event's draws: the entries to draw next, and the progress of its rounds."""
    last = Round.objects.filter(event=event_id).order_by("pk").last()
    # A table or box that comes or goes changes the roster (T4, T6).
    left: tuple[str, ...] = ("entry", "seat.fill", "seat.no_show", "table", "tables")
    if last is not None and last.status == Round.Status.PLAYING:
        # While hands are played, an entry that leaves does not change the roster.
        left = ()
    elif open_draw(Event.objects.get(pk=event_id)) is not None:
        # The roster is locked: later buy-ins wait as alternates.
        left = ("entry.withdraw", "entry.replace", "seat.fill", "seat.no_show")
    return basis_made(event_id, *STATUS, "draw", "round", "redraw", *RULINGS, DISQUALIFY, AFTER_CLOSE, *left)


def seat_basis(seat_id: int) -> Basis:
    """Return the state of a seat: its player, whether it is given up, and whether its round has begun."""
    seat = Seat.objects.select_related("entry").get(pk=seat_id)
    names: list[Name] = [("seat", seat_id), ("entry", seat.entry_id), ("entry", seat.entry.code)]
    return basis_made(seat.entry.event_id, "round.play", "redraw", names=names)


def box_basis(round_id: int) -> Basis:
    """Return the state of the free boxes of a round: seats, alternates, and the progress of the round."""
    round_ = Round.objects.get(pk=round_id)
    return basis_made(round_.event_id, "round.play", *ALTERNATES)


def replacing_basis(entry_id: int) -> Basis:
    """Return the state for replacing a qualifier: all outcomes, the rounds and the rulings on cuts."""
    left = ("entry", "seat.fill", "seat.no_show", "redraw", "disqualify")
    return basis_made(
        Entry.objects.get(pk=entry_id).event_id, "round", "deal.correct", *left, *RULINGS, AFTER_CLOSE
    )


def cut_basis(round_id: int) -> Basis:
    """Return the state of a cut that differs after a correction: the players, and the ruling on it (T17)."""
    # Corrections and leaving players are given as kinds: each one changes what the director weighs.
    weighed = ("deal.correct", AFTER_CLOSE, "entry", DISQUALIFY)
    return basis_made(Round.objects.get(pk=round_id).event_id, *weighed, names=[("round", round_id)])


def due_basis(shoe_id: int, table: Table, due: Iterable[BoxDue], sitting: Iterable[Entry]) -> Basis:
    """Return the state for 'the chips are right': the chips due by box. ``sitting``: all players there."""
    facts = [[each.box, each.entry.pk, each.chips] for each in due]
    names: list[Name] = [("shoe", shoe_id), *(("entry", of) for e in sitting for of in (e.pk, e.code))]
    return basis_made(table.event_id, names=names, of=f"chips due {shoe_id}", facts=facts)


# -- Corrections --------------------------------------------------------------------------------------


def correction_basis(deal_id: int) -> Basis:
    """Return the state for a correction of a settled hand: all hands of its shoe, and the closed rounds."""
    deal = Deal.objects.select_related("shoe__round").get(pk=deal_id)
    hands = Deal.objects.filter(shoe=deal.shoe_id).values_list("pk", flat=True)
    names = [("shoe", deal.shoe_id), *(("deal", pk) for pk in hands)]
    return basis_made(deal.shoe.round.event_id, "round.close", names=names)
