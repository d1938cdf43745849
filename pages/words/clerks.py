"""Messages after a dealer was assigned to a table or released from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from tables.models import Table
from tables.selectors.clerks import bound_of
from tournament.models import Event


def dealer_words(done: Mapping[str, Any], event: Event, *, released: bool) -> str:
    """Return the dealer who was assigned or released, and the table that has no dealer now."""
    bound = bound_of(done, event)
    said = _("%(who)s deals at table %(n)s now.")
    if released:
        said = _("%(who)s no longer deals at table %(n)s.")
    words = said % {"who": bound.user.get_username(), "n": bound.table}
    return f"{words} {_alone_words(bound.alone, event)}" if bound.alone else words


def _alone_words(table: Table, event: Event) -> str:
    if table.event_id == event.pk:
        return _("Table %(n)s has no dealer now.") % {"n": table.number}
    return _("Table %(n)s of %(event)s has no dealer now.") % {"n": table.number, "event": table.event.name}
