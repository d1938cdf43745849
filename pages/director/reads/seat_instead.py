"""The next step when a seat cannot change: for an absent player, or for a waiting one (T6, T7, T15)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from django.shortcuts import resolve_url
from django.utils.translation import gettext as _

from tables.models import Seat, Table
from tournament.models import Round
from tournament.roles import DIRECTOR
from tournament.selectors.desk import waiting_list


def instead_of_no_show(seat: Seat, mine: Collection[str]) -> dict[str, Any]:
    """Return the next step when it is too late to rule a no-show; ``mine``: the reader's roles.

    A reader who is no director sees who can rule.
    """
    slug, entry = seat.round.event.slug, seat.entry
    open_entry = _("Open %(code)s") % {"code": entry.code}
    pages = [(resolve_url("tournament:entry", slug=slug, code=entry.code), open_entry)]
    if seat.vacated_at is not None or seat.round.status != Round.Status.PLAYING:
        return {"instead": pages}
    absent = _("A player who is not there now is marked absent at the table and sits out.")
    leaves = _("Only the director can rule that the entry leaves the event: ask the director.")
    if DIRECTOR in mine:
        leaves = _("If the entry should leave the event after all, make that ruling on its page.")
    return {
        "instead": [
            (resolve_url("tables:table", slug=slug, number=seat.table.number), _table(seat.table)),
            *pages,
        ],
        "instead_text": f"{absent} {leaves}",
    }


def instead_of_fill(round_: Round, table: Table, box: int, opens: Callable[[str], bool]) -> dict[str, Any]:
    """Return the next step when nobody new can be seated at a box; ``opens``: may the reader open a page?"""
    slug = round_.event.slug
    at_box = Seat.objects.filter(round=round_, table=table, box=box, vacated_at__isnull=True)
    if round_.status == Round.Status.SEATED:
        return {"instead_text": _("The page 'Seating' shows which boxes are free.")}
    sentences, pages = [], []
    if round_.status == Round.Status.PLAYING:
        pages.append((resolve_url("tables:table", slug=slug, number=table.number), _table(table)))
        if not at_box.exists():
            sentences.append(_("The box stays empty in this round."))
    if waiting_list(round_.event):
        sentences.append(
            _(
                "An alternate who still waits gets the buy-in back: the cashier or the director opens the"
                " entry from the page 'Desk' and withdraws it."
            )
        )
        desk = resolve_url("tournament:desk", slug=slug)
        pages += [(desk, _("To the desk"))] if opens(desk) else []
    return {"instead_text": " ".join(sentences), "instead": pages}


def _table(table: Table) -> str:
    return _("Table %(n)s") % {"n": table.number}
