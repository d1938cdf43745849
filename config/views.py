"""Pages for machines: liveness, readiness, and the service worker that stores pages on a phone."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.failures import state_of
from pages.languages import NAMES


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer that the process is alive. Touches nothing else."""
    return HttpResponse("ok\n", content_type="text/plain")


# A sort that does not fit into its memory makes the server write a temporary file.
NO_MEMORY = "SELECT set_config('work_mem', '64kB', true), set_config('statement_timeout', '3s', true)"
WRITE_A_FILE = "SELECT count(*) FROM (SELECT n FROM generate_series(1, 20000) n ORDER BY -n) sorted"
NO_ROOM = "53"  # the class of SQLSTATEs for a full disk and other things that have run out


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Answer that the database is reachable and accepts changes, and has room for them; else 503 with a
    word."""
    try:
        why_not = _why_not_ready()
    except DatabaseError as error:
        why_not = "database full" if state_of(error).startswith(NO_ROOM) else "database away"
    return HttpResponse(f"{why_not or 'ok'}\n", content_type="text/plain", status=503 if why_not else 200)


def _why_not_ready() -> str:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('transaction_read_only')")
        if cursor.fetchone() != ("off",):
            return "database read-only"
        cursor.execute(NO_MEMORY)
        cursor.execute(WRITE_A_FILE)
    return ""


@never_cache
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the script that stores the last public pages. It is at the root, so that it may answer all of
    them."""
    body = render_to_string("public/sw.js", {"version": _files_version(), "languages": "|".join(NAMES)})
    return HttpResponse(body, content_type="text/javascript; charset=utf-8")


@cache
def _files_version() -> str:
    """Return the version of our scripts and style sheets; with another one a phone starts anew."""
    files = sorted(path for path in (settings.BASE_DIR / "static").rglob("*") if path.is_file())
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]
