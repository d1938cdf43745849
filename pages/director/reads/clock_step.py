"""The step of 'Tonight' for a clock whose time is up; the floor decides what follows."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from pages.director.reads.step import Step
from tournament.roles import DIRECTOR, FLOOR
from tournament.selectors.clocks import ClockShown, State


def with_clock(steps: Sequence[Step], clock: ClockShown | None) -> list[Step]:
    """The steps, and behind the next one that the time is up."""
    if clock is None or clock.state != State.UP:
        return list(steps)
    detail = _(
        "Phones and screens say so. Nothing follows by itself: go on with the event, then stop the clock."
    )
    up = Step(_up_words(clock), detail, "clock/", _("To the clock"), (DIRECTOR, FLOOR))
    return [*steps[:1], up, *steps[1:]]


def _up_words(clock: ClockShown) -> str:
    """Return what the ended clock was for."""
    named = {
        "start": _("Start of round %(n)s: time is up"),
        "round": _("Round %(n)s: time is up"),
    }
    words = {"break": _("Break: time is up"), "late": _("Late registration: time is up")}
    if clock.label:
        return _("%(name)s: time is up") % {"name": clock.label}
    if clock.number and clock.kind in named:
        return named[clock.kind] % {"n": clock.number}
    return words.get(clock.kind, _("Time is up"))
