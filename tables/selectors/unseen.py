"""Boxes where nobody has been seen before the first bet of round 1, and who could take them (T6)."""

from __future__ import annotations

from dataclasses import dataclass

from tables.models import Seat
from tables.selectors.floor import boxes_free, seats_live
from tournament.models import Entry, Event, Round, Stack
from tournament.selectors.desk import waiting_list
from tournament.selectors.stages import current_round


@dataclass(frozen=True)
class Unseen:
    """What is asked before the first bet: ``seats`` where nobody has been seen, by table and box.

    For each the floor says: present, absent or no-show. ``seen``: seats of players who are there; ``free``:
    table and box of every free box of the round; ``waiting``: the alternates in order.
    """

    seats: tuple[Seat, ...] = ()
    seen: tuple[Seat, ...] = ()
    free: tuple[tuple[int, int], ...] = ()
    waiting: tuple[Entry, ...] = ()

    def at(self, number: int) -> tuple[Seat, ...]:
        """The seats at one table where nobody has been seen."""
        return tuple(seat for seat in self.seats if seat.table.number == number)

    def seen_at(self, number: int) -> tuple[Seat, ...]:
        """The seats at one table whose players have been seen."""
        return tuple(seat for seat in self.seen if seat.table.number == number)

    @property
    def tables(self) -> dict[int, tuple[Seat, ...]]:
        """The seats where nobody has been seen, table by table."""
        return {number: self.at(number) for number in sorted({seat.table.number for seat in self.seats})}


def asks_who_is_there(round_: Round | None) -> bool:
    """Whether seats can still be given up and taken: in round 1, until its first bet is called (T6)."""
    if round_ is None or round_.status != Round.Status.SEATED:
        return False
    first = round_.kind == Round.Kind.ROUND and round_.number == 1
    return first and round_.event.status == Event.Status.RUNNING


def unseen_of(event: Event) -> Unseen:
    """The boxes of an event where nobody has been seen; nothing once the first bet is called (T6).

    A player who is ruled absent is not asked about again.
    """
    round_ = current_round(event)
    if round_ is None or not asks_who_is_there(round_):
        return Unseen()
    seats = seats_live(round_)
    absent = Stack.objects.filter(round=round_, state=Stack.State.ABSENT).values_list("entry_id", flat=True)
    away = set(absent)
    return Unseen(
        seats=tuple(s for s in seats if s.seen_at is None and s.entry_id not in away),
        seen=tuple(s for s in seats if s.seen_at is not None),
        free=tuple(boxes_free(round_)),
        waiting=tuple(waiting_list(event)),
    )
