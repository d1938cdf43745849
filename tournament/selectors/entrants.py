"""How many take part: said once, so that every page counts the same (T5, T6, T7, T24).

An *entrant* has a box, or has had one and is ranked: in the event, disqualified, or withdrawn after a round
that was closed. Counted apart are alternates, who wait for a box, no-shows, and those who withdrew before
they were ranked. The pool counts something else: the buy-ins that were paid and not given back (T32).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.figures import ordinal
from tournament.models import Entry, Event, Round, Stack
from tournament.selectors.replaced import status_words
from tournament.selectors.stages import NOT_RANKED

Status = Entry.Status


@dataclass(frozen=True)
class Entrants:
    """The entries of an event, each in one figure."""

    entrants: int = 0
    alternates: int = 0
    no_shows: int = 0
    withdrawn: int = 0
    turned_out: int = 0

    @property
    def words(self) -> str:
        """`40 entrants, 2 alternates, 1 no-show`: what is none is not said."""
        return ", ".join([self.entrants_words, *self.apart])

    @property
    def entrants_words(self) -> str:
        """`1 entrant`, `40 entrants`."""
        return ngettext("%(n)s entrant", "%(n)s entrants", self.entrants) % {"n": self.entrants}

    @property
    def apart(self) -> list[str]:
        """Who is not counted as an entrant, a figure for each kind that there is."""
        kinds = [
            (self.alternates, ngettext("%(n)s alternate", "%(n)s alternates", self.alternates)),
            (self.no_shows, ngettext("%(n)s no-show", "%(n)s no-shows", self.no_shows)),
            (self.withdrawn, _("%(n)s withdrawn")),
            (self.turned_out, _("%(n)s disqualified before play")),
        ]
        return [words % {"n": number} for number, words in kinds if number]


def entrants_of(event: Event) -> Entrants:
    """The figures of one event."""
    return entrants_by_event([event.pk])[event.pk]


def events_counted(events: Iterable[Event]) -> list[Event]:
    """The events of a list, each with its figures as ``counted``."""
    listed = list(events)
    figures = entrants_by_event([event.pk for event in listed])
    for event in listed:
        event.counted = figures[event.pk]  # type: ignore[attr-defined]  # for the list's template
    return listed


def entrants_by_event(events: Iterable[int]) -> dict[int, Entrants]:
    """The figures of these events, by id; one query for all of them."""
    ids = list(events)
    ranked = Stack.objects.filter(entry=OuterRef("pk")).exclude(state__in=NOT_RANKED)
    found = Entry.objects.filter(event__in=ids).annotate(ranked=Exists(ranked)).order_by()
    figures: dict[int, dict[str, int]] = {pk: {} for pk in ids}
    for event, status, was_ranked, number in found.values_list("event", "status", "ranked").annotate(
        number=Count("pk")
    ):
        name = _figure(status, was_ranked)
        figures[event][name] = figures[event].get(name, 0) + number
    return {event: Entrants(**each) for event, each in figures.items()}


def _figure(status: str, ranked: bool) -> str:
    if status == Status.LIVE or ranked:
        return "entrants"
    apart = {Status.WAITING: "alternates", Status.NO_SHOW: "no_shows", Status.WITHDRAWN: "withdrawn"}
    return apart.get(Status(status), "turned_out")


def entry_words(event: Event, entries: Iterable[Entry]) -> dict[int, str]:
    """Where each of these entries stands in the event, in words, by id: in it, out of it, or how it left.

    An entry that was cut is *live* in the books until it is placed, but it is out.
    """
    entries = list(entries)
    out, left = _cut_in(event), status_words(entries)
    return {entry.pk: _entry_word(event, entry, out.get(entry.pk), left[entry.pk]) for entry in entries}


def entry_may_play(event: Event, entry: Entry) -> bool:
    """Whether there is, or will be, a seat for this entry: not for who is out or has left, nor after play."""
    if event.status not in (Event.Status.OPEN, Event.Status.RUNNING):
        return False
    return entry.status in (Status.LIVE, Status.WAITING) and entry.pk not in _cut_in(event)


def _cut_in(event: Event) -> dict[int, int]:
    """Entry → the round whose cut it did not reach."""
    cut = Stack.objects.filter(round__event=event, round__kind=Round.Kind.ROUND, outcome=Stack.Outcome.CUT)
    return dict(cut.order_by("round__number").values_list("entry_id", "round__number"))


def _entry_word(event: Event, entry: Entry, cut_in: int | None, status: str) -> str:
    if entry.status != Status.LIVE:
        return status
    if event.status == Event.Status.CALLED_OFF:
        return str(event.get_status_display())
    if entry.place is not None:
        return ("=" if entry.place_tied else "") + ordinal(entry.place)
    return _("in the event") if cut_in is None else _("out after round %(n)s") % {"n": cut_in}
