"""The house: settings that apply to all its events (T2)."""

from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User

from ground.refused import Conflict, Refused
from ground.typed import name_clean
from tournament.engine.days import zone_checked
from tournament.engine.settings import CENTS_MAX
from tournament.models import House, PlayerDay, Request
from tournament.selectors.desk import house_read

from .arguments import reason_clean
from .journal import Command, Json, command
from .requests import handler, request_add

DAY = "house_day"


def house_current() -> House:
    """Return the current settings of the house."""
    house = house_read()
    return House.objects.get_or_create(pk=1)[0] if house._state.adding else house


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
    """Change the settings of the house. Result: name, currency and language, which change at once.

    Settings behind the day limit (limit, zone and hour of the gaming day, whether identity numbers are
    required) wait for a second person, with a ``reason``; then the result has ``request`` as well. Refuses
    ``name_missing``, ``currency_bad``, ``language_unknown``, ``time_zone_unknown``, ``day_limit_bad``,
    ``hour_bad``, ``day_begun`` (409), ``reason_missing`` and ``already_asked`` (409).
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
        _refuse_day_begun(house, cmd.at, before)
        body = {"before": before, "after": {field: day[field] for field in before}}
        return values | request_add(cmd, kind=DAY, body=body, reason=reason_clean(reason))

    body = values | day | ({"reason": reason} if reason else {})
    return command(kind="house.change", key=key, actor=actor, body=body, act=act)


@handler(DAY)
def _day_change(cmd: Command, request: Request) -> Json:
    """Change the settings behind the day limit, as two people decided (T2).

    A new limit (cents per person and gaming day) applies from the next buy-in on; approved limits stay in the
    rows of those days. Stored days are never recomputed.
    """
    house, before, after = house_current(), request.body["before"], dict(request.body["after"])
    if any(getattr(house, field) != value for field, value in before.items()):
        raise Conflict(
            "changed_meanwhile",
            "The settings of the house have changed since. Refuse this request, and make a new one.",
        )
    _refuse_day_begun(house, cmd.at, before)
    House.objects.filter(pk=house.pk).update(**after)
    return {"before": before, "after": after}


def _refuse_day_begun(house: House, at: datetime, changed: Iterable[str]) -> None:
    """Refuse ``day_begun`` (409): a new clock could start a second day for today's spending (T2)."""
    spent = PlayerDay.objects.filter(gaming_day=house.day_of(at), spent_cents__gt=0)
    if {"time_zone", "day_turns_at_hour"}.intersection(changed) and spent.exists():
        raise Conflict(
            "day_begun",
            "Somebody has bought in on this gaming day. Change the time zone or the hour before the first"
            " buy-in of a day.",
        )


def _currency(currency: str) -> str:
    code = currency.strip().upper()
    if len(code) != 3 or not code.isascii() or not code.isalpha():
        raise Refused("currency_bad", "The currency is three letters, like USD or EUR.")
    return code


def _language(language: str) -> str:
    if language not in dict(settings.LANGUAGES):
        known = ", ".join(name for _, name in settings.LANGUAGES)
        raise Refused("language_unknown", "The first language is one of these: %(known)s.", known=known)
    return language


def _day_limit(cents: int) -> int:
    if not 0 <= cents <= CENTS_MAX:
        raise Refused(
            "day_limit_bad",
            "The day limit is from 0.00 to %(cents_max)s.00.",
            cents_max=f"{CENTS_MAX // 100:,}",
        )
    return cents


def _hour(hour: int) -> int:
    if not 0 <= hour <= 23:
        raise Refused("hour_bad", "The gaming day begins at an hour from 0 to 23.")
    return hour
