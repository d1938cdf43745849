"""Wrong passwords are counted twice: for a name at an address, and for an address whatever the names."""

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
    """Locks a name at an address after its limit, and an address after its own, which nothing resets.

    A house's tablets may share an address, so its limit is the higher one; somebody who logs in aright resets
    the count of that name alone, or one login of one's own would pay for guessing at all others.
    """

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """How many wrong passwords count against this try; at least the limit where the address is locked."""
        named = int(super().get_failures(request, credentials))
        if failures_from(request) >= settings.ADDRESS_FAILURE_LIMIT:
            return max(named, settings.AXES_FAILURE_LIMIT)
        return named

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **more: Any
    ) -> None:
        """Count a wrong password, and keep nothing of the form that it came in.

        The library keeps all fields but those that it knows: a PIN or a new password under another name too.
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
    """The wrong passwords of the last quarter of an hour from the address of a request, for all names."""
    recent = AccessAttempt.objects.filter(
        ip_address=request.axes_ip_address,  # type: ignore[attr-defined]  # set by axes
        attempt_time__gte=get_cool_off_threshold(request),
    )
    return int(recent.aggregate(sum=Sum("failures_since_start"))["sum"] or 0)


@receiver(user_locked_out)
def note_lockout(request: HttpRequest, username: str | None, ip_address: str, **_more: Any) -> None:
    """Write down who is locked out, by number: a name that was typed may be anything, a password too."""
    user = User.objects.filter(username=username or "").values_list("pk", flat=True).first()
    which = "address" if failures_from(request) >= settings.ADDRESS_FAILURE_LIMIT else "name"
    logger.warning("locked out by %s user=%s address=%s", which, user or "unknown", ip_address)
