"""Seats, the progress of tables, and names for the floor's ids in the journal."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Max, Q
from django.db.models.functions import Coalesce

from tables.models import Deal, Seat, Shoe, Table
from tournament.models import Entry, Round
from tournament.selectors.floor import TableProgress


def seats_taken(round_ids: Iterable[int]) -> dict[tuple[int, int], tuple[int, int]]:
    """Map (round id, entry id) to (table number, box) for the seats that are taken now."""
    taken = Seat.objects.filter(round__in=list(round_ids), vacated_at__isnull=True)
    rows = taken.order_by().values_list("round_id", "entry_id", "table__number", "box")
    return {(round_id, entry_id): (table, box) for round_id, entry_id, table, box in rows}


def progress_of(round_id: int) -> list[TableProgress]:
    """Return the progress of every table: the number of the last settled hand in its latest shoe."""
    last = Coalesce(Max("deals__number", filter=Q(deals__status=Deal.Status.SETTLED)), 0)
    shoes = Shoe.objects.filter(round=round_id).annotate(hands=last).order_by("table__number", "number")
    fields = ("table__number", "hands", "status", "pk", "decks", "cards_dealt", "last_hand")
    latest = {row[0]: TableProgress(*row) for row in shoes.values_list(*fields)}
    return list(latest.values())


def tables_of_shoes(shoe_ids: Iterable[int]) -> dict[int, int]:
    """Map the ids of shoes to their tables' numbers."""
    return dict(Shoe.objects.filter(pk__in=list(shoe_ids)).values_list("pk", "table__number"))


def shoes_shown(shoe_ids: Iterable[int]) -> set[int]:
    """Return those of these shoes that their table's count page shows: the last one of a round, not a tie."""
    wanted = set(shoe_ids)
    here = Shoe.objects.filter(table__shoes__in=wanted, round__kind=Round.Kind.ROUND).distinct()
    last = here.order_by("round__number", "flight", "number").values_list("table_id", "pk")
    return wanted & set(dict(last).values())


def sat_at_shoes(when: Iterable[tuple[Shoe, datetime]]) -> dict[tuple[int, datetime], dict[int, Entry]]:
    """Map (shoe id, time) to the entries by box who sat there then, in one query."""
    wanted = list(when)
    rounds, tables = ({getattr(shoe, name) for shoe, _at in wanted} for name in ("round_id", "table_id"))
    seats = Seat.objects.filter(round__in=rounds, table__in=tables)
    # Later seats of a box come first, so the earliest one not left by then is set last.
    seats = seats.select_related("entry__player").order_by("-pk")
    return {
        (shoe.pk, at): {
            seat.box: seat.entry
            for seat in seats
            if (seat.round_id, seat.table_id, seat.flight) == (shoe.round_id, shoe.table_id, shoe.flight)
            and not (seat.vacated_at and seat.vacated_at <= at)
        }
        for shoe, at in wanted
    }


def hands_of_deals(deal_ids: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Map the ids of hands to (table number, hand number)."""
    found = Deal.objects.filter(pk__in=list(deal_ids)).values_list("pk", "shoe__table__number", "number")
    return {pk: (table, number) for pk, table, number in found}


def numbers_of_tables(table_ids: Iterable[int]) -> dict[int, int]:
    """Map the ids of tables to their numbers."""
    return dict(Table.objects.filter(pk__in=list(table_ids)).values_list("pk", "number"))


def boxes_of_seats(seat_ids: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Map the ids of seats to (table number, box), including seats that were given up."""
    found = Seat.objects.filter(pk__in=list(seat_ids)).order_by()
    return {pk: (table, box) for pk, table, box in found.values_list("pk", "table__number", "box")}
