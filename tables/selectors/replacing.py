"""Whether the seat of a qualifier can be given to the next-ranked, and which one it is (T25, T26)."""

from __future__ import annotations

from django.db.models import QuerySet

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Seat, Table
from tables.selectors.draws import before_first_bet, open_draw
from tables.selectors.floor import boxes_usable, tables_of
from tournament.models import Entry, Event, Round
from tournament.selectors.replaced import next_ranked, qualified_from, round_after
from tournament.selectors.stages import replaced_in

Status = Entry.Status


def replace_check(entry: Entry) -> tuple[Round, Seat | None]:
    """The round that the entry qualified from and its seat in the next, if that is drawn already.

    Raises why it is not replaced: ``not_qualified``, ``first_bet_called`` (409), ``draw_in_progress`` (409).
    T26: the seat of who was disqualified is given once, and only where the draw of the next round has it:
    ``seat_given`` (409), ``seat_not_drawn`` (409), ``nobody_next`` (409), ``box_out_of_use``.
    """
    from_round = _qualified_from(entry)
    after = round_after(from_round)
    if after is not None:
        before_first_bet(after)
    if entry.status == Status.DISQUALIFIED:
        return from_round, _seat_left(entry, from_round, after)
    return from_round, _seat(after, entry) if after else None


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


def _qualified_from(entry: Entry) -> Round:
    round_ = qualified_from(entry)
    in_it = entry.status in (Status.LIVE, Status.DISQUALIFIED) and entry.event.status == Event.Status.RUNNING
    if round_ is None or not in_it:
        raise Refused(
            "not_qualified",
            _("%(entry)s has not qualified for a round that is still to be played."),
            entry=entry.code,
        )
    return round_


def _seat_left(entry: Entry, from_round: Round, after: Round | None) -> Seat | None:
    """T26: the seat that a disqualified qualifier has left, None before the draw."""
    _refuse_given(entry)
    _refuse_not_drawn(entry, after)
    if not next_ranked(from_round):
        raise Refused(
            "nobody_next",
            _("Nobody is left who could take the seat of %(entry)s: it stays empty."),
            status=409,
            entry=entry.code,
        )
    if after is None:
        return None
    seat = _seats(after, entry).order_by("-pk").first()
    assert seat is not None, "or it was not on the roster of the draw"
    box_check(after, seat.table, seat.box)
    return seat


def _refuse_given(entry: Entry) -> None:
    by = replaced_in(entry.event_id).get(entry.pk)
    if by is None:
        return
    text = _("%(by)s has the seat of %(entry)s already.")
    if not by:
        text = _("Nobody could take the seat of %(entry)s: it stays empty.")
    raise Refused("seat_given", text, status=409, entry=entry.code, by=by)


def _refuse_not_drawn(entry: Entry, after: Round | None) -> None:
    draw = open_draw(entry.event) if after is None else after.draw
    if draw is not None and entry.code not in draw.roster:
        raise Refused(
            "seat_not_drawn",
            _("The roster of draw %(draw)s was locked without the seat of %(entry)s: it stays empty."),
            status=409,
            entry=entry.code,
            draw=draw.number,
        )


def _seat(round_: Round, entry: Entry) -> Seat | None:
    return _seats(round_, entry).filter(vacated_at__isnull=True).first()


def _seats(round_: Round, entry: Entry) -> QuerySet[Seat]:
    return Seat.objects.select_related("round__event", "entry", "table").filter(round=round_, entry=entry)
