"""The words of links to the page that replaces a qualifier (T25)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _

from pages.kit import why_not_now
from tables.selectors.seating import replace_check
from tournament.models import Entry
from tournament.selectors.replacements import last_closed_round, next_ranked


def replacing_words(coming: Sequence[Entry]) -> str:
    """Return the words of the button and its links; ``coming``: the entries that may take the place."""
    return _("Replace") if coming else _("Take out, and leave the seat empty")


def replacing_link(entry: Entry) -> str:
    """Return the words of the link to replace ``entry``; empty if it cannot be replaced."""
    last = last_closed_round(entry.event)
    if last is None or why_not_now(partial(replace_check, entry)):
        return ""
    return replacing_words(next_ranked(last))
