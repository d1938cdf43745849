"""The tables when an entry leaves, a ruling moves chips, or an event is called off (T7, T8, T26)."""

from __future__ import annotations

from django.db.models import QuerySet

from ground.refused import Conflict
from ground.words import gettext_noop as _
from tables.models import Deal, Seat, Shoe
from tables.selectors.draws import redraw_check
from tournament.engine.facts import CalledOff, Posted
from tournament.models import Entry, Event, Round
from tournament.selectors.facts_standing import course_standing
from tournament.services.arguments import event_of
from tournament.services.entries import core_hook, floor_hook
from tournament.services.journal import Command

from .facts_write import facts_write
from .locks import shoes_lock


@floor_hook
def entry_at_the_table(entry: Entry, leaves: bool) -> None:
    """Refuse while a hand is open at the entry's table (T7, T26).

    If the entry ``leaves``, refuse as ``may_leave`` does; for a ruling on chips also ``journal_not_whole``
    (409).
    """
    (may_leave if leaves else _refuse_open_hands)(entry)
    if not leaves:
        course_standing(entry.event)


def may_leave(entry: Entry) -> None:
    """Refuse ``hand_open`` (409) while a hand is open at the entry's table or in a tie; locks the shoes.

    An open hand stores its players and stacks, so it must be settled or voided first. Refuses
    ``draw_in_progress`` (409) while the entry is on the roster of a redraw.
    """
    redraw_check(entry.event, entry)
    _refuse_open_hands(entry)
    _refuse_open_tie_hand(entry.event)


def _refuse_open_hands(entry: Entry) -> None:
    seated = Seat.objects.filter(entry=entry, vacated_at__isnull=True)
    for seat in seated.exclude(round__status=Round.Status.CLOSED):
        _refuse_hand_open(Shoe.objects.filter(round=seat.round_id, table=seat.table_id))


@core_hook
def facts_follow(cmd: Command) -> None:
    """Write the rows that follow from the command's facts: seats, chips, counts, places (T7, T18, T20, T26).

    Posted prizes define which ties are for money (T33), so no hand of a tie may be open then. The command
    that calls the event off writes its own rows and requires that no hand is open (T8): ``hand_open`` (409).
    """
    if CalledOff() in cmd.facts:
        _refuse_hand_open(Shoe.objects.filter(round__event=event_of(cmd)))
        return
    if any(isinstance(fact, Posted) for fact in cmd.facts):
        _refuse_open_tie_hand(event_of(cmd))
    facts_write(cmd)


def _refuse_open_tie_hand(event: Event) -> None:
    """Refuse while a hand of a tie is open: with one player fewer or new prizes the tie may end now."""
    in_tie = Shoe.objects.filter(round__event=event).exclude(round__kind=Round.Kind.ROUND)
    _refuse_hand_open(in_tie.exclude(round__status=Round.Status.CLOSED))


def _refuse_hand_open(shoes: QuerySet[Shoe]) -> None:
    # Opening a hand locks the shoe's row, so from here on nobody can open one.
    shoes_lock(shoes)
    deals = Deal.objects.filter(shoe__in=shoes, status=Deal.Status.OPEN).select_related("shoe__table")
    tables = [str(deal.shoe.table) for deal in deals.order_by("shoe__table__number")]
    if tables:
        text = _("A hand is open at %(tables)s. Finish or void every open hand first.")
        raise Conflict("hand_open", text, tables=", ".join(tables))
