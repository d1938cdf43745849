"""The login throttle counts wrong passwords twice: per name and address, and per address for all names."""

from __future__ import annotations

from typing import Any

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from axes.signals import user_locked_out
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Sum
from django.dispatch import receiver
from django.http import HttpRequest, QueryDict

from config.refusals import logger


class ThrottleHandler(AxesDatabaseHandler):  # type: ignore[misc]  # the library comes without types
    """Locks a name at an address after its limit, and an address after its own limit, which nothing resets.

    A house's tablets may share an address, so its limit is higher; a correct log-in resets only the count of
    that name, otherwise one's own login would pay for guessing at all others.
    """

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Return how many wrong passwords count against this attempt; at least the limit if the address is
        locked."""
        named = int(super().get_failures(request, credentials))
        if failures_from(request) >= settings.ADDRESS_FAILURE_LIMIT:
            return max(named, settings.AXES_FAILURE_LIMIT)
        return named

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **more: Any
    ) -> None:
        """Count a wrong password, and store nothing of the form.

        The library stores all fields except those it knows: also a PIN or a new password under another name.
        """
        if request is None:
            super().user_login_failed(sender, credentials, request, **more)
            return
        asked, sent = request.GET, request.POST
        request.GET = request.POST = QueryDict()
        try:
            super().user_login_failed(sender, credentials, request, **more)
        finally:
            request.GET, request.POST = asked, sent


def failures_from(request: HttpRequest) -> int:
    """Return the wrong passwords of the last quarter of an hour from the address of a request, for all
    names."""
    recent = AccessAttempt.objects.filter(
        ip_address=request.axes_ip_address,  # type: ignore[attr-defined]  # set by axes
        attempt_time__gte=get_cool_off_threshold(request),
    )
    return int(recent.aggregate(sum=Sum("failures_since_start"))["sum"] or 0)


@receiver(user_locked_out)
def note_lockout(request: HttpRequest, username: str | None, ip_address: str, **_more: Any) -> None:
    """Log a lockout by number: a typed name may be anything, even a password."""
    user = User.objects.filter(username=username or "").values_list("pk", flat=True).first()
    which = "address" if failures_from(request) >= settings.ADDRESS_FAILURE_LIMIT else "name"
    logger.warning("locked out by %s user=%s address=%s", which, user or "unknown", ip_address)
