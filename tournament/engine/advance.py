"""Decide which entries advance after a round, for every format: the parts of an advance rule, in order.

| rule                                                        | clause   | where           |
|-------------------------------------------------------------|----------|-----------------|
| the best of each table of each session                      | F10      | ``_pools``      |
| the best of each session, of those who are left             | F11      | ``_pools``      |
| the best of the round, of those who are left                | F12, T20 | ``_pools``      |
| further ones, best first, until so many go on               | F13      | ``_seats``      |
| who can be drawn                                            | F14      | ``_drawn_from`` |
| in before out, more chips, the later hand, the larger stack | F15      | ``_merit``      |
| who cannot cover the smallest bet is passed over            | F15, T20 | ``_can_advance``|
| disqualified: never, and last                               | F15, T26 | ``_merit``      |
| a tie at the last place of a part holds up the next part    | F16, T23 | ``advance``     |
| places of those who are not through                         | F17, T20 | ``levels``      |

Chips are whole. Level entries are listed by code, which decides nothing.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from tournament.engine.value import value

PER_TABLE: Final = "per_table"
PER_SESSION: Final = "per_session"
TOP: Final = "top"
FILL_TO: Final = "fill_to"
RANKING_PARTS: Final = (PER_TABLE, PER_SESSION, TOP, FILL_TO)
"""In the order in which they are taken; the drawn ones come after them, from the draw."""


@value
class Advance:
    """The advance rule of a round (F10–F14): how many each part takes, 0 where it is not posted."""

    per_table: int = 0
    per_session: int = 0
    top: int = 0
    fill_to: int = 0
    drawn: int = 0


@value
class WentOut:
    """When an entry was out: in which hand, and with which stack: before it (bust) or after it (F6)."""

    hand: int
    before: int


@value
class Finish:
    """How an entry ended a round; ``chips`` of one that is ``out`` are compared with nobody's.

    A player who has played no hand of the round and is out of it for that is out in hand 0 (T15).
    """

    entry: str
    chips: int
    out: WentOut | None = None
    disqualified: bool = False


Session = Mapping[int, Sequence[Finish]]
"""A session (T5): the number of each of its tables with those who sat there."""
_Pool = tuple[Sequence[Finish], int | None, int | None]
"""Entries among which a part takes its best, with their session and their table; None for several."""


@value
class Through:
    """An entry that goes on, and the part of the rule by which it does."""

    entry: str
    by: str


@value
class PartTie:
    """Level entries at the last place of a part, for ``seats`` of its seats (F16).

    ``session`` (from 1) and ``table`` only where the part is about one.
    """

    part: str
    entries: tuple[str, ...]
    seats: int
    session: int | None = None
    table: int | None = None


@value
class Decided:
    """A decided tie (T23): the level players, and those of them who go on.

    As many as there were seats, or all where the event says that all advance; fewer where a seat has come
    free since (T26), and the others are level for what is left.
    """

    level: frozenset[str]
    winners: frozenset[str]


@value
class Advanced:
    """What an advance rule makes of a round.

    With ``ties`` the parts after them wait, and so do ``drawn_from`` and ``not_through``, which are empty.
    ``not_through``: groups of level entries, best first, the disqualified together at the end. ``settled``:
    the decided ties that it rests on, in the order in which they counted.
    """

    through: tuple[Through, ...]
    ties: tuple[PartTie, ...] = ()
    drawn_from: tuple[str, ...] = ()
    not_through: tuple[tuple[str, ...], ...] = ()
    settled: tuple[Decided, ...] = ()

    @property
    def entries(self) -> tuple[str, ...]:
        """The entries that go on, in their order."""
        return tuple(each.entry for each in self.through)

    @property
    def level(self) -> tuple[str, ...]:
        """The entries of the first tie; none where everything is decided."""
        return self.ties[0].entries if self.ties else ()

    @property
    def seats(self) -> int:
        """For how many seats these are level."""
        return self.ties[0].seats if self.ties else 0


def advance(
    rule: Advance,
    sessions: Sequence[Session],
    smallest_bet: int | None = None,
    decided: Collection[Decided] = (),
) -> Advanced:
    """Return which entries advance by ``rule``, and which are level at the last place of a part (F10–F17).

    ``decided`` are the ties that have been played off or ruled on: each counts where exactly those are level.
    Who has lost one may still go on by a later part.

    ``smallest_bet`` is the least that may be bet in the next round where stacks are carried: nobody with
    less advances (T20). None where every round starts with a stack of its own. Within a part those through
    come session by session and table by table, best first.
    """
    through, settled = list[Through](), list[Decided]()
    for part in RANKING_PARTS:
        ties = []
        taken = {each.entry for each in through}
        seats = _seats(rule, part, len(taken))
        # A part that gives no seat needs no pools.
        pools = _pools(part, sessions) if seats else ()
        for finishes, session, table in pools:
            able = [each for each in finishes if _can_advance(each, smallest_bet, taken)]
            clear, level = _best(able, seats)
            won, level, seats_left = _settled(level, seats - len(clear), decided, settled)
            through += [Through(each.entry, part) for each in (*clear, *won)]
            if level:
                ties.append(PartTie(part, tuple(each.entry for each in level), seats_left, session, table))
        if ties:
            return Advanced(tuple(through), tuple(ties), settled=tuple(settled))
    taken = {each.entry for each in through}
    left = [each for each in _everybody(sessions) if each.entry not in taken]
    able_left = _drawn_from(left, smallest_bet) if rule.drawn else ()
    return Advanced(tuple(through), (), able_left, levels(left), tuple(settled))


def best(finishes: Iterable[Finish], seats: int, smallest_bet: int | None = None) -> Advanced:
    """Return the ``seats`` best of all who ended a round, and who is level for the last of them (F12)."""
    return advance(Advance(top=seats), [{1: list(finishes)}], smallest_bet)


def levels(finishes: Iterable[Finish]) -> tuple[tuple[str, ...], ...]:
    """Return groups of level entries, best first (F15)."""
    return tuple(tuple(each.entry for each in level) for level in _grouped(finishes))


def _seats(rule: Advance, part: str, taken: int) -> int:
    """How many a part takes of each of its pools."""
    if part == FILL_TO:
        return max(0, rule.fill_to - taken)
    return {PER_TABLE: rule.per_table, PER_SESSION: rule.per_session, TOP: rule.top}[part]


def _pools(part: str, sessions: Sequence[Session]) -> Iterator[_Pool]:
    """Give those among whom a part takes its best: of a table, a session or the whole round."""
    if part == PER_TABLE:
        for number, session in enumerate(sessions, start=1):
            for table in sorted(session):
                yield session[table], number, table
    elif part == PER_SESSION:
        for number, session in enumerate(sessions, start=1):
            yield _everybody([session]), number, None
    else:
        yield _everybody(sessions), None, None


def _everybody(sessions: Iterable[Session]) -> list[Finish]:
    return [finish for session in sessions for table in session.values() for finish in table]


def _can_advance(finish: Finish, smallest_bet: int | None, taken: Collection[str]) -> bool:
    """Whether a ranking part may take this entry: in, not disqualified, and not through already."""
    in_play = finish.out is None and not finish.disqualified and finish.entry not in taken
    return in_play and (smallest_bet is None or finish.chips >= smallest_bet)


def _best(able: Iterable[Finish], seats: int) -> tuple[list[Finish], list[Finish]]:
    """Those of ``able`` who are clear of the line, best first, and those level at it for what is left."""
    clear: list[Finish] = []
    for level in _grouped(able):
        if len(clear) + len(level) > seats:
            return clear, level if len(clear) < seats else []
        clear += level
    return clear, []


def _settled(
    level: list[Finish], seats: int, decided: Collection[Decided], settled: list[Decided]
) -> tuple[list[Finish], list[Finish], int]:
    """Return which of ``level`` have won already, which are still level, and for how many seats (T23).

    What has decided it is added to ``settled``.
    """
    won: list[Finish] = []
    while level:
        codes = {each.entry for each in level}
        found = next((each for each in decided if each.level == codes and _fits(each, seats)), None)
        if found is None:
            return won, level, seats
        settled.append(found)
        won += [each for each in level if each.entry in found.winners]
        seats -= len(found.winners)
        level = [each for each in level if each.entry not in found.winners] if seats > 0 else []
    return won, [], 0


def _fits(decided: Decided, seats: int) -> bool:
    """Whether a tie that is decided was about no more seats than these; all who were level may advance."""
    return bool(decided.winners) and (len(decided.winners) <= seats or decided.winners == decided.level)


def _merit(finish: Finish) -> tuple[int, int, int]:
    """What *best* is (F15), the best the least: in before out, more chips; of two who are out the later hand,
    then the larger stack; the disqualified last, all of them level (T26)."""
    if finish.disqualified:
        return (2, 0, 0)
    if finish.out is not None:
        return (1, -finish.out.hand, -finish.out.before)
    return (0, -finish.chips, 0)


def _grouped(finishes: Iterable[Finish]) -> Iterator[list[Finish]]:
    """Level ones together, best first, by code within."""
    ordered = sorted(finishes, key=lambda each: (_merit(each), each.entry))
    for _merit_of_all, level in groupby(ordered, key=_merit):
        yield list(level)


def _drawn_from(left: Iterable[Finish], smallest_bet: int | None) -> tuple[str, ...]:
    """Return the entries that can be drawn (F14): with a minimum bet only those that cover it, else all."""
    if smallest_bet is None:
        able = [each.entry for each in left if not each.disqualified]
    else:
        able = [each.entry for each in left if _can_advance(each, smallest_bet, ())]
    return tuple(sorted(able))
