"""The steps of 'Tonight' for ties: nobody is there to play, or a sudden death has to be drawn (T23, T33)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from pages.director.reads.closing import nobody_there
from pages.director.reads.step import Step
from pages.words.naming import entry_named
from pages.words.prizes import listed, places_words
from tournament.engine.next_steps import NextStep
from tournament.models import Event, Round
from tournament.roles import DIRECTOR


def nobody_plays(round_: Round) -> list[Step]:
    """Return the step that ends a tie whose players are all absent: a ruling, or going on without them."""
    if round_.kind == Round.Kind.ROUND or not nobody_there(round_):
        return []
    title = _("%(round)s: nobody is there to play it") % {"round": round_.title}
    if round_.kind == Round.Kind.PLAY_OFF:
        detail = _("Every player of the play-off is absent. The director rules who advances, with a reason.")
        return [Step(title, detail, f"rounds/{round_.parent_id}/", _("Rule on the tie"), (DIRECTOR,))]
    detail = _("Every tied player is absent. Go on without them: they share their prizes equally.")
    return [Step(title, detail, f"rounds/{round_.pk}/", _("Go on without absent players"), (DIRECTOR,))]


def tied_for_money(event: Event, due: NextStep) -> str:
    """Say who is tied for which places before a sudden death is drawn (T33)."""
    words = _("%(who)s are tied for %(places)s place.")
    entries = event.entries.filter(code__in=due.entries).select_related("player")
    named = {each.code: entry_named(each) for each in entries}
    said = [
        words % {"who": listed([named[code] for code in each.entries]), "places": places_words(each.places)}
        for each in due.groups
    ]
    return " ".join([*said, _("They play with fresh equal stacks until the tie is decided.")])
