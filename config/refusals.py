"""The log `cutline.security` of refused requests: numbers and addresses, no names and no searches."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from config.middleware import client_address
from tournament.roles import roles_of

logger = logging.getLogger("cutline.security")

LONGEST_PATH = 200


class RefusalsMiddleware:
    """Logs every answer that refuses a permission (403)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 403:
            who, what = _who(request), (request.method, path_of(request))
            logger.warning("refused %s address=%s %s %s", who, client_address(request), *what)
        return response


def path_of(request: HttpRequest) -> str:
    """Return the address without its query; characters that could imitate another line are written as %0A."""
    return quote(request.path)[:LONGEST_PATH]


def _who(request: HttpRequest) -> str:
    """Return the number of the login and its roles; none if nobody is logged in."""
    user: Any = getattr(request, "user", None)
    try:
        if user is None or not user.is_authenticated:
            return "user=none role=none"
        return f"user={user.pk} role={'+'.join(sorted(roles_of(user))) or 'none'}"
    except DatabaseError:
        return "user=unknown role=unknown"
