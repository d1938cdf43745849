"""Whether a recorded hand can be put right as things stand, before anybody enters it anew (T17)."""

from __future__ import annotations

from ground.refused import Refused
from tables.models import Deal
from tables.selectors.corrections_asked import why_not_ask_again
from tables.selectors.corrections_later import why_asked_already
from tournament.models import Round

from .correction_closed import may_open
from .working import may_correct


def why_not_correct(deal: Deal) -> Refused | None:
    """Why this hand cannot be put right now, after its stage is closed by two persons; None where it can.

    Where a hand is open it can: the correction waits. What it then comes to may still be refused.
    """
    try:
        may_correct(deal, closed_too=True, hand_open_too=True)
        if deal.shoe.round.status == Round.Status.CLOSED:
            may_open(deal)
    except Refused as no:
        return no
    return why_not_ask_again(deal) or why_asked_already(deal)
