"""Count the entrants in words, and say where an entry stands (T5, T6, T20)."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.figures import ordinal
from tournament.selectors.entrants import Entrants, Standing, Where


def entrants_words(counted: Entrants) -> str:
    """Count: ``40 entrants``, ``38 entrants, 2 alternates, 1 no-show``; a kind with nobody is left out."""
    kinds = [
        (counted.alternates, ngettext("%(n)s alternate", "%(n)s alternates", counted.alternates)),
        (counted.no_shows, ngettext("%(n)s no-show", "%(n)s no-shows", counted.no_shows)),
        (counted.withdrawn, _("%(n)s withdrawn")),
        (counted.turned_out, _("%(n)s disqualified before play")),
    ]
    entrants = ngettext("%(n)s entrant", "%(n)s entrants", counted.entrants) % {"n": counted.entrants}
    return ", ".join([entrants, *(words % {"n": number} for number, words in kinds if number)])


def standing_words(standing: Standing) -> str:
    """Say where an entry stands: in the event, out of it, its place, or how it left."""
    if standing.where == Where.LEFT:
        return _(standing.status)
    if standing.where == Where.PLACED:
        return ("=" if standing.tied else "") + ordinal(standing.place)
    if standing.where == Where.OUT:
        return _("out after round %(n)s") % {"n": standing.out_in}
    return _("in the event") if standing.where == Where.IN else _("called off")
