"""The standings as the public is shown them now: the one read of every public page, screen and phone."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import get_language

from pages.words.standings_said import in_words
from tournament.engine.days import zone_of
from tournament.models import Event, StandingsKept
from tournament.selectors.publication import (
    Delayed,
    Live,
    Shown,
    delayed_body,
    hidden_body,
    standings_kept,
    standings_shown,
)

Json = dict[str, Any]
TEMPLATE = "public/_standings.html"
KEPT_MOST = 16
"""So many are kept, the ones that were asked for last. A list of 1,000 rows takes about 4 MB."""


@dataclass(frozen=True)
class SaidStandings:
    """A body in the words of a language, and the list drawn from it. Requests share it."""

    body: Json
    html: str


class Kept:
    """What was made for a key, for the keys that were asked for last; each is made once, whoever asks.

    A key names all that its content depends on, so nothing in here is ever out of date.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[Hashable, SaidStandings] = OrderedDict()
        self._looking, self._making = Lock(), Lock()

    def get(self, key: Hashable, make: Callable[[], SaidStandings]) -> SaidStandings:
        """Return what is kept under ``key``, or make it. Only makers wait for each other."""
        return self._look(key) or self._made(key, make)

    def _look(self, key: Hashable) -> SaidStandings | None:
        with self._looking:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def _made(self, key: Hashable, make: Callable[[], SaidStandings]) -> SaidStandings:
        with self._making:
            found = self._look(key)
            if found is None:
                found = make()
                with self._looking:
                    self._found[key] = found
                    if len(self._found) > self._most:
                        self._found.popitem(last=False)
            return found


SAID = Kept(KEPT_MOST)
"""The standings as they were said last: once for each event, content and language in a process."""


@dataclass(frozen=True)
class ShownStandings:
    """The body that the public is shown, in words, and its ``html``.

    ``tag`` names how it is published, empty if live. ``at``: the moment that it is of; None where nothing is
    shown. ``behind``: its worker is late.
    """

    body: Json
    html: str
    tag: str
    at: datetime | None
    behind: bool


def shown(event: Event) -> ShownStandings:
    """Return what the public is shown of an event that was read with ``event_with_standings``."""
    snapshot, now = getattr(event, "standings", None), event.now  # type: ignore[attr-defined]  # annotated
    behind = bool(event.behind) or snapshot is None  # type: ignore[attr-defined]  # annotated
    state = standings_shown(event, now)
    kept = standings_kept(event, state.at) if isinstance(state, Delayed) else None
    tag = _tag(state, kept)
    if snapshot is None:
        return ShownStandings(
            in_words(_published(event, _nothing(event), state, kept)), "", tag, None, behind
        )
    zone = getattr(event, "zone", None) or "UTC"

    def say() -> SaidStandings:
        body = in_words(_published(event, snapshot.body, state, kept))
        return SaidStandings(body, render_to_string(TEMPLATE, {"body": body}))

    # A tag names a body in its event only: one correction of a person marks the standings of several.
    said = SAID.get((event.pk, snapshot.etag, tag, get_language(), zone), say)
    at = snapshot.at if isinstance(state, Live) else kept.at if kept else None
    return ShownStandings(said.body, said.html, tag, at, behind)


def _nothing(event: Event) -> Json:
    """The body of an event that has no standings yet."""
    return {"headline": {"state": event.status}, "live": False, "notes": [], "sections": []}


def _published(event: Event, newest: Json, state: Shown, kept: StandingsKept | None) -> Json:
    """Return the part of the newest body that the public may see."""
    if isinstance(state, Live):
        return newest
    if isinstance(state, Delayed) and kept is not None:
        zone = zone_of(getattr(event, "zone", None) or "UTC")
        told = {"state": "delayed", "behind": state.behind, "at": state.at.astimezone(zone)}
        return delayed_body(newest, kept.body, told)
    minutes = {"minutes": state.minutes} if isinstance(state, Delayed) else {}
    return hidden_body(newest, {"state": "hidden", **minutes})


def publication_tag(event_id: int, now: datetime) -> str:
    """Return the same tag without the content, for an event whose standings are not live."""
    event = Event.objects.select_related("publication").get(pk=event_id)
    state = standings_shown(event, now)
    return _tag(state, standings_kept(event, state.at) if isinstance(state, Delayed) else None)


def _tag(state: Shown, kept: StandingsKept | None) -> str:
    """Return what changes with the picture: which standings are shown, and the words about their age."""
    if isinstance(state, Live):
        return ""
    if isinstance(state, Delayed):
        age = f"{state.minutes}.{state.behind}.{int(state.at.timestamp()) // 60}"
        return f"delayed{age}.{kept.pk if kept else 0}"
    return "hidden"
