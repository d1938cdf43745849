"""The gaming day: which day of the house a moment belongs to (T2)."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo


def gaming_day(at: datetime, time_zone: str, turns_at_hour: int) -> date:
    """The gaming day of a moment: it turns at ``turns_at_hour`` (0–23) by the clock of ``time_zone``.

    Half past one at night still belongs to the evening before. By the clock on the wall, so that a
    change to or from summer time moves nothing.
    """
    wall_clock = at.astimezone(ZoneInfo(time_zone)).replace(tzinfo=None)
    return (wall_clock - timedelta(hours=turns_at_hour)).date()
