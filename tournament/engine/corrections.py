"""The consequences of a corrected hand, from the facts alone: what falls, what stands, who advances (T17).

| case                                                              | clause   | where                |
|-------------------------------------------------------------------|----------|----------------------|
| only a hand that counts can be corrected                          | T17      | ``_may``             |
| never after the first payment, nor while a roster is locked       | T17      | ``_may``             |
| never while another tie or the play-off of this round is open     | T17, T23 | ``_may``             |
| never in a play-off that a ruling has ended                       | T23      | ``_may``             |
| refused if a later hand of a round is no longer covered           | T17      | ``cover_check``      |
| refused if a later hand decided the chip on a line                | T17      | ``line_check``       |
| refused if chips taken by a penalty or a count are not there      | T18, T26 | ``below_zero_check`` |
| a later hand of its tie falls if other players can bet, or one    | T17      | ``_falls``           |
| is not covered                                                    |          |                      |
| a tie keeps the seats or places for which it was seated; another  | T33, T34 | ``_pinned``          |
| set of entries is another tie, which its hands do not decide      |          |                      |
| a counted table of an open round is counted again if stacks moved | T18      | ``_recounted``       |
| finished counts keep the chips that they moved                    | T18      | ``_counts``          |
| if the next stage is seated, its players stay, the chips change   | T17      | ``_closed``          |
| otherwise the round closes again if its cut is clear              | T17, T20 | ``_reclosed``        |
| a player who left cannot advance by a correction                  | T25      | ``_nobody_left``     |
| a tie that is no longer decided is open                           | T17      | ``_closed``          |

The old log and the new one are folded side by side from the hand on. Nothing is copied from one state to the
other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ground.refused import Conflict
from tournament.engine.cover import TAKING, below_zero_check, cover_check, is_covered, line_check
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
    HandKey,
    HandVoid,
    Penalty,
    PenaltyCancelled,
    Replaced,
    RosterLocked,
    Seated,
    ShoeEnded,
    StageKey,
    TieRuled,
)
from tournament.engine.fold import STEPS, fold
from tournament.engine.stages import (
    ADVANCED,
    CLOSED,
    COUNTED,
    FINISHED,
    IN_PLAY,
    LIVE,
    OVER,
    PLAYING_OFF,
    RUNNING,
)
from tournament.engine.state import (
    NOTHING,
    Differs,
    Stage,
    State,
    TableState,
    stage_of,
    table_of,
)
from tournament.engine.steps.closing import without_disqualified
from tournament.engine.steps.cut import cut_of
from tournament.engine.steps.replacing import next_ranked

TableKey = tuple[StageKey, int]
Step = tuple[Fact, State, State]


@dataclass(frozen=True, slots=True)
class Decision:
    """The log of facts after a correction, and the consequences of the correction.

    ``steps``: the facts from the hand on, each with the state before it and after it. ``fallen``: later hands
    of its tie that no longer stand. ``uncovered``: hands among them that are no longer covered.
    ``through``: rounds that are closed again, each with the entries that advance. ``again``: tables whose
    count is repeated.
    """

    log: tuple[Fact, ...]
    fallen: frozenset[HandKey] = frozenset()
    through: tuple[tuple[StageKey, tuple[str, ...]], ...] = ()
    again: tuple[TableKey, ...] = ()
    uncovered: frozenset[HandKey] = frozenset()
    steps: Sequence[Step] = field(default=(), compare=False, repr=False)

    def fact(self, at: HandKey, by: Hand | None) -> Corrected:
        """Return the fact of the correction, with its consequences as evidence."""
        return Corrected(at, by, tuple(sorted(self.fallen, key=str)), self.through, self.again)

    def differs(self, fact: Corrected) -> tuple[Differs, ...]:
        """Return where the evidence of a correction differs from these consequences."""
        said, should = _evidence(fact), _evidence(self.fact(fact.at, fact.by))
        return tuple(Differs(what, said[what], should[what]) for what in said if said[what] != should[what])


def _evidence(fact: Corrected) -> dict[str, list[Any]]:
    """Return the consequences that a correction records, sorted."""
    through = sorted((stage, sorted(entries)) for stage, entries in fact.through)
    return {"fallen": sorted(fact.fallen, key=str), "through": through, "counted again": sorted(fact.again)}


def decide(
    log: Sequence[Fact], at: HandKey, by: Hand | None, known: tuple[State, State] | None = None
) -> Decision:
    """Return the consequences of replacing this hand by ``by`` (None: void).

    ``known``: the state before the hand and the last state, if the log was folded already.

    Raises KeyError if there is no such hand, and Refused ``deal_not_settled``, ``event_not_running``,
    ``paid_from``, ``draw_in_progress``, ``tie_open``, ``tie_ruled``, ``later_bet_not_covered``,
    ``line_chip_decided`` and ``entry_left``.
    """
    place = place_of(log, at)
    walk = _Walk(log, place, by, known)
    _may(walk)
    for index in range(place, len(log)):
        walk.take(index)
    return walk.decided()


def place_of(log: Sequence[Fact], at: HandKey) -> int:
    """Return the index of a hand in the log: the latest hand with that key."""
    for place in range(len(log) - 1, -1, -1):
        each = log[place]
        if isinstance(each, Hand | HandVoid) and each.key == at:
            return place
    raise KeyError(f"hand {at}")


def taken_back(log: Sequence[Fact], at: HandKey) -> list[Fact]:
    """Return the log without a hand that was taken back and the end of its shoe (T17).

    Raises KeyError if there is no such hand.
    """
    place, (stage, table, _shoe, _number) = place_of(log, at), at
    later = (
        each
        for each in log[place + 1 :]
        if not (isinstance(each, ShoeEnded) and (each.stage, each.table) == (stage, table))
    )
    return [*log[:place], *later]


def void_of(fact: Hand | HandVoid) -> HandVoid:
    """Return the hand as a void hand; its number stays used."""
    return HandVoid(fact.stage, fact.table, fact.shoe, fact.number, fact.bets, fact.button)


class _Walk:
    """The old log and the new log, folded side by side from the corrected hand on.

    ``head`` is the last state of the old log. ``late``: closes that cannot stand at their place in the log,
    but may at the end of it. ``given_back``: penalties that were cancelled later, so that their chips are
    back.
    """

    def __init__(
        self, log: Sequence[Fact], place: int, by: Hand | None, known: tuple[State, State] | None
    ) -> None:
        hand = log[place]
        assert isinstance(hand, Hand | HandVoid), "only hands are put right"
        self.log, self.place, self.hand, self.by = log, place, hand, by
        self.stage = hand.stage
        self.main: StageKey = (self.stage[0], ROUND, 1)
        if known is None:
            before = fold(log[:place])
            known = before, fold(log[place:], before)
        self.old, self.head = known
        self.new = self.old
        self.made = list(log[:place])
        self.steps = list[Step]()
        self.fallen: set[HandKey] = set()
        self.uncovered: set[HandKey] = set()
        self.late: list[Closed] = []
        self.given_back = {each.key for each in log[place:] if isinstance(each, PenaltyCancelled)}
        self.through: list[tuple[StageKey, tuple[str, ...]]] = []
        self.seats_stand = self.stage[1] != SUDDEN_DEATH and seated_after(self.head, self.main)
        self.again = _recounted(self)
        self.over = _counts_over(self)

    def take(self, index: int) -> None:
        """Fold the next fact of the old log, and add its counterpart to the new log."""
        fact, before = self.log[index], self.old
        self.old = STEPS[type(fact)](self.old, fact)
        became = (
            (self.by or void_of(self.hand)) if index == self.place else _became(self, fact, before, index)
        )
        for each in (became, *_counts(self, before, index)):
            if each is not None:
                self.add(each)

    def add(self, fact: Fact) -> None:
        """Add a fact to the new log. Raises Refused ``later_bet_not_covered``."""
        before, self.new = self.new, STEPS[type(fact)](self.new, fact)
        self.made.append(fact)
        self.steps.append((fact, before, self.new))
        if isinstance(fact, TAKING) and not (isinstance(fact, Penalty) and fact.key in self.given_back):
            below_zero_check(self.new, fact)

    def decided(self) -> Decision:
        """Return the result of the walk, or raise the reason why the hand cannot be corrected."""
        for stage, table in self.again:
            self.add(CountReopened(stage, table))
        for each in self.late:
            again = _reclosed(self, ()) if each.stage == self.main else each
            if again is not None and stage_of(self.new, each.stage).status == COUNTED:
                self.add(again)
        found = (frozenset(self.fallen), tuple(self.through), self.again, frozenset(self.uncovered))
        return Decision(tuple(self.made), *found, self.steps)


# Whether the hand can be corrected now ----------------------------------------------------------------


def _may(walk: _Walk) -> None:
    """Raise the reason why this hand cannot be corrected in the current state of the event."""
    state, stage = walk.head, stage_of(walk.head, walk.stage)
    if isinstance(walk.hand, HandVoid):
        raise Conflict("deal_not_settled", "The hand is void.")
    if walk.stage[1] == PLAY_OFF and any(
        isinstance(each, TieRuled) and each.stage == walk.main for each in walk.log[walk.place :]
    ):
        raise Conflict(
            "tie_ruled",
            "The director's ruling has ended this play-off. Its hands decide nothing and cannot be "
            "corrected.",
        )
    if stage.status != CLOSED:
        if state.status != RUNNING:
            raise Conflict("event_not_running", "The event is not running.")
        if stage.status == PLAYING_OFF:
            # The counts of the round are in, and its play-off rests on them, also if only bets change (T15).
            raise Conflict(
                "tie_open",
                "The play-off of round %(round)s rests on these stacks. Finish and close it first.",
                round=walk.main[0],
            )
        return
    if any(state.money.paid.values()):
        raise Conflict(
            "paid_from",
            "A prize has been paid. No hand can be changed until two people have taken back each payment.",
        )
    # When its last place is decided, the event abandons a draw whose roster was locked (T33).
    if state.status != FINISHED and _is_drawing(walk.log):
        raise Conflict(
            "draw_in_progress",
            "The next seats are being drawn, and the roster is locked. Carry the draw out first.",
        )
    if any(
        each.tie is not None and each.status != CLOSED and each.frame.key != walk.stage
        for each in state.stages
    ):
        raise Conflict("tie_open", "A tie is being played for. Close the play-off or sudden death first.")


def _is_drawing(log: Sequence[Fact]) -> bool:
    """Whether a roster is locked whose seats are not drawn yet (T4)."""
    for fact in reversed(log):
        if isinstance(fact, Seated | RosterLocked):
            return isinstance(fact, RosterLocked)
    return False


def seated_after(state: State, main: StageKey) -> bool:
    """Whether a round or a sudden death is seated on the result of this round, which then stands (T17)."""
    return main in state.at and any(
        each.frame.key[1] != PLAY_OFF for each in state.stages[state.at[main] + 1 :]
    )


# The counterpart of a later fact ----------------------------------------------------------------------


def _became(walk: _Walk, fact: Fact, before: State, index: int) -> Fact | None:
    """Return the counterpart of a later fact in the new log; None if it does not stand there."""
    match fact:
        case Hand():
            return _hand(walk, fact, before, index)
        case TieRuled():
            return replace(fact, level=fact.level or _level_of(walk.old, fact.stage))
        case Seated():
            return _pinned(walk, fact)
        case Replaced():
            return replace(fact, level=fact.level or tuple(next_ranked(before)))
        case Counted():
            return None if index < walk.over.get((fact.stage, fact.table), -1) else fact
        case Closed():
            return _closed(walk, fact, index)
    return fact


def _hand(walk: _Walk, fact: Hand, before: State, index: int) -> Fact:
    if fact.stage == walk.stage and fact.stage[1] != ROUND:
        if _falls(walk, fact, before):
            walk.fallen.add(fact.key)
            return void_of(fact)
    else:
        least = stage_of(walk.new, fact.stage).frame.min_chips
        cover_check(fact, _at(before, fact), _at(walk.new, fact), least)
    if fact.key[:3] == walk.hand.key[:3]:
        line_check(fact, walk.log[:index], walk.made)
    return fact


def _at(state: State, fact: Hand | HandVoid) -> TableState:
    return table_of(stage_of(state, fact.stage), fact.table)


def _falls(walk: _Walk, fact: Hand, before: State) -> bool:
    """Whether a later hand of the tie falls: different players can bet now, or a bet is not covered (T17)."""
    then, now = (_able(stage_of(state, fact.stage), fact.table) for state in (before, walk.new))
    if then != now:
        return True
    if is_covered(fact, _at(walk.new, fact).chips, stage_of(walk.new, fact.stage).frame.min_chips):
        return False
    walk.uncovered.add(fact.key)
    return True


def _able(stage: Stage, number: int) -> frozenset[str]:
    """Return the entries that can bet at a table of a tie."""
    if stage.status not in IN_PLAY:
        return frozenset()
    table = table_of(stage, number)
    return frozenset(
        entry
        for entry, chips in zip(table.entries, table.chips, strict=True)
        if entry and chips >= stage.frame.min_chips and entry not in stage.away and entry not in stage.results
    )


# Rulings and seats of a tie ---------------------------------------------------------------------------


def _level_of(after: State, stage: StageKey) -> tuple[str, ...]:
    """Return the tied entries of the ruling that was just made."""
    rulings = stage_of(after, stage).rulings
    return tuple(sorted(rulings[0].level)) if rulings else ()


def _pinned(walk: _Walk, fact: Seated) -> Seated:
    """Return the seats of a tie with what the tie was seated for; a correction never makes it another tie
    (T33)."""
    if fact.stage[1] == ROUND or fact.stakes is not None:
        return fact
    tie = stage_of(walk.old, fact.stage).tie
    assert tie is not None, "a play-off and a sudden death are ties"
    return replace(fact, stakes=(tie.seats, tie.opened))


# Counts -----------------------------------------------------------------------------------------------


def _recounted(walk: _Walk) -> tuple[TableKey, ...]:
    """Return the tables of open rounds that are counted again, because their stacks changed (T18)."""
    if walk.stage[1] != ROUND:
        return ()
    counted = [
        (stage.frame.key, table)
        for stage in walk.head.stages
        for table in stage.tables
        if stage.frame.key[1] == ROUND and stage.status != CLOSED and table.status == COUNTED
    ]
    moved, carried = _entries_moved(walk), walk.head.posted.format.carried_on(walk.stage[0])
    return tuple(
        (key, table.table)
        for key, table in counted
        if (key, table.table) == (walk.stage, walk.hand.table)
        or (key[0] in carried and not moved.isdisjoint(table.entries))
    )


def _entries_moved(walk: _Walk) -> set[str]:
    """Return the entries whose stacks the correction changes."""
    was = walk.hand.nets if isinstance(walk.hand, Hand) else NOTHING
    now = walk.by.nets if walk.by else NOTHING
    entries = _at(walk.old, walk.hand).entries
    return {entry for entry, one, two in zip(entries, was, now, strict=True) if entry and one != two}


def _counts_over(walk: _Walk) -> Mapping[TableKey, int]:
    """Return the tables whose counts are over, each with the index in the log before which they stand.

    Counts of a closed round stand; counts that were taken back decide nothing any more.
    """
    found = {
        (fact.stage, fact.table): at for at, fact in enumerate(walk.log) if isinstance(fact, CountReopened)
    }
    for stage in walk.head.stages:
        if stage.status == CLOSED:
            found |= {(stage.frame.key, table.table): len(walk.log) for table in stage.tables}
    return found | dict.fromkeys(walk.again, len(walk.log))


def _counts(walk: _Walk, before: State, index: int) -> list[Fact]:
    """Return the counts that this fact completed and that are over, with the chips that they moved (T18)."""
    if isinstance(walk.log[index], CountRuled | Hand | HandVoid):
        return []
    found: list[Fact] = []
    for (key, number), until in walk.over.items():
        if key not in before.at or index >= until:
            continue
        then, now = stage_of(before, key), stage_of(walk.old, key)
        if then is now or number not in now.frame.at or number not in then.frame.at:
            continue
        table = table_of(now, number)
        if table.status == COUNTED and table_of(then, number).status == OVER:
            boxes = zip(table.entries, table_of(then, number).chips, table.chips, strict=True)
            moved = tuple(counted - before_it if entry else 0 for entry, before_it, counted in boxes)
            found.append(Counted(key, number, NOTHING, moved))
    return found


# Closing ----------------------------------------------------------------------------------------------


def _closed(walk: _Walk, fact: Closed, index: int) -> Closed | None:
    """Return the close of a stage as it stands now; None if the stage is open."""
    if walk.seats_stand:
        return replace(fact, pinned=True) if fact.stage[0] >= walk.main[0] else fact
    if fact.stage == walk.main and walk.stage[1] != SUDDEN_DEATH:
        out = tuple(each.entry for each in walk.log[index + 1 :] if isinstance(each, Disqualified))
        closed = _reclosed(walk, out)
        if closed is None:
            walk.late.append(fact)
        return closed
    if fact.stage == walk.stage and stage_of(walk.new, fact.stage).status != COUNTED:
        # The corrected hands do not decide the tie here; the later facts may.
        walk.late.append(fact)
    return fact


def _reclosed(walk: _Walk, out: tuple[str, ...]) -> Closed | None:
    """Close the round with the entries that advance now, without those that were disqualified since (T17,
    T26)."""
    _nobody_left(
        walk, [e for e, each in stage_of(walk.head, walk.main).results.items() if each.outcome == ADVANCED]
    )
    stage = stage_of(walk.new, walk.main)
    if stage.status != COUNTED:
        return None
    state, stage, _moves_made = without_disqualified(walk.new, stage, out)
    cut = cut_of(state, stage)
    through = tuple(sorted(each.entry for each in cut.through))
    _nobody_left(walk, [*through, *(entry for tie in cut.ties for entry in tie.entries)])
    if cut.ties:
        return None
    walk.through.append((walk.main, through))
    return Closed(walk.main, through, out=out)


def _nobody_left(walk: _Walk, entries: Collection[str]) -> None:
    """Refuse a change of the cut that concerns a player who has left since (T25)."""
    for entry in entries:
        if walk.head.entries[entry] != LIVE:
            raise Conflict(
                "entry_left",
                "%(entry)s has left since round %(round)s was closed, so its cut is not made again. Draw"
                " the next round first; then the chips follow and the seats stand.",
                entry=entry,
                round=walk.main[0],
            )
