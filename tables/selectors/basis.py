"""What the forms of the floor are made from."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal, Seat, Shoe, Table
from tables.selectors.corrections_asked import AFTER_CLOSE
from tables.selectors.draws import open_draw
from tables.selectors.next_hand import BoxDue
from tournament import sql
from tournament.models import Entry, Event, Round
from tournament.selectors.basis import STATUS, Basis, Name, basis_made, marked
from tournament.selectors.penalties import DISQUALIFY
from tournament.selectors.waiting import COUNT_RULING, RULINGS

# The page of a table asks this with every press: one statement, with how far the journal is.
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
    """A table at its shoe: its last hand, the hand on the table, who sits there and is present, its counts.

    Also which players have been seen there before the first bet (T6): the press that calls it finds them so.

    Refused ``no_such_shoe`` (404).
    """
    found = sql.row(_SHOE, COUNT_RULING, shoe_id)
    if found is None:
        raise Refused("no_such_shoe", _("There is no such shoe."), status=404)
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
    """Return the stacks as names: the journal says by stack that a player is absent or back."""
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
        return f"The shoe at table {table} is over."  # nobody counts the chips of a tie
    entered = ("no count is", "one count is", "both counts are")[len(counts)]
    return f"The shoe at table {table} is over; {entered} in."


# -- Tables and seats ---------------------------------------------------------------------------------

ALTERNATES = ("entry", "seat.fill", "disqualify", "table.add", "table.change", "tables.ensure", "redraw")


def play_basis(round_id: int) -> Basis:
    """'Play has begun': the round, who waits for which free box, what its tables are at."""
    round_ = Round.objects.get(pk=round_id)
    return basis_made(round_.event_id, "round", "shoe", "count", "count_ruling", "seat.no_show", *ALTERNATES)


def tables_basis(event_id: int) -> Basis:
    """The tables of an event and who keeps them."""
    return basis_made(event_id, "table", "tables", "clerk")


SITS = ("seat.fill", "shoe.next")
CLERKS = ("clerk.bind", "clerk.release")


def table_basis(table_id: int) -> Basis:
    """One table: whether it is in use, and its boxes. A box where somebody sits is refused by itself."""
    event_id = Table.objects.get(pk=table_id).event_id
    return basis_made(event_id, names=[("table", table_id)], besides=(*SITS, *CLERKS))


def clerk_basis(table_id: int, user_id: int) -> Basis:
    """A dealer and a table: whether it is in use, who keeps it, and what the dealer keeps in this event."""
    event_id = Table.objects.get(pk=table_id).event_id
    return basis_made(event_id, names=[("table", table_id), ("user", user_id)], besides=SITS)


def draw_basis(event_id: int) -> Basis:
    """The draws of an event, who would be drawn next, and how far its rounds are."""
    last = Round.objects.filter(event=event_id).order_by("pk").last()
    # A table or a box more or less makes the roster another one (T4, T6).
    left: tuple[str, ...] = ("entry", "seat.fill", "seat.no_show", "table", "tables")
    if last is not None and last.status == Round.Status.PLAYING:
        # While hands are played the entries that leave change nothing that is drawn from.
        left = ()
    elif open_draw(Event.objects.get(pk=event_id)) is not None:
        # The roster is locked: who buys in now waits as an alternate.
        left = ("entry.withdraw", "entry.replace", "seat.fill", "seat.no_show")
    return basis_made(event_id, *STATUS, "draw", "round", "redraw", *RULINGS, DISQUALIFY, AFTER_CLOSE, *left)


def seat_basis(seat_id: int) -> Basis:
    """A form about a seat rests on its player, whether it is given up, and whether its round has begun."""
    seat = Seat.objects.select_related("entry").get(pk=seat_id)
    names: list[Name] = [("seat", seat_id), ("entry", seat.entry_id), ("entry", seat.entry.code)]
    return basis_made(seat.entry.event_id, "round.play", "redraw", names=names)


def box_basis(round_id: int) -> Basis:
    """A form about a free box rests on whether it is free, the alternates, and how far its round is."""
    round_ = Round.objects.get(pk=round_id)
    return basis_made(round_.event_id, "round.play", *ALTERNATES)


def replacing_basis(entry_id: int) -> Basis:
    """A form about a qualifier who leaves rests on all outcomes, the rounds and the rulings on cuts."""
    left = ("entry", "seat.fill", "seat.no_show", "redraw", "disqualify")
    return basis_made(
        Entry.objects.get(pk=entry_id).event_id, "round", "deal.correct", *left, *RULINGS, AFTER_CLOSE
    )


def cut_basis(round_id: int) -> Basis:
    """A cut that a correction would have made otherwise: by whom, and whether it is ruled to stand (T17)."""
    # A correction, and who has left since, are named by their kinds: each changes what is to be weighed.
    weighed = ("deal.correct", AFTER_CLOSE, "entry", DISQUALIFY)
    return basis_made(Round.objects.get(pk=round_id).event_id, *weighed, names=[("round", round_id)])


def due_basis(shoe_id: int, table: Table, due: Iterable[BoxDue], sitting: Iterable[Entry]) -> Basis:
    """The form 'the chips are right' rests on what is due by box. ``sitting``: all players there."""
    facts = [[each.box, each.entry.pk, each.chips] for each in due]
    names: list[Name] = [("shoe", shoe_id), *(("entry", of) for e in sitting for of in (e.pk, e.code))]
    return basis_made(table.event_id, names=names, of=f"chips due {shoe_id}", facts=facts)


# -- Corrections --------------------------------------------------------------------------------------


def correction_basis(deal_id: int) -> Basis:
    """A hand that is over, with every hand of its shoe: what a correction of it is previewed on."""
    deal = Deal.objects.select_related("shoe__round").get(pk=deal_id)
    hands = Deal.objects.filter(shoe=deal.shoe_id).values_list("pk", flat=True)
    names = [("shoe", deal.shoe_id), *(("deal", pk) for pk in hands)]
    return basis_made(deal.shoe.round.event_id, "round.close", names=names)
