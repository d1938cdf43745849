"""The standings as the public is shown them now: the one read of every public page, screen and phone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import get_language

from pages.public.reads.kept_said import SAID, SaidStandings
from pages.words.standings_said import in_words
from tournament.engine.days import zone_of
from tournament.models import Event, StandingsKept
from tournament.selectors.public_body import delayed_body, hidden_body
from tournament.selectors.publication import Delayed, Live, Shown, standings_kept, standings_shown

Json = dict[str, Any]
TEMPLATE = "public/_standings.html"


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
