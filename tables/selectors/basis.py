"""What the forms of the floor are made from."""

from __future__ import annotations

import json
from typing import Any

from django.db.models import Q, QuerySet

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal, Seat, Shoe, Table
from tables.selectors.corrections_asked import AFTER_CLOSE
from tables.selectors.cut_since import cut_since, cuts_ruled, disqualifying_waits
from tables.selectors.floor import alternates
from tables.selectors.seating_closes import seating_closes
from tournament import sql
from tournament.engine.basis import Basis
from tournament.models import Draw, Entry, Request, Round, Stack
from tournament.selectors.basis import basis_made
from tournament.selectors.penalties import DISQUALIFY
from tournament.selectors.replaced import replaced_in, status_word
from tournament.selectors.waiting import COUNT_RULING, RULINGS

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
    status, table, event_id, seq, number, settled, deals, on_table, sitting, counts, asked, last, seen = found
    return Basis(
        of=f"shoe {shoe_id}",
        facts=[
            *(status, number, settled, on_table, sitting, counts, asked),
            *(["last hand"] if last else []),
            *([["seen", *seen]] if seen else []),
        ],
        now=_shoe_now(status, table, number, on_table, counts or []),
        event_id=event_id,
        about=frozenset(
            [
                ("shoe", shoe_id),
                *(("deal", pk) for pk in deals or ()),
                *(("request", pk) for pk in asked or ()),
                *_stacks(sitting),
            ]
        ),
        seq=seq or 0,
    )


def play_basis(round_id: int) -> Basis:
    """'Play has begun', or its undoing: the round, who waits for which free box, what its tables are at."""
    round_ = Round.objects.select_related("event").get(pk=round_id)
    closes = seating_closes(round_)
    facts = [
        round_.status,
        closes.mark if closes else "",
        list(round_.shoes.order_by("pk").values_list("pk", "status")),
        list(round_.shoes.filter(counts__isnull=False).order_by("counts").values_list("counts", flat=True)),
    ]
    now = f"{round_} is {round_.get_status_display()}."
    about = [("round", round_id)]
    return basis_made(f"play of {round_id}", facts, now=now, event_id=round_.event_id, about=about)


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


# -- Tables and seats ---------------------------------------------------------------------------------


def tables_basis(event_id: int) -> Basis:
    """The tables of an event and who keeps them."""
    facts = [_table_facts(table) for table in _tables(event_id)]
    now = f"There are {len(facts)} tables." if len(facts) != 1 else "There is one table."
    return basis_made(f"tables {event_id}", facts, now=now, event_id=event_id, about=_OF_TABLES)


def table_basis(table_id: int) -> Basis:
    """One table: whether it is in use, its boxes, who keeps it."""
    table = Table.objects.prefetch_related("clerks").get(pk=table_id)
    now = f"{table} is {'in use' if table.in_use else 'out of use'}."
    about = [("table", table_id)]
    return basis_made(f"table {table_id}", _table_facts(table), now=now, event_id=table.event_id, about=about)


_OF_TABLES = [("kind", f"table{kind}") for kind in (".add", ".change", "s.ensure")] + [
    ("kind", "clerk.bind"),
    ("kind", "clerk.release"),
]


def _tables(event_id: int) -> QuerySet[Table]:
    return Table.objects.filter(event=event_id).prefetch_related("clerks")


def _table_facts(table: Table) -> list[Any]:
    return [table.pk, table.in_use, table.boxes_out, sorted(clerk.user_id for clerk in table.clerks.all())]


def draw_basis(event_id: int) -> Basis:
    """The draws of an event, who would be drawn next, and how far its rounds are."""
    entries = Entry.objects.filter(event=event_id).order_by("pk").values_list("pk", "status")
    draws = list(
        Draw.objects.filter(event=event_id).order_by("number").values_list("number", "status", "cards")
    )
    rounds = list(Round.objects.filter(event=event_id).order_by("pk").values_list("pk", "status"))
    # While hands are played the entries that leave change nothing that is drawn from.
    waits = not rounds or rounds[-1][1] != Round.Status.PLAYING
    waiting = Request.objects.filter(event=event_id, status=Request.Status.OPEN)
    kinds = Q(kind__in=(*RULINGS, DISQUALIFY, AFTER_CLOSE))
    asked = waiting.filter(Q(body__has_key="draw") | kinds).order_by("pk")
    # T26: the seat of who was disqualified is given without anybody's status changing.
    given = sorted(replaced_in(event_id)) if waits else None
    drawn_from = list(entries) if waits else None
    facts = [draws, rounds, drawn_from, given, list(asked.values_list("pk", flat=True))]
    now = next((f"Draw {n} is {status}." for n, status, _cards in reversed(draws) if status != _PLANNED), "")
    return basis_made(f"draw {event_id}", facts, now=now, event_id=event_id)


_PLANNED = Draw.Status.PLANNED.value


def seat_basis(seat_id: int) -> Basis:
    """A form about a seat rests on its player, whether it is given up, and whether its round has begun."""
    seat = Seat.objects.select_related("entry", "round", "table").get(pk=seat_id)
    facts = [seat.entry_id, seat.entry.status, seat.vacated_at is None, seat.round.status]
    given_up = "given up" if seat.vacated_at else f"the seat of {seat.entry.code}"
    return basis_made(
        f"seat {seat_id}",
        facts,
        now=f"{seat.table}, box {seat.box}, is {given_up}.",
        event_id=seat.round.event_id,
        about=[("seat", seat_id), ("entry", seat.entry_id), ("entry", seat.entry.code)],
        over=seat.vacated_at is not None,
    )


def box_basis(round_id: int, table_id: int, box: int) -> Basis:
    """A form about a free box rests on whether it is free, the alternates, and how far its round is."""
    round_, table = Round.objects.select_related("event").get(pk=round_id), Table.objects.get(pk=table_id)
    seats = Seat.objects.select_related("entry").filter(round=round_, table=table, box=box)
    taken = seats.filter(vacated_at__isnull=True).first()
    line = [entry.pk for entry in alternates(round_.event)]
    who = f"is the seat of {taken.entry.code}" if taken else "is free"
    return basis_made(
        f"box {table_id} {box}",
        [round_.status, table.boxes_in_use, taken and taken.entry_id, line],
        now=f"{table}, box {box}, {who}.",
        event_id=round_.event_id,
        about=[("kind", f"seat.{kind}") for kind in ("fill", "no_show")] + [("kind", "table.change")],
        over=taken is not None,
    )


def replacing_basis(entry_id: int) -> Basis:
    """A form about a qualifier who leaves rests on all outcomes, the rounds and the rulings on cuts."""
    entry = Entry.objects.get(pk=entry_id)
    stacks = Stack.objects.filter(entry__event=entry.event_id, round__kind=Round.Kind.ROUND)
    rounds = Round.objects.filter(event=entry.event_id).order_by("pk")
    ruled = cuts_ruled(entry.event_id)
    facts = [
        list(stacks.order_by("pk").values_list("pk", "outcome", "entry__status")),
        [[each.pk, each.status, len(ruled.get(each.pk, ()))] for each in rounds],
    ]
    now = f"{entry.code} is {status_word(entry)}."
    return basis_made(f"replacing {entry_id}", facts, now=now, event_id=entry.event_id)


def cut_basis(round_id: int) -> Basis:
    """A cut that a correction would have made otherwise: by whom, and whether it is ruled to stand (T17)."""
    round_ = Round.objects.select_related("event").get(pk=round_id)
    found = cut_since(round_)
    asked = [each.pk for each in disqualifying_waits(found)] if found else []
    facts = [found.about.body(), found.stands is not None, len(found.corrected), asked] if found else None
    now = f"The cut of {round_.title} is as it should be."
    if found:
        now = f"The cut of {round_.title} is {'ruled to stand' if found.stands else 'not ruled on yet'}."
    # A correction, and who has left since, are named by their kinds: each changes what is to be weighed.
    about: list[tuple[str, int | str]] = [("round", round_id)]
    about += [("kind", kind) for kind in ("request.decide", "entry.replace")]
    about += [("request", pk) for pk in asked]
    over = found is None or found.stands is not None
    return basis_made(f"cut {round_id}", facts, now=now, event_id=round_.event_id, about=about, over=over)


# -- Corrections --------------------------------------------------------------------------------------


def correction_basis(deal_id: int) -> Basis:
    """A hand that is over, with every hand of its shoe: what a correction of it is previewed on."""
    deal = Deal.objects.select_related("shoe__table", "shoe__round").get(pk=deal_id)
    hands = list(Deal.objects.filter(shoe=deal.shoe_id).order_by("pk").values_list("pk", "status"))
    waits = [[each["seq"], each["no"]] for each in deal.shoe.to_correct if each["deal"] == deal_id]
    round_ = deal.shoe.round
    about = [("shoe", deal.shoe_id), *(("deal", pk) for pk, _status in hands)]
    return basis_made(
        f"hand {deal_id}",
        [round_.status, deal.shoe.status, hands, *waits],
        now=f"Hand {deal.number} at {deal.shoe.table} is {deal.get_status_display()}.",
        event_id=round_.event_id,
        about=about,
    )
