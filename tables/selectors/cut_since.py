"""Cuts of closed rounds that differ after a correction: players who should have advanced (T17, T20).

The seats of a later stage stand: a correction neither takes nor gives a seat (ADR 14). The director replaces,
disqualifies, or rules that the cut stands. ``cut_differs`` of the core names the players; the journal has the
rulings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.models import Deal
from tournament.engine.facts import CutDiffers, key_of
from tournament.engine.state import stage_of
from tournament.engine.steps.cut import cut_differs
from tournament.engine.steps.places import round_result
from tournament.models import Entry, Event, JournalEntry, Request, Round
from tournament.selectors.stage_ranking import Row, stage_ranking
from tournament.selectors.stages import main_rounds
from tournament.selectors.waiting import disqualifications_waiting

from .facts_standing import course_standing

Kind, Status = Round.Kind, Round.Status


@dataclass(frozen=True)
class Stood:
    """A ruling that a cut stands: players, person, time and reason; ``who`` is empty for the house."""

    about: CutDiffers
    who: str
    at: datetime
    reason: str


@dataclass(frozen=True)
class CutSince:
    """A round whose cut differs from the corrected hands.

    ``missed``: players who should have advanced; ``extra``: players who should not have; ``tied``: players
    level for ``about.seats`` seats without a play-off. ``went_on``: the codes of the entries that advanced.
    ``stands``: the ruling on exactly this difference.
    """

    round: Round
    about: CutDiffers
    missed: tuple[Row, ...]
    extra: tuple[Row, ...]
    tied: tuple[Row, ...]
    went_on: frozenset[str]
    corrected: tuple[Deal, ...]
    stands: Stood | None


def cuts_since(event: Event) -> list[CutSince]:
    """Return the rounds of an event whose cut differs after a correction, in order."""
    return _cuts_since(event, main_rounds(event))


def cut_since(round_: Round) -> CutSince | None:
    """Return how the cut of one round differs; None where the right players advanced."""
    return next(iter(_cuts_since(round_.event, [round_])), None)


def disqualifying_waits(found: CutSince) -> list[Request]:
    """Return the open requests to disqualify a player named by a cut that differs."""
    players = (*found.missed, *found.extra, *found.tied)
    return disqualifications_waiting([row.entry.pk for row in players])


def cuts_standing(entry: Entry) -> list[CutSince]:
    """Return the cuts ruled to stand although this entry would be on the other side."""
    return [
        found
        for found in cuts_since(entry.event)
        if found.stands and entry.code in (*found.about.missed, *found.about.extra, *found.about.tied)
    ]


def cut_before_play(round_: Round | None) -> CutSince | None:
    """Return the cut to rule on before a seated round begins (T17, T25); None without one.

    After the first bet no qualifier is replaced.
    """
    if round_ is None or round_.kind != Kind.ROUND or round_.status != Status.SEATED or round_.number < 2:
        return None
    before = Round.objects.filter(event=round_.event_id, kind=Kind.ROUND, number=round_.number - 1).first()
    if before is None:
        return None
    before.event = round_.event
    found = cut_since(before)
    return found if found and why_not_stands(before, found) is None else None


def why_not_stands(round_: Round, found: CutSince | None) -> Refused | None:
    """Return why the cut of a round cannot be ruled to stand.

    ``round_not_closed`` (409), ``cut_agrees`` where there is nothing to rule on, ``cut_ruled`` (409) after a
    ruling, ``event_over`` (409) once the event is over.
    """
    if round_.status != Status.CLOSED:
        return Refused(
            "round_not_closed",
            _("%(title)s is not closed: nobody has gone on from it yet, so there is no cut to rule on."),
            status=409,
            title=round_.title,
        )
    if found is None:
        return Refused(
            "cut_agrees",
            _("The right players have gone on from %(title)s. There is nothing to rule on."),
            title=round_.title,
        )
    if found.stands is not None:
        text = _("This cut has already been ruled to stand.")
        if found.stands.who:
            text = _("%(who)s has already ruled that this cut stands.")
        return Refused("cut_ruled", text, status=409, who=found.stands.who)
    if round_.event.status not in (Event.Status.RUNNING, Event.Status.FINISHED):
        return Refused(
            "event_over",
            _("The event is %(state)s; its cuts are not ruled on any more."),
            status=409,
            state=round_.event.get_status_display(),
        )
    return None


def cuts_ruled(event_id: int) -> dict[int, list[Stood]]:
    """Map the ids of rounds to the rulings that their cut stands, oldest first."""
    found = defaultdict[int, list[Stood]](list)
    made = JournalEntry.objects.filter(event=event_id, kind="round.cut_stands").select_related("actor")
    for entry in made.order_by("seq"):
        said, who = entry.result, entry.actor.get_username() if entry.actor else ""
        found[said["round"]].append(Stood(CutDiffers.of(said), who, entry.at, said["reason"]))
    return found


def _cuts_since(event: Event, rounds: Iterable[Round]) -> list[CutSince]:
    """Return the cuts that differ. Fold the facts only if a hand was corrected after one of these closes."""
    made = Deal.objects.filter(shoe__round__event=event, corrects__isnull=False)
    corrected = list(made.select_related("shoe__table", "shoe__round").order_by("opened_at", "pk"))
    since = [(round_, each) for round_ in rounds if (each := _since(round_, corrected))]
    if not since:
        return []
    try:
        course = course_standing(event)
    except Refused:
        # The journal is broken, so no cut can be worked out.
        return []
    state, ruled = course.state, cuts_ruled(event.pk)
    found = list[CutSince]()
    for round_, deals in since:
        key = key_of(round_)
        stage, about = stage_of(state, key), cut_differs(state, key)
        if not about:
            continue
        rows = {row.code: row for row in stage_ranking(round_, state).rows}
        found.append(
            CutSince(
                round=round_,
                about=about,
                missed=tuple(rows[code] for code in about.missed),
                extra=tuple(rows[code] for code in about.extra),
                tied=tuple(rows[code] for code in about.tied),
                went_on=round_result(state, stage).advanced,
                corrected=deals,
                stands=ruled[round_.pk][-1] if stage.stands == about else None,
            )
        )
    return found


def _since(round_: Round, corrected: Iterable[Deal]) -> tuple[Deal, ...]:
    """Return the hands corrected after the close of a round that its cut, or chips carried into it, rest on.

    Correcting a hand of the round itself while the next one is not seated closes the round again.
    """
    at = round_.closed_at
    if at is None or round_.cut_to is None:
        return ()
    return tuple(
        deal for deal in corrected if deal.opened_at > at and deal.shoe.round.number <= round_.number
    )
