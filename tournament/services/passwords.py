"""Passwords: only their owner sets one, through a one-time link or with the old one."""

import hashlib
import re
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db.models import Q

from ground.refused import Conflict, Forbidden, Refused, refuse
from ground.words import Sentence
from ground.words import gettext_noop as _
from tournament.models import LoginChange, PasswordLink

from .arguments import find
from .journal import Command, Json, command

LASTS = timedelta(hours=24)
"""How long a link can be made and used after two people have agreed."""


def link_due(cmd: Command, *, user: User, by: User | None, first_two: bool = False) -> PasswordLink:
    """Return a link that ``by`` may now make for the owner of a login; an earlier one is void."""
    links_void(cmd, Q(user=user))
    return PasswordLink.objects.create(
        user=user,
        asked_by=by,
        confirmed_by=cmd.actor if cmd.actor != by else None,
        first_two=first_two,
        at=cmd.at,
        expires_at=cmd.at + LASTS,
    )


def links_void(cmd: Command, which: Q) -> None:
    """Void these links, so that nobody can set a password by them."""
    PasswordLink.objects.filter(which, used_at=None, replaced_at=None).update(replaced_at=cmd.at)


def password_link_make(*, link_id: int, token: str, key: str, actor: User | None) -> Json:
    """Make a link that is due, to hand it to the owner of the login. Result: ``{"link", "user"}``.

    ``token`` is random, 128 bits or more; only its digest is stored. Making it again voids the one before.
    Refuses ``not_your_link`` (403), and what ``why_not_use`` returns.
    """

    def act(cmd: Command) -> Json:
        link = find(PasswordLink, link_id, "link")
        if link.asked_by_id != (cmd.actor.pk if cmd.actor else None):
            raise Forbidden(
                "not_your_link", "The person who asked for this login hands the link over. Ask them."
            )
        refuse(why_not_use(link, cmd.at))
        PasswordLink.objects.filter(pk=link.pk).update(digest=token_digest(token))
        return {"link": link.pk, "user": link.user_id}

    return command(kind="staff.link", key=key, actor=actor, body={"link": link_id}, act=act)


def token_digest(token: str) -> str:
    """Return the digest of a token to store. The token is long and random, so it cannot be guessed from
    it."""
    return hashlib.sha256(token.encode()).hexdigest()


def link_of(token: str) -> PasswordLink:
    """Return the link of an address. Refuses ``no_such_link`` (404): mistyped, replaced, or never made."""
    link = PasswordLink.objects.select_related("user").filter(digest=token_digest(token)).first()
    if link is None or link.replaced_at is not None:
        raise Refused(
            "no_such_link",
            "This link is not known, or a newer one has replaced it. Ask the person who gave it to you.",
            status=404,
        )
    return link


def password_by_link(*, token: str, password: str, key: str) -> Json:
    """Set the password of a login through a link, by its owner. Result: ``{"user": id}``.

    For the next day, the login and the person who handed over the link do not count as two people: whoever
    saw the link could have used it. Refuses ``no_such_link`` (404), what ``why_not_use`` returns,
    ``password_weak``, and ``key_reused`` if the form is sent again with another password.
    """
    found = link_of(token)

    def act(cmd: Command) -> Json:
        link = PasswordLink.objects.select_related("user").get(pk=found.pk)
        refuse(why_not_use(link, cmd.at))
        password_set(link.user, password)
        PasswordLink.objects.filter(pk=link.pk).update(used_at=cmd.at)
        LoginChange.objects.create(
            user=link.user,
            what=LoginChange.What.PASSWORD,
            by=link.asked_by,
            confirmed_by=link.confirmed_by,
            first_two=link.first_two,
            at=cmd.at,
        )
        return {"user": link.user_id}

    body = {"link": found.pk}
    done = command(kind="staff.password_set", key=key, actor=found.user, body=body, act=act)
    refuse_other_secret(User.objects.get(pk=found.user_id).check_password(password))
    return done


def why_not_use(link: PasswordLink, at: datetime) -> Refused | None:
    """Return why a link cannot be used (409): ``link_used``, ``link_expired``, ``not_working_here``."""
    if link.used_at is not None or link.replaced_at is not None:
        return Conflict(
            "link_used", "This link has been used already. If that was not you, tell a director at once."
        )
    if at >= link.expires_at:
        return Conflict("link_expired", "This link has expired. Ask for a new one.")
    if not link.user.is_active:
        return Conflict("not_working_here", "This login is closed. Ask a director.")
    return None


def password_change(*, password: str, proved: bool, key: str, actor: User) -> Json:
    """Change one's own password; ``proved``: the old one was typed correctly. Result: ``{"user"}``.

    Refuses ``password_wrong``, ``password_same``, ``password_weak``, and ``key_reused`` if the form is sent
    again with another password.
    """

    def act(cmd: Command) -> Json:
        refuse_unproved(proved)
        if actor.check_password(password):
            raise Refused("password_same", "This is your old password. Type another one.")
        password_set(actor, password)
        return {"user": actor.pk}

    done = command(kind="staff.password_own", key=key, actor=actor, body={"user": actor.pk}, act=act)
    refuse_other_secret(User.objects.get(pk=actor.pk).check_password(password))
    return done


def refuse_unproved(proved: bool) -> None:
    """Refuse ``password_wrong`` if a person has not proved that the login is theirs."""
    if not proved:
        raise Refused("password_wrong", "The password is not right. Type it again.")


def refuse_other_secret(in_force: bool) -> None:
    """Refuse ``key_reused`` if the form was sent before, or at the same moment, with another secret.

    No journal holds a password or a PIN in any form, not even as a digest. So a repeated key is compared with
    the secret in force, after the command: no page may say that a secret was set if another one is in force.
    """
    if not in_force:
        raise Refused(
            "key_reused",
            "This form was sent before, so what you typed now was not saved. Nothing was changed. "
            "Load the page again.",
        )


WEAK = {
    "password_too_short": _("The password is too short. Type one with at least %(min_length)s characters."),
    "password_too_similar": _("The password is too much like the user name. Type another one."),
    "password_too_common": _("Many people have this password. Type another one."),
}
"""The sentence for each code of Django's password validators; only the first mistake is shown."""


def _weak(error: ValidationError) -> Sentence:
    text = WEAK.get(error.code or "", _("The password can be guessed. Type another one."))
    return Sentence(text, **(error.params or {}))


def _mostly(name: str, password: str) -> bool:
    """Whether more than half of the letters and digits of a password are the name, once or repeated.

    Django only compares a password with the name written once.
    """
    plain_name, plain = (re.sub(r"[\W_]", "", text.lower()) for text in (name, password))
    return 2 * len(plain.replace(plain_name, "")) < len(plain)


def password_set(user: User, password: str) -> None:
    """Set a password, which ends every session under the old one. Refuses ``password_weak``."""
    if _mostly(user.get_username(), password):
        raise Refused("password_weak", _weak(ValidationError("", code="password_too_similar")))
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Refused("password_weak", _weak(error.error_list[0])) from error
    user.set_password(password)
    user.save()
