"""Count the entrants, in the same way for every page (T5, T6, T7, T24).

An *entrant* has a box, or had one and is ranked: in the event, disqualified, or withdrawn after a closed
round. Alternates, who wait for a box, no-shows, and players who withdrew before they were ranked are counted
separately. The pool counts differently: the buy-ins that were paid and not refunded (T32).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef

from tournament.models import Entry, Event, Round, Stack
from tournament.selectors.replacements import status_words
from tournament.selectors.stages import NOT_RANKED

Status = Entry.Status


@dataclass(frozen=True)
class Entrants:
    """The numbers of entries of an event; each entry is counted once."""

    entrants: int = 0
    alternates: int = 0
    no_shows: int = 0
    withdrawn: int = 0
    turned_out: int = 0


def entrants_of(event: Event) -> Entrants:
    """Return the numbers of one event."""
    return entrants_by_event([event.pk])[event.pk]


def events_counted(events: Iterable[Event]) -> list[Event]:
    """Return the events of a list, each with its numbers as ``counted``."""
    listed = list(events)
    figures = entrants_by_event([event.pk for event in listed])
    for event in listed:
        event.counted = figures[event.pk]  # type: ignore[attr-defined]  # for the list's template
    return listed


def entrants_by_event(events: Iterable[int]) -> dict[int, Entrants]:
    """Return the numbers of these events, by id; one query for all of them."""
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


def entry_statuses_set(event: Event, entries: Iterable[Entry]) -> None:
    """Set the fields that pages show with each of these entries: ``out_in``, ``status_label``, and its event.

    ``out_in`` is the round in which the entry was cut: in the database it stays *live* until it is placed.
    ``status_label``: its status in a word that is marked for translation.
    """
    entries = list(entries)
    out, words = _cut_in(event), status_words(entries)
    for entry in entries:
        entry.event = event
        entry.out_in = out.get(entry.pk)  # type: ignore[attr-defined]  # for standing_words
        entry.status_label = words[entry.pk]  # type: ignore[attr-defined]  # for standing_words


def entry_may_play(event: Event, entry: Entry) -> bool:
    """Whether this entry has or may get a seat: not once it is out or has left, nor after play."""
    if event.status not in (Event.Status.OPEN, Event.Status.RUNNING):
        return False
    return entry.status in (Status.LIVE, Status.WAITING) and entry.pk not in _cut_in(event)


def _cut_in(event: Event) -> dict[int, int]:
    """Return entry → the round in which it was cut."""
    cut = Stack.objects.filter(round__event=event, round__kind=Round.Kind.ROUND, outcome=Stack.Outcome.CUT)
    return dict(cut.order_by("round__number").values_list("entry_id", "round__number"))
