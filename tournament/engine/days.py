"""The gaming day: which day of the house a moment belongs to (T2)."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from .refused import Refused

STARTS_FROM = datetime(2000, 1, 1, tzinfo=UTC)
STARTS_BEFORE = datetime(2200, 1, 1, tzinfo=UTC)
"""An event starts between these: far from both ends of the calendar, so that every clock can say it."""


def why_not_start(at: datetime) -> Refused | None:
    """Why an event cannot start at this moment: ``start_out_of_range``, or None."""
    if STARTS_FROM <= at < STARTS_BEFORE:
        return None
    first, last = STARTS_FROM.year, STARTS_BEFORE.year - 1
    return Refused(
        "start_out_of_range", f"An event starts in a year from {first} to {last}. Type the year in full."
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
