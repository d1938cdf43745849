"""Staff logins and their roles: nobody creates, promotes or resets a login alone (faults, Who may do what).

Two people agree to a new login, a new role, or a password reset. Then the first one gets a one-time link to
hand over (``passwords``), and only the owner ever knows the password. A person who is neither director
nor manager loses roles at once, so that a person who leaves loses access immediately.
"""

import secrets
from collections.abc import Iterable

from django.contrib.auth.models import Group, User
from django.contrib.sessions.models import Session
from django.db.models import Q

from ground.refused import Conflict, Forbidden, Refused, refuse
from ground.typed import name_clean
from tournament.engine.names import logins_alike
from tournament.models import LoginChange, Request
from tournament.roles import DIRECTOR, MANAGER, ROLES, roles_of

from .arguments import find, reason_clean, reason_or_empty
from .journal import Command, Json, command
from .passwords import link_due, links_void, password_set
from .pins import pin_forget
from .requests import handler, request_add

NEW, RESET, ROLES_GIVEN = "login_new", "login_reset", "login_roles"
RULING = (DIRECTOR, MANAGER)
"""The roles that request or confirm a login. They have power over each other only with the same role."""
TYPED = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""The characters of a random password, without those that look like another one."""


def why_not_power(actor: User | None, roles: Iterable[str], *, superuser: bool = False) -> Refused | None:
    """Return why a person has no power over a login with these roles (403 ``roles_lacking``): they lack one.

    Cashier, dealer, floor and auditor are below both director and manager; a superuser is above both.
    """
    if actor is None or (superuser and actor.is_superuser):
        return None
    if not superuser and not roles_lacking(actor, roles) and roles_of(actor) & set(RULING):
        return None
    return Forbidden(
        "roles_lacking",
        "%(who)s may not change this login. Ask a director or a manager who has its roles, or the "
        "person who set up the house.",
        who=actor.get_username(),
    )


def why_not_give(actor: User | None, roles: Iterable[str]) -> Refused | None:
    """Return why a person cannot give these roles (403 ``roles_lacking``): they lack one themselves."""
    if actor is None:
        return None
    missing = roles_lacking(actor, roles)
    if not missing:
        return why_not_power(actor, ())
    return Forbidden(
        "roles_lacking",
        "%(who)s cannot give a role that they do not have: %(which)s. Ask somebody who has it, or "
        "leave it out.",
        who=actor.get_username(),
        which=", ".join(missing),
    )


def roles_lacking(actor: User, roles: Iterable[str]) -> list[str]:
    """Return the roles among these that this person lacks and therefore has no power over."""
    mine = roles_of(actor)
    return [role for role in RULING if role in set(roles) and role not in mine]


def roles_held(user: User) -> list[str]:
    """Return the roles of a person, including people who no longer work here."""
    return sorted(user.groups.filter(name__in=ROLES).values_list("name", flat=True))


def _refuse_no_power(actor: User | None, user: User, wanted: Iterable[str] = ()) -> None:
    refuse(why_not_power(actor, roles_held(user), superuser=user.is_superuser))
    refuse(why_not_give(actor, wanted))


def _first_two(actor: User | None, wanted: Iterable[str]) -> bool:
    """Whether this would be the second login of a new house, which nobody else could confirm."""
    if actor is None or not roles_of(actor) & set(RULING) or not set(wanted) & set(RULING):
        return False
    others = User.objects.exclude(pk=actor.pk).filter(
        Q(is_superuser=True) | Q(groups__name__in=RULING) | Q(pk__in=_leaders_ever())
    )
    return not others.exists()


def _leaders_ever() -> list[int]:
    given = LoginChange.objects.filter(Q(roles__contains=[DIRECTOR]) | Q(roles__contains=[MANAGER]))
    return list(given.values_list("user_id", flat=True))


# -- A new login --------------------------------------------------------------------------------------


def staff_add(*, username: str, roles: Iterable[str], reason: str, key: str, actor: User | None) -> Json:
    """Request a login for a new member of the staff. Result: ``{"request": id, …}``.

    The second director or manager of a new house, whom nobody could confirm, is created at once; result:
    ``{"user": id, "roles": […], "link": id}``, and the journal says ``first_two``. Refuses
    ``username_missing``, ``username_taken``, ``username_alike`` (it looks like another login),
    ``role_unknown``, ``role_missing``, ``roles_lacking`` (403), ``reason_missing``, ``already_asked`` (409).
    """
    name = name_clean(username, "The user name", longest=150, missing="username_missing")
    wanted, why = _roles(roles), reason_clean(reason)
    if not wanted:
        raise Refused("role_missing", "Choose at least one role.")

    def act(cmd: Command) -> Json:
        if _first_two(actor, wanted):
            _refuse_taken(name)
            cmd.note(first_two=True)
            return _login_make(cmd, name, wanted, by=cmd.actor, first_two=True)
        _new_check(actor, name, wanted)
        return request_add(cmd, kind=NEW, body={"username": name, "roles": wanted}, reason=why)

    body = {"username": name, "roles": wanted, "reason": why}
    return command(kind="staff.create", key=key, actor=actor, body=body, act=act)


@handler(NEW)
def _new(cmd: Command, request: Request) -> Json:
    name, wanted = request.body["username"], request.body["roles"]
    _new_check(request.requested_by, name, wanted)
    return _login_make(cmd, name, wanted, by=request.requested_by)


def _new_check(asker: User | None, name: str, wanted: list[str]) -> None:
    refuse(why_not_give(asker, wanted))
    _refuse_taken(name)


def _refuse_taken(name: str) -> None:
    if User.objects.filter(username__iexact=name).exists():
        raise Refused(
            "username_taken", "There is already a login called %(name)s. Choose another user name.", name=name
        )
    # Including people who no longer work here: their actions are in the journal under that name.
    for other in User.objects.order_by("pk").values_list("username", flat=True):
        if logins_alike(name, other):
            raise Refused(
                "username_alike",
                "%(name)s looks too much like the existing login %(other)s. Choose another user name.",
                name=name,
                other=other,
            )


def _login_make(
    cmd: Command, name: str, wanted: list[str], *, by: User | None, first_two: bool = False
) -> Json:
    user = User(username=name)
    user.set_unusable_password()
    user.save()
    _roles_set(user, wanted)
    _change(cmd, user, LoginChange.What.MADE, wanted, by=by, first_two=first_two)
    link = link_due(cmd, user=user, by=by, first_two=first_two)
    return {"user": user.pk, "roles": wanted, "link": link.pk}


# -- Password resets ----------------------------------------------------------------------------------


def staff_reset(*, user_id: int, reason: str, key: str, actor: User | None) -> Json:
    """Request a password reset. Result: ``{"request": id, …}``.

    Once confirmed, the old password stops working and the sessions end. Refuses ``own_password`` (people
    change their own), ``roles_lacking`` (403), ``not_working_here`` and ``reason_missing``.
    """

    def act(cmd: Command) -> Json:
        _reset_check(actor, find(User, user_id, "user"))
        return request_add(cmd, kind=RESET, body={"user": user_id}, reason=reason)

    body = {"user": user_id, "reason": reason_or_empty(reason)}
    return command(kind="staff.password", key=key, actor=actor, body=body, act=act)


def _reset_check(asker: User | None, user: User) -> None:
    if asker is not None and user.pk == asker.pk:
        raise Forbidden("own_password", "Change your own password on the page 'My password and PIN'.")
    _refuse_no_power(asker, user)
    if not user.is_active:
        raise Conflict("not_working_here", "%(who)s no longer works here.", who=user.get_username())


@handler(RESET)
def _reset(cmd: Command, request: Request) -> Json:
    user = find(User, int(request.body["user"]), "user")
    _reset_check(request.requested_by, user)
    user.set_unusable_password()
    user.save(update_fields=["password"])
    pin_forget(user)
    sessions_end(user)
    _change(cmd, user, LoginChange.What.PASSWORD, [], by=request.requested_by)
    return {"user": user.pk, "link": link_due(cmd, user=user, by=request.requested_by).pk}


# -- Roles --------------------------------------------------------------------------------------------


def staff_roles(
    *,
    user_id: int,
    roles: Iterable[str],
    active: bool = True,
    reason: str = "",
    key: str,
    actor: User | None,
) -> Json:
    """Set the roles of a person, or with ``active=False`` end their work here; their sessions end.

    Removing rights of a person below director and manager happens at once; result: ``{"user", "roles",
    "active"}``. A new role, a return to work, and every change of a director, a manager or a superuser wait
    for a second person; result: ``{"request": id, …}``. Refuses ``role_unknown``, ``no_such_user``,
    ``own_roles`` (nobody changes their own), ``roles_lacking`` (403), ``nothing_changed`` and, for a request,
    ``reason_missing``.
    """
    wanted = _roles(roles)

    def act(cmd: Command) -> Json:
        user = find(User, user_id, "user")
        before = _roles_check(actor, user, wanted)
        cmd.note(before=before, active_before=user.is_active)
        if (before, user.is_active) == (wanted, active):
            raise Refused("nothing_changed", "Nothing was changed: these are the roles already.")
        if set(wanted) <= set(before) and user.is_active >= active and not _is_leader(user):
            return _roles_apply(cmd, user, wanted, active)
        body = {"user": user_id, "roles": wanted, "active": active, "before": before}
        body["active_before"] = user.is_active
        return request_add(cmd, kind=ROLES_GIVEN, body=body, reason=reason_clean(reason))

    body = {"user": user_id, "roles": wanted, "active": active, "reason": reason}
    return command(kind="staff.roles", key=key, actor=actor, body=body, act=act)


def _is_leader(user: User) -> bool:
    """Whether a person is a director, a manager or a superuser, so that even removing their rights takes two
    people."""
    return user.is_superuser or bool(set(roles_held(user)) & set(RULING))


def _roles_check(asker: User | None, user: User, wanted: list[str]) -> list[str]:
    """Return the person's current roles if the asker has power over them and over the wanted ones."""
    if asker is not None and user.pk == asker.pk:
        raise Forbidden("own_roles", "You cannot change your own roles. Ask another director.")
    _refuse_no_power(asker, user, wanted)
    return roles_held(user)


@handler(ROLES_GIVEN)
def _roles_confirmed(cmd: Command, request: Request) -> Json:
    body, user = request.body, find(User, int(request.body["user"]), "user")
    before = _roles_check(request.requested_by, user, body["roles"])
    if (before, user.is_active) != (body["before"], body["active_before"]):
        raise Conflict(
            "changed_meanwhile",
            "The roles of %(who)s have changed since. Refuse this request, and make a new one.",
            who=user.get_username(),
        )
    given = sorted(set(body["roles"]) - set(before))
    if given or (body["active"] and not user.is_active):
        _change(cmd, user, LoginChange.What.ROLES, given or body["roles"], by=request.requested_by)
    return _roles_apply(cmd, user, body["roles"], body["active"])


def _roles_apply(cmd: Command, user: User, wanted: list[str], active: bool) -> Json:
    User.objects.filter(pk=user.pk).update(is_active=active)
    _roles_set(user, wanted)
    # The person may hold a link of a login over which they have lost power.
    links_void(cmd, Q(asked_by=user) | Q(user=user))
    sessions_end(user)
    return {"user": user.pk, "roles": wanted, "active": active}


def _roles(roles: Iterable[str]) -> list[str]:
    wanted = sorted(set(roles))
    unknown = [role for role in wanted if role not in ROLES]
    if unknown:
        raise Refused("role_unknown", "There is no role called %(unknown)s.", unknown=", ".join(unknown))
    return wanted


def _roles_set(user: User, roles: list[str]) -> None:
    user.groups.remove(*Group.objects.filter(name__in=set(ROLES) - set(roles)))
    user.groups.add(*(Group.objects.get_or_create(name=role)[0] for role in roles))


def _change(
    cmd: Command, user: User, what: str, roles: list[str], *, by: User | None, first_two: bool = False
) -> None:
    confirmed_by = cmd.actor if cmd.actor != by else None
    LoginChange.objects.create(
        user=user, what=what, roles=roles, by=by, confirmed_by=confirmed_by, first_two=first_two, at=cmd.at
    )


def sessions_end(user: User) -> None:
    """End every session of a person: their rights have changed, or they must log in again."""
    mine = [
        session.pk
        for session in Session.objects.all()
        if session.get_decoded().get("_auth_user_id") == str(user.pk)
    ]
    Session.objects.filter(pk__in=mine).delete()


# -- From the server ----------------------------------------------------------------------------------


def role_passwords(*, create: bool, key: str, actor: User | None) -> list[tuple[str, str, str]]:
    """Give the user named after each role a new random password.

    For the rehearsal of ``make run``: whoever has the server needs no second person. Returns (role, user
    name, password); the passwords are stored nowhere else. With ``create``, missing users are created;
    otherwise only users who exist and have that role are changed.
    """
    passwords = {role: "".join(secrets.choice(TYPED) for _ in range(16)) for role in ROLES}
    done: list[str] = []

    def act(cmd: Command) -> Json:
        for role, password in passwords.items():
            user = User.objects.filter(username=role).first()
            if create and user is None:
                user = User(username=role)
            if user is None or not (create or user.groups.filter(name=role).exists()):
                continue
            password_set(user, password)
            _roles_set(user, [role])
            done.append(role)
        return {"users": done}

    command(kind="staff.role_passwords", key=key, actor=actor, body={"create": create}, act=act)
    return [(role, role, passwords[role]) for role in done]
