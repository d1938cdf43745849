"""The facts of an event that stand, and what they come to, read from its journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ground.refused import Refused
from ground.words import gettext_noop as _
from tables.selectors.audit import folded_of
from tables.selectors.journal_facts import Names, facts_of, journal_lines, names_of
from tournament.engine.facts import ROUND, Boxes, Fact, Hand, HandKey, HandVoid, StageKey
from tournament.engine.fold import states
from tournament.engine.stages import PLAYING, SEATED
from tournament.engine.state import MONEY, RETURN, STACK, START, Move, State, stage_of, table_of
from tournament.models import Event
from tournament.selectors.moment import one_moment


def facts_standing(event: Event) -> tuple[Names, tuple[Fact, ...]]:
    """Return what ids mean, and the facts that stand. Raises Refused ``tie_not_replayed`` (409)."""
    with one_moment():
        # A hand that is settled in between would have no name.
        names = names_of(event)
        read = facts_of(journal_lines(event), names)
    folded = folded_of(read)
    if read.stop is not None or folded.lost is not None:
        raise Refused(
            "tie_not_replayed",
            _(
                "The journal does not hold everything that has happened in this event, so no hand of it is"
                " put right. While the round is open move chips by a penalty, or by cancelling one; after its"
                " close disqualify, replace or call off where it has to be, each with its reason."
            ),
            status=409,
        )
    return names, tuple(folded.log)


@dataclass(frozen=True)
class Course:
    """The facts that stand and what they come to: the last state, every move, the stacks before each hand.

    ``over``: void hands of ties that were decided before them.
    """

    log: tuple[Fact, ...]
    state: State
    moves: tuple[Move, ...]
    stacks: Mapping[HandKey, Boxes]
    over: frozenset[HandKey]

    @classmethod
    def of(cls, log: Sequence[Fact]) -> Course:
        """Fold the facts and keep what happened on the way."""
        state, moves, stacks = START, list[Move](), dict[HandKey, Boxes]()
        over = set[HandKey]()
        for fact, before, after in states(log):
            state = after
            moves += [move for move in after.moves if move.kind not in MONEY]
            if isinstance(fact, Hand):
                stacks[fact.key] = table_of(stage_of(before, fact.stage), fact.table).chips
            elif isinstance(fact, HandVoid) and stage_of(before, fact.stage).status not in (SEATED, PLAYING):
                over.add(fact.key)
        return cls(tuple(log), state, tuple(moves), stacks, frozenset(over))

    def had(self, key: StageKey) -> dict[str, int]:
        """Return what each has in front, ended the stage with, or had as it left."""
        stage = stage_of(self.state, key)
        found = {
            entry: chips
            for table in stage.tables
            for entry, chips in zip(table.entries, table.chips, strict=True)
            if entry
        }
        found |= {entry: result.chips for entry, result in stage.results.items()}
        gone = {each.entry for each in stage.gone}
        gone -= set() if key[1] == ROUND else stage.results.keys()
        found |= dict.fromkeys(gone, 0)
        for move in self.moves:
            for account, at, entry, chips in move.legs:
                if move.kind == RETURN and account == STACK and at == key and entry in gone:
                    found[entry] = -chips
        return found
