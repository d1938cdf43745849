"""Another person signs a form at this tablet with user name and PIN, or password."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _

from ground.refused import Refused
from pages.kit import typed_text
from tournament.services.pins import person_signing

WHO, SECRET = "who", "pin"
LONGEST = 128


def signs_for(request: HttpRequest) -> bool:
    """Whether the form names a person other than the one who is logged in here."""
    return bool(request.POST.get(WHO))


def person_signed(request: HttpRequest, among: Iterable[User]) -> User:
    """Return the person who has signed the form; the log-in of the tablet stays as it is.

    Refuses ``not_signed`` (403). A wrong password counts in the throttle of the log-in: ``locked_out`` (429).
    """
    name, secret = typed_text(request.POST, WHO, 150), request.POST.get(SECRET, "")[:LONGEST]

    def by_password() -> User | None:
        known = authenticate(request, username=name, password=secret)
        if getattr(request, "axes_locked_out", False):
            # Refuse on this page, which keeps the typed values, instead of the log-in page.
            request.axes_locked_out = False  # type: ignore[attr-defined]  # set by axes
            raise Refused(
                "locked_out",
                _("Too many wrong passwords for this name, or from this network. Wait a quarter of an hour."),
                status=429,
            )
        return known if isinstance(known, User) else None

    ids = {each.pk for each in among}
    return person_signing(username=name, secret=secret, among=ids, by_password=by_password)
