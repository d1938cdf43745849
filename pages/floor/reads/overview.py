"""Every table of an event at a glance, with its state and dealers, in a fixed number of queries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.contrib.auth.models import User

from pages.director.reads.floor_facts import TableLine, table_lines
from tables.models import Deal, Seat, Table
from tables.selectors.clerks import clerks_of
from tournament.models import Event, Round


@dataclass(frozen=True)
class FloorLine:
    """One table: its line on 'Tonight' (None while nobody is seated), players, open hand, dealers, button."""

    table: Table
    line: TableLine | None
    players: int
    open_hand: int | None
    clerks: tuple[User, ...]


def floor_lines(event: Event, round_: Round | None) -> list[FloorLine]:
    """Return the tables of an event by number; tables out of use only if somebody sits there."""
    lines = {line.number: line for line in table_lines(round_)[0]}
    seats = (
        Seat.objects.filter(round=round_, vacated_at__isnull=True).order_by()
        if round_
        else Seat.objects.none()
    )
    players = Counter(seats.values_list("table__number", flat=True))
    opened = (
        Deal.objects.filter(shoe__round=round_, status=Deal.Status.OPEN) if round_ else Deal.objects.none()
    )
    hands = dict(opened.order_by().values_list("shoe__table__number", "number"))
    clerks = clerks_of(event)
    return [
        FloorLine(
            table,
            lines.get(table.number),
            players[table.number],
            hands.get(table.number),
            tuple(clerks.get(table.number, ())),
        )
        for table in Table.objects.filter(event=event).order_by("number")
        if table.in_use or table.number in lines
    ]
