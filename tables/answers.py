"""What the floor answers the tournament, which does not know tables (tournament.selectors.floor)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tables.selectors import whereabouts
from tables.selectors.floor import boxes_free, tables_usable
from tables.selectors.rulings import why_ruling_over
from tournament.engine.seats import capacity
from tournament.models import Event, Round
from tournament.selectors.floor import TableProgress


class FloorAnswers:
    """Seats and progress, two queries at most."""

    def seats(self, round_ids: Iterable[int]) -> dict[tuple[int, int], tuple[int, int]]:
        """(round, entry) → (table number, box)."""
        return whereabouts.seats_taken(round_ids)

    def progress(self, round_id: int) -> list[TableProgress]:
        """Every table of a round."""
        return whereabouts.progress_of(round_id)

    def capacity(self, event: Event) -> int | None:
        """How many boxes the draw of round 1 has (T4); None before there is a table or a posted number.

        A table of the posted number that is not in use yet counts with the posted number of boxes.
        """
        chosen = event.settings
        usable = [(number, boxes) for number, boxes in tables_usable(event) if boxes]
        if not usable and chosen.tables_count is None:
            return None
        missing = max(0, (chosen.tables_count or 0) - len(usable))
        return capacity(usable, chosen.tables_count) + missing * chosen.boxes_per_table

    def boxes_free(self, round_id: int) -> list[tuple[int, int]]:
        """The boxes of a round's tables where somebody can still be seated (T6)."""
        return boxes_free(Round.objects.select_related("event").get(pk=round_id))

    def bettors(self, round_id: int) -> set[int]:
        """Return the entries that have played a hand of a round (T15)."""
        return whereabouts.bettors(round_id)

    def why_ruling_over(self, body: Mapping[str, Any]) -> str:
        """Why a ruling on a count that was asked for no longer holds (T18)."""
        return why_ruling_over(body)
