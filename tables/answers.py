"""What the floor answers the tournament, which does not know tables (tournament.selectors.floor)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tables.models import Table
from tables.selectors import whereabouts
from tables.selectors.floor import boxes_usable
from tables.selectors.rulings import why_ruling_over
from tournament.engine.seats import capacity
from tournament.models import Event
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
        """How many players the tables in use hold (T4); None before there is any."""
        tables = list(Table.objects.filter(event=event))
        if not tables:
            return None
        usable = [(table.number, boxes_usable(table, event.settings)) for table in tables]
        return capacity(usable, event.settings.tables_count)

    def why_ruling_over(self, body: Mapping[str, Any]) -> str:
        """Why a ruling on a count that was asked for no longer holds (T18)."""
        return why_ruling_over(body)
