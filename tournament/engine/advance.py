"""Decide which entries advance after a round, in every format, by the parts of an advance rule in order.

| rule                                                        | clause   | where            |
|-------------------------------------------------------------|----------|------------------|
| the best of each table of each session                      | F10      | ``_pools``       |
| the best of each session, of the remaining entries          | F11      | ``_pools``       |
| the best of the round, of the remaining entries             | F12, T20 | ``_pools``       |
| further entries, best first, up to a total                  | F13      | ``_seats``       |
| the entries that can be drawn                               | F14      | ``_drawn_from``  |
| in before out, more chips, the later hand, the larger stack | F15      | ``_merit``       |
| an entry that cannot cover the smallest bet is skipped      | F15, T20 | ``_can_advance`` |
| a disqualified entry never advances and is last             | F15, T26 | ``_merit``       |
| a tie at the last place of a part holds up the next part    | F16, T23 | ``advance``      |
| the order of the entries that do not advance                | F17, T20 | ``levels``       |

Chips are integers. Tied entries are listed by code, which decides nothing.
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
"""In the order in which they are applied; the entries drawn at random come after them."""


@value
class Advance:
    """The advance rule of a round (F10–F14): how many entries each part takes, 0 if it takes none."""

    per_table: int = 0
    per_session: int = 0
    top: int = 0
    fill_to: int = 0
    drawn: int = 0


@value
class WentOut:
    """The hand in which an entry went out, and its stack ``before`` that hand (bust) or after it (F6)."""

    hand: int
    before: int


@value
class Finish:
    """The result of an entry in a round; the ``chips`` of an entry that is ``out`` are not compared.

    A player who is out because they played no hand of the round is out in hand 0 (T15).
    """

    entry: str
    chips: int
    out: WentOut | None = None
    disqualified: bool = False


Session = Mapping[int, Sequence[Finish]]
"""A session (T5): table number → the entries that played there."""
_Pool = tuple[Sequence[Finish], int | None, int | None]
"""The entries among which a part takes the best, with their session and table; None for several."""


@value
class Through:
    """An entry that advances, and the part of the rule by which it does."""

    entry: str
    by: str


@value
class PartTie:
    """Entries tied for the last ``seats`` seats of a part (F16).

    ``session`` (from 1) and ``table`` are set only if the part is about one.
    """

    part: str
    entries: tuple[str, ...]
    seats: int
    session: int | None = None
    table: int | None = None


@value
class Decided:
    """A decided tie (T23): the tied players, and the ones who advance.

    There are as many winners as seats, or all tied players if the event lets all of them advance. There are
    fewer if a seat became free later (T26); the other players are then tied for the remaining seats.
    """

    level: frozenset[str]
    winners: frozenset[str]


@value
class Advanced:
    """The result of an advance rule.

    While there are ``ties``, the parts after them wait, and ``drawn_from`` and ``not_through`` are empty.
    ``not_through``: groups of tied entries, best first, the disqualified together at the end. ``settled``:
    the decided ties that were applied, in that order.
    """

    through: tuple[Through, ...]
    ties: tuple[PartTie, ...] = ()
    drawn_from: tuple[str, ...] = ()
    not_through: tuple[tuple[str, ...], ...] = ()
    settled: tuple[Decided, ...] = ()

    @property
    def entries(self) -> tuple[str, ...]:
        """The entries that advance, in order."""
        return tuple(each.entry for each in self.through)

    @property
    def level(self) -> tuple[str, ...]:
        """The entries of the first tie; empty if everything is decided."""
        return self.ties[0].entries if self.ties else ()

    @property
    def seats(self) -> int:
        """The number of seats for which the entries in ``level`` are tied."""
        return self.ties[0].seats if self.ties else 0


def advance(
    rule: Advance,
    sessions: Sequence[Session],
    smallest_bet: int | None = None,
    decided: Collection[Decided] = (),
) -> Advanced:
    """Return the entries that advance by ``rule``, and those tied for the last place of a part (F10–F17).

    ``decided``: the ties that were played off or ruled on. Each one applies where exactly its players are
    tied. A player who lost such a tie may still advance by a later part.

    ``smallest_bet``: the minimum bet of the next round if stacks are carried; a player with fewer chips
    cannot advance (T20). None if every round starts with a new stack. Within a part the advancing entries are
    listed by session and table, best first.
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
    """Return the ``seats`` best entries of a round, and those tied for the last seat (F12)."""
    return advance(Advance(top=seats), [{1: list(finishes)}], smallest_bet)


def levels(finishes: Iterable[Finish]) -> tuple[tuple[str, ...], ...]:
    """Return groups of tied entries, best first (F15)."""
    return tuple(tuple(each.entry for each in level) for level in _grouped(finishes))


def _seats(rule: Advance, part: str, taken: int) -> int:
    """Return the number of seats that a part gives in each of its pools."""
    if part == FILL_TO:
        return max(0, rule.fill_to - taken)
    return {PER_TABLE: rule.per_table, PER_SESSION: rule.per_session, TOP: rule.top}[part]


def _pools(part: str, sessions: Sequence[Session]) -> Iterator[_Pool]:
    """Yield the pools of a part: each table, each session or the whole round."""
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
    """Whether a ranking part may take this entry: in play, not disqualified, and not taken already."""
    in_play = finish.out is None and not finish.disqualified and finish.entry not in taken
    return in_play and (smallest_bet is None or finish.chips >= smallest_bet)


def _best(able: Iterable[Finish], seats: int) -> tuple[list[Finish], list[Finish]]:
    """Return the entries above the line, best first, and the entries tied at it for the remaining seats."""
    clear: list[Finish] = []
    for level in _grouped(able):
        if len(clear) + len(level) > seats:
            return clear, level if len(clear) < seats else []
        clear += level
    return clear, []


def _settled(
    level: list[Finish], seats: int, decided: Collection[Decided], settled: list[Decided]
) -> tuple[list[Finish], list[Finish], int]:
    """Return the winners of decided ties among ``level``, the entries still tied, and the seats left (T23).

    The ties that were applied are added to ``settled``.
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
    """Whether a decided tie was about at most this many seats; all tied players may advance."""
    return bool(decided.winners) and (len(decided.winners) <= seats or decided.winners == decided.level)


def _merit(finish: Finish) -> tuple[int, int, int]:
    """Return the sort key of a result, best first (F15): entries in play by chips, then entries that are out
    by their last hand and stack, then the disqualified, who are all level (T26)."""
    if finish.disqualified:
        return (2, 0, 0)
    if finish.out is not None:
        return (1, -finish.out.hand, -finish.out.before)
    return (0, -finish.chips, 0)


def _grouped(finishes: Iterable[Finish]) -> Iterator[list[Finish]]:
    """Yield groups of tied entries, best first, each sorted by code."""
    ordered = sorted(finishes, key=lambda each: (_merit(each), each.entry))
    for _merit_of_all, level in groupby(ordered, key=_merit):
        yield list(level)


def _drawn_from(left: Iterable[Finish], smallest_bet: int | None) -> tuple[str, ...]:
    """Return the entries that can be drawn (F14): those that cover the smallest bet; all if there is none."""
    if smallest_bet is None:
        able = [each.entry for each in left if not each.disqualified]
    else:
        able = [each.entry for each in left if _can_advance(each, smallest_bet, ())]
    return tuple(sorted(able))
