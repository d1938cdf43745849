"""The step of 'Tonight' for a play-off or sudden death that nobody is there to play (T23, T33)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from pages.director.reads.closing import nobody_there
from pages.director.reads.step import Step
from tournament.models import Round
from tournament.roles import DIRECTOR


def nobody_plays(round_: Round) -> list[Step]:
    """Return what ends a tie whose players are all absent: a ruling, or a look that shares the prizes."""
    if round_.kind == Round.Kind.ROUND or not nobody_there(round_):
        return []
    title = _("%(round)s: nobody is there to play it") % {"round": round_.title}
    if round_.kind == Round.Kind.PLAY_OFF:
        detail = _("Everybody who should play off is absent. The director rules who advances, with a reason.")
        return [Step(title, detail, f"rounds/{round_.parent_id}/", _("Rule on the tie"), (DIRECTOR,))]
    detail = _("Everybody who is tied is absent: go on without them, and they share their prizes equally.")
    return [Step(title, detail, f"rounds/{round_.pk}/", _("Go on without those absent"), (DIRECTOR,))]
