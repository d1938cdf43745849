"""What the ids of one command mean: each name is read when it is asked for (``names_of`` reads all)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from django.db.models import QuerySet

from tables.models import Deal, Shoe
from tables.selectors.journal_facts import Names
from tournament.models import Entry, Event, Penalty, Round, Stack

Name = TypeVar("Name")
STAGE = ("round__number", "round__kind", "round__sequence")


class _Asked(dict[int, Name]):
    """Names that are known, and how to read another one."""

    def __init__(self, read: Callable[[int], Name], known: Mapping[int, Name] | None = None) -> None:
        super().__init__(known or {})
        self._read = read

    def __missing__(self, pk: int) -> Name:
        name = self[pk] = self._read(pk)
        return name


def names_asked(event: Event, deals: Iterable[Deal] = ()) -> Names:
    """Return what ids of an event mean; ``deals`` are at hand, with shoe, table and round.

    A name raises KeyError where the event has no such row.
    """
    hands, shoes, stages = dict[int, Any](), dict[int, Any](), dict[int, Any]()
    for deal in deals:
        shoe, round_ = deal.shoe, deal.shoe.round
        stages[round_.pk] = (round_.number, str(round_.kind), round_.sequence)
        shoes[shoe.pk] = (stages[round_.pk], shoe.table.number, shoe.number)
        hands[deal.pk] = (shoe.pk, deal.number)
    ours = {"round__event": event}
    return Names(
        _Asked(lambda pk: _row(Round.objects.filter(event=event), pk, "number", "kind", "sequence"), stages),
        _Asked(lambda pk: _staged(Shoe.objects.filter(**ours), pk, "table__number", "number"), shoes),
        _Asked(lambda pk: _row(Deal.objects.filter(shoe__round__event=event), pk, "shoe", "number"), hands),
        _Asked(lambda pk: _row(Entry.objects.filter(event=event), pk, "code")[0]),
        _Asked(lambda pk: _staged(Stack.objects.filter(**ours), pk, "entry__code")),
        _Asked(lambda pk: _row(event.tables.all(), pk, "number")[0]),
        _Asked(lambda pk: _penalty(Penalty.objects.filter(**ours, kind=Penalty.Kind.CHIPS), pk)),
    )


def _row(rows: QuerySet[Any], pk: int, *columns: str) -> Any:
    for row in rows.filter(pk=pk).order_by().values_list(*columns):
        return row
    raise KeyError(pk)


def _staged(rows: QuerySet[Any], pk: int, *columns: str) -> Any:
    """Return the stage of a row, and these columns of it."""
    row = _row(rows, pk, *STAGE, *columns)
    return (row[: len(STAGE)], *row[len(STAGE) :])


def _penalty(rows: QuerySet[Penalty], pk: int) -> Any:
    stage, code, entry, round_ = _staged(rows, pk, "entry__code", "entry", "round")
    return (stage, code, rows.filter(entry=entry, round=round_, pk__lte=pk).count())
