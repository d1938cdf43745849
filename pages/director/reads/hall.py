"""The named screens of an event for the director, and the publication of the standings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from pages.words.standings import StateText
from tournament.models import Event, HallScreen, StandingsPublication
from tournament.selectors.desk import database_now
from tournament.selectors.publication import Delayed, Live, standings_shown

OFFLINE_AFTER = timedelta(seconds=30)
ON, OFFLINE, NEVER = "on", "offline", "never"

SLIDE_NAMES = {
    "announcement": _("Announcements"),
    "draw": _("The draw that is made"),
    "tie": _("The tie that is played"),
    "standings": _("Standings"),
    "seats": _("Seats by name"),
    "tables": _("Seats by table"),
    "prizes": _("Prizes"),
    "start": _("Start"),
    "entries": _("Players who have entered"),
    "out": _("Players who are out"),
}


@dataclass(frozen=True)
class ScreenLine:
    """A named screen: ``state`` is ON, OFFLINE since ``seen_at``, or NEVER; ``shows``: the slide it is set
    to."""

    pk: int
    name: str
    state: str
    seen_at: datetime | None
    shows: str


def screen_lines(event: Event) -> list[ScreenLine]:
    """Return the named screens of an event by name."""
    now = timezone.now()
    return [_line(screen, now) for screen in HallScreen.objects.filter(event=event).order_by("name")]


def _line(screen: HallScreen, now: datetime) -> ScreenLine:
    shows = str(SLIDE_NAMES[screen.shows]) if screen.shows else ""
    return ScreenLine(screen.pk, screen.name, screen_state(screen.seen_at, now), screen.seen_at, shows)


def screen_state(seen_at: datetime | None, now: datetime) -> str:
    """Return the state of a screen; ON if it has polled in the last 30 seconds."""
    if seen_at is None:
        return NEVER
    return ON if now - seen_at <= OFFLINE_AFTER else OFFLINE


def publication_of(event: Event) -> StandingsPublication | None:
    """Return the publication of an event's standings; None if the director has never chosen one."""
    return StandingsPublication.objects.filter(event=event).first()


def publication_mark(event: Event) -> StateText | None:
    """Return what the public sees instead of live standings; None while they are live."""
    state = standings_shown(event, database_now())
    if isinstance(state, Live):
        return None
    if not isinstance(state, Delayed):
        return StateText(str(_("Public standings hidden")), "hidden")
    words = ngettext("Public standings %(n)s min behind", "Public standings %(n)s min behind", state.minutes)
    return StateText(words % {"n": state.minutes}, "delayed")
