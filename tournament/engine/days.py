"""The gaming day: which day of the house a moment belongs to (T2)."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ground.refused import Refused
from ground.words import gettext_noop as _

STARTS_FROM = datetime(2000, 1, 1, tzinfo=UTC)
STARTS_BEFORE = datetime(2200, 1, 1, tzinfo=UTC)
"""An event starts between these: far from both ends of the calendar, so that every clock can say it."""


def why_not_start(at: datetime) -> Refused | None:
    """Why an event cannot start at this moment: ``start_out_of_range``, or None."""
    if STARTS_FROM <= at < STARTS_BEFORE:
        return None
    first, last = STARTS_FROM.year, STARTS_BEFORE.year - 1
    return Refused(
        "start_out_of_range",
        _("An event starts in a year from %(first)s to %(last)s. Type the year in full."),
        first=first,
        last=last,
    )


def zone_of(name: str) -> ZoneInfo:
    """The clock that pages show; UTC where this machine does not know the house's zone (any more)."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def gaming_day(at: datetime, time_zone: str, turns_at_hour: int) -> date:
    """The gaming day of a moment: it turns at ``turns_at_hour`` (0–23) by the clock of ``time_zone``.

    Half past one at night still belongs to the evening before. By the clock on the wall, so that a
    change to or from summer time moves nothing.
    """
    wall_clock = at.astimezone(ZoneInfo(time_zone)).replace(tzinfo=None)
    return (wall_clock - timedelta(hours=turns_at_hour)).date()


HALF_A_DAY = timedelta(hours=12)


@dataclass(frozen=True)
class Clock:
    """The clock of a house: where it hangs, the hour at which its gaming day turns, and after a change the
    day that is held until a moment (T2).
    """

    time_zone: str
    turns_at_hour: int
    held_day: date | None = None
    held_until: datetime | None = None


def day_of(at: datetime, clock: Clock) -> date:
    """The gaming day of a moment by a clock that may have been changed; it never goes back."""
    day = gaming_day(at, clock.time_zone, clock.turns_at_hour)
    if clock.held_day is None:
        return day
    if clock.held_until is not None and at < clock.held_until:
        return clock.held_day
    return max(day, clock.held_day)


def day_ends(day: date, clock: Clock) -> datetime:
    """The moment from which a gaming day is over, by a clock."""
    turn = datetime.combine(
        day + timedelta(days=1), time(clock.turns_at_hour), tzinfo=ZoneInfo(clock.time_zone)
    ).astimezone(UTC)
    return turn if clock.held_until is None else max(turn, clock.held_until)


def clock_changed(clock: Clock, at: datetime, *, time_zone: str, turns_at_hour: int) -> Clock:
    """The clock after it has been set otherwise at a moment (T2).

    What has been spent today has been spent today: the day of the change goes on to its end by the clock
    before, or to the next turn of the new one where the day after it would be shorter than twelve hours.
    """
    today = day_of(at, clock)
    ends = day_ends(today, clock)
    next_day = gaming_day(ends, time_zone, turns_at_hour)
    next_turn = day_ends(next_day, Clock(time_zone, turns_at_hour))
    return Clock(time_zone, turns_at_hour, today, ends if next_turn - ends >= HALF_A_DAY else next_turn)
