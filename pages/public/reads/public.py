"""Data of the public pages: events, the snapshot, seats, posted structures, draws. Few queries each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.postgres.functions import TransactionNow
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Now
from django.utils.translation import get_language

from pages.public.reads.shown import ShownStandings, publication_tag
from pages.words.prizes import UnclaimedText, posted_words, unclaimed_words
from tables.selectors.whereabouts import seats_taken
from tournament.models import Draw, Entry, Event, House, JournalEntry, PayoutStructure, Posting, Round
from tournament.selectors.clocks import ON, ClockShown, clock_tag, is_up, milliseconds
from tournament.selectors.entrants import events_counted
from tournament.selectors.prizes import (
    Pool,
    PrizeRow,
    currency_of,
    pool_of,
    prize_rows,
    prizes_at,
    structure_from_dict,
)
from tournament.selectors.publication import Mode

FIRST_LANGUAGE = Subquery(House.objects.values("language")[:1])
BEHIND_AFTER = timedelta(seconds=15)


def house() -> House:
    """Return the house's settings, or the defaults before anybody has set it up."""
    return House.objects.first() or House()


def public_events() -> QuerySet[Event]:
    """Return all events but drafts, with the house's time zone, currency and first language.

    ``start_moved``: the last posting that moved the start, None without one (T6).
    """
    moved = Posting.objects.filter(event=OuterRef("pk"), kind=Posting.Kind.START).order_by("-number")
    return Event.objects.exclude(status=Event.Status.DRAFT).annotate(
        zone=Subquery(House.objects.values("time_zone")[:1]),
        currency=Subquery(House.objects.values("currency")[:1]),
        language=FIRST_LANGUAGE,
        start_moved=Subquery(moved.values("body")[:1]),
    )


def events_listed() -> tuple[list[Event], list[Event]]:
    """Return the public events: (running or coming, the next first; over, the newest first). Three queries.

    Simulations are left out. A decided event has ``winners``: everybody in first place.
    """
    found = (
        public_events()
        .exclude(kind=Event.Kind.SIMULATION)
        .order_by(F("starts_at").asc(nulls_last=True), "created_at")
    )
    listed = events_counted(found)
    over = [event for event in reversed(listed) if event.is_over]
    _name_winners(over)
    on = [event for event in listed if not event.is_over]
    # Running events come before future ones.
    return sorted(on, key=lambda event: event.status != Event.Status.RUNNING), over


def _name_winners(over: Iterable[Event]) -> None:
    """Set ``winners`` of each decided event: several if first place is shared."""
    decided = {event.pk: event for event in over if event.status != Event.Status.CALLED_OFF}
    for event in decided.values():
        event.winners = []  # type: ignore[attr-defined]  # annotated
    first = Entry.objects.filter(event__in=decided, place=1).select_related("player")
    for entry in first.order_by("number"):
        decided[entry.event_id].winners.append(entry)  # type: ignore[attr-defined]  # annotated


def missing_entries() -> QuerySet[JournalEntry]:
    """Return a subquery: commands of an event that are older than 15 seconds and not in its snapshot."""
    return JournalEntry.objects.filter(
        event=OuterRef("pk"), seq__gt=OuterRef("standings__position"), at__lt=Now() - BEHIND_AFTER
    )


def event_with_standings(slug: str) -> Event | None:
    """Return an event with its snapshot (``standings``), clock, publication, ``behind`` and ``now``.

    One indexed read. A page must show ``shown(event)``, never the snapshot itself.

    ``behind``: the snapshot lacks a command older than 15 seconds (faults, broker away).
    ``now``: the database's time, by which the clock counts.
    """
    found = public_events().filter(slug=slug).select_related("standings", "clock", "publication")
    return found.annotate(behind=Exists(missing_entries()), now=TransactionNow()).first()


@dataclass(frozen=True)
class FragmentTag:
    """The tag of the fragment that phones poll: the snapshot, whether it is behind, the clock (``clocks``).

    ``publication``: the tag of the part that the public sees (``shown``), empty if live. ``language``: that
    of the fragment.

    ``now_ms`` is the server's time in milliseconds since 1970, by which a phone counts the clock.
    """

    snapshot: str
    behind: bool
    clock: str
    now_ms: int
    publication: str = ""
    language: str = ""

    @property
    def parts(self) -> str:
        """The tag without its quotes."""
        behind = "behind" if self.behind else ""
        parts = (self.snapshot or "none", behind, self.clock, self.publication, self.language)
        return "-".join(part for part in parts if part)

    def __str__(self) -> str:
        return f'"{self.parts}"'


def fragment_tag(slug: str) -> FragmentTag | None:
    """Return the tag of the fragment in the house's first language; None if the event is not public."""
    found = tag_and_columns(Event.objects.filter(slug=slug))
    return found[0] if found else None


def tag_and_columns(events: QuerySet[Event], *columns: str) -> tuple[FragmentTag, list[Any]] | None:
    """Return the tag of the first of these events, with its ``columns``; None if none is public.

    One query; more only if the standings are not live.
    """
    found = events.exclude(status=Event.Status.DRAFT)
    found = found.annotate(behind=Exists(missing_entries()), now=TransactionNow(), language=FIRST_LANGUAGE)
    tagged = ("standings__etag", "behind", "now", "status", "clock__version", "clock__ends_at", "language")
    row = found.values_list(*tagged, "pk", "publication__mode", *columns).first()
    if row is None:
        return None
    etag, behind, now, status, version, ends_at, language, pk, mode, *more = row
    clock = "" if version is None or status not in ON else clock_tag(version, is_up(ends_at, now))
    published = "" if mode in (None, Mode.LIVE) else publication_tag(pk, now)
    return FragmentTag(etag or "", behind, clock, milliseconds(now), published, language or ""), more


def tag_of(event: Event, clock: ClockShown | None, shown: ShownStandings) -> FragmentTag:
    """Return the tag of an event from ``event_with_standings`` and of its shown standings."""
    snapshot, now = getattr(event, "standings", None), event.now  # type: ignore[attr-defined]  # annotated
    behind = event.behind  # type: ignore[attr-defined]  # annotated
    etag, clock_part = snapshot.etag if snapshot else "", clock.tag if clock else ""
    return FragmentTag(etag, behind, clock_part, milliseconds(now), shown.tag, get_language() or "")


# Seats --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SeatingChart:
    """The seats of the last seated stage, by name."""

    round: Round
    people: list[dict[str, Any]]


def seating_chart(event: Event) -> SeatingChart | None:
    """Return the chart of the last seated stage; None before the first draw."""
    round_ = event.rounds.select_related("draw").order_by("id").last()
    if round_ is None:
        return None
    seats = seats_taken([round_.pk])
    entries = {e.pk: e for e in event.entries.filter(pk__in=[pk for _, pk in seats]).select_related("player")}
    people: list[dict[str, Any]] = [
        {"table": table, "box": box, "code": entries[pk].code, "name": entries[pk].player.public_name}
        for (_, pk), (table, box) in seats.items()
    ]
    people.sort(key=lambda person: (person["name"].casefold(), person["code"]))
    return SeatingChart(round_, people)


def unused(event: Event, draw: Draw) -> bool:
    """Whether no round needs a committed draw any more."""
    return draw.is_given_up or (draw.status == Draw.Status.PLANNED and event.is_over)


# Prizes -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PostedStructure:
    """One posted version of the payout structure, in force or superseded."""

    made: PayoutStructure
    rows: tuple[PrizeRow, ...]
    sentences: list[str]
    total_cents: int


@dataclass(frozen=True)
class PrizesPage:
    """The current pool, every posted structure (newest first), and the unclaimed prizes (T26).

    ``now``: while a prize is unclaimed, the whole prize of each entry in cents, best place first; else empty.
    """

    pool: Pool
    structures: list[PostedStructure]
    unclaimed: list[UnclaimedText]
    now: list[tuple[Entry, int]]


def prizes_page(event: Event) -> PrizesPage:
    """Return the page of prizes (T31, T32): all versions stay public."""
    found = PayoutStructure.objects.filter(event=event).select_related("posting").order_by("-version")
    structures = [_posted(event, each) for each in found]
    prizes = prizes_at(event)
    unclaimed = unclaimed_words(prizes.unclaimed, currency_of(event))
    now = _now(event, prizes.whole) if unclaimed else []
    return PrizesPage(pool_of(event), structures, unclaimed, now)


def _now(event: Event, prizes: Mapping[str, int]) -> list[tuple[Entry, int]]:
    found = event.entries.filter(code__in=prizes).select_related("player").order_by("place", "number")
    return [(each, prizes[each.code]) for each in found if prizes[each.code]]


def _posted(event: Event, posted: PayoutStructure) -> PostedStructure:
    rows = prize_rows(structure_from_dict(posted.structure), posted.prizes_cents)
    words = posted_words(posted.posting.body, currency_of(event))
    return PostedStructure(posted, rows, words, sum(posted.prizes_cents))


# Draws --------------------------------------------------------------------------------------------------

CHECK_SCRIPT = """\
import hashlib, hmac, json
secret, commitment = bytes.fromhex({secret}), {commitment}
event, number, cards, roster = {event}, {number}, {cards}, sorted({roster}.split())
assert hashlib.sha256(secret).hexdigest() == commitment
seed, n = hmac.digest(secret, json.dumps([event, number, roster, cards]).encode(), "sha256"), 0
for i in range(len(roster) - 1, 0, -1):
    x = limit = 2**64 - 2**64 % (i + 1)
    while x >= limit: x, n = int(hmac.digest(seed, n.to_bytes(8, "big"), "sha256")[:8].hex(), 16), n + 1
    j = x % (i + 1); roster[i], roster[j] = roster[j], roster[i]
print(*roster)
"""


def draw_check_script(draw: Draw, event_code: str) -> str:
    """Return ten lines of Python that repeat this draw and print its order; empty before it is drawn."""
    if not draw.revealed_secret:
        return ""
    values: dict[str, Any] = {
        "secret": draw.revealed_secret,
        "event": event_code,
        "number": draw.number,
        "cards": draw.cards,
        "roster": " ".join(sorted(draw.roster)),
        "commitment": draw.commitment,
    }
    return CHECK_SCRIPT.format(**{name: ascii(value) for name, value in values.items()})


def draw_seats(draw: Draw) -> list[dict[str, Any]]:
    """Return the result by table and box: the entry, and its position in the drawn order."""
    seats = [
        {"entry": code, "table": table, "box": box, "order": order}
        for order, (code, table, box) in enumerate(draw.result, start=1)
    ]
    return sorted(seats, key=lambda seat: (seat["table"], seat["box"]))


def rules_postings(event: Event) -> list[Posting]:
    """Return the posted rules, those in force first."""
    return list(Posting.objects.filter(event=event, kind=Posting.Kind.RULES).order_by("-number"))
