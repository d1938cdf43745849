"""Full tables, no-shows and the alternates who wait for a seat."""

from __future__ import annotations

from typing import Any

from tables.models import Seat
from tables.services import dealing, seating
from tests.cast.factories import new_key
from tests.cast.floor import draw_and_seat, event_make, seated
from tournament.models import Entry, Event, Round
from tournament.selectors.standings import standings_body


def table(event: Event, *out: int) -> None:
    seating.table_add(event_id=event.pk, boxes_out=out, key=new_key(), actor=None)


def full_of(boxes: int, entrants: int) -> Round:
    """Return round 1, seated at one table with this many boxes; the other entrants wait."""
    event = event_make(entrants, tables_count=1, boxes_per_table=boxes)
    return draw_and_seat(event)


def told(event: Event) -> Any:
    """Return what phones show beside the alternates: whether seating is open, and the free boxes."""
    sections = standings_body(Event.objects.get(pk=event.pk))["sections"]
    found = [each for each in sections if "seating" in each]
    return [(each["seating"], each["boxes_free"]) for each in found]


def alone(**settings: object) -> Round:
    """Round 1 of an event on counts alone, seated."""
    return seated(3, record_mode="counts", **settings)


def begin(round_: Round) -> None:
    dealing.round_play(round_id=round_.pk, key=new_key(), actor=None)


def status(round_: Round) -> str:
    return Round.objects.get(pk=round_.pk).status


def no_show(round_: Round, box: int, table: int = 1, **more: object) -> dict:
    seat = Seat.objects.get(round=round_, table__number=table, box=box, vacated_at__isnull=True)
    return seating.seat_no_show(seat_id=seat.pk, key=new_key(), actor=None, **more)


def fill(round_: Round, box: int, entry: Entry | None = None, table: int = 1) -> dict:
    return seating.seat_fill(
        round_id=round_.pk,
        table_id=round_.event.tables.get(number=table).pk,
        box=box,
        entry_id=entry.pk if entry else None,
        key=new_key(),
        actor=None,
    )
