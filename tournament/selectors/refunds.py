"""Refunds of an event that was called off: those that are due, and those that were handed out (T8)."""

from dataclasses import dataclass

from tournament.models import Entry, Event, HandOut, MoneyTransaction, Posting


@dataclass(frozen=True)
class Due:
    """The buy-in of one entry. ``refund`` without ``hand_out``: given back, but nobody wrote down by whom."""

    entry: Entry
    amount_cents: int
    refund: MoneyTransaction | None
    hand_out: HandOut | None

    @property
    def open(self) -> bool:
        """Whether the money is still in the drawer."""
        return self.refund is None


@dataclass(frozen=True)
class Dues:
    """All of a called-off event, by entry number."""

    rows: tuple[Due, ...]

    @property
    def total_cents(self) -> int:
        """The total that was due when the event was called off."""
        return sum(row.amount_cents for row in self.rows)

    @property
    def left_cents(self) -> int:
        """The total that is still due."""
        return sum(row.amount_cents for row in self.rows if row.open)

    @property
    def given_cents(self) -> int:
        """The total handed out."""
        return self.total_cents - self.left_cents

    @property
    def left(self) -> int:
        """How many entries still wait for their money."""
        return sum(row.open for row in self.rows)


def dues(event: Event) -> Dues:
    """Return what became due when the event was called off; nothing before that (T8)."""
    if event.status != Event.Status.CALLED_OFF:
        return Dues(())
    called_off = event.postings.filter(kind=Posting.Kind.CALLED_OFF).first()
    bought = MoneyTransaction.objects.filter(event=event, kind=MoneyTransaction.Kind.BUY_IN)
    found = bought.select_related("entry__player", "reversed_by__by", "entry__hand_out__handed_by")
    rows = [_due(each) for each in found.order_by("entry__number")]
    # Entries that were refunded before that are owed nothing.
    return Dues(tuple(row for row in rows if row.refund is None or _since(called_off, row.refund)))


def _since(called_off: Posting | None, refund: MoneyTransaction) -> bool:
    return called_off is not None and refund.at >= called_off.at


def _due(bought: MoneyTransaction) -> Due:
    return Due(
        entry=bought.entry,
        amount_cents=bought.amount_cents,
        refund=getattr(bought, "reversed_by", None),
        hand_out=getattr(bought.entry, "hand_out", None),
    )


def due_of(event: Event, entry: Entry) -> Due | None:
    """Return what is or was due to one entry."""
    return next((row for row in dues(event).rows if row.entry.pk == entry.pk), None)


def due_left(event: Event, entry: Entry) -> Due | None:
    """Return what an entry is still owed; None where nothing is."""
    due = due_of(event, entry)
    return due if due is not None and due.open else None
