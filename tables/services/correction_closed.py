"""What only the rows know about whether a hand of a closed stage can be corrected (T17, faults)."""

from __future__ import annotations

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal
from tables.selectors.draws import redraw_check


def may_open(deal: Deal) -> None:
    """Refuse while a hand is open anywhere, or seats are drawn anew: the core knows neither.

    Raises Refused ``draw_in_progress`` and ``deal_open``, both 409. The core checks everything else.
    """
    event = deal.shoe.round.event
    redraw_check(event)
    if Deal.objects.filter(shoe__round__event=event, status=Deal.Status.OPEN).exists():
        raise Refused("deal_open", _("A hand is open at a table. Finish it, or void it, first."), status=409)
