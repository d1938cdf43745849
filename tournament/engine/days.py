"""The gaming day of a moment (T2), and the start of an event (T6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ground.refused import Refused
from ground.words import gettext_noop as _

STARTS_FROM = datetime(2000, 1, 1, tzinfo=UTC)
STARTS_BEFORE = datetime(2200, 1, 1, tzinfo=UTC)
"""An event starts between these dates, far from both ends of the calendar, so that every time zone can show
it."""


@dataclass(frozen=True)
class Start:
    """The start of an event: a moment, and the time zone in which it was entered (T6).

    Changing the zone of the house later changes neither.
    """

    at: datetime
    zone: str

    @classmethod
    def read(cls, facts: Mapping[str, Any]) -> Start:
        """Return the start in a posting."""
        return cls(datetime.fromisoformat(facts["starts_at"]), facts["starts_zone"])

    def to_dict(self) -> dict[str, str]:
        """Return the start for the journal and postings: ISO time with offset, and the name of the zone."""
        return {"starts_at": self.local.isoformat(), "starts_zone": self.zone}

    @property
    def local(self) -> datetime:
        """The start in its own zone; in UTC if this machine does not know the zone (any more)."""
        return self.at.astimezone(zone_of(self.zone))

    @property
    def clock(self) -> str:
        """The name of the zone, with the offset if the local time occurs twice."""
        local = self.local
        twice = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
        return f"{local.tzinfo}, {_offset(local)}" if twice else f"{local.tzinfo}"

    def __str__(self) -> str:
        return f"{self.local:%Y-%m-%d %H:%M} ({self.clock})"


def start_of(local: datetime, zone: str) -> Start:
    """Return the start for ``local``, a time without a zone, by the clock of ``zone`` (T6).

    Refuses ``time_zone_unknown``, ``start_out_of_range``, a time that the clock change skips
    (``start_no_such_hour``) and a time that occurs twice (``start_twice``).
    """
    zone = zone_checked(zone)
    moments = _moments(local, ZoneInfo(zone))
    if not moments:
        raise Refused(
            "start_out_of_range",
            "An event starts in a year from %(first)s to %(last)s. Type the year in full.",
            first=STARTS_FROM.year,
            last=STARTS_BEFORE.year - 1,
        )
    if len(moments) == 1:
        return Start(moments.pop(), zone)
    code = "start_no_such_hour"
    text = _("There is no %(local)s in %(zone)s: the clocks go forward. Type another time.")
    if min(moments).astimezone(ZoneInfo(zone)).replace(tzinfo=None, fold=0) == local:
        code = "start_twice"
        text = _("%(local)s comes twice in %(zone)s: the clocks go back. Type another time.")
    raise Refused(code, text, local=f"{local:%Y-%m-%d %H:%M}", zone=zone)


def _moments(local: datetime, clock: ZoneInfo) -> set[datetime]:
    """Return the moments that a local time can mean in the years in which an event may start: two when clocks
    change."""
    if not STARTS_FROM.year <= local.year < STARTS_BEFORE.year:
        return set()
    found = {local.replace(tzinfo=clock, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return {each for each in found if STARTS_FROM <= each < STARTS_BEFORE}


def _offset(local: datetime) -> str:
    return f"UTC{local.isoformat()[-6:]}"


def zone_checked(name: str) -> str:
    """Return the name of a time zone in the spelling of this machine. Refuses ``time_zone_unknown``."""
    try:
        return ZoneInfo(name.strip()).key
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Refused(
            "time_zone_unknown", "The time zone is not known. Type it like America/Denver."
        ) from error


def zone_of(name: str) -> ZoneInfo:
    """Return the zone for pages; UTC if this machine does not know the zone of the house (any more)."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def gaming_day(at: datetime, time_zone: str, turns_at_hour: int) -> date:
    """Return the gaming day of a moment: it turns at ``turns_at_hour`` (0–23) by the clock of ``time_zone``.

    01:30 at night usually belongs to the evening before. The wall clock decides, so that a change to or from
    summer time moves nothing.
    """
    wall_clock = at.astimezone(ZoneInfo(time_zone)).replace(tzinfo=None)
    return (wall_clock - timedelta(hours=turns_at_hour)).date()
