"""Count the tablets that have a table's page open: each reports itself and expires after a while."""

from __future__ import annotations

from datetime import timedelta

from django.db.models.functions import Now

from tables.models import Tablet
from tournament import sql

SEEN_EVERY = timedelta(seconds=8)
"""A page polls every 4 s; the database is updated at most this often."""
GONE_AFTER = timedelta(seconds=15)
"""After this long without polling, the page is closed or its tablet has no network."""

_SEEN = "SELECT mark, now() - seen_at FROM tables_tablet WHERE table_id = %s AND seen_at > now() - %s"


def tablets_besides(*, table_id: int, mark: str, asks: bool) -> int:
    """Return the number of other tablets that have the page of a table open now.

    ``mark``: the session that asks. ``asks``: its page is open, so record it.
    """
    seen: dict[str, timedelta] = dict(sql.rows(_SEEN, table_id, GONE_AFTER))
    if asks and seen.get(mark, SEEN_EVERY) >= SEEN_EVERY:
        Tablet.objects.filter(table=table_id, seen_at__lt=Now() - timedelta(days=1)).delete()
        Tablet.objects.bulk_create(
            [Tablet(table_id=table_id, mark=mark, seen_at=Now())],
            update_conflicts=True,
            unique_fields=["table", "mark"],
            update_fields=["seen_at"],
        )
    return len(seen.keys() - {mark})
