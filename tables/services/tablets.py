"""Count the tablets on which a table's page is open: each reports itself, and is forgotten after a while."""

from __future__ import annotations

from datetime import timedelta

from django.db.models.functions import Now

from tables.models import Tablet
from tournament import sql

SEEN_EVERY = timedelta(seconds=8)
"""A page asks every 4 s; of that at most so much is written down."""
GONE_AFTER = timedelta(seconds=15)
"""A page that has not asked for so long is closed, or its tablet has no network."""

_SEEN = "SELECT mark, now() - seen_at FROM tables_tablet WHERE table_id = %s AND seen_at > now() - %s"


def tablets_besides(*, table_id: int, mark: str, asks: bool) -> int:
    """Return on how many other tablets the page of a table is open now.

    ``mark``: the session that asks. ``asks``: its page is open, so it is counted too.
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
