"""Filters of the public pages alone: cards of the cut, winners of past events."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages.words.cards import card_code
from tournament.models import Entry

register = template.Library()
register.filter("cardcode", card_code)


@register.filter
def won_by(winners: Sequence[Entry]) -> str:
    """Return the winners of an event: up to three names, and the number of the others."""
    names = [entry.player.public_name for entry in winners]
    who = dict(zip(("first", "second", "third"), names, strict=False))
    if len(names) == 1:
        return _("Won by %(first)s") % who
    if len(names) == 2:
        return _("First place shared by %(first)s and %(second)s") % who
    more = len(names) - len(who)
    if not more:
        return _("First place shared by %(first)s, %(second)s and %(third)s") % who
    words = ngettext(
        "First place shared by %(first)s, %(second)s, %(third)s and %(n)s more",
        "First place shared by %(first)s, %(second)s, %(third)s and %(n)s more",
        more,
    )
    return words % {**who, "n": more}
