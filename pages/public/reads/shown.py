"""The standings as the public may see them now, for every public page, screen and phone."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any

from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from pages.words.standings import (
    NOTES,
    TABLE,
    StateText,
    chance_words,
    gap_words,
    headline_words,
    line_words,
    prize_words,
    remark_words,
    say,
    seat_words,
    seating_state_words,
    shoe_words,
    tie_ruling_words,
    title_words,
)
from tournament.engine.days import zone_of
from tournament.models import Event, StandingsKept
from tournament.selectors.publication import (
    Delayed,
    Live,
    Shown,
    delayed_body,
    hidden_body,
    standings_at,
    standings_shown,
)
from tournament.selectors.standings_states import Note

Json = dict[str, Any]
TEMPLATE = "public/_standings.html"
CACHED_MOST = 16
"""The size of the cache. A list of 1,000 rows takes about 4 MB."""


@dataclass(frozen=True)
class WrittenStandings:
    """A body in words, and the list drawn from it. Requests share it."""

    body: Json
    html: str


class StandingsCache:
    """A cache of the most recently used keys; each value is made once, even for simultaneous requests.

    A key names everything that its value depends on, so no value is ever out of date.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[Hashable, WrittenStandings] = OrderedDict()
        self._looking, self._making = Lock(), Lock()

    def get(self, key: Hashable, make: Callable[[], WrittenStandings]) -> WrittenStandings:
        """Return the value of ``key``, or make it. Only makers wait for each other."""
        return self._look(key) or self._made(key, make)

    def _look(self, key: Hashable) -> WrittenStandings | None:
        with self._looking:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def _made(self, key: Hashable, make: Callable[[], WrittenStandings]) -> WrittenStandings:
        with self._making:
            found = self._look(key)
            if found is None:
                found = make()
                with self._looking:
                    self._found[key] = found
                    if len(self._found) > self._most:
                        self._found.popitem(last=False)
            return found


CACHE = StandingsCache(CACHED_MOST)
"""The standings in words: one for each event, content and language in this process."""


@dataclass(frozen=True)
class ShownStandings:
    """The standings that the public may see: ``body`` in words, and its ``html``.

    ``tag``: the tag of the publication, empty if live. ``at``: the time of the shown standings; None if
    nothing is shown. ``behind``: the worker is late.
    """

    body: Json
    html: str
    tag: str
    at: datetime | None
    behind: bool


def shown(event: Event) -> ShownStandings:
    """Return the standings that the public may see of an event from ``event_with_standings``."""
    snapshot, now = getattr(event, "standings", None), event.now  # type: ignore[attr-defined]  # annotated
    behind = bool(event.behind) or snapshot is None  # type: ignore[attr-defined]  # annotated
    state = standings_shown(event, now)
    kept = standings_at(event, state.at) if isinstance(state, Delayed) else None
    tag = _tag(state, kept)
    if snapshot is None:
        return ShownStandings(
            in_words(_published(event, _nothing(event), state, kept)), "", tag, None, behind
        )
    zone = getattr(event, "zone", None) or "UTC"

    def say() -> WrittenStandings:
        body = in_words(_published(event, snapshot.body, state, kept))
        return WrittenStandings(body, render_to_string(TEMPLATE, {"body": body}))

    # The key needs the event: one correction of a person gives several events the same tag.
    written = CACHE.get((event.pk, snapshot.etag, tag, get_language(), zone), say)
    at = snapshot.at if isinstance(state, Live) else kept.at if kept else None
    return ShownStandings(written.body, written.html, tag, at, behind)


def _nothing(event: Event) -> Json:
    """Return the body of an event without standings."""
    return {"headline": {"state": event.status}, "live": False, "notes": [], "sections": []}


def _published(event: Event, newest: Json, state: Shown, kept: StandingsKept | None) -> Json:
    """Return the part of the newest body that the public may see."""
    if isinstance(state, Live):
        return newest
    if isinstance(state, Delayed) and kept is not None:
        zone = zone_of(getattr(event, "zone", None) or "UTC")
        publication = {"state": "delayed", "behind": state.behind, "at": state.at.astimezone(zone)}
        return delayed_body(newest, kept.body, publication)
    minutes = {"minutes": state.minutes} if isinstance(state, Delayed) else {}
    return hidden_body(newest, {"state": "hidden", **minutes})


def publication_tag(event_id: int, now: datetime) -> str:
    """Return the tag of the publication without the body, for an event whose standings are not live."""
    event = Event.objects.select_related("publication").get(pk=event_id)
    state = standings_shown(event, now)
    return _tag(state, standings_at(event, state.at) if isinstance(state, Delayed) else None)


def _tag(state: Shown, kept: StandingsKept | None) -> str:
    """Return the tag of the publication: the shown standings, and their stated age."""
    if isinstance(state, Live):
        return ""
    if isinstance(state, Delayed):
        age = f"{state.minutes}.{state.behind}.{int(state.at.timestamp()) // 60}"
        return f"delayed{age}.{kept.pk if kept else 0}"
    return "hidden"


# In words -------------------------------------------------------------------------------------------


def in_words(body: Json) -> Json:
    """Return the body with a text for each state; a ``StateText`` keeps the state. Places and chips stay.

    ``headline``, the ``text`` of notes and of ``publication``, the ``title`` and ``note`` of sections, and of
    rows ``word``, ``gap``, ``chance``, ``where``, ``seat``, ``seat_at``, ``left``, ``prize`` and ``cut``.
    """
    worded = {
        **body,
        "headline": headline_words(body["headline"]),
        "notes": [_note(each) for each in body["notes"]],
        "sections": [_section(each) for each in body["sections"]],
    }
    if "publication" in body:
        worded["publication"] = {**body["publication"], "text": _publication(body["publication"])}
    if "seated" in body:
        worded["seated"] = [_row(row) for row in body["seated"]]
    return worded


def _note(note: Json) -> Json:
    return {"kind": "bad" if note["state"] == Note.CALLED_OFF else "", "text": say(NOTES, note)}


def _section(section: Json) -> Json:
    return {
        **section,
        "title": title_words(section["title"]),
        "note": _section_note(section),
        "rows": [_row(row) if "place" in row else row for row in section["rows"]],
    }


def _section_note(section: Json) -> str:
    if "seating" in section:
        return seating_state_words(section["seating"], section["boxes_free"])
    return " ".join(tie_ruling_words(each, ", ".join(each["advance"])) for each in section.get("rulings", ()))


def _row(row: Json) -> Json:
    worded = {
        **row,
        "word": remark_words(row["word"]),
        "gap": gap_words(row["gap"]),
        "chance": chance_words(row["chance"]),
        "where": "",
        **_place_of(row),
    }
    if "shoe" in row:
        worded["left"] = shoe_words(row["shoe"], row["hands_left"])
    if row.get("prize_most_cents"):
        worded["prize"] = prize_words(row)
    if "cut" in row:
        worded["cut"] = line_words(row["cut"])
    return worded


def _place_of(row: Json) -> Json:
    """Return a player's table in the standings, and the present seat if it differs."""
    then = [row["table"], row["box"]] if row.get("table") else None
    now = row.get("seat_now") or then
    if now is None:
        return {}
    where = str(TABLE % {"table": row["table"]}) if then else ""
    return {"where": where, "seat": seat_words(*now), "seat_at": now}


def _publication(publication: Json) -> StateText:
    """Return the publication in words: hidden, delayed by minutes, or not old enough to be shown."""
    if "behind" in publication:
        words = ngettext(
            "Standings are %(n)s minute behind, as of %(time)s.",
            "Standings are %(n)s minutes behind, as of %(time)s.",
            publication["behind"],
        )
        return StateText(
            words % {"n": publication["behind"], "time": date_format(publication["at"], "TIME_FORMAT")},
            publication["state"],
        )
    if "minutes" in publication:
        words = ngettext(
            "The standings follow %(n)s minute behind.",
            "The standings follow %(n)s minutes behind.",
            publication["minutes"],
        )
        return StateText(words % {"n": publication["minutes"]}, publication["state"])
    return StateText(_("The director has hidden the standings."), publication["state"])


# Search ---------------------------------------------------------------------------------------------


def rows_of(body: Json) -> Iterable[Json]:
    """Yield every row of a body, the most current section first, for the search."""
    for section in body["sections"]:
        yield from section["rows"]


def rows_matching(body: Json, word: str) -> list[Json]:
    """Return the rows for a typed entry number or name (``E017``, ``17`` or ``ann``), one per entry."""
    return [row for row in _rows_called(rows_of(body), word) if "place" in row]


def lists_naming(body: Json, word: str) -> list[Json]:
    """Return the searched entries without a place, drawn or alternate (T6), with the list of each."""
    return [
        {"list": section["title"], **row}
        for section in body["sections"]
        if section["kind"] == "entries"
        for row in _rows_called(section["rows"], word)
    ]


def _rows_called(rows: Iterable[Json], word: str) -> list[Json]:
    wanted = word.strip().casefold()
    if not wanted:
        return []
    once = {row["code"]: row for row in reversed(list(rows))}
    exact = [row for code, row in once.items() if _number(wanted) and _number(code) == _number(wanted)]
    found = exact or [row for row in once.values() if wanted in row["name"].casefold()]
    return sorted(found, key=lambda row: str(row["code"]))


def _number(code: str) -> str:
    return code.casefold().removeprefix("e").lstrip("0")
