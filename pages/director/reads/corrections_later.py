"""Steps of 'Tonight' for corrections that wait for the end of a hand, or could not be made (T17)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from pages.director.reads.step import Step
from pages.words.saying import said
from tables.selectors.corrections_later import Later, later_in
from tournament.models import Event
from tournament.roles import DIRECTOR


def corrections_later(event: Event) -> list[Step]:
    """One step for each, the oldest first."""
    return [_step(each) for each in later_in(event)]


def _step(later: Later) -> Step:
    names = {"n": later.hand, "table": later.shoe.table.number}
    if later.waits:
        title = _("Table %(table)s: a correction of hand %(n)s waits") % names
        detail = _("It takes effect when the open hand ends. Until then it can be taken back.")
    else:
        title = _("Table %(table)s: the correction of hand %(n)s was not made") % names
        detail = _("%(why)s The correction has changed nothing.") % {"why": said(later.sentence)}
    return Step(title, detail, f"deals/{later.deal}/correct/", _("Look at it"), (DIRECTOR,))
