"""Whether a recorded hand can be put right as things stand, before anybody enters it anew (T17)."""

from __future__ import annotations

from ground.refused import Refused
from tables.models import Deal
from tables.selectors.corrections_asked import why_not_ask_again
from tables.selectors.corrections_later import why_asked_already
from tournament.models import Round

from .correction_closed import may_open
from .hand_anew import may_correct


def why_not_correct(deal: Deal) -> Refused | None:
    """Return why nobody can put this hand right now; None where somebody can, or two persons after the close.

    An open hand is no reason: the correction waits for its end. The core may still refuse it then.
    """
    try:
        may_correct(deal, closed_too=True, hand_open_too=True)
        if deal.shoe.round.status == Round.Status.CLOSED:
            may_open(deal)
    except Refused as no:
        return no
    return why_not_ask_again(deal) or why_asked_already(deal)
