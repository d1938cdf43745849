"""Rulings on counts (T18): the chips they move, and the rulings that wait for a second person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from ground.words import Sentence
from tables.models import CountSheet, Shoe
from tournament.models import Entry, Request, Stack
from tournament.selectors.open_requests import COUNT_RULING, why_lapsed

from .counts import boxes_again, boxes_to_count, hands_recorded, live_sheets

Chips = Mapping[int, int]


@dataclass(frozen=True)
class Asked:
    """A ruling on a count that waits for a second person; ``who`` is empty for the house itself.

    ``chips``: box → the ruled chips; ``moves``: box → (before, after) of the stacks that it moves.
    """

    request: Request
    chips: Chips
    moves: Mapping[int, tuple[int, int]]
    who: str


def chips_moved(
    shoe: Shoe, stacks: Mapping[int, Stack], sheets: Sequence[CountSheet], ruled: Chips
) -> dict[int, int]:
    """Map boxes to the chips by which a ruling moves their stacks; without the boxes that it leaves.

    If hands were recorded, a ruling that agrees with the ledger moves nothing. If not, only the two counts
    are known: every box in which they differ counts as moved, even by 0.
    """
    decides = set() if hands_recorded(shoe) else set(boxes_again(sheets, stacks))
    return {
        box: ruled[box] - stack.chips
        for box, stack in stacks.items()
        if ruled[box] != stack.chips or box in decides
    }


def why_ruling_over(body: Mapping[str, Any]) -> str:
    """Return why a requested ruling no longer applies, and what can be ruled on now; empty while it applies.

    It is about these two counts and these stacks, so a recount, a correction, a penalty or a player who
    leaves ends it.
    """
    shoe = Shoe.objects.select_related("table", "round").get(pk=body["shoe"])
    names = {"table": shoe.table}
    if [sheet.pk for sheet in live_sheets(shoe)] != body["sheets"]:
        return Sentence("The counts of %(table)s have been withdrawn since.", **names)
    if shoe.status != Shoe.Status.OVER:
        return Sentence("%(table)s has been counted in the meantime. Nothing is left to rule on.", **names)
    if {str(box): stack.chips for box, stack in boxes_to_count(shoe).items()} != body["before"]:
        return Sentence(
            "The stacks at %(table)s have changed since this was asked for. Ask for a new ruling.", **names
        )
    return ""


def counted_anew(shoe_ids: Iterable[int]) -> set[int]:
    """Return the shoes that have to be counted again; their earlier figures stay hidden (T18)."""
    live = Count("counts", filter=Q(counts__status=CountSheet.Status.LIVE))
    due = Shoe.objects.filter(pk__in=list(shoe_ids)).exclude(status=Shoe.Status.COUNTED)
    return set(due.annotate(live=live).filter(live__lt=2).order_by().values_list("pk", flat=True))


def rulings_about(entry: Entry) -> list[int]:
    """Return the ids of requested rulings that move, or would have moved, the stack of an entry (T18).

    Tables that have to be counted again are left out: their earlier figures stay hidden.
    """
    found: list[int] = []
    for seat in entry.seats.all():
        shoes = Shoe.objects.filter(round=seat.round_id, table=seat.table_id, flight=seat.flight)
        here = set(shoes.values_list("pk", flat=True))
        until = Q(requested_at__lt=seat.vacated_at) if seat.vacated_at else Q()
        asked = Request.objects.filter(
            until,
            kind=COUNT_RULING,
            body__shoe__in=list(here - counted_anew(here)),
            body__moved__contains=[str(seat.box)],
        )
        found += asked.values_list("pk", flat=True)
    return found


def which_counted(body: Mapping[str, Any], user_id: int | None) -> int:
    """Return which count under a ruling this person made: 1 or 2, 0 for neither (T18)."""
    made = CountSheet.objects.filter(pk__in=body["sheets"], counted_by=user_id) if user_id else ()
    return max((sheet.which for sheet in made), default=0)


def waiting_on(*shoes: int) -> dict[int, Asked]:
    """Map shoes to the ruling that waits for a second person and still applies."""
    found = Request.objects.filter(kind=COUNT_RULING, status=Request.Status.OPEN, body__shoe__in=shoes)
    waiting = found.select_related("requested_by").order_by("pk")
    return {each.body["shoe"]: _asked(each) for each in waiting if not why_lapsed(each)}


@dataclass(frozen=True)
class CountState:
    """The count of a finished shoe: how many counts are in, and the ruling that waits, if any."""

    entered: int
    ruling: Asked | None


def count_state(shoe: Shoe) -> CountState:
    """Return how many counts of a shoe are in, and the waiting ruling, without any figure (T18)."""
    entered = len(live_sheets(shoe))
    return CountState(entered, waiting_on(shoe.pk).get(shoe.pk) if entered else None)


def _asked(request: Request) -> Asked:
    body = request.body
    chips = {int(box): ruled for box, ruled in body["chips"].items()}
    return Asked(
        request=request,
        chips=chips,
        moves={int(box): (body["before"][box], chips[int(box)]) for box in body["moved"]},
        who=request.requested_by.get_username() if request.requested_by else "",
    )
