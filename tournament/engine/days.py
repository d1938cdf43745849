"""The gaming day: which day of the house a moment belongs to (T2); the start of an event (T6)."""

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
"""An event starts between these: far from both ends of the calendar, so that every clock can say it."""


@dataclass(frozen=True)
class Start:
    """When an event starts: a moment, and the zone whose clock says it (T6).

    Another zone of the house later changes neither.
    """

    at: datetime
    zone: str

    @classmethod
    def read(cls, facts: Mapping[str, Any]) -> Start:
        """The start in a posting."""
        return cls(datetime.fromisoformat(facts["starts_at"]), facts["starts_zone"])

    def to_dict(self) -> dict[str, str]:
        """As the journal and postings keep it: ISO with the offset, and the name of the zone."""
        return {"starts_at": self.local.isoformat(), "starts_zone": self.zone}

    @property
    def local(self) -> datetime:
        """The start by its own clock; by UTC where this machine does not know the zone (any more)."""
        return self.at.astimezone(zone_of(self.zone))

    @property
    def clock(self) -> str:
        """The name of its clock, with the offset where the local time comes twice."""
        local = self.local
        twice = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
        return f"{local.tzinfo}, {_offset(local)}" if twice else f"{local.tzinfo}"

    def __str__(self) -> str:
        return f"{self.local:%Y-%m-%d %H:%M} ({self.clock})"


def start_of(local: datetime, zone: str) -> Start:
    """The start that was typed: ``local`` is a time without a zone, by the clock of ``zone`` (T6).

    Refuses ``time_zone_unknown``, ``start_out_of_range``, and a time that the clock change skips
    (``start_no_such_hour``) or has twice (``start_twice``).
    """
    zone = zone_checked(zone)
    moments = _moments(local, ZoneInfo(zone))
    if not moments:
        raise Refused(
            "start_out_of_range",
            _("An event starts in a year from %(first)s to %(last)s. Type the year in full."),
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
    """What a time by a clock can mean, of the years in which an event starts: two where the clock changes."""
    if not STARTS_FROM.year <= local.year < STARTS_BEFORE.year:
        return set()
    found = {local.replace(tzinfo=clock, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return {each for each in found if STARTS_FROM <= each < STARTS_BEFORE}


def _offset(local: datetime) -> str:
    return f"UTC{local.isoformat()[-6:]}"


def zone_checked(name: str) -> str:
    """The name of a time zone as the calendar of this machine has it. Refuses ``time_zone_unknown``."""
    try:
        return ZoneInfo(name.strip()).key
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Refused(
            "time_zone_unknown", _("The time zone is not known. Type it like America/Denver.")
        ) from error


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
