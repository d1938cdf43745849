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

from ground.refused import Conflict, Refused
from ground.words import gettext_noop as _
from tables.models import Deal
from tournament.engine.facts import CutDiffers, key_of
from tournament.engine.state import stage_of
from tournament.engine.steps.cut import cut_differs
from tournament.engine.steps.places import round_result
from tournament.models import Event, JournalEntry, Round
from tournament.selectors.facts_standing import course_standing
from tournament.selectors.stage_ranking import Row, stage_ranking
from tournament.selectors.stages import main_rounds

Kind, Status = Round.Kind, Round.Status


@dataclass(frozen=True)
class CutRuling:
    """A ruling that a cut stands: players, person, time and reason; ``who`` is empty for the house."""

    about: CutDiffers
    who: str
    at: datetime
    reason: str


@dataclass(frozen=True)
class CutReview:
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
    stands: CutRuling | None


def cut_reviews(event: Event) -> list[CutReview]:
    """Return the rounds of an event whose cut differs after a correction, in order."""
    return _cut_reviews(event, main_rounds(event))


def cut_review(round_: Round) -> CutReview | None:
    """Return how the cut of one round differs; None where the right players advanced."""
    return next(iter(_cut_reviews(round_.event, [round_])), None)


def cut_before_play(round_: Round | None) -> CutReview | None:
    """Return the cut to rule on before a seated round begins (T17, T25); None without one.

    After the first bet no qualifier is replaced.
    """
    if round_ is None or round_.kind != Kind.ROUND or round_.status != Status.SEATED or round_.number < 2:
        return None
    before = Round.objects.filter(event=round_.event_id, kind=Kind.ROUND, number=round_.number - 1).first()
    if before is None:
        return None
    before.event = round_.event
    found = cut_review(before)
    return found if found and why_not_stands(before, found) is None else None


def why_not_stands(round_: Round, found: CutReview | None) -> Refused | None:
    """Return why the cut of a round cannot be ruled to stand.

    ``round_not_closed`` (409), ``cut_agrees`` where there is nothing to rule on, ``cut_ruled`` (409) after a
    ruling, ``event_over`` (409) once the event is over.
    """
    if round_.status != Status.CLOSED:
        return Conflict(
            "round_not_closed",
            "%(title)s is not closed: nobody has advanced from it yet, so there is no cut to rule on.",
            title=round_.title,
        )
    if found is None:
        return Refused(
            "cut_agrees",
            "The right players advanced from %(title)s. There is nothing to rule on.",
            title=round_.title,
        )
    if found.stands is not None:
        text = _("This cut has already been ruled to stand.")
        if found.stands.who:
            text = _("%(who)s has already ruled that this cut stands.")
        return Conflict("cut_ruled", text, who=found.stands.who)
    if round_.event.status not in (Event.Status.RUNNING, Event.Status.FINISHED):
        return Conflict(
            "event_over",
            "The event is %(state)s; its cuts can no longer be ruled on.",
            state=round_.event.get_status_display(),
        )
    return None


def cut_rulings(event_id: int) -> dict[int, list[CutRuling]]:
    """Map the ids of rounds to the rulings that their cut stands, oldest first."""
    found = defaultdict[int, list[CutRuling]](list)
    made = JournalEntry.objects.filter(event=event_id, kind="round.cut_stands").select_related("actor")
    for entry in made.order_by("seq"):
        said, who = entry.result, entry.actor.get_username() if entry.actor else ""
        found[said["round"]].append(CutRuling(CutDiffers.of(said), who, entry.at, said["reason"]))
    return found


def _cut_reviews(event: Event, rounds: Iterable[Round]) -> list[CutReview]:
    """Return the cuts that differ. Fold the facts only if a hand was corrected after one of these closes."""
    made = Deal.objects.filter(shoe__round__event=event, corrects__isnull=False)
    corrected = list(made.select_related("shoe__table", "shoe__round").order_by("opened_at", "pk"))
    reviewed = [(round_, each) for round_ in rounds if (each := _corrected_after(round_, corrected))]
    if not reviewed:
        return []
    try:
        course = course_standing(event)
    except Refused:
        # The journal is broken, so no cut can be worked out.
        return []
    state, ruled = course.state, cut_rulings(event.pk)
    found = list[CutReview]()
    for round_, deals in reviewed:
        key = key_of(round_)
        stage, about = stage_of(state, key), cut_differs(state, key)
        if not about:
            continue
        rows = {row.code: row for row in stage_ranking(round_, state).rows}
        found.append(
            CutReview(
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


def _corrected_after(round_: Round, corrected: Iterable[Deal]) -> tuple[Deal, ...]:
    """Return the hands corrected after the close of a round that its cut, or chips carried into it, rest on.

    Correcting a hand of the round itself while the next one is not seated closes the round again.
    """
    at = round_.closed_at
    if at is None or round_.cut_to is None:
        return ()
    return tuple(
        deal for deal in corrected if deal.opened_at > at and deal.shoe.round.number <= round_.number
    )
