"""Titles of stages and purposes of draws."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

from tournament.models import Round

_PURPOSE = re.compile(
    r"Seats for (?:round (?P<round>\d+)|(?:the play-off|play-off (?P<nth>\d+)) of round (?P<play_off>\d+)"
    r"|sudden death)(?P<again>, again)?"
)
"""The stored purposes of draws (``tables.selectors.draws``)."""


def stage_title(round_: Round) -> str:
    """Return ``Round 2``, ``Play-off of round 2``, ``Play-off 2 of round 2`` or ``Sudden death``."""
    words = {
        Round.Kind.ROUND: _("Round %(n)s"),
        Round.Kind.PLAY_OFF: _("Play-off of round %(n)s"),
        Round.Kind.SUDDEN_DEATH: _("Sudden death"),
    }
    if round_.sequence > 1:
        words[Round.Kind.PLAY_OFF] = _("Play-off %(nth)s of round %(n)s")
        words[Round.Kind.SUDDEN_DEATH] = _("Sudden death %(nth)s")
    return words[Round.Kind(round_.kind)] % {"n": round_.number, "nth": round_.sequence}


def draw_purpose(purpose: str) -> str:
    """Return the purpose of a draw in the language of the page; an unknown one as stored."""
    found = _PURPOSE.fullmatch(purpose)
    if found is None:
        return purpose
    if found["round"]:
        words = _("Seats for round %(n)s, drawn again") if found["again"] else _("Seats for round %(n)s")
        return words % {"n": found["round"]}
    if found["play_off"]:
        words = _("Seats for the play-off of round %(n)s")
        if found["nth"]:
            words = _("Seats for play-off %(nth)s of round %(n)s")
        elif found["again"]:
            words = _("Seats for the play-off of round %(n)s, drawn again")
        return words % {"n": found["play_off"], "nth": found["nth"]}
    return _("Seats for the sudden death, drawn again") if found["again"] else _("Seats for the sudden death")
