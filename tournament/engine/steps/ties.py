"""Play-offs and sudden deaths: opened for the ties of the moment, evaluated after every hand, closed.

| rule                                                    | clause   | where           |
|---------------------------------------------------------|----------|-----------------|
| only the tied players, only for the contested seats     | T23      | ``opened``      |
| the groups that are tied for money                      | T33, T34 | ``opened``      |
| nobody else plays it                                    | T23, T33 | ``seated_for``  |
| evaluated once no table of the tie is a hand ahead      | T19      | ``_due``        |
| a table that is a hand ahead waits                      | T19      | ``waits``       |
| players clearly in or out are fixed, the others play on | T23      | ``_evaluate``   |
| the chips of the tie are handed in, or issued anew      | T23, T33 | ``_fixed``      |
| a decided tie waits for the close; its shoes are over   | T19, T33 | ``_taken``      |
| after a closed play-off its round can be closed         | T19      | ``closed``      |
| a further shoe if one runs out                          | T23, T33 | ``shoe_opened`` |
| a tie goes on without a disqualified player             | T26      | ``without``     |
| another structure is in force                           | T31, T33 | ``priced``      |
| a ruling ends a play-off                                | T23      | ``abandoned``   |
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from tournament.engine.facts import PLAY_OFF, ROUND, Closed, Looked, Seated, ShoeOpened, StageKey
from tournament.engine.stages import ADVANCED, CLOSED, COUNTED, CUT, DEALING, IN_PLAY, OVER
from tournament.engine.state import (
    Differs,
    Move,
    Result,
    Stage,
    State,
    Steps,
    TableState,
    Tie,
    put,
    seats_of,
    stage_of,
    table_of,
    with_more,
    with_stage,
    with_table,
)
from tournament.engine.ties import (
    PLAY_OFF_TIE,
    Decided,
    TieEvaluation,
    groups_without,
    is_level,
    play_off_evaluate,
    play_off_without,
    sudden_death_evaluate,
    sudden_death_priced,
    tie_key,
)

from .chips import handed_in, issued, of_stage, stage_chips
from .cut import cut_by_stacks, cut_of
from .places import money_ties_open, places_settled


def opened(state: State, fact: Seated) -> Tie:
    """Return the stakes of a tie that is seated now, or those for which it was seated."""
    seats, groups = fact.stakes or (0, ())
    if fact.stakes is None and fact.stage[1] == PLAY_OFF:
        seats = cut_of(state, stage_of(state, parent_of(fact.stage))).seats
    elif fact.stakes is None:
        groups = tuple(money_ties_open(state))
    return Tie(seats, groups, {}, frozenset(), groups)


def seated_for(state: State, key: StageKey) -> list[str]:
    """Return the players of a tie that is seated now: those tied at the cut, or for money (T23, T33)."""
    if key[1] == PLAY_OFF:
        return list(cut_of(state, stage_of(state, parent_of(key))).level)
    return [entry for group in money_ties_open(state) for entry in group.entries]


def parent_of(key: StageKey) -> StageKey:
    """Return the round whose tie a play-off decides."""
    return (key[0], ROUND, 1)


def after_hand(state: State, key: StageKey, *, forced: bool = False) -> State:
    """Evaluate each tie of the stage whose tables have all played the hand; ``forced``: even without a new
    hand."""
    stage = stage_of(state, key)
    tie = stage.tie
    if tie is None or stage.status not in IN_PLAY:
        return state
    due = _due(stage, tie, forced=forced)
    if not due:
        return state
    evaluated, moves = _taken(state, stage, tie, due, _evaluate(state, stage, tie, due))
    return with_more(state, evaluated, moves)


def looked(state: State, fact: Looked) -> State:
    """Rank absent players last in the tie, without a hand (T23, T33)."""
    return after_hand(with_stage(state, stage_of(state, fact.stage)), fact.stage, forced=True)


# -- Evaluation ------------------------------------------------------------------------------------------


def _held(stage: Stage) -> dict[str, tuple[TableState, int]]:
    """Return the undecided players: entry → table and chips."""
    return {
        entry: (table, table.chips[index])
        for entry, (table, index) in seats_of(stage).items()
        if entry not in stage.results
    }


def _ties(stage: Stage, tie: Tie) -> dict[str, tuple[str, ...]]:
    if stage.frame.key[1] == PLAY_OFF:
        return {PLAY_OFF_TIE: tuple(_held(stage))}
    return {tie_key(group): group.entries for group in tie.groups}


def _due(stage: Stage, tie: Tie, *, forced: bool) -> list[str]:
    """Return the keys of the ties to evaluate: none of their tables is a hand ahead (T19)."""
    return [
        key
        for key, since, able in _played(stage, tie)
        if (forced or max(since.values(), default=0) > 0) and is_level(since, able)
    ]


def waits(stage: Stage, table: int) -> bool:
    """Whether a table is a hand ahead of another table of the same tie (T19, T23, T33)."""
    played = _played(stage, stage.tie) if stage.tie else ()
    return any(
        table in since and min((since[each] for each in able), default=since[table]) < since[table]
        for _key, since, able in played
    )


def _played(stage: Stage, tie: Tie) -> Iterator[tuple[str, dict[int, int], set[int]]]:
    """Yield the key of each tie, its tables → hands since the last evaluation, and the tables that can still
    bet."""
    held, hands = _held(stage), _hands(stage)
    for key, entries in _ties(stage, tie).items():
        there, before = [entry for entry in entries if entry in held], tie.evaluated.get(key, {})
        tables = {held[entry][0].table for entry in there}
        able = {
            held[entry][0].table
            for entry in there
            if entry not in stage.away and held[entry][1] >= stage.frame.min_chips
        }
        yield key, {table: hands[table] - before.get(table, 0) for table in tables}, able


def _hands(stage: Stage) -> dict[int, int]:
    return {table.table: table.hands for table in stage.tables}


def _evaluate(
    state: State, stage: Stage, tie: Tie, due: Collection[str], absent: Collection[str] | None = None
) -> TieEvaluation:
    """Evaluate the ties ``due``. ``absent``: the players who rank last; None for those ruled absent."""
    chips = {entry: stack for entry, (_table, stack) in _held(stage).items()}
    away = stage.away if absent is None else absent
    least = stage.frame.min_chips
    if stage.frame.key[1] == PLAY_OFF:
        return play_off_evaluate(chips, away, tie.seats, least)
    groups = [group for group in tie.groups if tie_key(group) in due]
    found = sudden_death_evaluate(groups, chips, away, least, state.posted.settings.sudden_death_until)
    rest = [group for group in tie.groups if tie_key(group) not in due]
    left = tuple(sorted([*rest, *found.groups], key=lambda group: group.places))
    return replace(found, groups=left, over=not left)


def _taken(
    state: State, stage: Stage, tie: Tie, due: Collection[str], found: TieEvaluation
) -> tuple[Stage, tuple[Move, ...]]:
    """Return the stage after an evaluation, and the chips that it moves."""
    absent = tie.absent | (stage.away & _held(stage).keys())
    after, moves = _fixed(state, stage, found)
    played_for = Tie(found.seats, found.groups, {}, absent, tie.opened)
    now = _hands(stage)
    kept = {key: tie.evaluated.get(key, {}) for key in _ties(stage, tie) if key not in due}
    seen = {key: kept.get(key, now) for key in _ties(after, played_for)}
    after = replace(after, tie=replace(played_for, evaluated=seen))
    return (_over(after) if found.over else after), moves


def _fixed(state: State, stage: Stage, found: TieEvaluation) -> tuple[Stage, tuple[Move, ...]]:
    """Return the stage with the decided entries fixed: they hand in their chips; others get fresh chips."""
    key, held = stage.frame.key, _held(stage)
    fixed = {
        each.entry: Result(each.outcome, each.place, False, held[each.entry][1]) for each in found.decided
    }
    after = replace(stage, results={**stage.results, **fixed})
    after, moves = handed_in(after, {*fixed, *found.fresh}, of_stage(key))
    chips = stage_chips(state.posted, key)
    for entry in found.fresh:
        table, index = seats_of(after)[entry]
        after = with_table(after, replace(table, chips=put(table.chips, index, chips)))
    return after, (*moves, *issued(key, found.fresh, chips))


def _over(stage: Stage) -> Stage:
    """Return the stage with every tie decided: it waits for its close, and its shoes are over (T33)."""
    tables = tuple(
        replace(table, status=OVER) if table.status == DEALING else table for table in stage.tables
    )
    return replace(stage, status=COUNTED, tables=tables)


# -- Shoes, and the close --------------------------------------------------------------------------------


def shoe_opened(state: State, fact: ShoeOpened) -> State:
    """Open a further shoe at a table of the tie; its hands are numbered from 1 (T14)."""
    stage = stage_of(state, fact.stage)
    table = table_of(stage, fact.table)
    fresh = replace(table, shoe=fact.number, status=DEALING, number=0, button=fact.button)
    return with_stage(state, with_table(stage, fresh))


def closed(state: State, fact: Closed) -> State:
    """Close a tie; the round of a play-off can be closed next (T19).

    A tie that turns out to be undecided stays open until it is closed again (T17).
    """
    stage, moves = stage_of(state, fact.stage), tuple[Move, ...]()
    if stage.status != COUNTED and not fact.pinned:
        return with_stage(state, stage)
    if fact.pinned:
        stage, moves = _pinned(stage, fact.through)
    won = sorted(entry for entry, each in stage.results.items() if each.outcome == ADVANCED)
    differs = () if sorted(fact.through) == won else (Differs("through", sorted(fact.through), won),)
    return places_settled(_shut(with_stage(state, stage, moves, differs), fact.stage))


def _shut(state: State, key: StageKey) -> State:
    """Return the state with a tie closed; the round of a play-off waits for its own close (T19)."""
    after = with_more(state, replace(stage_of(state, key), status=CLOSED), ())
    if key[1] != PLAY_OFF:
        return after
    return with_more(after, replace(stage_of(after, parent_of(key)), status=COUNTED), ())


def tie_open(state: State) -> Stage | None:
    """Return the play-off or sudden death that is not closed, if there is one."""
    found = (each for each in state.stages if each.tie is not None and each.status != CLOSED)
    return next(found, None)


def without(state: State, code: str, place: int) -> State:
    """Return the state with an open tie going on without ``code``, who held ``place`` until now (T26)."""
    stage = tie_open(state)
    if stage is None or stage.tie is None:
        return state
    key, tie = stage.frame.key, stage.tie
    if key[1] == PLAY_OFF:
        if stage.status == COUNTED:
            return state
        cut = cut_by_stacks(state, stage_of(state, parent_of(key)))
        won = [entry for entry, each in stage.results.items() if each.outcome == ADVANCED]
        found = play_off_without(list(_held(stage)), won, cut.level, cut.seats)
        played_for = replace(tie, seats=found.seats)
    else:
        results = {
            entry: replace(each, place=each.place - 1)
            if entry != code and each.place is not None and each.place > place
            else each
            for entry, each in stage.results.items()
        }
        stage = replace(stage, results=results)
        prizes = state.prizes_cents or ()
        found = sudden_death_priced(groups_without(tie.groups, code, place), prizes)
        old = {entry: tie_key(group) for group in tie.groups for entry in group.entries}
        now = {old[group.entries[0]]: tie_key(group) for group in found.groups}
        evaluated = {now[key]: hands for key, hands in tie.evaluated.items() if key in now}
        played_for = replace(tie, groups=found.groups, evaluated=evaluated)
    left, moves = _fixed(state, replace(stage, tie=played_for), found)
    ended = _over(left) if found.over and left.status in IN_PLAY else left
    return with_more(state, ended, moves)


def priced(state: State) -> State:
    """Return the state with an open sudden death played for the current prizes (T31, T33).

    Groups whose places pay the same now stop; the others are evaluated again by their stacks.
    """
    stage = tie_open(state)
    if stage is None or stage.tie is None or stage.frame.key[1] == PLAY_OFF or stage.status not in IN_PLAY:
        return state
    found = sudden_death_priced(stage.tie.groups, state.prizes_cents or ())
    left, moves = _taken(state, stage, stage.tie, (), found)
    played_for = left.tie
    if played_for is not None and left.status in IN_PLAY:
        hands, held, ties = _hands(left), _held(left), _ties(left, played_for)
        forced = _due(left, played_for, forced=True)
        due = [key for key in forced if any(hands[held[entry][0].table] for entry in ties[key])]
        if due:
            left, more = _taken(
                state, left, played_for, due, _evaluate(state, left, played_for, due, absent=())
            )
            moves += more
    return with_more(state, left, moves)


def abandoned(state: State, key: StageKey, winners: Collection[str]) -> State:
    """Decide and close a play-off by a ruling of the director (T23)."""
    stage = stage_of(state, key)
    decided = tuple(Decided(entry, ADVANCED if entry in winners else CUT) for entry in _held(stage))
    ended, moves = _fixed(state, stage, TieEvaluation(decided))
    return _shut(with_stage(state, _over(ended), moves), key)


def _pinned(stage: Stage, through: Collection[str]) -> tuple[Stage, tuple[Move, ...]]:
    """Return a play-off whose winners sit in a later round, whatever its hands say now (T17)."""
    if stage.frame.key[1] != PLAY_OFF:
        return stage, ()
    won = frozenset(entry for entry, each in stage.results.items() if each.outcome == ADVANCED)
    held = {entry: chips for entry, (_table, chips) in _held(stage).items()}
    had = {**{entry: each.chips for entry, each in stage.results.items()}, **held}
    fixed = {
        entry: Result(ADVANCED if entry in through else CUT, None, False, chips)
        for entry, chips in had.items()
    }
    return handed_in(replace(stage, results=fixed, by_hands=won), held, of_stage(stage.frame.key))


STEPS: Steps = {ShoeOpened: shoe_opened, Looked: looked}
