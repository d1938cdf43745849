"""Every time that a table was counted, as the journal has it: counts, hands and ruling side by side (T18).

A ruling makes stacks what it says; what was counted and what the hands said stays what it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q

from tables.models import Deal, Seat, Shoe
from tournament.models import Entry, Event, JournalEntry, Stack

from .counts import counts_differ, hands_say


@dataclass(frozen=True)
class Decision:
    """Who decided something about a count, when, and why; ``who`` is empty for the house itself."""

    who: str
    at: datetime
    reason: str


@dataclass(frozen=True)
class BoxCounted:
    """One box: both counts, what its hands say (None: none was recorded), what was ruled (None: nothing)."""

    box: int
    entry: Entry | None
    first: int
    second: int
    hands: int | None
    ruled: int | None

    @property
    def by(self) -> int:
        """By how much the first count is above the second."""
        return self.first - self.second

    @property
    def differs(self) -> bool:
        """Whether the counts differ from each other or from the hands; a ruling changes nothing in that."""
        return counts_differ(self.first, self.second, self.hands)

    @property
    def ruled_otherwise(self) -> bool:
        """Whether the ruling was about this box."""
        return self.ruled is not None and (self.differs or self.ruled != self.first)


@dataclass(frozen=True)
class Counting:
    """One time that a table was counted by two people; ``second`` is when the other count came in."""

    shoe: Shoe
    boxes: tuple[BoxCounted, ...]
    second: datetime
    people: tuple[str, str]
    ruling: Decision | None = None
    taken_back: Decision | None = None

    @property
    def disputed(self) -> tuple[BoxCounted, ...]:
        """The boxes that the ruling was about."""
        return tuple(box for box in self.boxes if box.ruled_otherwise)


@dataclass(frozen=True)
class _Told:
    """A counting as the journal tells it, entry by entry."""

    first: JournalEntry
    second: JournalEntry | None = None
    ruling: JournalEntry | None = None
    taken_back: JournalEntry | None = None


def countings(shoe: Shoe) -> list[Counting]:
    """Every time that both counts of a shoe were in, oldest first; one alone is nobody's to see."""
    told = [each for each in _told(_entries_about(shoe)) if each.second is not None]
    sat = list(_seats(shoe))
    return [_counting(shoe, each, sat) for each in told]


def rulings(event: Event) -> list[Counting]:
    """The rulings on counts that stand, in the order in which they were made."""
    ruled = JournalEntry.objects.filter(event=event, kind="count.rule").order_by("seq")
    asked = [body["asked"]["shoe"] for body in ruled.values_list("body", flat=True)]
    shoes = Shoe.objects.select_related("round__event", "table").in_bulk(asked)
    latest = (countings(shoes[pk])[-1:] for pk in dict.fromkeys(asked) if pk in shoes)
    return [each for found in latest for each in found if each.ruling and not each.taken_back]


def _entries_about(shoe: Shoe) -> Iterable[JournalEntry]:
    """What the journal has about the counts of a shoe, a correction that took them back included."""
    deals = list(Deal.objects.filter(shoe=shoe).values_list("pk", flat=True))
    here = Q(kind__startswith="count.", body__asked__shoe=shoe.pk) | Q(body__noted__counts_of=shoe.pk)
    # Entries from before the shoe was noted name the hand alone.
    here |= Q(kind="deal.correct", body__noted__has_key="counts", body__asked__deal__in=deals)
    found = JournalEntry.objects.filter(here, event=shoe.round.event_id)
    return found.select_related("actor").order_by("seq")


def _told(entries: Iterable[JournalEntry]) -> list[_Told]:
    found: list[_Told] = []
    for entry in entries:
        if entry.kind == "count.enter" and entry.result["which"] == 1:
            found.append(_Told(entry))
        elif found and entry.kind == "count.enter":
            found[-1] = replace(found[-1], second=entry)
        elif found and entry.kind == "count.rule":
            found[-1] = replace(found[-1], ruling=entry)
        elif found:
            found[-1] = replace(found[-1], taken_back=entry)
    return found


def _seats(shoe: Shoe) -> Iterable[Seat]:
    """Everybody who ever sat at the table in this round, also who has left it since the count."""
    seats = Seat.objects.filter(round=shoe.round_id, table=shoe.table_id, flight=shoe.flight)
    return seats.select_related("entry__player")


def _counting(shoe: Shoe, told: _Told, sat: list[Seat]) -> Counting:
    assert told.second is not None, "the caller has looked"
    first, second = _chips(told.first), _chips(told.second)
    there = {
        seat.box: seat.entry for seat in sat if not (seat.vacated_at and seat.vacated_at <= told.second.at)
    }
    hands = _hands(shoe, told, there)
    ruled = _chips(told.ruling) if told.ruling else {}
    boxes = tuple(
        BoxCounted(box, there.get(box), first[box], second[box], hands.get(box), ruled.get(box))
        for box in sorted(first)
        if box in second
    )
    return Counting(
        shoe=shoe,
        boxes=boxes,
        second=told.second.at,
        people=(_who(told.first), _who(told.second)),
        ruling=_decision(told.ruling),
        taken_back=_decision(told.taken_back),
    )


def _hands(shoe: Shoe, told: _Told, there: Mapping[int, Entry]) -> Mapping[int, int | None]:
    """What the hands say now; of counts that were taken back, what they said then, as it was noted."""
    assert told.second is not None, "the caller has looked"
    if told.taken_back is None:
        entries = {entry.pk: box for box, entry in there.items()}
        stacks = Stack.objects.filter(round=shoe.round_id, entry__in=entries)
        return hands_say(shoe, {entries[stack.entry_id]: stack for stack in stacks}, told.second.at)
    noted = (told.ruling or told.second).body.get("noted", {})
    return {int(box): chips for box, chips in (noted.get("hands") or {}).items()}


def _chips(entry: JournalEntry) -> dict[int, int]:
    return {int(box): chips for box, chips in entry.body["asked"]["chips"].items()}


def _who(entry: JournalEntry) -> str:
    return entry.actor.get_username() if entry.actor else ""


def _decision(entry: JournalEntry | None) -> Decision | None:
    return Decision(_who(entry), entry.at, entry.body["asked"].get("reason", "")) if entry else None
