"""PINs: with six digits a person signs at a tablet where another person is logged in.

A person without a PIN signs with the password. After five wrong PINs in a row only the password works, until
it is typed correctly. No journal and no log holds a PIN in any form.
"""

from collections.abc import Callable, Container

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import User
from django.db.models import F

from ground.refused import Conflict, Forbidden, Refused
from tournament.models import Pin

from .journal import Command, Json, command
from .passwords import refuse_other_secret, refuse_unproved

DIGITS = 6
TRIES = 5
_PASSWORD_SHORTEST = 10
"""A shorter row of digits than any password (``AUTH_PASSWORD_VALIDATORS``) is taken for a PIN."""
_UP, _DOWN = "01234567890", "09876543210"


def pin_set(*, pin: str, proved: bool, key: str, actor: User) -> Json:
    """Set or change one's own PIN; ``proved``: the password was typed correctly. Result: ``{"user"}``.

    Refuses ``pin_not_six``, ``pin_easy``, ``password_wrong``, and ``key_reused`` if the form is sent again
    with another PIN.
    """
    if len(pin) != DIGITS or not _digits(pin):
        raise Refused("pin_not_six", "A PIN has six digits. Type six digits.")
    if len(set(pin)) == 1 or pin in _UP or pin in _DOWN:
        raise Refused("pin_easy", "Anybody would guess this PIN. Type other digits, in another order.")
    refuse_unproved(proved)  # also for a repeated form, which would reveal the PIN in force

    def act(cmd: Command) -> Json:
        Pin.objects.update_or_create(user=actor, defaults={"hash": make_password(pin), "tries": 0})
        return {"user": actor.pk}

    done = command(kind="staff.pin", key=key, actor=actor, body={"user": actor.pk, "set": True}, act=act)
    refuse_other_secret(_right(Pin.objects.filter(user=actor).first(), pin))
    return done


def pin_remove(*, proved: bool, key: str, actor: User) -> Json:
    """Remove one's own PIN, so that only the password signs. Result: ``{"user"}``.

    Refuses ``password_wrong`` and ``no_pin`` (409).
    """

    def act(cmd: Command) -> Json:
        refuse_unproved(proved)
        if not Pin.objects.filter(user=actor).delete()[0]:
            raise Conflict("no_pin", "You have no PIN. There is nothing to remove.")
        return {"user": actor.pk}

    return command(kind="staff.pin", key=key, actor=actor, body={"user": actor.pk, "set": False}, act=act)


def has_pin(user: User) -> bool:
    """Whether a person has set a PIN."""
    return Pin.objects.filter(user=user).exists()


def pin_forget(user: User) -> None:
    """Delete the PIN of a person whose password is reset: it was proved by the old password."""
    Pin.objects.filter(user=user).delete()


def pin_attempts_reset(user: User) -> None:
    """Allow PINs of this person again, since the password was right."""
    Pin.objects.filter(user=user, tries__gt=0).update(tries=0)


def person_signing(
    *, username: str, secret: str, among: Container[int], by_password: Callable[[], User | None]
) -> User:
    """Return the person whose PIN or password was typed beside their user name.

    ``among``: the ids of the users who may sign here. ``by_password`` checks the name and ``secret`` as the
    throttled log-in does. Call this before the command, not inside: a wrong PIN is counted although nothing
    is done.

    Refuses ``not_signed`` (403), the same for a wrong name, a wrong PIN, a PIN that no longer works and a
    wrong password.
    """
    if not secret:
        raise _not_signed()  # forgotten, not guessed: it counts nowhere
    person = User.objects.filter(username=username, is_active=True).first()
    if person is None or person.pk not in among:
        make_password(secret)  # take as long as for a person who may sign
        raise _not_signed()
    if _digits(secret) and len(secret) < _PASSWORD_SHORTEST:
        if not _pin_tried(person, secret):
            raise _not_signed()
        return person
    if by_password() != person:
        raise _not_signed()
    pin_attempts_reset(person)
    return person


def _pin_tried(person: User, pin: str) -> bool:
    # Count the attempt before checking the PIN: of many concurrent attempts at most five are checked.
    if not Pin.objects.filter(user=person, tries__lt=TRIES).update(tries=F("tries") + 1):
        make_password(pin)
        return False
    if not _right(Pin.objects.filter(user=person).first(), pin):
        return False
    Pin.objects.filter(user=person).update(tries=0)
    return True


def _right(pin: Pin | None, typed: str) -> bool:
    return pin is not None and check_password(typed, pin.hash)


def _digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _not_signed() -> Refused:
    return Forbidden(
        "not_signed",
        "This user name and this PIN or password do not belong together. Type the PIN again. "
        "After five wrong PINs in a row only the password works.",
    )
