"""The standings as the public is shown them now: the one read of every public page, screen and phone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.engine.days import zone_of
from tournament.models import Event
from tournament.selectors.public_body import delayed_body, hidden_body
from tournament.selectors.publication import Delayed, Live, Shown, standings_kept, standings_shown
from tournament.services.standings import TEMPLATE

Json = dict[str, Any]


@dataclass(frozen=True)
class ShownStandings:
    """The body that the public is shown, and its ``html``; ``tag`` names how it is published, empty if live.

    ``at``: the moment that it is of; None where nothing is shown. ``behind``: its worker is late.
    """

    body: Json
    html: str
    tag: str
    at: datetime | None
    behind: bool


def shown(event: Event) -> ShownStandings:
    """Return what the public is shown of an event that was read with ``event_with_standings``."""
    snapshot, now = getattr(event, "standings", None), event.now  # type: ignore[attr-defined]  # annotated
    nothing: Json = {"headline": event.get_status_display(), "live": False, "notes": [], "sections": []}
    newest = snapshot.body if snapshot else nothing
    behind = bool(event.behind) or snapshot is None  # type: ignore[attr-defined]  # annotated
    state = standings_shown(event, now)
    if isinstance(state, Live):
        return ShownStandings(newest, snapshot.html if snapshot else "", "", _at(snapshot), behind)
    kept = standings_kept(event, state.at) if isinstance(state, Delayed) else None
    words = _behind_words(event, state, nothing_kept=kept is None) if isinstance(state, Delayed) else ""
    if kept is None:
        text = words or _("The director has hidden the standings.")
        body, at = hidden_body(newest, {"state": "hidden", "text": text}), None
    else:
        body, at = delayed_body(newest, kept.body, {"state": "delayed", "text": words}), kept.at
    html = render_to_string(TEMPLATE, {"body": body}) if snapshot else ""
    return ShownStandings(body, html, _tag(state, kept.pk if kept else 0), at, behind)


def publication_tag(event_id: int, now: datetime) -> str:
    """Return the same tag without the content, for an event whose standings are not live."""
    event = Event.objects.select_related("publication").get(pk=event_id)
    state = standings_shown(event, now)
    if isinstance(state, Live):
        return ""
    kept = standings_kept(event, state.at) if isinstance(state, Delayed) else None
    return _tag(state, kept.pk if kept else 0)


def _tag(state: Shown, kept: int) -> str:
    """What changes with the picture: which standings are shown, and the words about their age."""
    if isinstance(state, Delayed):
        return f"delayed{state.behind}.{int(state.at.timestamp()) // 60}.{kept}"
    return "hidden"


def _at(snapshot: Any) -> datetime | None:
    return snapshot.at if snapshot else None


def _behind_words(event: Event, state: Delayed, *, nothing_kept: bool) -> str:
    """How far the standings are behind and the time that they are of, by the clock of the house."""
    if nothing_kept:
        words = ngettext(
            "The standings follow %(n)s minute behind.",
            "The standings follow %(n)s minutes behind.",
            state.minutes,
        )
        return words % {"n": state.minutes}
    zone = zone_of(getattr(event, "zone", None) or "UTC")
    words = ngettext(
        "Standings are %(n)s minute behind, as of %(time)s.",
        "Standings are %(n)s minutes behind, as of %(time)s.",
        state.behind,
    )
    return words % {"n": state.behind, "time": date_format(state.at.astimezone(zone), "H:i")}
