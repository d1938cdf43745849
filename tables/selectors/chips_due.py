"""Chips that a ruling has moved but nobody has moved on the felt yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Seat, Table
from tables.selectors.floor import IN_PLAY
from tournament.engine.basis import Basis, Name
from tournament.models import Entry, Round, Stack
from tournament.selectors.basis import basis_made


@dataclass(frozen=True)
class BoxDue:
    """Chips due at one box: above 0 they are given to it, below 0 taken. Then it has ``has_chips``."""

    box: int
    entry: Entry
    chips: int
    has_chips: int

    @property
    def taken(self) -> bool:
        """Whether the chips are taken from the box; given to it otherwise."""
        return self.chips < 0

    @property
    def amount_chips(self) -> int:
        """The number of chips to move."""
        return abs(self.chips)


def due_by_box(round_: Round, stacks: Mapping[int, Stack]) -> tuple[BoxDue, ...]:
    """What is due at a table, of its stacks by box. Nothing before the first bet."""
    if round_.status != Round.Status.PLAYING:
        return ()
    return tuple(
        BoxDue(box, stack.entry, stack.due_chips, stack.chips)
        for box, stack in stacks.items()
        if stack.due_chips and stack.state in IN_PLAY
    )


def due_by_table(round_: Round) -> dict[int, tuple[BoxDue, ...]]:
    """Map the number of each table to what is due there; tables without are left out."""
    moved = Stack.objects.filter(round=round_, state__in=IN_PLAY).exclude(due_chips=0)
    stacks = {stack.entry_id: stack for stack in moved.select_related("entry")}
    if not stacks:
        return {}
    seats = Seat.objects.filter(round=round_, entry__in=stacks, vacated_at__isnull=True)
    found: dict[int, dict[int, Stack]] = {}
    for table, box, entry in seats.order_by("box").values_list("table__number", "box", "entry"):
        found.setdefault(table, {})[box] = stacks[entry]
    return {number: due for number, at in sorted(found.items()) if (due := due_by_box(round_, at))}


def why_not_bet_yet(table: Table, due: Iterable[BoxDue]) -> Refused | None:
    """Return ``chips_due`` (409) while the stacks on the felt differ from the record."""
    if not list(due):
        return None
    return Refused(
        "chips_due",
        _(
            "Chips are due at table %(table)s. Move them as the page of the table shows and confirm it there,"
            " then call the bets."
        ),
        status=409,
        table=table.number,
    )


def due_basis(shoe_id: int, table: Table, due: Iterable[BoxDue], sitting: Iterable[Entry]) -> Basis:
    """Return the basis of 'the chips are right': what is due by box. ``sitting``: all players there."""
    facts = [[each.box, each.entry.pk, each.chips] for each in due]
    entries = list(sitting)
    names: list[Name] = [
        ("shoe", shoe_id),
        *(("entry", each.pk) for each in entries),
        *(("entry", each.code) for each in entries),
    ]
    return basis_made(table.event_id, names=names, of=f"chips due {shoe_id}", facts=facts)
