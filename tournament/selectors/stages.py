"""The stages of an event, the state that its journal comes to, and the entries that advance."""

from __future__ import annotations

from dataclasses import dataclass

from tournament import sql
from tournament.engine import settings as event_settings
from tournament.engine.advance import Advanced, Decided
from tournament.engine.facts import StageKey, key_of
from tournament.engine.next_steps import key_played
from tournament.engine.state import State, stage_of
from tournament.engine.steps.cut import cut_of
from tournament.models import Event, JournalEntry, PayoutStructure, Round, Stack, TieRuling
from tournament.selectors.facts_standing import course_standing
from tournament.selectors.floor import floor

Kind = Round.Kind
# Stacks in these states were never played, or were given up, so they are not ranked (T6, T25).
NOT_RANKED = (Stack.State.NO_SHOW, Stack.State.WITHDRAWN)
IN_PLAY = (Stack.State.PLAYING, Stack.State.ABSENT)


def main_rounds(event: Event) -> list[Round]:
    """Return the seated rounds of the plan, in order (F1)."""
    return list(event.rounds.filter(kind=Kind.ROUND).order_by("number"))


# The page of a table runs this query with every tap.
_UNCLOSED = (
    f"SELECT {sql.columns(Round, 'r')} FROM tournament_round r WHERE r.event_id = %s AND r.status <> 'closed'"  # noqa: S608 - our own columns
)


def current_round(event: Event) -> Round | None:
    """Return the stage that is being played: the unclosed play-off if there is one, else the unclosed
    round."""
    made = (sql.made(Round, row) for row in sql.rows(_UNCLOSED, event.pk))
    unclosed = {key_of(each): each for each in made}
    if not unclosed:
        return None
    found = unclosed[key_played(unclosed)]
    found.event = event
    return found


# The state of an event ----------------------------------------------------------------------------------


def state_of(event: Event) -> State:
    """Return the state that the journal of an event comes to. Refused ``journal_not_whole`` (409)."""
    return course_standing(event).state


def replaced_in(event_id: int) -> dict[int, str]:
    """Return replaced entries with the code of their replacement; empty text if nobody took the seat
    (T25)."""
    made = JournalEntry.objects.filter(event=event_id, kind="entry.replace").order_by("seq")
    rows = made.values_list("body__asked__entry", "result")
    return {int(entry): result["in"] or "" for entry, result in rows}


def boxes_for_all(event: Event) -> int | None:
    """Return the number of boxes if all tied players advance only if there is a box for each (T23), else
    None."""
    return floor().capacity(event) if event.settings.tie_at_cut == event_settings.ALL_ADVANCE else None


def round_cut(round_: Round, state: State | None = None) -> Advanced:
    """Return the cut of a counted round (T20), its ties settled by the settings of the event (T23).

    The last round cuts nobody. ``state``: that of its event, if it is known.
    """
    state = state or state_of(round_.event)
    return cut_of(state, stage_of(state, key_of(round_)), boxes=boxes_for_all(round_.event))


def live_payouts(event: Event) -> PayoutStructure | None:
    """Return the payout structure in force (T31), if one is posted."""
    return PayoutStructure.objects.filter(event=event, status=PayoutStructure.Status.LIVE).first()


def stage_row(event: Event, key: StageKey) -> Round:
    """Return the database row of a stage."""
    return event.rounds.get(number=key[0], kind=key[1], sequence=key[2])


def has_chips_in_play(event: Event) -> bool:
    """Whether any player has chips in front; calling the event off hands them in (T8, T24)."""
    return Stack.objects.filter(entry__event=event, chips__gt=0).exists()


# Rulings on a tie at the cut ---------------------------------------------------------------------------


@dataclass(frozen=True)
class TieRuled:
    """One ruling (T23) with its journal entry, whose actor is None for the house itself.

    ``made`` is None if no journal entry was recorded with it. ``counts``: the cut is made with it.
    """

    ruling: TieRuling
    made: JournalEntry | None
    counts: bool


def tie_rulings(round_: Round, state: State | None = None) -> list[TieRuled]:
    """Return every ruling on the tie at the cut of a round, oldest first (T23).

    ``state``: that of its event, if it is known.
    """
    kept = list(round_.rulings.all())
    if not kept:
        return []
    entries = JournalEntry.objects.filter(event=round_.event_id, seq__in=[each.seq for each in kept])
    made = {entry.seq: entry for entry in entries.select_related("actor")}
    now = {each.seq for each in kept if each.used}
    if round_.status != Round.Status.CLOSED:
        there = frozenset(round_.stacks.filter(state__in=IN_PLAY).values_list("entry__code", flat=True))
        said = {
            Decided(there.intersection(each.tied), there.intersection(each.advance)): each.seq
            for each in kept
            if not each.lifted
        }
        now = {said[each] for each in round_cut(round_, state).settled if each in said}
    return [TieRuled(each, made.get(each.seq), each.seq in now) for each in kept]
