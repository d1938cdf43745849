"""Every count of a table from the journal: counts, hands and ruling side by side (T18).

A ruling changes stacks, never the counts or the figures of the hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q

from tables.models import Shoe
from tables.selectors.counts import counts_differ, hands_say
from tables.selectors.rulings import Asked, waiting_on
from tables.selectors.whereabouts import sat_at_shoes
from tournament.models import Entry, Event, JournalEntry, Request, Stack
from tournament.selectors.open_requests import COUNT_RULING


@dataclass(frozen=True)
class Decision:
    """A decision about a count: person, time and reason; ``who`` is empty for the house itself.

    ``confirmed_by``: the second person of a ruling that moved chips, empty where none was needed; then ``at``
    is the time of the confirmation, and ``asked_at`` that of the request.
    """

    who: str
    at: datetime
    reason: str
    confirmed_by: str = ""
    asked_at: datetime | None = None


@dataclass(frozen=True)
class BoxCounted:
    """One box: both counts, the chips by its hands (None: none recorded), the ruling (None: none).

    ``asked``: the chips of a ruling that waits for a second person. ``hands``: as of the decision once there
    is one. ``moved``: the chips by which the ruling moved the stack.
    """

    box: int
    entry: Entry | None
    first: int
    second: int
    hands: int | None
    ruled: int | None
    asked: int | None = None
    moved: int = 0

    @property
    def by(self) -> int:
        """The second count minus the first."""
        return self.second - self.first

    @property
    def differs(self) -> bool:
        """Whether the counts differ from each other or from the hands, regardless of any ruling."""
        return counts_differ(self.first, self.second, self.hands)

    @property
    def from_hands(self) -> int:
        """The first count minus the chips by the hands; 0 where no hands are recorded."""
        return self.first - (self.first if self.hands is None else self.hands)

    @property
    def ruled_otherwise(self) -> bool:
        """Whether the ruling gave this box other chips than a count or its hands."""
        return self.ruled is not None and (self.differs or self.ruled != self.first)


@dataclass(frozen=True)
class CountedAgain:
    """A box that one of the two people has counted again: the old figure and the new one."""

    box: int
    was: int
    now: int
    who: str
    at: datetime


@dataclass(frozen=True)
class Counting:
    """One pair of counts of a table; ``second`` is the time of the second count.

    ``again``: the boxes that were counted again; the counts have the new figures. ``waiting``: the ruling
    that waits for a second person and still applies.
    """

    shoe: Shoe
    boxes: tuple[BoxCounted, ...]
    second: datetime
    people: tuple[str, str]
    ruling: Decision | None = None
    taken_back: Decision | None = None
    waiting: Asked | None = None
    again: tuple[CountedAgain, ...] = ()

    @property
    def counts_agree(self) -> bool:
        """Whether the two counts agree with each other, whatever the hands say."""
        return not any(box.by for box in self.boxes)

    @property
    def disputed(self) -> tuple[BoxCounted, ...]:
        """The boxes that the ruling was about."""
        return tuple(box for box in self.boxes if box.ruled_otherwise)


@dataclass(frozen=True)
class _CountPair:
    """The journal entries of two counts, of their recounts and of their ruling."""

    first: JournalEntry
    second: JournalEntry
    again: tuple[JournalEntry, ...] = ()
    ruling: JournalEntry | None = None
    taken_back: JournalEntry | None = None

    @property
    def figures(self) -> tuple[dict[int, int], dict[int, int]]:
        """The figures of the first and of the second count, with the boxes that were counted again."""
        found = (_chips(self.first), _chips(self.second))
        for entry in self.again:
            found[entry.result["which"] - 1].update(_chips(entry))
        return found

    @property
    def last(self) -> JournalEntry:
        """The entry that changed the counts last."""
        return self.again[-1] if self.again else self.second


def countings(shoe: Shoe) -> list[Counting]:
    """Return every pair of counts of a shoe, oldest first; nobody may see a single count."""
    pairs = _count_pairs(_entries_about(shoe))
    sat = sat_at_shoes((shoe, each.second.at) for each in pairs)
    waiting = waiting_on(shoe.pk).get(shoe.pk)
    # A waiting ruling that still applies is about the newest counts.
    return [
        _counting(shoe, each, sat[shoe.pk, each.second.at], waiting if each is pairs[-1] else None)
        for each in pairs
    ]


def rulings(event: Event) -> list[Counting]:
    """Return the rulings on counts that stand, oldest first."""
    asked = JournalEntry.objects.filter(event=event, kind="count.rule").order_by("seq")
    of = [body["asked"]["shoe"] for body in asked.values_list("body", flat=True)]
    shoes = Shoe.objects.select_related("round__event", "table").in_bulk(of)
    latest = (ruling_standing(shoes[pk]) for pk in dict.fromkeys(of) if pk in shoes)
    return sorted(filter(None, latest), key=lambda each: each.ruling.at if each.ruling else each.second)


def ruling_standing(shoe: Shoe) -> Counting | None:
    """Return the pair of counts of a shoe whose ruling stands, None without one."""
    last = countings(shoe)[-1:]
    return next((each for each in last if each.ruling and not each.taken_back), None)


def _entries_about(shoe: Shoe) -> Iterable[JournalEntry]:
    """Return the journal entries about the counts of a shoe, including corrections that reopened them."""
    here = Q(kind__startswith="count.", body__asked__shoe=shoe.pk)
    here |= Q(body__noted__reopened__contains=[shoe.pk])
    here |= Q(kind="request.decide", body__noted__kind=COUNT_RULING, result__done__shoe=shoe.pk)
    found = JournalEntry.objects.filter(here, event=shoe.round.event_id)
    return found.select_related("actor").order_by("seq")


def _count_pairs(entries: Iterable[JournalEntry]) -> list[_CountPair]:
    found, first = list[_CountPair](), None
    for entry in entries:
        if entry.kind == "count.enter":
            if entry.body["asked"].get("again"):
                found[-1] = replace(found[-1], again=(*found[-1].again, entry))
            elif first is None:
                first = entry
            else:
                found.append(_CountPair(first, entry))
                first = None
        elif _rules(entry):
            found[-1] = replace(found[-1], ruling=entry)
        elif entry.kind != "count.rule":
            # The counts are taken back. (A requested ruling, ``count.rule``, changes nothing yet.)
            if found and first is None:
                found[-1] = replace(found[-1], taken_back=entry)
            first = None
    return found


def _rules(entry: JournalEntry) -> bool:
    """Whether this entry carried out a ruling: one that moved no chips, or a confirmed one."""
    if entry.kind == "request.decide":
        return bool(entry.body["noted"]["kind"] == COUNT_RULING)
    return entry.kind == "count.rule" and "request" not in entry.result


def _counting(shoe: Shoe, pair: _CountPair, there: Mapping[int, Entry], waiting: Asked | None) -> Counting:
    first, second = pair.figures
    asked = waiting.chips if waiting else {}
    hands = _hands(shoe, pair, there)
    ruled, before = _ruled(pair.ruling)
    boxes = tuple(
        BoxCounted(
            box=box,
            entry=there.get(box),
            first=first[box],
            second=second[box],
            hands=hands.get(box),
            ruled=ruled.get(box),
            asked=asked.get(box),
            moved=ruled.get(box, 0) - before.get(box, ruled.get(box, 0)),
        )
        for box in sorted(first)
        if box in second
    )
    return Counting(
        shoe=shoe,
        boxes=boxes,
        second=pair.second.at,
        people=(_who(pair.first), _who(pair.second)),
        ruling=_decision(pair.ruling),
        taken_back=_decision(pair.taken_back),
        waiting=waiting,
        again=tuple(_again(pair)),
    )


def _again(pair: _CountPair) -> Iterable[CountedAgain]:
    was = (_chips(pair.first), _chips(pair.second))
    for entry in pair.again:
        own, now = was[entry.result["which"] - 1], _chips(entry)
        yield from (CountedAgain(box, own[box], now[box], _who(entry), entry.at) for box in sorted(now))
        own.update(now)


def _hands(shoe: Shoe, pair: _CountPair, there: Mapping[int, Entry]) -> Mapping[int, int | None]:
    """Return the chips by the hands when the count was decided; before that, the current ones (T18)."""
    noted = _noted(pair.ruling or pair.last, "hands")
    if pair.ruling is not None or pair.taken_back is not None:
        return noted
    if shoe.status == Shoe.Status.COUNTED:
        # Without a ruling the counts agreed with the hands, perhaps only after a correction.
        return pair.figures[1] if noted else {}
    entries = {entry.pk: box for box, entry in there.items()}
    stacks = Stack.objects.filter(round=shoe.round_id, entry__in=entries)
    return hands_say(shoe, {entries[stack.entry_id]: stack for stack in stacks}, pair.second.at)


def _ruled(ruling: JournalEntry | None) -> tuple[dict[int, int], dict[int, int]]:
    """Return the ruled chips and the stacks before the ruling, by box."""
    return (_chips(ruling), _noted(ruling, "before")) if ruling else ({}, {})


def _noted(entry: JournalEntry, name: str) -> dict[int, int]:
    """Return the chips by box that were noted with an entry under this name."""
    noted = entry.body.get("noted", {}).get(name) or {}
    return {int(box): chips for box, chips in noted.items()}


def _chips(entry: JournalEntry) -> dict[int, int]:
    ruled = entry.body.get("noted", {}).get("after") if _rules(entry) else None
    return {int(box): chips for box, chips in (ruled or entry.body["asked"]["chips"]).items()}


def _who(entry: JournalEntry) -> str:
    return entry.actor.get_username() if entry.actor else ""


def _decision(entry: JournalEntry | None) -> Decision | None:
    if entry is None:
        return None
    if not _rules(entry) or entry.kind == "count.rule":
        return Decision(_who(entry), entry.at, entry.body["asked"].get("reason", ""))
    asked = Request.objects.select_related("requested_by").get(pk=entry.result["request"])
    who = asked.requested_by.get_username() if asked.requested_by else ""
    return Decision(who, entry.at, asked.reason, confirmed_by=_who(entry), asked_at=asked.requested_at)
