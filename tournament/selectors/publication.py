"""What the public may see of an event's standings: one answer for every page, screen and phone."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from tournament.models import Event, StandingsKept, StandingsPublication

Mode = StandingsPublication.Mode


@dataclass(frozen=True)
class Live:
    """The standings are shown as they are."""


@dataclass(frozen=True)
class Delayed:
    """The standings are shown as they were at the moment ``at``, which is ``behind`` minutes ago.

    ``minutes`` is the delay that is set. ``behind`` is less while it has just begun and ``at`` stands still.
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

    What is posted (results, prizes, draws, seats, announcements) and the clock are public in every state.
    A delay outlasts the event: it ends when the last change of the standings is as old as the delay.
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


def standings_kept(event: Event, at: datetime) -> StandingsKept | None:
    """Return the standings as they were at a moment; None where they were not kept."""
    return StandingsKept.objects.filter(event=event, at__lte=at).order_by("at", "pk").last()


def _caught_up(event: Event, at: datetime) -> bool:
    return not StandingsKept.objects.filter(event=event, at__gt=at).exists()
