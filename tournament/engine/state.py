"""The state of an event after its facts: entries, stacks, results, places.

| what                                                     | clause   | where          |
|----------------------------------------------------------|----------|----------------|
| a table: its seats, stacks by box, shoe and counts       | T4, T11  | ``TableState`` |
| a stage with its tables and results                      | T19, T20 | ``Stage``      |
| chips and cents move in transactions that add up to zero | orders   | ``Move``       |
| evidence that differs from the fold                      |          | ``Differs``    |
| every stack as it stands                                 | T20, T22 | ``stacks_of``  |

Values never change (``value.py``); a step makes new values and leaves the old ones alone. The
dictionaries in a state are never changed either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias, TypeVar

from tournament.engine.advance import Decided
from tournament.engine.facts import BOXES, Boxes, CutDiffers, StageKey
from tournament.engine.plan import Plan
from tournament.engine.ranking import Ranked
from tournament.engine.ties import TieGroup
from tournament.engine.value import value

T = TypeVar("T")
EMPTY: Final = ""
NOBODY: Final = (EMPTY,) * BOXES
NOTHING: Final = (0,) * BOXES
NO_HAND: Final = (None,) * BOXES

# Accounts of chips, as in the ledger (Standing orders).
ISSUED, STACK, BANK, RETURNED = "issued", "stack", "bank", "returned"
# Kinds of chip transactions.
ISSUE, CARRY, DEAL, COUNT, RETURN = "issue", "carry", "deal", "count", "return"
PENALTY, REVERSAL = "penalty", "reversal"
# Accounts of money, and kinds of money transactions (T2, T35).
DESK, POOL, FEE, HOUSE = "desk", "pool", "fee", "house"
BUY_IN, REFUND, PRIZE, FURTHER, TAKEN = "buy_in", "refund", "prize", "further", "taken"
MONEY: Final = (BUY_IN, REFUND, PRIZE, FURTHER, TAKEN)

Leg = tuple[str, StageKey | None, str, int]
"""A leg of a transaction: account, the stage and entry of a stack, and the chips or cents into the
account."""


@value
class Move:
    """A transaction of chips or, if its kind is one of ``MONEY``, of cents; its legs add up to zero.

    ``source`` identifies its cause by names that never change.
    """

    kind: str
    source: tuple[object, ...]
    legs: tuple[Leg, ...]


@value
class Differs:
    """Evidence of a fact, ``recorded``, that differs from the result of the fold."""

    what: str
    recorded: object
    should: object


@value
class Counts:
    """The counts of a table that are in force, and its chips by the hands when both counts were in (T18).

    ``moved``: entry and chips that a count or a ruling has moved.
    """

    sheets: tuple[Boxes, ...]
    hands: Boxes
    moved: tuple[tuple[str, int], ...]


NO_COUNTS: Final = Counts((), NOTHING, ())


@value
class TableState:
    """A table in a stage. ``entries`` has an empty code for a free box; ``last`` is the result of the last
    hand of each box, None before its first.

    ``number`` is that of the last hand of the shoe, ``hands`` counts the settled hands of the stage.
    """

    table: int
    entries: tuple[str, ...]
    chips: Boxes
    start: Boxes
    last: tuple[int | None, ...]
    shoe: int
    status: str
    number: int
    hands: int
    button: int | None
    counts: Counts


@value
class Frame:
    """The part of a stage that stays once it is seated: its key, its smallest bet, table → its index, and how
    many advance by their chips (None: nobody is cut)."""

    key: StageKey
    min_chips: int
    at: Mapping[int, int]
    cut_to: int | None


@value
class Gone:
    """A stack whose player has left the stage (T6, T7, T26): its seat, and its status in the database."""

    entry: str
    table: int
    box: int
    start: int
    last: int | None
    state: str


@value
class Result:
    """The result of an entry in a stage: outcome, place in it, and the reported chips (T20).

    ``by``: the entry that was given its seat, one of those tied for it (``level``); empty if nobody could
    take it; None if the entry was not replaced (T25).
    """

    outcome: str
    place: int | None
    tied: bool
    chips: int
    by: str | None = None
    level: frozenset[str] = frozenset()


@value
class Tie:
    """The stakes of a play-off or a sudden death: a number of seats, or groups with their places (T23, T33).

    ``evaluated``: the key of each tie → table → hands at its last evaluation. ``absent``: the players who
    were absent at an evaluation. ``opened``: the groups for which it was seated.
    """

    seats: int
    groups: tuple[TieGroup, ...]
    evaluated: Mapping[str, Mapping[int, int]]
    absent: frozenset[str]
    opened: tuple[TieGroup, ...] = ()


@value
class Stage:
    """A round, play-off or sudden death; ``results`` by entry once they are fixed.

    ``rulings``: the director's rulings on ties at its cut, the latest first (T23). ``by_hands``: if the close
    is pinned, the entries that would advance by the hands. ``stands``: the latest ruling that the cut stands
    nevertheless (T17).
    """

    frame: Frame
    status: str
    tables: tuple[TableState, ...]
    away: frozenset[str]
    gone: tuple[Gone, ...]
    results: Mapping[str, Result]
    tie: Tie | None = None
    rulings: tuple[Decided, ...] = ()
    by_hands: frozenset[str] | None = None
    stands: CutDiffers | None = None


@value
class Money:
    """The money that the desk has taken and paid, in cents.

    ``spent``: the buy-in of each entry until it is refunded. ``pool_cents``: what the pool still owes (T32).
    ``paid``: the payments of each entry that are not reversed, each with the part from the pool; an entry
    whose payments were all reversed has an empty list (T35, T26).
    """

    spent: Mapping[str, int]
    paid: Mapping[str, tuple[tuple[int, int], ...]]
    pool_cents: int

    def paid_cents(self, entry: str) -> int:
        """Return the prize money paid to an entry and not reversed, in cents."""
        return sum(cents for cents, _from_pool in self.paid.get(entry, ()))


@value
class State:
    """An event after its facts so far. ``moves`` and ``differs`` are only those of the last step.

    ``entries``: code → status. ``places`` are empty until every place is decided (T33).
    """

    plan: Plan | None
    status: str
    entries: Mapping[str, str]
    stages: tuple[Stage, ...]
    at: Mapping[StageKey, int]
    prizes_cents: tuple[int, ...] | None
    places: tuple[Ranked, ...]
    money: Money
    moves: tuple[Move, ...]
    differs: tuple[Differs, ...]

    @property
    def posted(self) -> Plan:
        """The plan, which exists from the first fact on."""
        assert self.plan is not None, "the first fact of an event posts its plan"
        return self.plan


START: Final = State(None, "draft", {}, (), {}, None, (), Money({}, {}, 0), (), ())


@value
class StackNow:
    """A stack as it stands, with the column names of the database."""

    chips: int
    start_chips: int
    last_change_chips: int | None
    state: str
    outcome: str
    place: int | None
    place_tied: bool
    tied_from: int | None = None
    plays_from: int | None = None
    absent_at_look: bool = False


Steps: TypeAlias = Mapping[type, Callable[[State, Any], State]]
"""The step of each kind of fact."""


# -- New states from old ones ----------------------------------------------------------------------------


def with_stage(
    state: State, stage: Stage, moves: Iterable[Move] = (), differs: tuple[Differs, ...] = ()
) -> State:
    """Return the state with this stage in place of the one with the same key."""
    stages = list(state.stages)
    stages[state.at[stage.frame.key]] = stage
    return State(
        state.plan,
        state.status,
        state.entries,
        tuple(stages),
        state.at,
        state.prizes_cents,
        state.places,
        state.money,
        tuple(moves),
        differs,
    )


def with_more(state: State, stage: Stage, moves: tuple[Move, ...]) -> State:
    """Return ``with_stage`` with these moves after those that the step has made already."""
    return with_stage(state, stage, (*state.moves, *moves), state.differs)


def with_table(stage: Stage, table: TableState) -> Stage:
    """Return the stage with this table in place of the one with the same number."""
    tables = list(stage.tables)
    tables[stage.frame.at[table.table]] = table
    return Stage(
        stage.frame,
        stage.status,
        tuple(tables),
        stage.away,
        stage.gone,
        stage.results,
        stage.tie,
        stage.rulings,
        stage.by_hands,
        stage.stands,
    )


def put(figures: tuple[T, ...], index: int, figure: T) -> tuple[T, ...]:
    """Return the figures of a table by box, with one box changed."""
    return (*figures[:index], figure, *figures[index + 1 :])


def stage_of(state: State, key: StageKey) -> Stage:
    """Return the stage with this key."""
    return state.stages[state.at[key]]


def table_of(stage: Stage, number: int) -> TableState:
    """Return the table with this number."""
    return stage.tables[stage.frame.at[number]]


def seats_of(stage: Stage) -> dict[str, tuple[TableState, int]]:
    """Return entry → its table and the index of its box."""
    return {
        entry: (table, index) for table in stage.tables for index, entry in enumerate(table.entries) if entry
    }


# -- Reads -----------------------------------------------------------------------------------------------


def stacks_of(state: State) -> dict[tuple[StageKey, str], StackNow]:
    """Return every stack of the event, including those that were given up."""
    return {key: now for stage in state.stages for key, now in _stacks(stage, stage.tables).items()}


def stacks_changed(
    before: State, after: State
) -> dict[tuple[StageKey, str], tuple[StackNow | None, StackNow]]:
    """Return the stacks that differ between two states of the same stages, before (None: new) and after."""
    found: dict[tuple[StageKey, str], tuple[StackNow | None, StackNow]] = {}
    for was, now in zip(before.stages, after.stages, strict=True):
        # A step keeps the tables that it does not change, so they are compared by identity.
        entries = was.away ^ now.away
        if was.results is not now.results:
            either = was.results.keys() | now.results.keys()
            entries |= {each for each in either if was.results.get(each) != now.results.get(each)}
        pairs = zip(was.tables, now.tables, strict=True)
        tied_anew = was.tie is not now.tie
        tables = [(a, b) for a, b in pairs if tied_anew or a is not b or not entries.isdisjoint(a.entries)]
        stacks = _stacks(was, (a for a, _ in tables))
        for key, each in _stacks(now, (b for _, b in tables)).items():
            if each != stacks.get(key):
                found[key] = stacks.get(key), each
    return found


def _stacks(stage: Stage, tables: Iterable[TableState]) -> dict[tuple[StageKey, str], StackNow]:
    """Return the stacks at these tables, and those given up in the stage."""
    tie, results = stage.tie, stage.results
    opened, now = (_first_places(tie.opened), _first_places(tie.groups)) if tie else ({}, {})
    there: list[tuple[str, int, int, int | None, str]] = [
        (entry, table.chips[at], table.start[at], table.last[at], _state(stage, entry))
        for table in tables
        for at, entry in enumerate(table.entries)
        if entry
    ]
    there += [(each.entry, 0, each.start, each.last, each.state) for each in stage.gone]
    found = {}
    for entry, chips, start, last, state in there:
        ended = results.get(entry)
        found[stage.frame.key, entry] = StackNow(
            chips,
            start,
            last,
            state,
            outcome=ended.outcome if ended else "",
            place=ended.place if ended else None,
            place_tied=ended is not None and ended.tied,
            tied_from=opened.get(entry),
            plays_from=now.get(entry),
            absent_at_look=tie is not None and entry in tie.absent,
        )
    return found


def _state(stage: Stage, entry: str) -> str:
    if stage.tie and entry in stage.results:
        return "settled"
    return "absent" if entry in stage.away else "playing"


def _first_places(groups: Iterable[TieGroup]) -> dict[str, int]:
    return {entry: group.places[0] for group in groups for entry in group.entries}
