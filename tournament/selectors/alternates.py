"""Whether alternates can still be seated, and in how many free boxes (T6)."""

from dataclasses import dataclass
from enum import StrEnum

from tournament.models import Event, Round
from tournament.selectors.floor import floor


class Seats(StrEnum):
    """Whether alternates can be seated."""

    NOT_DRAWN = "not_drawn"
    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True)
class Seating:
    """Whether alternates can be seated, and the free boxes of round 1 as (table number, box), in order.

    ``boxes_free`` is None where round 1 is not drawn yet, or is counted: then no free box matters.
    """

    state: Seats
    boxes_free: tuple[tuple[int, int], ...] | None

    @property
    def free(self) -> int | None:
        """How many boxes are free; None where that does not matter."""
        return None if self.boxes_free is None else len(self.boxes_free)


def seating_of(event: Event) -> Seating:
    """Whether alternates of an event can still be seated, and where (T6)."""
    first = event.rounds.filter(number=1, kind=Round.Kind.ROUND).first()
    if first is None:
        return Seating(Seats.NOT_DRAWN, None)
    playing = first.status in (Round.Status.SEATED, Round.Status.PLAYING)
    free = tuple(floor().boxes_free(first.pk)) if playing else None
    return Seating(Seats.OPEN if first.status == Round.Status.SEATED else Seats.CLOSED, free)
