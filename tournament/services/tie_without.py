"""Go on in a tie after one of its players was disqualified (T26)."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F, QuerySet

from tournament.engine.tie_look import ADVANCED, tie_key
from tournament.engine.tie_without import play_off_without, sudden_death_without
from tournament.engine.ties import TieGroup
from tournament.models import Entry, Event, Round, Stack
from tournament.selectors.stages import cut_before_ties, group_from_dict, live_payouts, places_so_far

from .journal import Command
from .rounds import tie_decide, tie_stage_set

Kind, Status = Round.Kind, Round.Status
IN_PLAY = (Stack.State.PLAYING, Stack.State.ABSENT)
LOOKED = "looked"


def tie_open(event: Event) -> Round | None:
    """The play-off or sudden death that is not closed yet."""
    return (
        event.rounds.exclude(kind=Kind.ROUND).exclude(status=Status.CLOSED).select_related("parent").first()
    )


def place_held(event: Event, entry: Entry) -> int:
    """The place that an entry holds or shares now; behind everybody where it has none."""
    stage = tie_open(event)
    if stage is not None and stage.kind == Kind.SUDDEN_DEATH:
        for group in _groups(stage):
            if entry.code in group.entries:
                return group.places[0]
        decided = stage.stacks.filter(entry=entry, place__isnull=False).first()
        if decided is not None and decided.place is not None:
            return decided.place
    places = {ranked.entry: ranked.place for ranked in places_so_far(event)}
    return places.get(entry.code, len(places) + 1)


def tie_without(cmd: Command, event: Event, code: str, place: int) -> None:
    """Let the stage go on without ``code``, who held ``place`` until now.

    The place is noted in the journal, which alone says what the step rests on (T17).
    """
    stage = tie_open(event)
    cmd.note(place=place)
    if stage is None:
        return
    if stage.kind == Kind.PLAY_OFF:
        _play_off_without(cmd, stage)
    else:
        _sudden_death_without(cmd, event, stage, code, place)


def _play_off_without(cmd: Command, stage: Round) -> None:
    assert stage.parent is not None
    cut = cut_before_ties(stage.parent)
    tied, contested = cut.tied, cut.contested_seats
    if stage.status == Status.COUNTED:
        return
    playing = _codes(stage.stacks.filter(state__in=IN_PLAY))
    won = _codes(stage.stacks.filter(outcome=ADVANCED, entry__status=Entry.Status.LIVE))
    found = play_off_without(playing, won, tied, contested)
    if found.decided:
        tie_decide(cmd, stage, found.decided)
    tie_stage_set(cmd, stage, seats=found.seats, groups=(), over=found.over)


def _codes(stacks: QuerySet[Stack]) -> list[str]:
    return list(stacks.values_list("entry__code", flat=True))


def _sudden_death_without(cmd: Command, event: Event, stage: Round, code: str, place: int) -> None:
    payouts = live_payouts(event)
    assert payouts is not None, "ties are for money by a posted structure"
    stage.stacks.filter(place__gt=place).exclude(entry__code=code).update(place=F("place") - 1)
    before = _groups(stage)
    found = sudden_death_without(before, code, place, payouts.prizes_cents)
    tie_decide(cmd, stage, found.decided)
    stage.stakes = {**stage.stakes, LOOKED: _looked_again(stage, before, found.groups)}
    tie_stage_set(cmd, stage, seats=0, groups=found.groups, over=found.over)


def _looked_again(stage: Round, before: Iterable[TieGroup], after: Iterable[TieGroup]) -> dict[str, object]:
    """The hands at the last look at each tie, under the place that it is about now."""
    kept = stage.stakes.get(LOOKED, {})
    old = {entry: tie_key(group) for group in before for entry in group.entries}
    found = {tie_key(group): kept.get(old[group.entries[0]]) for group in after}
    return {key: looked for key, looked in found.items() if looked is not None}


def _groups(stage: Round) -> list[TieGroup]:
    return [group_from_dict(data) for data in stage.stakes.get("groups", [])]
