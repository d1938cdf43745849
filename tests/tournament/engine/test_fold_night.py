"""Whole nights by the engine alone, from the sale to the last prize, without a database (T1–T35)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.seed import run_seed
from tournament.engine.facts import (
    PLAY_OFF,
    ROUND,
    SUDDEN_DEATH,
    Absent,
    Closed,
    Counted,
    Fact,
    Hand,
    Looked,
    Opened,
    Paid,
    Posted,
    Seated,
    ShoeEnded,
    Sold,
    StageKey,
    boxes,
)
from tournament.engine.fold import fold, states
from tournament.engine.plan import plan_of
from tournament.engine.seats import open_seats, tables_needed
from tournament.engine.stages import CLOSED, COUNTED
from tournament.engine.state import Stage, State, stacks_of, stage_of
from tournament.engine.steps.cut import cut_of
from tournament.engine.steps.places import money_ties_open, play_is_over, qualified
from tournament.engine.ties import prizes_by_entry

PRIZES = (200_000, 100_000, 60_000, 30_000, 20_000, 10_000)


def night(entrants: int, chance: Random, **settings: Any) -> Iterator[Fact]:
    """The facts of a night, each thought of once those before it are known; sent the state after each."""
    codes = [f"E{number:03}" for number in range(1, entrants + 1)]
    state = yield Opened(plan_of(settings))
    for code in codes:
        state = yield Sold(code, 10_000, waits=False)
    state = yield Posted(PRIZES)
    while not state.places:
        stage = next((each for each in reversed(state.stages) if each.status != CLOSED), None)
        if stage is None:
            state = yield next_stage(state, codes, chance)
        elif stage.status == COUNTED:
            state = yield from close(state, stage, chance)
        elif stage.frame.key[1] == ROUND:
            state = yield from round_of_hands(state, stage.frame.key, chance)
        else:
            state = yield from tie_hand(state, stage.frame.key, chance)
    for code, cents in prizes_by_entry(state.places, PRIZES).items():
        if cents:
            state = yield Paid(code, cents)


def next_stage(state: State, codes: list[str], chance: Random) -> Fact:
    if not state.stages:
        return seat((1, ROUND, 1), codes, chance)
    if play_is_over(state):
        tied = [code for group in money_ties_open(state) for code in group.entries]
        nth = sum(stage.frame.key[1] == SUDDEN_DEATH for stage in state.stages) + 1
        return seat((state.posted.format.after_last, SUDDEN_DEATH, nth), tied, chance)
    last = [stage for stage in state.stages if stage.frame.key[1] == ROUND][-1]
    return seat((last.frame.key[0] + 1, ROUND, 1), qualified(state, last), chance)


def seat(key: StageKey, codes: list[str], chance: Random) -> Fact:
    tables = tables_needed(len(codes), [(table, range(1, 8)) for table in range(1, 9)])
    shuffled = chance.sample(sorted(codes), len(codes))
    seats = [(code, *at) for code, at in zip(shuffled, open_seats(tables, len(codes)), strict=True)]
    used = sorted({table for _code, table, _box in seats})
    return Seated(key, tuple(seats), tuple((table, 1) for table in used))


def close(state: State, stage: Stage, chance: Random) -> Iterator[Any]:
    number, kind, _nth = stage.frame.key
    if kind != ROUND:
        won = [entry for entry, each in stage.results.items() if each.outcome == "advanced"]
        return (yield Closed(stage.frame.key, tuple(won)))
    found = cut_of(state, stage)
    if not found.ties:
        return (yield Closed(stage.frame.key, tuple(each.entry for each in found.through)))
    nth = sum(each.frame.key[:2] == (number, PLAY_OFF) for each in state.stages) + 1
    return (yield seat((number, PLAY_OFF, nth), list(found.ties[0].entries), chance))


def deal(state: State, key: StageKey, table: int, chance: Random) -> Iterator[Any]:
    """One hand of everybody at a table who covers the smallest bet; nobody bets where nobody can."""
    stage = stage_of(state, key)
    at = stage.tables[stage.frame.at[table]]
    able = [
        box
        for box, (entry, chips) in enumerate(zip(at.entries, at.chips, strict=True), start=1)
        if entry and chips >= 200 and entry not in stage.away and entry not in (stage.results or ())
    ]
    if able:
        nets = boxes({box: chance.choice((-200, 0, 200, 400)) for box in able})
        bets = boxes(dict.fromkeys(able, 200))
        state = yield Hand(key, table, at.shoe, at.number + 1, bets, nets, bets, boxes({}), (), at.button)
    return state


def round_of_hands(state: State, key: StageKey, chance: Random) -> Iterator[Any]:
    for table in list(stage_of(state, key).frame.at):
        for _hand in range(8):
            state = yield from deal(state, key, table, chance)
        chips = stage_of(state, key).tables[stage_of(state, key).frame.at[table]].chips
        state = yield ShoeEnded(key, table)
        for _person in range(2):
            state = yield Counted(key, table, chips)
    return state


def tie_hand(state: State, key: StageKey, chance: Random) -> Iterator[Any]:
    for table in list(stage_of(state, key).frame.at):
        if stage_of(state, key).status != COUNTED:
            state = yield from deal(state, key, table, chance)
    return state


def played(entrants: int, seed: int, **settings: Any) -> tuple[State, list[Fact], list[State]]:
    """A night: its last state, its facts, and the state after each of them."""
    dealing = night(entrants, Random(f"{seed} {run_seed()}"), **settings)
    facts, after = [next(dealing)], [fold([])]
    while True:
        after.append(fold(facts[-1:], after[-1]))
        try:
            facts.append(dealing.send(after[-1]))  # type: ignore[attr-defined]  # it is a generator
        except StopIteration:
            return after[-1], facts, after


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("stacks", ["carried", "reset"])
def test_T20_T35_the_engine_alone_plays_a_night_from_the_sale_to_the_prizes(seed: int, stacks: str):
    state, facts, after = played(42, seed, stacks=stacks)
    assert state.status == "paid"
    assert [each.differs for each in after if each.differs] == []
    assert sum(map(state.money.paid_cents, state.money.paid)) == sum(PRIZES)
    places = Counter(each.place for each in state.places)
    assert sum(places.values()) == 42
    assert all(place + shared in places or place + shared == 43 for place, shared in places.items())
    main = [stage for stage in state.stages if stage.frame.key[1] == ROUND]
    assert [len(stage.results) for stage in main] == [42, 12, 6]
    assert not any(stack.chips for stack in stacks_of(state).values())
    legs = [leg for each in after for move in each.moves for leg in move.legs]
    assert all(sum(leg[3] for leg in move.legs) == 0 for each in after for move in each.moves)
    assert sum(leg[3] for leg in legs) == 0
    # The fold of all facts at once is the state that was stepped.
    assert fold(facts) == state


def test_T23_T33_ties_at_the_cut_and_for_money_are_among_those_nights():
    kinds = Counter(
        stage.frame.key[1] for seed in range(6) for stage in played(42, seed)[0].stages if stage.tie
    )
    assert kinds[PLAY_OFF] and kinds[SUDDEN_DEATH]


# Ties, one by one -----------------------------------------------------------------------------------

ONE, OFF = (1, ROUND, 1), (1, PLAY_OFF, 1)
CUTS = {"cut_after_round_1": 2, "cut_after_round_2": 2, "no_hand": "ranked"}


def level(entrants: int = 3, **settings: Any) -> State:
    """Everybody is level at the cut for two seats, and the play-off is seated at one table."""
    codes = [f"E{number:03}" for number in range(1, entrants + 1)]
    seats = tuple((code, 1, box) for box, code in enumerate(codes, start=1))
    chips = boxes(dict.fromkeys(range(1, entrants + 1), 5_000))
    counted = [ShoeEnded(ONE, 1), Counted(ONE, 1, chips), Counted(ONE, 1, chips)]
    sold = [Sold(code, 10_000, waits=False) for code in codes]
    opened = Opened(plan_of({**CUTS, **settings}))
    return fold([opened, *sold, Seated(ONE, seats, ((1, 1),)), *counted, Seated(OFF, seats, ((1, 1),))])


def tie(state: State) -> Stage:
    return stage_of(state, OFF)


def off(nets: dict[int, int], number: int = 1, button: int = 1) -> Hand:
    bets = boxes(dict.fromkeys(nets, 200))
    return Hand(OFF, 1, 1, number, bets, boxes(nets), bets, boxes({}), (), button)


def test_T23_a_play_off_is_for_the_contested_seats_on_equal_stacks():
    state = level(play_off_chips=3_000)
    assert tie(state).tie is not None and tie(state).tie.seats == 2
    assert stage_of(state, ONE).status == "playing_off"
    assert {stack.chips for (key, _), stack in stacks_of(state).items() if key == OFF} == {3_000}


def test_T23_after_each_hand_those_clearly_in_or_out_are_fixed():
    state = fold([off({1: 400, 2: 200, 3: 200})], level())
    assert {code: each.outcome for code, each in tie(state).results.items()} == {"E001": "advanced"}
    assert tie(state).tie is not None and tie(state).tie.seats == 1
    state = fold([off({2: -200, 3: 200}, 2, button=2)], state)
    assert {code: each.outcome for code, each in tie(state).results.items()} == {
        "E001": "advanced",
        "E002": "cut",
        "E003": "advanced",
    }
    assert (tie(state).status, tie(state).tables[0].status) == ("counted", "over")
    done = fold([Closed(OFF, ("E001", "E003")), Closed(ONE, ("E001", "E003"))], state)
    assert done.differs == ()
    # T23: who loses keeps the tied place, and the stack from before is what is reported.
    assert {stack.place for (key, _), stack in stacks_of(done).items() if key == ONE} == {1}
    assert stacks_of(done)[ONE, "E002"].closed_chips == 5_000


def test_T23_T33_those_who_are_absent_lose_the_tie():
    state = fold([Absent(OFF, "E002", on=True), Looked(OFF)], level())
    assert {code: each.outcome for code, each in tie(state).results.items()} == {
        "E001": "advanced",
        "E002": "cut",
        "E003": "advanced",
    }


def test_T23_all_who_are_level_advance_where_the_rules_say_so():
    chips = boxes({1: 5_000, 2: 5_000, 3: 5_000})
    opened = Opened(plan_of({**CUTS, "tie_at_cut": "all_advance"}))
    seats = tuple((f"E00{box}", 1, box) for box in (1, 2, 3))
    counted = [ShoeEnded(ONE, 1), Counted(ONE, 1, chips), Counted(ONE, 1, chips)]
    sold = [Sold(code, 10_000, waits=False) for code, _table, _box in seats]
    facts = [opened, *sold, Seated(ONE, seats, ((1, 1),)), *counted, Closed(ONE, ("E001", "E002", "E003"))]
    assert [after.differs for _fact, _before, after in states(facts)][-1] == ()
