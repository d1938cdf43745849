"""What happens at the tables when an entry leaves the event, or a ruling moves its chips (T7, T26)."""

from __future__ import annotations

from tables.models import Deal, Seat, Shoe
from tournament.engine.refused import Refused
from tournament.models import Entry, Round
from tournament.services.entries import floor_hook
from tournament.services.journal import Command


@floor_hook
def entry_at_the_table(cmd: Command, entry: Entry, leaves: bool) -> None:
    """Wait for the hand to be finished; then vacate the box of an entry that leaves.

    Refuses ``hand_open`` (409): the bets of an open hand stand, so it is settled or voided first.
    """
    seats = Seat.objects.filter(entry=entry, vacated_at__isnull=True).exclude(
        round__status=Round.Status.CLOSED
    )
    for seat in seats.select_related("table"):
        _refuse_open_hand(entry, seat)
    if leaves:
        seats.update(vacated_at=cmd.at)


def _refuse_open_hand(entry: Entry, seat: Seat) -> None:
    # The shoe's row is what a dealer who opens a hand locks: from here on nobody can.
    shoes = Shoe.objects.select_for_update().filter(round=seat.round_id, table=seat.table_id)
    open_deals = Deal.objects.filter(shoe__in=[shoe.pk for shoe in shoes], status=Deal.Status.OPEN)
    if any(entry.pk in deal.entries.values() for deal in open_deals):
        raise Refused(
            "hand_open",
            f"{entry.code} is in a hand at {seat.table} that is still open. Finish it or void it first.",
            status=409,
        )
