"""A mark on staff pages, while the public does not see live standings."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Event, StandingsPublication
from tournament.selectors.desk import database_now
from tournament.selectors.publication import Delayed, Live, standings_shown


@dataclass(frozen=True)
class PublicationMark:
    """What the public sees instead of live standings: ``state`` for machines, ``text`` for people."""

    state: str
    text: str


def publication_of(event: Event) -> StandingsPublication | None:
    """Return how an event publishes its standings; None where the director has never chosen."""
    return StandingsPublication.objects.filter(event=event).first()


def publication_mark(event: Event) -> PublicationMark | None:
    """Return the mark; None while the public sees the standings as they are."""
    state = standings_shown(event, database_now())
    if isinstance(state, Live):
        return None
    if not isinstance(state, Delayed):
        return PublicationMark("hidden", _("Public standings hidden"))
    words = ngettext("Public standings %(n)s min behind", "Public standings %(n)s min behind", state.minutes)
    return PublicationMark("delayed", words % {"n": state.minutes})
