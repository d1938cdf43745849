"""What alternates are told: whether seating is open, and how many boxes are free (T6)."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Event, Round
from tournament.selectors.floor import floor

NOT_DRAWN, OPEN, CLOSED = "before the draw", "open", "closed"


@dataclass(frozen=True)
class Seating:
    """Whether alternates can be seated: ``state`` is NOT_DRAWN, OPEN or CLOSED.

    ``boxes_free``: the free boxes of round 1 as (table number, box), in order; None where round 1 is not
    drawn yet, or is counted: then no free box matters.
    """

    state: str
    boxes_free: tuple[tuple[int, int], ...] | None

    @property
    def free(self) -> int | None:
        """How many boxes are free; None where that does not matter."""
        return None if self.boxes_free is None else len(self.boxes_free)

    @property
    def words(self) -> str:
        """The sentence for alternates and for the staff."""
        if self.state == NOT_DRAWN:
            return _("Alternates take boxes that become free, in this order.")
        if self.state == OPEN:
            return self._open_words()
        refund = _("The buy-in of an alternate who was not seated goes back at the desk.")
        if self.boxes_free is None:
            return refund
        return f"{self._closed_words()} {refund}"

    def _open_words(self) -> str:
        if not self.free:
            return _(
                "No box is free now. Until the first bet of round 1, alternates take the seats of players who"
                " do not come, in this order."
            )
        return ngettext(
            "%(n)s box is free. Alternates are seated in this order until the first bet of round 1.",
            "%(n)s boxes are free. Alternates are seated in this order until the first bet of round 1.",
            self.free,
        ) % {"n": self.free}

    def _closed_words(self) -> str:
        if not self.free:
            return _("Seating closed with the first bet of round 1. Every box is taken.")
        return ngettext(
            "Seating closed with the first bet of round 1. %(n)s box stays empty.",
            "Seating closed with the first bet of round 1. %(n)s boxes stay empty.",
            self.free,
        ) % {"n": self.free}


def seating_of(event: Event) -> Seating:
    """Whether alternates of an event can still be seated, and where (T6)."""
    first = event.rounds.filter(number=1, kind=Round.Kind.ROUND).first()
    if first is None:
        return Seating(NOT_DRAWN, None)
    playing = first.status in (Round.Status.SEATED, Round.Status.PLAYING)
    free = tuple(floor().boxes_free(first.pk)) if playing else None
    return Seating(OPEN if first.status == Round.Status.SEATED else CLOSED, free)
