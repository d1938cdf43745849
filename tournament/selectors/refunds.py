"""Refunds of a called-off event: due and paid out (T8)."""

from dataclasses import dataclass

from django.db.models import Q

from tournament.models import Entry, Event, HandOut, MoneyTransaction


@dataclass(frozen=True)
class Due:
    """The buy-in of one entry; without ``hand_out`` the money is still in the drawer."""

    bought: MoneyTransaction
    hand_out: HandOut | None

    @property
    def entry(self) -> Entry:
        """The entry that bought in."""
        return self.bought.entry


@dataclass(frozen=True)
class Dues:
    """All refunds of a called-off event, by entry number."""

    rows: tuple[Due, ...]

    @property
    def total_cents(self) -> int:
        """The total that was due when the event was called off."""
        return sum(row.bought.amount_cents for row in self.rows)

    @property
    def left_cents(self) -> int:
        """The total that is still due."""
        return sum(row.bought.amount_cents for row in self.rows if not row.hand_out)

    @property
    def given_cents(self) -> int:
        """The total that was paid out."""
        return self.total_cents - self.left_cents

    @property
    def left(self) -> int:
        """How many entries still wait for their money."""
        return sum(not row.hand_out for row in self.rows)


def dues(event: Event) -> Dues:
    """Return the refunds that became due when the event was called off; none before that (T8)."""
    if event.status != Event.Status.CALLED_OFF:
        return Dues(())
    bought = MoneyTransaction.objects.filter(event=event, kind=MoneyTransaction.Kind.BUY_IN)
    # Entries that were refunded before are owed nothing.
    owed = bought.filter(Q(reversed_by__isnull=True) | Q(entry__hand_out__isnull=False))
    found = owed.select_related("entry__player", "entry__hand_out__handed_by").order_by("entry__number")
    return Dues(tuple(Due(each, getattr(each.entry, "hand_out", None)) for each in found))


def due_of(event: Event, entry: Entry) -> Due | None:
    """Return the refund of one entry, paid out or not."""
    return next((row for row in dues(event).rows if row.entry.pk == entry.pk), None)


def due_left(event: Event, entry: Entry) -> Due | None:
    """Return the unpaid refund of an entry; None if there is none."""
    due = due_of(event, entry)
    return due if due is not None and due.hand_out is None else None
