"""The house and its staff: what holds for every event (T2), who works here and as what."""

from __future__ import annotations

import secrets as random_source
from collections.abc import Iterable
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.contrib.auth.models import Group, User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from tournament.engine.refused import Refused
from tournament.engine.settings import CENTS_MAX
from tournament.models import House
from tournament.roles import ROLES

from .asked import find, text_clean
from .journal import Command, Json, command

TYPED = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""What a random password is made of: nothing that is taken for something else when it is typed."""


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
        "name": text_clean(name, "The name of the house", longest=80, missing="name_missing"),
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


def staff_create(*, username: str, password: str, roles: Iterable[str], key: str, actor: User | None) -> Json:
    """Add somebody who works here. Result: ``{"user": id, "roles": […]}``.

    The password never reaches the journal in any form. Refuses ``username_missing``,
    ``username_taken``, ``password_weak`` (with what is wrong with it) and ``role_unknown``.
    """
    name = text_clean(username, "The user name", longest=150, missing="username_missing")
    wanted = _roles(roles)

    def act(cmd: Command) -> Json:
        if User.objects.filter(username__iexact=name).exists():
            raise Refused(
                "username_taken", f"There is somebody called {name} already. Choose another user name."
            )
        user = User(username=name)
        _password_set(user, password)
        _roles_set(user, wanted)
        return {"user": user.pk, "roles": wanted}

    return command(
        kind="staff.create", key=key, actor=actor, body={"username": name, "roles": wanted}, act=act
    )


def staff_password(*, user_id: int, password: str, key: str, actor: User | None) -> Json:
    """Give somebody a new password, which ends all their sessions. Refuses ``password_weak``."""

    def act(cmd: Command) -> Json:
        user = find(User, user_id, "user")
        _password_set(user, password)
        return {"user": user.pk}

    return command(kind="staff.password", key=key, actor=actor, body={"user": user_id}, act=act)


def staff_roles(
    *, user_id: int, roles: Iterable[str], active: bool = True, key: str, actor: User | None
) -> Json:
    """Set what somebody may do, or with ``active=False`` that they no longer work here.

    Refuses ``role_unknown``, ``no_such_user`` and ``own_roles``: nobody changes their own.
    """
    wanted = _roles(roles)

    def act(cmd: Command) -> Json:
        user = find(User, user_id, "user")
        if actor is not None and user.pk == actor.pk:
            raise Refused("own_roles", "Nobody changes their own roles. Ask another director.", status=403)
        cmd.note(before=sorted(user.groups.filter(name__in=ROLES).values_list("name", flat=True)))
        User.objects.filter(pk=user.pk).update(is_active=active)
        _roles_set(user, wanted)
        return {"user": user.pk, "roles": wanted, "active": active}

    body = {"user": user_id, "roles": wanted, "active": active}
    return command(kind="staff.roles", key=key, actor=actor, body=body, act=act)


def role_passwords(*, create: bool, key: str, actor: User | None) -> list[tuple[str, str, str]]:
    """Give the user who is named after a role, for every role, a new random password.

    Returns (role, user name, password); the passwords are nowhere else. With ``create``, who is missing
    is made; otherwise only those are changed who exist and have that role.
    """
    passwords = {role: "".join(random_source.choice(TYPED) for _ in range(16)) for role in ROLES}
    done: list[str] = []

    def act(cmd: Command) -> Json:
        for role, password in passwords.items():
            user = User.objects.filter(username=role).first()
            if create and user is None:
                user = User(username=role)
            if user is None or not (create or user.groups.filter(name=role).exists()):
                continue
            _password_set(user, password)
            _roles_set(user, [role])
            done.append(role)
        return {"users": done}

    command(kind="staff.role_passwords", key=key, actor=actor, body={"create": create}, act=act)
    return [(role, role, passwords[role]) for role in done]


def _roles(roles: Iterable[str]) -> list[str]:
    wanted = sorted(set(roles))
    unknown = [role for role in wanted if role not in ROLES]
    if unknown:
        raise Refused("role_unknown", f"There is no role called {', '.join(unknown)}.")
    return wanted


def _roles_set(user: User, roles: list[str]) -> None:
    user.groups.remove(*Group.objects.filter(name__in=set(ROLES) - set(roles)))
    user.groups.add(*(Group.objects.get_or_create(name=role)[0] for role in roles))


def _password_set(user: User, password: str) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Refused("password_weak", " ".join(error.messages)) from error
    user.set_password(password)
    user.save()
