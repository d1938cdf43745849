"""The standing facts of an event and the states they lead to, read from its journal and cached.

This process caches them under ``(event, hash of the journal's head)``. That hash covers every entry up to
there, ids and times included, so it names one history. The head is read first, in the reader's own
transaction, and then the journal up to it. So a cached course can be useless, but never wrong:

| case                               | why it holds                                                          |
|------------------------------------|-----------------------------------------------------------------------|
| another command commits meanwhile  | the journal is read no further than the head that was read first      |
| a command has written rows, and    | an entry is appended last: until then the head is the one before it,  |
| no entry yet                       | and the facts are those up to there                                   |
| a command caches its own course    | under the hash of its own entry, which has exactly those facts        |
| a transaction is rolled back       | its hash contains the database's time, so no other history has that   |
|                                    | hash: it is never asked for again, and drops out                      |
| the database is restored           | a lost head is never asked for, and an older head has the same        |
|                                    | entries; a course is continued only where the entry with its number   |
|                                    | has its hash                                                          |
| two events, two processes          | the event is in the key and in the hash; each process has its own     |
| somebody edits the journal         | the cache has the entries as written; a new reader follows the edit,  |
|                                    | and the audit names it                                                |
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, takewhile
from threading import Lock
from typing import Any, Final

from ground.refused import Conflict, Refused
from tournament.engine.corrections import Decision, Step, decide, place_of, taken_back
from tournament.engine.facts import (
    ROUND,
    Boxes,
    Corrected,
    Fact,
    Hand,
    HandKey,
    HandVoid,
    StageKey,
    TakenBack,
    Written,
)
from tournament.engine.facts_json import fact_of_json
from tournament.engine.fold import CANNOT_FOLLOW, states
from tournament.engine.state import (
    MONEY,
    RETURN,
    STACK,
    START,
    Move,
    Stage,
    State,
    TableState,
    stage_of,
    table_of,
)
from tournament.models import Event, JournalEntry, JournalHead

STATES, FACTS = 2, 20_000
"""How many courses are cached for an event, and how many facts the events may have in all.

A fact takes 2,500 bytes at most, so a process caches 50 MB: thirty events of 42 entrants and more, or two
nights of 1,000. The second course of an event shares nearly all of it.
"""


def course_standing(event: Event, head: tuple[int, str] | None = None) -> Course:
    """Return the standing facts of an event and the states they lead to.

    ``head``: number and hash of the journal's last entry, where the caller has locked it. Raises Refused
    ``journal_not_whole`` (409).
    """
    if head is None or not head[1]:
        head = JournalHead.objects.filter(event=event).values_list("seq", "hash").first()
    if head is None:
        raise _not_held()
    shelved = SHELF.of(event.pk)
    found = next((each for each in shelved if each.head == head[1]), None)
    if found is None:
        found = Kept(*head, _continued(event, shelved, head[0]))
    SHELF.keep(event.pk, found)
    return found.course


def course_keep(event: Event, seq: int, course: Course, head: str) -> None:
    """Cache the course up to this entry, which a command has written."""
    SHELF.keep(event.pk, Kept(seq, head, course))


def _continued(event: Event, shelved: Iterable[Kept], seq: int) -> Course:
    """Return the course up to this entry, starting from the newest cached one that the journal continues."""
    entries = JournalEntry.objects.filter(event=event, seq__lte=seq).order_by("seq")
    for each in sorted(shelved, key=lambda one: -one.seq):
        own, *since = entries.filter(seq__gte=each.seq).values_list("hash", "facts") or [("", None)]
        if own[0] == each.head:
            return _then(each.course, since)
    return _then(NO_FACTS, entries.values_list("hash", "facts"))


def _then(course: Course, entries: Iterable[tuple[str, Sequence[Any] | None]]) -> Course:
    """Return the course continued by the facts of these entries."""
    written = [facts for _hash, facts in entries]
    if None in written:
        raise _not_held()
    try:
        return course.then(map(fact_of_json, chain.from_iterable(filter(None, written))))
    except CANNOT_FOLLOW as why:
        raise _not_held() from why


def _not_held() -> Refused:
    return Conflict(
        "journal_not_whole",
        "The journal lacks a part of what happened in this event, so its state cannot be computed. Run"
        " manage.py audit to see what is missing.",
    )


@dataclass(frozen=True)
class Course:
    """The standing facts and what they lead to: the last state and every move. Immutable.

    ``earlier``: for each hand, in order, the number of moves and the state before it.
    """

    log: tuple[Fact, ...]
    state: State
    moves: tuple[Move, ...]
    earlier: Mapping[HandKey, tuple[int, State]]

    @cached_property
    def stacks(self) -> dict[HandKey, Boxes]:
        """The chips in every box before each hand that counts."""
        hands = [fact for fact in self.log if isinstance(fact, Hand)]
        return {each.key: self.table_before(each.key).chips for each in hands}

    def stage_before(self, hand: HandKey) -> Stage:
        """Return the stage of a hand as it was before it. Raises KeyError where there is no such hand."""
        return stage_of(self.earlier[hand][1], hand[0])

    def table_before(self, hand: HandKey) -> TableState:
        """Return the table of a hand as it was before it."""
        return table_of(self.stage_before(hand), hand[1])

    def decided(self, at: HandKey, by: Hand | None) -> Decision:
        """Return the consequences if the hand at ``at`` were ``by`` (None: void). Raises what ``decide``
        raises."""
        return decide(self.log, at, by, (self.earlier[at][1], self.state))

    def corrected(self, at: HandKey, found: Decision) -> Course:
        """Return the course with this hand corrected."""
        return self._up_to(at)._on(found.steps)

    def _up_to(self, at: HandKey) -> Course:
        (moves, state), place = self.earlier[at], place_of(self.log, at)
        earlier = dict(takewhile(lambda each: each[0] != at, self.earlier.items()))
        return Course(self.log[:place], state, self.moves[:moves], earlier)

    def then(self, facts: Iterable[Written]) -> Course:
        """Return the course with further facts; a correction, or a hand taken back, folds again from that
        hand."""
        course, plain = self, list[Fact]()
        for fact in facts:
            if not isinstance(fact, Corrected | TakenBack):
                plain.append(fact)
                continue
            course, plain = course._on(states(plain, course.state)), []
            if isinstance(fact, Corrected):
                course = course.corrected(fact.at, course.decided(fact.at, fact.by))
            else:
                same, log = course._up_to(fact.at), taken_back(course.log, fact.at)
                course = same._on(states(log[len(same.log) :], same.state))
        return course._on(states(plain, course.state))

    def _on(self, steps: Iterable[Step]) -> Course:
        log, moves, earlier, state = list[Fact](), list(self.moves), dict(self.earlier), self.state
        for fact, before, after in steps:
            state = after
            log.append(fact)
            if isinstance(fact, Hand | HandVoid):
                earlier[fact.key] = len(moves), before
            moves += [move for move in after.moves if move.kind not in MONEY]
        return Course((*self.log, *log), state, tuple(moves), earlier) if log else self

    def had(self, key: StageKey) -> dict[str, int]:
        """Return the chips of each entry: in front of it, at the end of the stage, or when it left."""
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

    def changes(self, before: Course, key: StageKey) -> dict[str, int]:
        """Return how many chips each entry of a stage has more or less than ``before``."""
        was = before.had(key)
        return {code: chips - was[code] for code, chips in self.had(key).items() if chips != was[code]}


NO_FACTS: Final = Course((), START, (), {})


@dataclass(frozen=True)
class Kept:
    """A course with the number and the hash of its last journal entry."""

    seq: int
    head: str
    course: Course


class Shelf:
    """The cache of courses in this process: for each event the most recently used ones."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._events: OrderedDict[int, tuple[Kept, ...]] = OrderedDict()

    def of(self, event: int) -> tuple[Kept, ...]:
        """Return the courses of an event."""
        with self._lock:
            return self._events.get(event, ())

    def keep(self, event: int, shelved: Kept) -> None:
        """Put this course first; the least recently used course, and the least recently used events, drop
        out."""
        with self._lock:
            others = (each for each in self._events.pop(event, ()) if each.head != shelved.head)
            self._events[event] = (shelved, *others)[:STATES]
            facts = sum(len(newest.course.log) for newest, *_older in self._events.values())
            while facts > FACTS and len(self._events) > 1:
                _event, (newest, *_older) = self._events.popitem(last=False)
                facts -= len(newest.course.log)


SHELF = Shelf()
