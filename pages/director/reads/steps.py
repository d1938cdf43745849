"""Steps of 'Tonight' apart from the current stage: alternates, ties, the clock, waiting corrections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages.director.reads.closing import nobody_there
from pages.words.naming import entry_named
from pages.words.prizes import listed, places_words
from pages.words.saying import said
from pages.words.standings import seating_words
from tables.selectors.corrections_later import Later, later_in
from tables.selectors.seating import may_begin, seating_closes
from tournament.engine.next_steps import NextStep
from tournament.models import Entry, Event, Round
from tournament.roles import CASHIER, DIRECTOR, FLOOR
from tournament.selectors.clocks import ClockShown, State
from tournament.selectors.desk import round_begun, seating_of, waiting_list


@dataclass(frozen=True)
class Step:
    """A task for somebody: its sentence, the page below the event's address, and the roles that do it.

    ``tells``: the ids of requests that it mentions. ``look``: the words of a link to ``look_tail`` for the
    floor, which cannot do this but has to see it.
    """

    title: str
    detail: str
    tail: str = ""
    action: str = ""
    roles: tuple[str, ...] = ()
    tells: frozenset[int] = frozenset()
    look: str = ""
    look_tail: str = ""


# -- Alternates (T6) ----------------------------------------------------------------------------------------


def alternates_first(round_: Round) -> list[Step]:
    """Return the step to seat an alternate at a free box before the first bet (T6)."""
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
    """Return the page on which play begins and the words of its button (T6).

    Play begins at the tables; in an event on counts alone it has a page of its own.
    """
    if may_begin(round_):
        return f"rounds/{round_.pk}/begin/", _("Play has begun")
    return "tables/", _("To the tables")


def alternates_refunded(event: Event) -> list[Step]:
    """Return the step to refund alternates who were not seated before seating closed (T6)."""
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


# -- Ties (T23, T33) ----------------------------------------------------------------------------------------


def nobody_plays(round_: Round) -> list[Step]:
    """Return the step that ends a tie whose players are all absent: rule, or go on without them."""
    if round_.kind == Round.Kind.ROUND or not nobody_there(round_):
        return []
    title = _("%(round)s: nobody is there to play it") % {"round": round_.title}
    if round_.kind == Round.Kind.PLAY_OFF:
        detail = _("Every player of the play-off is absent. The director rules who advances, with a reason.")
        return [Step(title, detail, f"rounds/{round_.parent_id}/", _("Rule on the tie"), (DIRECTOR,))]
    detail = _("Every tied player is absent. Go on without them: they share their prizes equally.")
    return [Step(title, detail, f"rounds/{round_.pk}/", _("Go on without absent players"), (DIRECTOR,))]


def tied_for_money(event: Event, due: NextStep) -> str:
    """Return which players are tied for which places before a sudden death is drawn (T33)."""
    words = _("%(who)s are tied for %(places)s place.")
    entries = event.entries.filter(code__in=due.entries).select_related("player")
    named = {each.code: entry_named(each) for each in entries}
    sentences = [
        words % {"who": listed([named[code] for code in each.entries]), "places": places_words(each.places)}
        for each in due.groups
    ]
    return " ".join([*sentences, _("They play with fresh equal stacks until the tie is decided.")])


# -- The clock ----------------------------------------------------------------------------------------------


def with_clock(steps: Sequence[Step], clock: ClockShown | None) -> list[Step]:
    """Return ``steps``; if the clock is up, with a step about it after the first one."""
    if clock is None or clock.state != State.UP:
        return list(steps)
    detail = _(
        "Phones and screens say so. Nothing follows by itself: go on with the event, then stop the clock."
    )
    up = Step(_up_words(clock), detail, "clock/", _("To the clock"), (DIRECTOR, FLOOR))
    return [*steps[:1], up, *steps[1:]]


def _up_words(clock: ClockShown) -> str:
    """Return the sentence for an ended clock."""
    named = {
        "start": _("Start of round %(n)s: time is up"),
        "round": _("Round %(n)s: time is up"),
    }
    words = {"break": _("Break: time is up"), "late": _("Late registration: time is up")}
    if clock.label:
        return _("%(name)s: time is up") % {"name": clock.label}
    if clock.number and clock.kind in named:
        return named[clock.kind] % {"n": clock.number}
    return words.get(clock.kind, _("Time is up"))


# -- Corrections that wait for the end of a hand (T17) ------------------------------------------------------


def corrections_later(event: Event) -> list[Step]:
    """Return one step for each waiting or refused correction, oldest first."""
    return [_step(each) for each in later_in(event)]


def _step(later: Later) -> Step:
    names = {"n": later.hand, "table": later.shoe.table.number}
    if later.waits:
        title = _("Table %(table)s: a correction of hand %(n)s waits") % names
        detail = _("It takes effect when the open hand ends. Until then it can be taken back.")
    else:
        title = _("Table %(table)s: the correction of hand %(n)s was not made") % names
        detail = _("%(why)s The correction has changed nothing.") % {"why": said(later.sentence)}
    return Step(title, detail, f"deals/{later.deal}/correct/", _("Look at it"), (DIRECTOR,))
