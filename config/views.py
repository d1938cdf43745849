"""Two pages for machines: is the process alive, and can it work."""

from __future__ import annotations

from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.failures import state_of


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers. Touches nothing else."""
    return HttpResponse("ok\n", content_type="text/plain")


# Sorting more than fits into its memory makes the server write a file and remove it again.
NO_MEMORY = "SELECT set_config('work_mem', '64kB', true), set_config('statement_timeout', '3s', true)"
WRITE_A_FILE = "SELECT count(*) FROM (SELECT n FROM generate_series(1, 20000) n ORDER BY -n) sorted"
NO_ROOM = "53"  # the class of SQLSTATEs for a full disk and other things that have run out


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """The database answers too, takes changes, and has room for them; 503 and a word where it does not."""
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
