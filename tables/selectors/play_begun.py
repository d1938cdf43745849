"""'Play has begun': whether it can be pressed in an event on counts alone (T6, T18, T19)."""

from __future__ import annotations

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.selectors.draws import before_first_bet
from tables.selectors.next_hand import payouts_check
from tournament.models import Round


def begin_check(round_: Round) -> None:
    """Refuse ``not_counts_alone``, ``first_bet_called`` (409), ``payouts_not_posted`` (T31): no press now."""
    counts_alone_check(round_)
    before_first_bet(round_)
    payouts_check(round_)


def may_begin(round_: Round) -> bool:
    """Whether 'Play has begun' can be pressed now."""
    try:
        begin_check(round_)
    except Refused:
        return False
    return True


def counts_alone_check(round_: Round) -> None:
    """Refuse ``not_counts_alone``: a round of hands begins with its first bet (T19)."""
    if not round_.counts_alone:
        raise Refused("not_counts_alone", _("%(round)s begins with the first bet."), round=round_)
