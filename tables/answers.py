"""Answer the tournament's questions about the floor; the tournament app does not know tables."""

from __future__ import annotations

from tables.selectors import whereabouts
from tables.selectors.floor import boxes_free, tables_usable
from tables.selectors.rulings import why_ruling_over
from tournament.engine.seats import capacity
from tournament.models import Event, Round


class FloorAnswers:
    """Seats and progress, each in at most two queries."""

    seats = staticmethod(whereabouts.seats_taken)
    progress = staticmethod(whereabouts.progress_of)
    why_ruling_over = staticmethod(why_ruling_over)

    def capacity(self, event: Event) -> int | None:
        """Return the number of boxes for the draw of round 1 (T4); None before there is a table or a posted
        number.

        A posted table that is not set up yet counts with the posted number of boxes.
        """
        chosen = event.settings
        usable = [(number, boxes) for number, boxes in tables_usable(event) if boxes]
        if not usable and chosen.tables_count is None:
            return None
        missing = max(0, (chosen.tables_count or 0) - len(usable))
        return capacity(usable, chosen.tables_count) + missing * chosen.boxes_per_table

    def boxes_free(self, round_id: int) -> list[tuple[int, int]]:
        """Return the boxes of a round's tables where a player can still be seated (T6)."""
        return boxes_free(Round.objects.select_related("event").get(pk=round_id))
