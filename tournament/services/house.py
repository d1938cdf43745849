"""The house: what holds for every event of it (T2)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User

from ground.refused import Refused
from ground.words import gettext_noop as _
from tournament.engine.days import clock_changed, zone_checked
from tournament.engine.settings import CENTS_MAX
from tournament.models import House, Request

from .asked import name_clean, reason_clean
from .journal import Command, Json, command
from .requests import handler, request_add

DAY = "house_day"


def house_current() -> House:
    """The house, as it is set now."""
    house, _ = House.objects.get_or_create(pk=1)
    return house


def house_change(
    *,
    name: str,
    currency: str,
    language: str,
    time_zone: str,
    day_limit_cents: int,
    day_turns_at_hour: int,
    identity_required: bool = True,
    reason: str = "",
    key: str,
    actor: User | None,
) -> Json:
    """Change what holds for every event of the house. Result: name, currency and language, changed at once.

    What the limit of a person rests on (limit, zone and hour of the gaming day, the identity number) waits
    for a second person, with a ``reason``; then the result has ``request`` as well. Refuses
    ``name_missing``, ``currency_bad``, ``language_unknown``, ``time_zone_unknown``, ``day_limit_bad``,
    ``hour_bad``, ``reason_missing`` and ``already_asked`` (409).
    """
    values: Json = {
        "name": name_clean(name, "The name of the house", longest=80, missing="name_missing"),
        "currency": _currency(currency),
        "language": _language(language),
    }
    day: Json = {
        "time_zone": zone_checked(time_zone),
        "day_limit_cents": _day_limit(day_limit_cents),
        "day_turns_at_hour": _hour(day_turns_at_hour),
        "identity_required": identity_required,
    }

    def act(cmd: Command) -> Json:
        house = house_current()
        cmd.note(before={field: getattr(house, field) for field in values})
        House.objects.filter(pk=house.pk).update(**values)
        before = {field: getattr(house, field) for field in day if getattr(house, field) != day[field]}
        if not before:
            return values
        asked = {"before": before, "after": {field: day[field] for field in before}}
        return values | request_add(cmd, kind=DAY, body=asked, reason=reason_clean(reason))

    body = values | day | ({"reason": reason} if reason else {})
    return command(kind="house.change", key=key, actor=actor, body=body, act=act)


@handler(DAY)
def _day_change(cmd: Command, request: Request) -> Json:
    """Two persons change what the limit rests on (T2).

    A new limit (cents a person and gaming day) holds from the next buy-in on; what was approved before
    stands in the rows of those days. A new clock holds the gaming day of now until it is over: what was
    spent today stays spent today, and days already stored are never recomputed.
    """
    house, before, after = house_current(), request.body["before"], dict(request.body["after"])
    if any(getattr(house, field) != value for field, value in before.items()):
        raise Refused(
            "changed_meanwhile",
            _("The settings of the house have been changed since. Refuse this, and ask for it anew."),
            status=409,
        )
    House.objects.filter(pk=house.pk).update(**after, **_held(house, cmd.at, after))
    return {"before": before, "after": after}


def _held(house: House, at: datetime, after: Mapping[str, Any]) -> Json:
    """The gaming day that a new clock holds, and until when."""
    zone, hour = (after.get(name, getattr(house, name)) for name in ("time_zone", "day_turns_at_hour"))
    if (zone, hour) == (house.time_zone, house.day_turns_at_hour):
        return {}
    clock = clock_changed(house.clock, at, time_zone=zone, turns_at_hour=hour)
    return {"held_day": clock.held_day, "held_until": clock.held_until}


def _currency(currency: str) -> str:
    code = currency.strip().upper()
    if len(code) != 3 or not code.isascii() or not code.isalpha():
        raise Refused("currency_bad", _("The currency is three letters, like USD or EUR."))
    return code


def _language(language: str) -> str:
    if language not in dict(settings.LANGUAGES):
        known = ", ".join(name for _, name in settings.LANGUAGES)
        raise Refused("language_unknown", _("The first language is one of these: %(known)s."), known=known)
    return language


def _day_limit(cents: int) -> int:
    if not 0 <= cents <= CENTS_MAX:
        raise Refused(
            "day_limit_bad",
            _("The day limit is from 0.00 to %(cents_max)s.00."),
            cents_max=f"{CENTS_MAX // 100:,}",
        )
    return cents


def _hour(hour: int) -> int:
    if not 0 <= hour <= 23:
        raise Refused("hour_bad", _("The gaming day turns at an hour from 0 to 23."))
    return hour
