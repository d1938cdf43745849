"""Reads for the desk: people, their day limit, entries, and requests for approval."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Exists, OuterRef, Q, Sum

from ground.refused import Refused
from ground.words import gettext_noop as _
from tournament import sql
from tournament.catalogue import REQUESTS
from tournament.models import Entry, Event, House, MoneyTransaction, Player, PlayerDay, Request, Round
from tournament.selectors.entrants import Entrants, entrants_of, entry_statuses_set
from tournament.selectors.floor import floor
from tournament.selectors.prizes import pool_of

LISTED = 20
"""The most people in a list to choose from; beyond it the cashier types another letter."""


# -- The house, the event -----------------------------------------------------------------------------


# Every staff page runs this query.
_HOUSE = f"SELECT {sql.columns(House, 'h')} FROM tournament_house h"  # noqa: S608 - our own columns


def house_read() -> House:
    """Return the settings of the house; the defaults before anybody has set them."""
    found = sql.row(_HOUSE)
    return sql.made(House, found) if found else House()


def database_now() -> datetime:
    """Return the time of the database's clock, the only one that counts (faults, clock changes)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT now()")
        now: datetime = cursor.fetchone()[0]
        return now


def today(house: House) -> date:
    """Return the current gaming day (T2)."""
    return house.day_of(database_now())


def event_by_name(name: str) -> Event:
    """Return the event with this slug or posted code; of simulations that share a code, the latest.

    Raises Refused ``no_such_event`` (404).
    """
    found = list(Event.objects.filter(Q(slug=name) | Q(code=name)).order_by("-pk"))
    event = next((each for each in found if each.slug == name), found[0] if found else None)
    if event is None:
        raise Refused(
            "no_such_event", "There is no event with the slug or code %(name)s.", status=404, name=f"{name!a}"
        )
    return event


# -- Boxes and alternates -----------------------------------------------------------------------------


_LOCKED = "SELECT 1 FROM tournament_draw WHERE event_id = %s AND status IN ('locked', 'confirmed', 'drawn')"
_BEGUN = """
    SELECT 1 FROM tournament_round WHERE event_id = %s AND NOT (number = 1 AND status = 'seated') LIMIT 1
"""


def roster_locked(event: Event) -> bool:
    """Whether the roster of a draw is locked, so that entries leave or come by a ruling only (T6, T7)."""
    return sql.row(_LOCKED, event.pk) is not None


def round_begun(event: Event) -> bool:
    """Whether the first bet of round 1 has been called: nobody is seated any more (T6)."""
    return sql.row(_BEGUN, event.pk) is not None


def why_too_few(event: Event) -> Refused | None:
    """Return ``too_few_entrants`` if fewer than the posted minimum would get a box in the draw of round 1
    (T24).

    Alternates do not count, but the draw gives them free boxes. Before tables are set up the posted number of
    tables counts, or as many as are needed.
    """
    waiting_too = (Entry.Status.LIVE, Entry.Status.WAITING)
    entrants, least = event.entries.filter(status__in=waiting_too).count(), event.min_entrants
    text = _(
        "Entries so far: %(entrants)s. The posted minimum is %(least)s. Wait for more entries, or call the"
        " event off."
    )
    boxes = floor().capacity(event)
    if entrants >= least:
        if not boxes or boxes >= least:
            return None
        text = _(
            "There are only %(boxes)s boxes, and the posted minimum is %(least)s entries. Add a table, or"
            " call the event off."
        )
    return Refused("too_few_entrants", text, entrants=entrants, boxes=boxes or 0, least=least)


@dataclass(frozen=True)
class WaitingReason:
    """The reason why a new entry is an alternate: the roster is locked, or all ``boxes`` are sold (T4,
    T6)."""

    locked: bool
    boxes: int = 0


def why_new_entry_waits(event: Event) -> WaitingReason | None:
    """Return why a new entry would be an alternate; None if the draw would give it a box (T4, T6).

    Once the roster of a draw is locked a new entry waits, even if boxes are free. Before that it waits once
    every box is sold.
    """
    if roster_locked(event):
        return WaitingReason(locked=True)
    boxes = floor().capacity(event)
    in_line = (Entry.Status.LIVE, Entry.Status.WAITING)
    if boxes is None or event.entries.filter(status__in=in_line).count() < boxes:
        return None
    return WaitingReason(locked=False, boxes=boxes)


def alternates_up_next(event: Event) -> list[Entry]:
    """Return the alternates who get a free box before the draw, in order (T6); none once the roster is
    locked."""
    if roster_locked(event):
        return []
    waiting, boxes = waiting_list(event), floor().capacity(event)
    if boxes is None:
        return waiting
    return waiting[: max(0, boxes - event.entries.filter(status=Entry.Status.LIVE).count())]


def waiting_list(event: Event) -> list[Entry]:
    """Return the alternates in order (T6)."""
    waiting = event.entries.filter(status=Entry.Status.WAITING).select_related("player")
    return list(waiting.order_by("waiting_since", "number"))


def waiting_number(entry: Entry) -> int | None:
    """Return the position of an alternate in the queue, from 1 (T6); None for other entries."""
    if entry.status != Entry.Status.WAITING:
        return None
    before = Q(waiting_since__lt=entry.waiting_since) | Q(
        waiting_since=entry.waiting_since, number__lt=entry.number
    )
    waiting = Entry.objects.filter(before, event_id=entry.event_id, status=Entry.Status.WAITING)
    return waiting.count() + 1


class SeatingState(StrEnum):
    """Whether alternates can be seated."""

    NOT_DRAWN = "not_drawn"
    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True)
class Seating:
    """Whether alternates can be seated, and how many boxes of round 1 are ``free``.

    ``free`` is None before round 1 is drawn and after it is counted, when free boxes do not matter.
    """

    state: SeatingState
    free: int | None = None


def seating_of(event: Event) -> Seating:
    """Return whether alternates of an event can still be seated, and in how many boxes (T6)."""
    first = event.rounds.filter(number=1, kind=Round.Kind.ROUND).first()
    if first is None:
        return Seating(SeatingState.NOT_DRAWN)
    playing = first.status in (Round.Status.SEATED, Round.Status.PLAYING)
    free = len(floor().boxes_free(first.pk)) if playing else None
    return Seating(SeatingState.OPEN if first.status == Round.Status.SEATED else SeatingState.CLOSED, free)


# -- People -------------------------------------------------------------------------------------------


def players_search(text: str) -> list[Player]:
    """Return the people whose names or alias contain every typed word; at most 20, none without a word."""
    words = text.split()
    named = Q()
    for word in words:
        named &= Q(given_name__icontains=word) | Q(family_name__icontains=word) | Q(alias__icontains=word)
    found = Player.objects.filter(named, simulated=False)
    return list(found.order_by("family_name", "given_name", "pk")[:LISTED]) if words else []


def day_left_cents(player: Player, day: date, house: House) -> int:
    """Return how much a person may still spend on buy-ins on a gaming day, by the present limit, in cents
    (T2)."""
    row = PlayerDay.objects.filter(player=player, gaming_day=day).first()
    return max(0, house.day_limit_cents - (row.spent_cents if row else 0))


# -- Entries and money of an event --------------------------------------------------------------------


@dataclass(frozen=True)
class DeskSummary:
    """The figures at the top of the desk. ``boxes`` is None if no number of tables is posted."""

    entrants: Entrants
    pool_cents: int
    desk_cents: int
    boxes: int | None
    enough: bool


def desk_summary(event: Event) -> DeskSummary:
    """Return entrants and money so far; ``enough``: whether the posted minimum is reached (T24)."""
    figures = entrants_of(event)
    desk_cents = (
        event.money_transactions.filter(legs__account="desk").aggregate(total=Sum("legs__amount_cents"))[
            "total"
        ]
        or 0
    )
    return DeskSummary(
        entrants=figures,
        pool_cents=pool_of(event).cents,
        desk_cents=desk_cents,
        boxes=floor().capacity(event),
        enough=why_too_few(event) is None,
    )


def entries_list(event: Event) -> list[Entry]:
    """Return all entries by number, with the fields of ``entry_statuses_set`` and ``refunded``."""
    refund = MoneyTransaction.objects.filter(entry=OuterRef("pk"), kind=MoneyTransaction.Kind.REFUND)
    found = event.entries.select_related("player").annotate(refunded=Exists(refund))
    entries: list[Entry] = list(found.order_by("number"))
    entry_statuses_set(event, entries)
    return entries


def entry_by_code(event: Event, code: str) -> Entry:
    """Return an entry by its code, in upper or lower case. Raises Refused ``no_such_entry`` (404)."""
    found = event.entries.select_related("player", "event").filter(code=code.strip().upper()).first()
    if found is None:
        raise Refused(
            "no_such_entry", "There is no entry %(what)s in this event.", status=404, what=f"{code!a}"
        )
    return found


@dataclass(frozen=True)
class MoneyLine:
    """A payment for or to an entry. ``second_person`` confirmed it, None if that was not needed.

    ``paid_in``: into the drawer, else out of it. ``by``: the person who requested it.
    """

    made: MoneyTransaction
    by: User | None
    second_person: User | None

    @property
    def paid_in(self) -> bool:
        """Whether the money came into the drawer: a buy-in, or a reversed prize."""
        return self.made.kind in (MoneyTransaction.Kind.BUY_IN, MoneyTransaction.Kind.TAKEN_BACK)


def money_lines(entry: Entry) -> list[MoneyLine]:
    """Return the payments for and to an entry, oldest first, with both people if it took two (T35)."""
    people = entry.payments.select_related("paid_by", "second_person")
    payments = {each.transaction_id: each for each in people}
    return [
        MoneyLine(made, payment.paid_by, payment.second_person)
        if (payment := payments.get(made.pk))
        else MoneyLine(made, made.by, None)
        for made in entry.money_transactions.select_related("by").order_by("pk")
    ]


def requests_waiting(event: Event | None) -> list[Request]:
    """Return the open requests of an event, or of the house, oldest first."""
    waiting = Request.objects.filter(event=event, status=Request.Status.OPEN).select_related("requested_by")
    return list(waiting.order_by("pk"))


def requests_named(event: Event | None) -> list[str]:
    """Return the kinds of requests of an event, or of the house, by their names in the catalogue."""
    return [each.words for each in REQUESTS.values() if each.house is (event is None)]


def requests_decided(event: Event | None) -> list[Request]:
    """Return the answered requests, newest first."""
    decided = Request.objects.filter(event=event).exclude(status=Request.Status.OPEN)
    return list(decided.select_related("requested_by", "decided_by").order_by("-decided_at"))
