"""The ranking of a stage for every page: the standing of the engine, with the stacks of the database."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import Q, Sum

from tournament.engine import standing
from tournament.engine.facts import key_of
from tournament.engine.ranking import Ranked
from tournament.engine.standing import Side
from tournament.engine.state import State, stage_of
from tournament.engine.steps.places import places_so_far, rounds_of
from tournament.models import Entry, Event, Round, Stack
from tournament.selectors.facts_standing import course_standing
from tournament.selectors.stages import IN_PLAY, boxes_for_all, state_of

Kind, Status = Round.Kind, Round.Status


@dataclass(frozen=True)
class Row(standing.Row):
    """One player in a stage, with the stack of the database."""

    stack: Stack = field(kw_only=True)

    @property
    def entry(self) -> Entry:
        """The entry, with its player."""
        return self.stack.entry


@dataclass(frozen=True)
class Ranking(standing.Ranking[Row]):
    """The standing of a stage, with the row of the stage."""

    round: Round = field(kw_only=True)


def place_shown(event: Event, entry: Entry, state: State) -> Ranked | None:
    """Return the place of an entry in the event: decided, or of an entry that is out its present one (T20).

    An entry that left after a closed round had ranked it is out as well; a disqualified one is last of the
    current round at once (T26). None while the entry is in, and once the event is called off (T8). ``state``:
    that of the event.
    """
    if entry.place is not None:
        return Ranked(entry.code, entry.final_chips or 0, entry.place, entry.place_tied)
    if event.status != Event.Status.RUNNING:
        return None
    code = entry.code
    out = [each.results[code].outcome for each in rounds_of(state) if code in each.results]
    if entry.status in (Entry.Status.LIVE, Entry.Status.WAITING) and Stack.Outcome.CUT not in out:
        return None
    played = [each for each in rounds_of(state) if each.status != Status.CLOSED]
    for stage in played if entry.status == Entry.Status.DISQUALIFIED else ():
        for row in standing.standing(state, stage).rows:
            if row.code == code:
                return Ranked(code, row.chips, row.place or 0, row.tied)
    return next((each for each in places_so_far(state) if each.entry == code), None)


def stage_ranking(round_: Round, state: State | None = None) -> Ranking:
    """Return the ranking of a round, a play-off or sudden death in any status.

    ``state``: that of its event, if it is known.
    """
    found = _standing(round_, state)
    stacks = {stack.entry.code: stack for stack in round_.stacks.select_related("entry__player")}

    def made(rows: Iterable[standing.Row]) -> tuple[Row, ...]:
        # A redraw between the two reads may have removed a stack.
        return tuple(Row(**vars(row), stack=stacks[row.code]) for row in rows if row.code in stacks)

    return Ranking(
        found.cut_to,
        made(found.rows),
        found.seats,
        found.groups,
        made(found.not_ranked),
        found.empty,
        round=round_,
    )


def _standing(round_: Round, state: State | None) -> standing.Ranking[standing.Row]:
    if state is None or key_of(round_) not in state.at:
        # The stage may have been seated after the given state was read.
        state = state_of(round_.event)
    return standing.standing(state, stage_of(state, key_of(round_)), boxes_for_all(round_.event))


def entry_rows(entry: Entry, state: State | None) -> list[Row]:
    """Return the row of one entry in every stage that it played, in order; ``state``: of its event.

    Without a state, which a journal that is not whole does not give, they are its stacks without places, with
    the chips from before the event was called off.
    """
    if state is None:
        kept = Sum("chip_entries__amount_chips", filter=~Q(chip_entries__transaction__source="called_off"))
        stacks = entry.stacks.select_related("round__event").annotate(kept=kept).order_by("round_id")
        return [Row(entry.code, None, False, each.kept or 0, Side.RANKED, stack=each) for each in stacks]
    named = ("round__event", "round__parent__event", "entry__player")
    stacks = Stack.objects.filter(entry=entry).select_related(*named).order_by("round_id")
    stood = [(stack, _standing(stack.round, state)) for stack in stacks]
    return [
        Row(**vars(row), stack=stack)
        for stack, ranking in stood
        for row in (*ranking.rows, *ranking.not_ranked)
        if row.code == entry.code
    ]


def row_in_front(rows: Sequence[Row]) -> Row | None:
    """Return the row whose chips are in front of an entry: of the tie it plays, else of its last round
    (T23)."""
    playing = [row for row in rows if row.stack.round.status != Status.CLOSED and row.stack.state in IN_PLAY]
    rounds = [row for row in rows if row.stack.round.kind == Kind.ROUND]
    return (playing or rounds)[-1] if rows else None


def left_play(row: Row | None) -> Row | None:
    """Return the ``row_in_front`` if its stack has left play with its chips, so that none are in front; else
    None.

    For a player disqualified after the close the row has the chips of the close, which no ranking shows.
    """
    if row and row.state == Side.DISQUALIFIED and row.stack.state != Stack.State.DISQUALIFIED:
        course = course_standing(row.entry.event)
        row = replace(row, chips=course.had(key_of(row.stack.round))[row.code])
    return row if row and row.chips and not row.stack.chips else None
