"""The number of entrants, and the standing of an entry, in words (T5, T6, T20)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.figures import ordinal
from tournament.models import Entry, Event
from tournament.selectors.entrants import Entrants


def entrants_words(counted: Entrants) -> str:
    """Return ``40 entrants``, or ``38 entrants, 2 alternates, 1 no-show``; zeros are left out."""
    kinds = [
        (counted.alternates, ngettext("%(n)s alternate", "%(n)s alternates", counted.alternates)),
        (counted.no_shows, ngettext("%(n)s no-show", "%(n)s no-shows", counted.no_shows)),
        (counted.withdrawn, _("%(n)s withdrawn")),
        (counted.turned_out, _("%(n)s disqualified before play")),
    ]
    entrants = ngettext("%(n)s entrant", "%(n)s entrants", counted.entrants) % {"n": counted.entrants}
    return ", ".join([entrants, *(words % {"n": number} for number, words in kinds if number)])


def standing_words(entry: Any) -> str:
    """Return an entry's status (``entry_statuses_set``): in the event, out, its place, or how it left."""
    if entry.status != Entry.Status.LIVE:
        return _(entry.status_label)
    if entry.event.status == Event.Status.CALLED_OFF:
        return _("called off")
    if entry.place is not None:
        return ("=" if entry.place_tied else "") + ordinal(entry.place)
    return _("out after round %(n)s") % {"n": entry.out_in} if entry.out_in else _("in the event")
