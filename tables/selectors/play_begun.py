"""'Play has begun': whether it can be pressed in an event on counts alone, or undone (T6, T18, T19)."""

from __future__ import annotations

from contextlib import suppress

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import CountSheet, Shoe
from tables.selectors.draws import before_first_bet
from tables.selectors.next_hand import payouts_check
from tournament.models import Round


def begin_check(round_: Round) -> None:
    """Refuse ``not_counts_alone``, ``first_bet_called`` (409), ``payouts_not_posted`` (T31): no press now."""
    counts_alone_check(round_)
    before_first_bet(round_)
    payouts_check(round_)


def undo_check(round_: Round) -> None:
    """Why 'Play has begun' cannot be undone, raised as by ``round_play_undo``."""
    counts_alone_check(round_)
    if CountSheet.objects.filter(shoe__round=round_).exists():
        raise Refused(
            "counted_already",
            _("A table of %(round)s has been counted: play has begun."),
            status=409,
            round=round_,
        )
    over = round_.shoes.exclude(status=Shoe.Status.DEALING).select_related("table").first()
    if over is not None:
        raise Refused(
            "shoe_over",
            _("The shoe at %(table)s is over. Open it again first."),
            status=409,
            table=over.table,
        )
    if round_.status != Round.Status.PLAYING:
        raise Refused(
            "round_not_playing",
            _("%(round)s is %(state)s."),
            status=409,
            round=round_,
            state=round_.get_status_display(),
        )


def play_press(round_: Round) -> str:
    """What can be pressed now: ``begin``, ``undo``, or nothing."""
    for press, check in (("begin", begin_check), ("undo", undo_check)):
        with suppress(Refused):
            check(round_)
            return press
    return ""


def counts_alone_check(round_: Round) -> None:
    """Refuse ``not_counts_alone``: a round of hands begins with its first bet (T19)."""
    if not round_.counts_alone:
        raise Refused("not_counts_alone", _("%(round)s begins with the first bet."), round=round_)
