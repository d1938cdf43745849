"""Counts at the end of a shoe, blind until both are in (T18)."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User

from tables.models import CountSheet, Deal, Shoe
from tournament.models import Entry, Stack

from .floor import IN_PLAY, stacks_by_box


@dataclass(frozen=True)
class CountView:
    """A shoe's counts as one person may see them.

    ``entered``: how many counts are in (0, 1, 2); ``by_me``: this person has entered one of them.
    ``may_enter``: this person can enter the next one. ``boxes``: box → entry, what has to be counted.
    ``differences``: box → (first, second, ledger), only once both are in and do not agree; the
    ledger is None where no hand was recorded. Before that nobody is shown a number.
    """

    shoe: Shoe
    entered: int
    by_me: bool
    may_enter: bool
    boxes: dict[int, Entry]
    differences: dict[int, tuple[int, int, int | None]]


def live_sheets(shoe: Shoe) -> list[CountSheet]:
    """The counts in force, first then second. For services: pages go through ``count_view``."""
    return list(CountSheet.objects.filter(shoe=shoe, status=CountSheet.Status.LIVE).order_by("which"))


def boxes_to_count(shoe: Shoe) -> dict[int, Stack]:
    """Box → stack of everybody whose chips lie there; who is disqualified has none (T26)."""
    return {box: stack for box, stack in stacks_by_box(shoe).items() if stack.state in IN_PLAY}


def hands_recorded(shoe: Shoe) -> bool:
    """Whether the ledger knows what was won at this shoe; if not, the count is all there is (T18)."""
    return Deal.objects.filter(shoe=shoe, status=Deal.Status.SETTLED).exists()


def count_view(shoe: Shoe, user: User | None) -> CountView:
    """What ``user`` may see of a shoe's counts."""
    sheets = live_sheets(shoe)
    stacks = boxes_to_count(shoe)
    by_me = any(user is not None and sheet.counted_by_id == user.pk for sheet in sheets)
    alone = shoe.round.event.is_rehearsal
    may_enter = shoe.status == Shoe.Status.OVER and len(sheets) < 2 and (alone or not by_me)
    shown = len(sheets) == 2 and shoe.status == Shoe.Status.OVER
    return CountView(
        shoe=shoe,
        entered=len(sheets),
        by_me=by_me,
        may_enter=may_enter,
        boxes={box: stack.entry for box, stack in stacks.items()},
        differences=differences(shoe, sheets, stacks) if shown else {},
    )


def differences(
    shoe: Shoe, sheets: list[CountSheet], stacks: dict[int, Stack]
) -> dict[int, tuple[int, int, int | None]]:
    """Box → (first, second, ledger) where the counts differ from each other or from the ledger."""
    recorded = hands_recorded(shoe)
    first, second = (sheet.chips for sheet in sheets)
    found = {}
    for box, stack in stacks.items():
        a, b = int(first.get(str(box), 0)), int(second.get(str(box), 0))
        ledger = stack.chips if recorded else None
        if a != b or (ledger is not None and a != ledger):
            found[box] = (a, b, ledger)
    return found
