"""A shoe that was ended by mistake, and the last hand of one whose cut card is out (T11)."""

from __future__ import annotations

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal, Shoe
from tables.selectors.counts import live_sheets
from tournament.models import Round


def why_not_reopen(shoe: Shoe) -> Refused | None:
    """Why a shoe cannot be opened again for further hands; None where it can, until chips are counted.

    ``shoe_dealing`` (409), ``counts_in`` (409), ``round_not_playing`` (409), ``shoe_followed`` (409).
    """
    names = {"table": shoe.table}
    if shoe.status == Shoe.Status.DEALING:
        return Refused("shoe_dealing", _("The shoe at %(table)s is still being played."), status=409, **names)
    if shoe.status == Shoe.Status.COUNTED or live_sheets(shoe):
        return Refused(
            "counts_in",
            _("Chips have been counted at %(table)s. Withdraw the counts first."),
            status=409,
            **names,
        )
    if shoe.round.status != Round.Status.PLAYING:
        return Refused(
            "round_not_playing",
            _("%(round)s is %(state)s: nothing is dealt."),
            status=409,
            round=shoe.round,
            state=shoe.round.get_status_display(),
        )
    later = Shoe.objects.filter(round=shoe.round_id, table=shoe.table_id, number__gt=shoe.number)
    if later.exists():
        return Refused("shoe_followed", _("Another shoe is in play at %(table)s."), status=409, **names)
    return None


def why_not_last_hand(shoe: Shoe, *, out: bool) -> Refused | None:
    """Why the cut card of a shoe cannot be said to be out now, or not ``out`` after all; None where it can.

    ``shoe_over`` (409), ``already_last`` (409), ``not_last`` (409).
    """
    if shoe.status != Shoe.Status.DEALING:
        return Refused("shoe_over", _("The shoe at %(table)s is over already."), status=409, table=shoe.table)
    if shoe.last_hand and out:
        return Refused(
            "already_last",
            _("The cut card at %(table)s is already out: finish the hand, and the shoe is over."),
            status=409,
            table=shoe.table,
        )
    if not shoe.last_hand and not out:
        return Refused(
            "not_last", _("Nobody has reported the cut card at %(table)s."), status=409, table=shoe.table
        )
    return None


def ended_with(shoe: Shoe, deal: Deal) -> bool:
    """Whether a shoe was over by itself as its last hand was settled, and no chips were counted since."""
    over = shoe.status == Shoe.Status.OVER and shoe.last_hand and shoe.ended_at == deal.closed_at
    return over and not live_sheets(shoe)
