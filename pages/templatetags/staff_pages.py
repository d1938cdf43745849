"""Filters of the back office."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.translation import gettext

from pages.words.cards import card_code
from pages.words.naming import entry_named
from pages.words.prizes import listed
from pages.words.replay import outcome_words
from pages.words.requests import who_counts_words
from pages.words.saying import said
from tables.selectors.countings import BoxCounted
from tables.selectors.rulings import Asked
from tournament.models import Entry, Event

register = template.Library()
register.filter(outcome_words)
register.filter(said)
register.filter(listed)
register.filter("cardcode", card_code)
register.filter("named", entry_named)
register.filter("who_counts", who_counts_words)


@register.filter
def shares(mine: Iterable[str], roles: Iterable[str]) -> bool:
    """Whether this person has one of the roles; a step without roles is for all staff."""
    wanted = set(roles)
    return bool(set(mine) and (not wanted or wanted & set(mine)))


@register.filter
def who_confirms(event: Event) -> str:
    """Return who can confirm a director's ruling: in a rehearsal also the person who asked."""
    if event.is_rehearsal:
        return gettext("a director or a manager (in a rehearsal also the person who asked)")
    return gettext("another director, or a manager,")


@register.filter
def all_named(entries: Iterable[Entry]) -> str:
    """Return players as a list in a sentence: ``E001 Ann P. and E002 Bo L.``; empty without any."""
    names = [entry_named(entry) for entry in entries]
    return listed(names) if names else ""


@register.filter
def moved_boxes(asked: Asked, boxes: Iterable[BoxCounted]) -> list[tuple[int, str, int, int]]:
    """Return the stacks that a ruling on the count moves: box, player, chips before and after."""
    sat = {row.box: entry_named(row.entry) if row.entry else "" for row in boxes}
    return [(box, sat.get(box, ""), before, after) for box, (before, after) in sorted(asked.moves.items())]
