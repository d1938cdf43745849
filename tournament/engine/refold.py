"""Facts about facts: the log as it stands once a hand was put right or taken back (T17).

| rule                                                             | where           |
|------------------------------------------------------------------|-----------------|
| the corrected hand is in the place of the first one              | ``_corrected``  |
| what falls with it is struck, and the number of a hand stays     | ``_corrected``  |
| a hand that was taken back was never there, nor the end of its shoe | ``_taken_back`` |
| the next stage is seated: who went on stays, the chips follow    | ``_closed``     |
| otherwise the round is closed with who goes on now, or is open   | ``_closed``     |
| a round that was closed is not counted again                     | ``_counted``    |
| a tie that is not decided any more is open                       | ``_tie_closed`` |

The state after a correction is the fold of that log; nothing is ever moved from one state to another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tournament.engine.facts import (
    PLAY_OFF,
    ROUND,
    SUDDEN_DEATH,
    Closed,
    Corrected,
    Counted,
    CountReopened,
    CountRuled,
    Disqualified,
    Fact,
    Hand,
    HandVoid,
    Penalty,
    PenaltyCancelled,
    Seated,
    ShoeEnded,
    StageKey,
    TakenBack,
    Written,
)
from tournament.engine.fold import fold
from tournament.engine.stages import CLOSED, COUNTED
from tournament.engine.state import START, State, stage_of, table_of


def standing(facts: Iterable[Written]) -> list[Fact]:
    """Return the facts that stand, in their order; whatever was struck never stands again."""
    log: list[Fact] = []
    for fact in facts:
        if isinstance(fact, Corrected | TakenBack):
            log = amended(log, fact)
        else:
            log.append(fact)
    return log


def refold(facts: Iterable[Written], state: State = START) -> State:
    """Return the event after these facts, corrections among them."""
    return fold(standing(facts), state)


def amended(log: Sequence[Fact], fact: Corrected | TakenBack) -> list[Fact]:
    """Return the log once this is taken into it. Raises KeyError where there is no such hand."""
    if isinstance(fact, TakenBack):
        return _taken_back(log, fact)
    return _corrected(log, fact)


def _place(log: Sequence[Fact], fact: Corrected | TakenBack) -> int:
    """Return where the hand is in the log: the latest of that name."""
    for at in range(len(log) - 1, -1, -1):
        each = log[at]
        if isinstance(each, Hand | HandVoid) and each.key == fact.at:
            return at
    raise KeyError(f"hand {fact.at}")


def _taken_back(log: Sequence[Fact], fact: TakenBack) -> list[Fact]:
    at, (stage, table, _shoe, _number) = _place(log, fact), fact.at
    return [
        *log[:at],
        *(
            each
            for each in log[at + 1 :]
            if not (isinstance(each, ShoeEnded) and (each.stage, each.table) == (stage, table))
        ),
    ]


def _corrected(log: Sequence[Fact], fact: Corrected) -> list[Fact]:
    at = _place(log, fact)
    found: list[Fact] = [*log[:at], fact.by or _void(log[at])]
    for each in log[at + 1 :]:
        if isinstance(each, Hand) and each.key in fact.fallen:
            found.append(_void(each))
        elif not (isinstance(each, Penalty | PenaltyCancelled) and _penalty_of(each) in fact.fallen):
            found.append(each)
    stage = fact.at[0]
    if stage[1] == SUDDEN_DEATH:
        return _tie_closed(found, stage)
    main: StageKey = (stage[0], ROUND, 1)
    closed = any(isinstance(each, Closed) and each.stage == main for each in found)
    if not closed:
        return found if stage[1] == ROUND else _tie_closed(found, stage)
    found = _closed(_counts_stand(log, found, main), main, fact)
    return found if stage[1] == ROUND else _tie_closed(found, stage)


def _penalty_of(fact: Penalty | PenaltyCancelled) -> tuple[StageKey, str, int]:
    return (fact.stage, fact.entry, fact.nth)


def _void(fact: Fact) -> HandVoid:
    assert isinstance(fact, Hand | HandVoid), "only hands are put right"
    return HandVoid(fact.stage, fact.table, fact.shoe, fact.number, fact.bets, fact.button)


def _counts_stand(before: Sequence[Fact], log: Sequence[Fact], main: StageKey) -> list[Fact]:
    """Let the counts of closed rounds stand, with what they moved; a ruling says that itself (T18)."""
    state, found = fold(before), list(log)
    seen, ruled = set[tuple[StageKey, int]](), set[tuple[StageKey, int]]()
    for at in range(len(found) - 1, -1, -1):
        each = found[at]
        if not isinstance(each, Counted | CountRuled | CountReopened) or (each.stage, each.table) in seen:
            continue
        if isinstance(each, CountRuled):
            ruled.add((each.stage, each.table))
            continue
        seen.add((each.stage, each.table))
        stage = stage_of(state, each.stage)
        if isinstance(each, Counted) and stage.status == CLOSED and each.stage[0] >= main[0]:
            table = table_of(stage, each.table)
            # Two counts that were ruled on moved nothing, also where no hand of the table is left.
            moved = {} if (each.stage, each.table) in ruled else dict(table.counts.moved)
            by_box = tuple(moved.get(entry, 0) for entry in table.entries)
            found[at] = replace(each, moved=by_box)
    return found


def _closed(log: Sequence[Fact], main: StageKey, fact: Corrected) -> list[Fact]:
    """Close the round of a corrected hand again, with those who stay or who go on now."""
    seated = [each.stage for each in log if isinstance(each, Seated) and each.stage[1] != PLAY_OFF]
    later = main in seated and any(stage != main for stage in seated[seated.index(main) :])
    if later:
        return [
            replace(each, pinned=True) if isinstance(each, Closed) and _is_from(each.stage, main) else each
            for each in log
        ]
    through = dict(fact.through)
    at = next(at for at, each in enumerate(log) if isinstance(each, Closed) and each.stage == main)
    if main not in through:
        return [*log[:at], *log[at + 1 :]]
    out = tuple(each.entry for each in log[at + 1 :] if isinstance(each, Disqualified))
    return [*log[:at], Closed(main, through[main], out=out), *log[at + 1 :]]


def _is_from(stage: StageKey, main: StageKey) -> bool:
    """Whether a stage is the round, its play-off or a later one."""
    return stage[0] >= main[0]


def _tie_closed(log: Sequence[Fact], stage: StageKey) -> list[Fact]:
    """Leave the close of a tie out that is not decided any more; one that is pinned stays.

    What has happened since may decide it: then it stays closed from there on.
    """
    for at, each in enumerate(log):
        if isinstance(each, Closed) and each.stage == stage and not each.pinned:
            if stage_of(fold(log[:at]), stage).status == COUNTED:
                return list(log)
            left = [*log[:at], *log[at + 1 :]]
            return [*left, each] if stage_of(fold(left), stage).status == COUNTED else left
    return list(log)
