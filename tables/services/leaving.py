"""What happens at the tables when an entry leaves the event, or a ruling moves its chips (T7, T26)."""

from __future__ import annotations

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal, Seat, Shoe
from tables.selectors.draws import redraw_check, redraw_waiting
from tournament.models import Entry, Round
from tournament.services.entries import floor_hook, left_hook
from tournament.services.journal import Command

from .counts import recount_look
from .locks import shoe_lock


@floor_hook
def entry_at_the_table(cmd: Command, entry: Entry, leaves: bool) -> None:
    """Wait for the hand at the table to be finished; then vacate the box of an entry that leaves.

    Refuses ``hand_open`` (409): an open hand knows who sits there with what stack, so it is settled or
    voided first. Refuses ``draw_in_progress`` (409) while the entry is on the roster of a redraw.
    """
    redraw = redraw_waiting(entry.event)
    if leaves and redraw is not None and entry.code in redraw.roster:
        redraw_check(entry.event)
    seated = Seat.objects.filter(entry=entry, vacated_at__isnull=True)
    seats = seated.exclude(round__status=Round.Status.CLOSED)
    for seat in seats.select_related("table"):
        _refuse_open_hand(entry, seat)
    if leaves:
        _refuse_open_tie_hand(entry)
    if leaves:
        seats.update(vacated_at=cmd.at)


@left_hook
def counts_without(cmd: Command, entry: Entry) -> None:
    """Compare the counts without the box of a player who has left: they may agree now (T18).

    If they agree, the table is counted: both counts are in, and nothing is left to rule on.
    """
    seats = Seat.objects.filter(entry=entry, vacated_at=cmd.at, round__kind=Round.Kind.ROUND)
    for seat in seats.exclude(round__status=Round.Status.CLOSED):
        over = Shoe.objects.filter(round=seat.round_id, table=seat.table_id, status=Shoe.Status.OVER)
        for pk in over.values_list("pk", flat=True):
            recount_look(cmd, shoe_lock(pk))


def _refuse_open_tie_hand(entry: Entry) -> None:
    """Refuse while a hand of the tie is open: without this player the tie may end at any table (T26)."""
    shoes = Shoe.objects.select_for_update(of=("self",)).filter(round__event=entry.event_id)
    in_tie = shoes.exclude(round__kind=Round.Kind.ROUND).exclude(round__status=Round.Status.CLOSED)
    deals = Deal.objects.filter(shoe__in=[shoe.pk for shoe in in_tie], status=Deal.Status.OPEN)
    deal = deals.select_related("shoe__table").first()
    if deal is not None:
        raise Refused(
            "hand_open",
            _("A hand of the tie is open at %(table)s. Finish it or void it first."),
            status=409,
            table=deal.shoe.table,
        )


def _refuse_open_hand(entry: Entry, seat: Seat) -> None:
    # A dealer who opens a hand locks the shoe's row: from here on nobody can.
    shoes = Shoe.objects.select_for_update().filter(round=seat.round_id, table=seat.table_id)
    if Deal.objects.filter(shoe__in=[shoe.pk for shoe in shoes], status=Deal.Status.OPEN).exists():
        raise Refused(
            "hand_open",
            _("A hand is open at %(table)s, where %(entry)s sits. Finish it or void it first."),
            status=409,
            table=seat.table,
            entry=entry.code,
        )
