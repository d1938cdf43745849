"""The house: what holds for every event of it (T2)."""

from __future__ import annotations

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.contrib.auth.models import User

from tournament.engine.refused import Refused
from tournament.engine.settings import CENTS_MAX
from tournament.models import House

from .asked import name_clean
from .journal import Command, Json, command


def house_current() -> House:
    """The house, as it is set now."""
    house, _ = House.objects.get_or_create(pk=1)
    return house


def house_change(
    *,
    name: str,
    currency: str,
    time_zone: str,
    day_limit_cents: int,
    day_turns_at_hour: int,
    key: str,
    actor: User | None,
) -> Json:
    """Change what holds for every event of the house. Result: the new values.

    A new ``day_limit_cents`` (cents a person and gaming day, T2) applies from the next buy-in on; what
    was approved before stands in the rows of those days. ``day_turns_at_hour`` is 0–23 in
    ``time_zone``; gaming days already stored are never recomputed. Refuses ``name_missing``,
    ``currency_bad``, ``time_zone_unknown``, ``day_limit_bad`` and ``hour_bad``.
    """
    values: Json = {
        "name": name_clean(name, "The name of the house", longest=80, missing="name_missing"),
        "currency": _currency(currency),
        "time_zone": _time_zone(time_zone),
        "day_limit_cents": _day_limit(day_limit_cents),
        "day_turns_at_hour": _hour(day_turns_at_hour),
    }

    def act(cmd: Command) -> Json:
        house = house_current()
        cmd.note(before={field: getattr(house, field) for field in values})
        House.objects.filter(pk=house.pk).update(**values)
        return values

    return command(kind="house.change", key=key, actor=actor, body=values, act=act)


def _currency(currency: str) -> str:
    code = currency.strip().upper()
    if len(code) != 3 or not code.isascii() or not code.isalpha():
        raise Refused("currency_bad", "The currency is three letters, like USD or EUR.")
    return code


def _time_zone(time_zone: str) -> str:
    try:
        return ZoneInfo(time_zone.strip()).key
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Refused(
            "time_zone_unknown", "The time zone is not known. Type it like America/Denver."
        ) from error


def _day_limit(cents: int) -> int:
    if not 0 <= cents <= CENTS_MAX:
        raise Refused("day_limit_bad", f"The day limit is from 0.00 to {CENTS_MAX // 100:,}.00.")
    return cents


def _hour(hour: int) -> int:
    if not 0 <= hour <= 23:
        raise Refused("hour_bad", "The gaming day turns at an hour from 0 to 23.")
    return hour
