"""The seat of a qualifier who was disqualified since, in words that every page says alike (T25, T26)."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.translation import gettext as _

from ground.refused import Refused
from pages.kit import opens, said
from pages.words.naming import entries_named, entry_named
from tables.models import Seat
from tables.selectors.replacing import replace_check
from tournament.models import Entry, Event
from tournament.selectors.replaced import round_qualified_from, seats_empty
from tournament.selectors.stages import replaced_in


@dataclass(frozen=True)
class EmptySeat:
    """An empty seat: a sentence that says so, one on what can become of it, and whether it can be given."""

    entry: Entry
    empty: str
    then: str
    can: bool

    @property
    def said(self) -> str:
        """Both sentences."""
        return f"{self.empty} {self.then}"


@dataclass(frozen=True)
class SeatTold:
    """A seat in a sentence; ``href`` is the page that gives it away, for a person who can."""

    entry: Entry
    said: str
    href: str = ""


def seats_told(request: HttpRequest, event: Event) -> list[SeatTold]:
    """The seats of disqualified qualifiers that nobody has, until the next round begins."""
    return [_told(request, entry) for entry in seats_empty(event)]


def seat_told(request: HttpRequest, entry: Entry) -> SeatTold | None:
    """Return the seat of a disqualified entry, also where another has it; None without one."""
    if entry.status != Entry.Status.DISQUALIFIED:
        return None
    by = replaced_in(entry.event_id).get(entry.pk)
    if by:
        who = entries_named(entry.event, [by]).get(by, by)
        words = _("%(by)s has the seat that %(code)s had qualified for.")
        return SeatTold(entry, words % {"by": who, "code": entry_named(entry)})
    open_still = entry.event.status == Event.Status.RUNNING and round_qualified_from(entry) is not None
    return _told(request, entry) if by is None and open_still else None


def seat_empty(entry: Entry) -> EmptySeat:
    """Return the empty seat of a disqualified qualifier."""
    empty = _("The seat of %(code)s, who was disqualified, is empty.") % {"code": entry_named(entry)}
    try:
        _round, seat = replace_check(entry)
    except Refused as no:
        return EmptySeat(entry, empty, said(no.message), can=False)
    return EmptySeat(entry, empty, _can_be_given(seat), can=True)


def _can_be_given(seat: Seat | None) -> str:
    if seat is None:
        return _(
            "Until the next roster is locked the director can give it to the next-ranked; left alone it stays"
            " empty."
        )
    words = {"table": seat.table.number, "box": seat.box, "next": seat.round.title}
    return (
        _(
            "It is table %(table)s, box %(box)s. Until the first bet of %(next)s the director can give it to"
            " the next-ranked; left alone it stays empty."
        )
        % words
    )


def _told(request: HttpRequest, entry: Entry) -> SeatTold:
    seat = seat_empty(entry)
    page = resolve_url("tables:entry_replace", slug=entry.event.slug, code=entry.code)
    return SeatTold(entry, seat.said, page if seat.can and opens(request, page) else "")
