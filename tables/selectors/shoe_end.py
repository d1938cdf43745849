"""The end of a shoe: the last hand after the cut card, and a shoe that was ended by mistake (T11)."""

from __future__ import annotations

from ground.refused import Conflict, Refused
from tables.models import Deal, Shoe
from tables.selectors.counts import live_sheets
from tournament.models import Round


def why_not_reopen(shoe: Shoe) -> Refused | None:
    """Return why a shoe cannot be reopened; None if it can, which is until its chips are counted.

    ``shoe_dealing`` (409), ``counts_in`` (409), ``round_not_playing`` (409), ``shoe_followed`` (409).
    """
    names = {"table": shoe.table}
    if shoe.status == Shoe.Status.DEALING:
        return Conflict("shoe_dealing", "The shoe at %(table)s is still being played.", **names)
    if shoe.status == Shoe.Status.COUNTED or live_sheets(shoe):
        return Conflict(
            "counts_in", "Chips have been counted at %(table)s. Withdraw the counts first.", **names
        )
    if shoe.round.status != Round.Status.PLAYING:
        return Conflict(
            "round_not_playing",
            "%(round)s is %(state)s: nothing is dealt.",
            round=shoe.round,
            state=shoe.round.get_status_display(),
        )
    later = Shoe.objects.filter(round=shoe.round_id, table=shoe.table_id, number__gt=shoe.number)
    if later.exists():
        return Conflict("shoe_followed", "Another shoe is in play at %(table)s.", **names)
    return None


def why_not_last_hand(shoe: Shoe, *, out: bool) -> Refused | None:
    """Return why the cut card cannot be noted as out (``out`` False: as not out); None if it can.

    ``shoe_over`` (409), ``already_last`` (409), ``not_last`` (409).
    """
    if shoe.status != Shoe.Status.DEALING:
        return Conflict("shoe_over", "The shoe at %(table)s is over already.", table=shoe.table)
    if shoe.last_hand and out:
        return Conflict(
            "already_last",
            "The cut card at %(table)s is already out: finish the hand, and the shoe is over.",
            table=shoe.table,
        )
    if not shoe.last_hand and not out:
        return Conflict("not_last", "Nobody has reported the cut card at %(table)s.", table=shoe.table)
    return None


def ended_with(shoe: Shoe, deal: Deal) -> bool:
    """Whether this hand was the last one of the shoe and ended it, and no chips have been counted since."""
    over = shoe.status == Shoe.Status.OVER and shoe.last_hand and shoe.ended_at == deal.closed_at
    return over and not live_sheets(shoe)
