"""The clock of an event: how long it runs, and the local time at which it ends. Pure: the time is an
argument.

One clock per event is enough. Seating closes with the first bet (T6), so late registration, the wait for a
round, the round and the break follow each other.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta

from ground.refused import Refused
from tournament.engine.days import start_of, zone_of

LONGEST_SECONDS = 24 * 60 * 60
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)


def seconds_until(end: datetime, now: datetime) -> int:
    """Return the whole seconds left until ``end``, rounded up; 0 from ``end`` on."""
    return max(0, -((now - end) // SECOND))


def length_checked(seconds: int) -> int:
    """Return a length in seconds. Refuses ``clock_too_short`` below 1 second, ``clock_too_long`` over 24
    hours."""
    if seconds < 1:
        raise Refused("clock_too_short", "A clock runs for at least 1 second. Type a longer time.")
    if seconds > LONGEST_SECONDS:
        raise _too_long()
    return seconds


def end_of(local: datetime, zone: str, now: datetime) -> datetime:
    """Return the moment of a local time without a zone, by the clock of ``zone``.

    Refuses ``clock_past`` for a time that is not after ``now``, ``clock_too_long``, and what ``start_of``
    refuses.
    """
    ahead = local - now.astimezone(zone_of(zone)).replace(tzinfo=None)
    # A clock change shifts the time by hours, never by a day.
    if ahead < -DAY:
        raise _past(local)
    if ahead > 2 * DAY:
        raise _too_long()
    end = start_of(local, zone).at
    if end <= now:
        raise _past(local)
    if end - now > SECOND * LONGEST_SECONDS:
        raise _too_long()
    return end


def nearest(at: time, zone: str, now: datetime) -> datetime:
    """Return the local time nearest to ``now`` at which a clock in ``zone`` shows ``at``.

    At 23:50 people who say 00:10 mean tomorrow; at 20:31 people who say 20:30 mean today, which is past.
    """
    wall = now.astimezone(zone_of(zone)).replace(tzinfo=None)
    today = datetime.combine(wall.date(), at)
    return min((today - DAY, today, today + DAY), key=lambda each: abs(each - wall))


def end_words(end: datetime, zone: str) -> str:
    """Return an end for the journal: ``20:30 (America/Denver)``."""
    return f"{end.astimezone(zone_of(zone)):%H:%M} ({zone})"


def left_words(seconds: int) -> str:
    """Return seconds as a clock shows them: ``0:09``, ``35:00``, ``2:00:00``."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _past(local: datetime) -> Refused:
    return Refused(
        "clock_past",
        "%(time)s is past. A time is at most 12 hours ahead; for a later one, type how long it runs.",
        time=f"{local:%H:%M}",
    )


def _too_long() -> Refused:
    return Refused("clock_too_long", "A clock runs for at most 24 hours. Type a shorter time.")
