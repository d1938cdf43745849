"""Whether a hand of a stage that is closed can be put right by two persons (T17, faults)."""

from __future__ import annotations

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal
from tables.selectors.draws import open_draw
from tournament.models import Round
from tournament.selectors.prizes import payments_standing

Kind, Status = Round.Kind, Round.Status


def may_open(deal: Deal) -> None:
    """Whether a hand of a closed stage can still be put right.

    Raises Refused ``paid_from``, ``draw_in_progress``, ``tie_open``, ``deal_open``, all 409.
    """
    stage = deal.shoe.round
    event = stage.event
    if payments_standing(event).exists():
        raise Refused(
            "paid_from",
            _(
                "A prize has been paid. No hand is changed until every payment has been taken back, each by"
                " two persons."
            ),
            status=409,
        )
    if open_draw(event) is not None:
        raise Refused(
            "draw_in_progress",
            _("The next seats are being drawn, and the roster is locked. Carry the draw out first."),
            status=409,
        )
    if event.rounds.exclude(kind=Kind.ROUND).exclude(status=Status.CLOSED).exclude(pk=stage.pk).exists():
        raise Refused(
            "tie_open", _("A tie is being played for. Close the play-off or sudden death first."), status=409
        )
    if Deal.objects.filter(shoe__round__event=event, status=Deal.Status.OPEN).exists():
        raise Refused("deal_open", _("A hand is open at a table. Finish it, or void it, first."), status=409)
