"""The next possible steps of an event. Pages show them with words and links, a simulated night performs them.

| rule                                                        | clause   | where           |
|-------------------------------------------------------------|----------|-----------------|
| before the first draw: sell, then draw the seats of round 1 | T4, T6   | ``next_steps``  |
| the payout structure is posted once round 1 is closed       | T31      | ``_structure``  |
| a tie at the cut is played off, or ruled on                 | T23      | ``_counted``    |
| a counted stage is closed                                   | T19      | ``_counted``    |
| a closed round is followed by the next one                  | T20, T21 | ``_between``    |
| once play is over ties for money are played                 | T33, T34 | ``_between``    |
| an unclaimed prize that goes to nobody: another structure   | T26      | ``_prizes``     |
| prizes are paid; buy-ins of a called-off event are refunded | T8, T35  | ``_not_played`` |

An open hand, tables to count, a draw with a locked roster, waiting requests, staff and clocks are not part
of the state: the pages read them. The service of each step checks whether it is refused now (too
few entrants, a ruling that waits).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from tournament.engine.facts import PLAY_OFF, ROUND, SUDDEN_DEATH, StageKey
from tournament.engine.prizes import Goes
from tournament.engine.settings import PLAY_OFF as PLAYED_OFF
from tournament.engine.stages import CALLED_OFF, CLOSED, COUNTED, DRAFT, FINISHED, LIVE, OPEN, RUNNING
from tournament.engine.state import Stage, State, seats_of
from tournament.engine.steps.cut import cut_of, tie_method
from tournament.engine.steps.places import money_ties_open, play_is_over, qualified, rounds_of
from tournament.engine.steps.prizes import prizes_now
from tournament.engine.ties import TieGroup


class Do(StrEnum):
    """The action of a step."""

    POST_RULES = "post_rules"
    SELL = "sell"
    SEAT = "seat"
    PLAY = "play"
    RULE = "rule"
    CLOSE = "close"
    POST_PAYOUTS = "post_payouts"
    SUPERSEDE = "supersede"
    PAY = "pay"
    REFUND = "refund"


@dataclass(frozen=True, slots=True)
class NextStep:
    """A step, and the ``stage`` that it is about; for a stage to be seated, the key that it will have.

    ``entries``: the players who are seated, who still play for a tie, or who are tied if the tie is ruled on.
    ``seats``: the seats they contest, 0 unless a tie at a cut; ``groups``: the ties for money (T33).
    """

    do: Do
    stage: StageKey = (0, "", 0)
    entries: tuple[str, ...] = ()
    seats: int = 0
    groups: tuple[TieGroup, ...] = ()

    @property
    def late_seated(self) -> bool:
        """Whether a player who buys in after the lock can be seated in this stage: only in round 1 (T6)."""
        return self.stage[:2] == (1, ROUND)


def next_steps(state: State, boxes: int | None = None) -> tuple[NextStep, ...]:
    """Return the possible next steps, in order; empty once nothing is left to do.

    ``boxes``: how many the next round has, if all tied players advance only if there is a box for each (T23).
    """
    if state.status == OPEN:
        in_it = tuple(code for code, status in state.entries.items() if status == LIVE)
        return _seat(state, 1, ROUND, in_it), NextStep(Do.SELL)
    if state.status != RUNNING:
        return tuple(map(NextStep, _not_played(state)))
    stage = current_stage(state)
    if stage is None:
        return *_structure(state), *_between(state)
    if stage.status == COUNTED:
        return (_counted(state, stage, boxes),)
    structure = _structure(state) if stage.frame.key[0] > 1 else ()
    return *structure, _play(stage)


def _not_played(state: State) -> tuple[Do, ...]:
    if state.status == DRAFT:
        return (Do.POST_RULES,)
    if state.status == FINISHED:
        return (_prizes(state),)
    return (Do.REFUND,) if state.status == CALLED_OFF and state.money.spent else ()


def _prizes(state: State) -> Do:
    unclaimed = prizes_now(state).unclaimed
    return Do.SUPERSEDE if unclaimed and unclaimed.goes is Goes.TO_NOBODY else Do.PAY


def current_stage(state: State) -> Stage | None:
    """Return the stage that is being played: a play-off before its round; None between two rounds."""
    unclosed = {stage.frame.key: stage for stage in state.stages if stage.status != CLOSED}
    return unclosed[key_played(unclosed)] if unclosed else None


def key_played(unclosed: Iterable[StageKey]) -> StageKey:
    """Return the unclosed stage that is being played: a play-off before its round."""
    return min(unclosed, key=lambda key: (key[1] != PLAY_OFF, key))


def _play(stage: Stage) -> NextStep:
    if stage.tie is None:
        return NextStep(Do.PLAY, stage.frame.key)
    playing = tuple(code for code in seats_of(stage) if code not in stage.results)
    return NextStep(Do.PLAY, stage.frame.key, playing, stage.tie.seats, stage.tie.groups)


def _structure(state: State) -> tuple[NextStep, ...]:
    return () if state.prizes_cents is not None else (NextStep(Do.POST_PAYOUTS),)


def _between(state: State) -> tuple[NextStep, ...]:
    last = rounds_of(state)[-1]
    if not play_is_over(state):
        return (_seat(state, last.frame.key[0] + 1, ROUND, tuple(qualified(state, last))),)
    groups = tuple(money_ties_open(state))
    entries = tuple(code for group in groups for code in group.entries)
    after_last = state.posted.format.after_last
    return (_seat(state, after_last, SUDDEN_DEATH, entries, groups=groups),) if groups else ()


def _counted(state: State, stage: Stage, boxes: int | None) -> NextStep:
    number, kind, _sequence = key = stage.frame.key
    found = cut_of(state, stage, boxes=boxes) if kind == ROUND else None
    if not found or not found.ties:
        return NextStep(Do.CLOSE, key)
    if tie_method(state, stage, found, boxes) == PLAYED_OFF:
        return _seat(state, number, PLAY_OFF, found.level, found.seats)
    return NextStep(Do.RULE, key, found.level, found.seats)


def _seat(
    state: State,
    number: int,
    kind: str,
    entries: tuple[str, ...],
    seats: int = 0,
    groups: tuple[TieGroup, ...] = (),
) -> NextStep:
    before = sum(stage.frame.key[:2] == (number, kind) for stage in state.stages)
    return NextStep(Do.SEAT, (number, kind, before + 1), entries, seats, groups)
