"""The steps of 'Tonight' about alternates: seat them at free boxes, or give their buy-ins back (T6)."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages.director.reads.step import Step
from pages.words.standings import seating_words
from tables.selectors.seating_closes import may_begin, seating_closes
from tournament.models import Entry, Event, Round
from tournament.roles import CASHIER, DIRECTOR, FLOOR
from tournament.selectors.alternates import seating_of
from tournament.selectors.desk import round_begun, waiting_list


def alternates_first(round_: Round) -> list[Step]:
    """Before the first bet: an alternate waits while a box is free (T6)."""
    closes = seating_closes(round_)
    if closes is None or not closes.free:
        return []
    table, box = closes.free[0]
    first = waiting_list(round_.event)[0]
    title = ngettext(
        "Seat the alternates: table %(table)s, box %(box)s is free",
        "Seat the alternates: %(n)s boxes are free, first table %(table)s, box %(box)s",
        len(closes.free),
    )
    waiting = ngettext("%(n)s alternate waits.", "%(n)s alternates wait.", closes.alternates)
    detail = _("First in line: %(name)s (%(code)s). Seating closes with the first bet.")
    figures = {"code": first.code, "name": first.player.full_name}
    return [
        Step(
            title % {"n": len(closes.free), "table": table, "box": box},
            f"{waiting % {'n': closes.alternates}} {detail % figures}",
            f"seating/{round_.pk}/{table}/{box}/",
            _("Seat the alternate"),
            (DIRECTOR, FLOOR),
        )
    ]


def begin_page(round_: Round) -> tuple[str, str]:
    """Return the page where play begins, and the words of its button (T6)."""
    if may_begin(round_):
        return f"rounds/{round_.pk}/begin/", _("Play has begun")
    return "tables/", _("To the tables")


def alternates_refunded(event: Event) -> list[Step]:
    """Once seating is closed, alternates who were not seated get their buy-in back (T6)."""
    if event.status != Event.Status.RUNNING or not round_begun(event):
        return []
    count = event.entries.filter(status=Entry.Status.WAITING).count()
    if not count:
        return []
    title = ngettext(
        "%(n)s alternate was not seated: refund the buy-in",
        "%(n)s alternates were not seated: refund their buy-ins",
        count,
    )
    posted = _("Payouts are posted once no alternate waits.")
    detail = f"{seating_words(seating_of(event))} {posted}"
    return [Step(title % {"n": count}, detail, "desk/", _("To the desk"), (CASHIER, DIRECTOR))]
