"""The part of an event's standings that the public may see, the same for every page, screen and phone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from tournament.models import Event, StandingsKept, StandingsPublication
from tournament.selectors.standings_states import Headline, Json, of

Mode = StandingsPublication.Mode


@dataclass(frozen=True)
class Live:
    """The current standings are shown."""


@dataclass(frozen=True)
class Delayed:
    """The standings of the moment ``at`` are shown, which is ``behind`` minutes ago.

    ``minutes`` is the delay that is set. ``behind`` is less while the delay has just begun and ``at`` stands
    still.
    """

    at: datetime
    minutes: int
    behind: int


@dataclass(frozen=True)
class Hidden:
    """No chips, places or results of an open round are shown."""


Shown = Live | Delayed | Hidden


def standings_shown(event: Event, now: datetime) -> Shown:
    """Return what the public may see of an event's standings at a moment of the database's clock.

    Posted results, prizes, draws, seats and announcements, and the clock, are public in every case. A delay
    outlasts the event: it ends when the last change of the standings is as old as the delay.
    """
    set_ = getattr(event, "publication", None)
    if set_ is None or set_.mode == Mode.LIVE or event.status == Event.Status.CALLED_OFF:
        return Live()
    if set_.minutes is None:
        return Hidden()
    at = public_until(set_, now)
    if event.status in (Event.Status.FINISHED, Event.Status.PAID) and _caught_up(event, at):
        return Live()
    return Delayed(at, set_.minutes, max(1, -((at - now) // timedelta(minutes=1))))


def public_until(publication: StandingsPublication | None, now: datetime) -> datetime:
    """Return the newest moment whose standings are public: it stands still until the delay has caught up."""
    if publication is None or publication.mode == Mode.LIVE:
        return now
    before, minutes = publication.public_until, publication.minutes
    assert before is not None, "the database holds it"
    return before if minutes is None else max(before, now - timedelta(minutes=minutes))


def standings_at(event: Event, at: datetime) -> StandingsKept | None:
    """Return the kept standings of a moment; None if they were not kept."""
    return StandingsKept.objects.filter(event=event, at__lte=at).order_by("at", "pk").last()


def _caught_up(event: Event, at: datetime) -> bool:
    return not StandingsKept.objects.filter(event=event, at__gt=at).exists()


# Standings for the public, made from the newest ones ---------------------------------------------------

BLANK: Json = {
    "place": None,
    "tied": False,
    "stack_chips": None,
    "change_chips": None,
    "under": False,
    "gap": None,
    "chance": None,
    "word": "",
    "state": "",
}
"""The fields of a row of the standings beside name and seat, all blank."""
SEAT = ("code", "name", "table", "box", "call")


def delayed_body(newest: Json, then: Json, publication: Json) -> Json:
    """Return the standings ``then``, with the newest seats, announcements, draw and prizes.

    The call to the table is the newest too: a player who is missing in the old standings is listed with the
    seat.
    """
    seats = {row["code"]: row for row in seats_only(newest["sections"])}
    sections = [
        {**section, "rows": [_called_now(row, seats) for row in section["rows"]]}
        for section in then["sections"]
    ]
    there = {row["code"] for section in sections for row in section["rows"] if "place" in row}
    missing = [row for code, row in seats.items() if code not in there]
    if missing:
        sections.insert(0, _seated(missing))
    return {**then, "sections": sections, **_always(newest, publication)}


def _called_now(row: Json, seats: Mapping[str, Json]) -> Json:
    """Return an old row with the newest call and, as ``seat_now``, the newest table and box."""
    if "place" not in row:
        return row
    now = seats.get(row["code"])
    if now is None:
        return {**row, "call": ""}
    return {**row, "seat_now": [now["table"], now["box"]], "call": now["call"]}


def hidden_body(newest: Json, publication: Json) -> Json:
    """Return the entries and the seats, in the order of names: no chips and no places."""
    sections = [each for each in newest["sections"] if each["kind"] == "entries"]
    seated = seats_only(newest["sections"])
    if seated:
        sections.insert(0, _seated(seated))
    # Without the progress, which would tell the last hand, or a tie at the cut.
    stage = newest.get("stage")
    headline = of(Headline.STAGE, stage=stage) if stage else newest["headline"]
    return {"headline": headline, "notes": [], "sections": sections, **_always(newest, publication)}


def _seated(rows: list[Json]) -> Json:
    return {"kind": "seated", "title": None, "rows": rows}


def _always(newest: Json, publication: Json) -> Json:
    """Return the parts that are always public; never ``over``, so that phones keep asking."""
    kept: Json = {key: newest[key] for key in ("live", "stage", "announcements", "hall") if key in newest}
    return {**kept, "over": False, "seated": seats_only(newest["sections"]), "publication": publication}


def rows_with_seats(sections: Iterable[Json]) -> list[Json]:
    """Return the rows of the seated stage: of a tie that is played, or else of the round."""
    for kind in ("tie", "live"):
        rows = [row for section in sections if section["kind"] == kind for row in section["rows"]]
        if any(row.get("table") for row in rows):
            return rows
    return []


def seats_only(sections: Iterable[Json]) -> list[Json]:
    """Return the players who have a seat, by name, without any result."""
    rows = [row for row in rows_with_seats(sections) if row.get("table")]
    seats = [{**BLANK, **{key: row.get(key, "") for key in SEAT}} for row in rows]
    return sorted(seats, key=lambda row: (row["name"].casefold(), row["code"]))
