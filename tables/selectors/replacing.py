"""Whether a qualifier can be replaced by the next-ranked, and which boxes are free for a player (T25)."""

from __future__ import annotations

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Seat, Table
from tables.selectors.draws import before_first_bet
from tables.selectors.floor import boxes_usable, tables_of
from tournament.models import Entry, Event, Round
from tournament.selectors.replaced import qualified_from, round_after


def replace_check(entry: Entry) -> Round:
    """Return the round that the entry qualified from; raises why it is not replaced (T25).

    ``not_qualified``, ``first_bet_called`` (409), ``draw_in_progress`` (409). The seat of a disqualified
    qualifier stays empty (T26).
    """
    from_round = qualified_from(entry)
    in_it = entry.status == Entry.Status.LIVE and entry.event.status == Event.Status.RUNNING
    if from_round is None or not in_it:
        raise Refused(
            "not_qualified",
            _("%(entry)s has not qualified for a round that is still to be played."),
            entry=entry.code,
        )
    after = round_after(from_round)
    if after is not None:
        before_first_bet(after)
    return from_round


def box_check(round_: Round, table: Table, box: int) -> None:
    """Refuse ``box_out_of_use`` and ``box_taken`` (409): why nobody sits down at this box."""
    at_table = tables_of(round_).filter(pk=table.pk).exists()
    if not at_table or box not in boxes_usable(table, round_.event.settings):
        raise Refused(
            "box_out_of_use", _("Box %(box)s of %(table)s is not used in this round."), box=box, table=table
        )
    if Seat.objects.filter(round=round_, table=table, box=box, vacated_at__isnull=True).exists():
        raise Refused(
            "box_taken",
            _("Box %(box)s of %(table)s has just been taken. Choose another one."),
            status=409,
            box=box,
            table=table,
        )
