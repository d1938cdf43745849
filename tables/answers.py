"""What the floor answers when the tournament's public pages ask (tournament.selectors.floor)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Max, Q
from django.db.models.functions import Coalesce

from tables.models import Deal, Seat, Shoe, Table
from tables.selectors.floor import tables_usable
from tables.selectors.rulings import why_ruling_over
from tournament.engine.seats import capacity
from tournament.models import Event
from tournament.selectors.floor import TableProgress


class FloorAnswers:
    """Seats and progress, two queries at most."""

    def seats(self, round_ids: Iterable[int]) -> dict[tuple[int, int], tuple[int, int]]:
        """(round, entry) → (table number, box)."""
        taken = Seat.objects.filter(round__in=list(round_ids), vacated_at__isnull=True)
        rows = taken.order_by().values_list("round_id", "entry_id", "table__number", "box")
        return {(round_id, entry_id): (table, box) for round_id, entry_id, table, box in rows}

    def progress(self, round_id: int) -> list[TableProgress]:
        """The number of the last settled hand at every table, in its latest shoe; a void one uses its own."""
        last = Coalesce(Max("deals__number", filter=Q(deals__status=Deal.Status.SETTLED)), 0)
        shoes = Shoe.objects.filter(round=round_id).annotate(hands=last).order_by("table__number", "number")
        latest = {
            number: TableProgress(number, hands, status)
            for number, hands, status in shoes.values_list("table__number", "hands", "status")
        }
        return list(latest.values())

    def shoes(self, shoe_ids: Iterable[int]) -> dict[int, int]:
        """Shoe → table number."""
        return dict(Shoe.objects.filter(pk__in=list(shoe_ids)).values_list("pk", "table__number"))

    def hands(self, deal_ids: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Deal → (table number, hand number)."""
        found = Deal.objects.filter(pk__in=list(deal_ids)).values_list("pk", "shoe__table__number", "number")
        return {pk: (table, number) for pk, table, number in found}

    def tables(self, table_ids: Iterable[int]) -> dict[int, int]:
        """Table → its number."""
        return dict(Table.objects.filter(pk__in=list(table_ids)).values_list("pk", "number"))

    def boxes(self, seat_ids: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Seat → (table number, box), given up or not."""
        found = Seat.objects.filter(pk__in=list(seat_ids)).order_by()
        return {pk: (table, box) for pk, table, box in found.values_list("pk", "table__number", "box")}

    def capacity(self, event: Event) -> int | None:
        """How many players the tables in use hold (T4); None before there is any."""
        usable = tables_usable(event)
        return capacity(usable, event.settings.tables_count) if usable else None

    def why_ruling_over(self, body: Mapping[str, Any]) -> str:
        """Why a ruling on a count that was asked for no longer holds (T18)."""
        return why_ruling_over(body)
