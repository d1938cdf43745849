"""Rank the entries of a round and of an event, and measure how far each is from the cut.

| rule                                            | clause   | where            |
|-------------------------------------------------|----------|------------------|
| most chips first                                | T1, T20  | ``rank``         |
| tied places share the lower number              | T20      | ``rank``         |
| no hand of the round played: behind all who did | T15      | ``rank``         |
| disqualified: last of the round                 | T26      | ``rank``         |
| placed by the round in which the player was cut | T20      | ``final_places`` |
| the loser of a play-off keeps the tied place    | T23      | ``final_places`` |
| the gap to the cut line                         | T20      | ``gap_to_cut``   |
| the entries that advance                        | T20, T23 | ``advance.py``   |
| ties for money                                  | T33, T34 | ``ties.py``      |

Chips are integers. Entries are codes; where chips are equal they are listed by code, which decides
nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tournament.engine.advance import Finish, best, levels
from tournament.engine.value import value


@value
class Ranked:
    """A place, and the chips that led to it; ``tied``: shared with at least one other entry.

    ``out_of_play``: disqualified (T26). ``no_hand``: the player has played no hand of the round (T15).
    """

    entry: str
    chips: int
    place: int
    tied: bool
    out_of_play: bool = False
    no_hand: bool = False


@value
class Gap:
    """The distance of an entry from the cut line.

    ``side`` is ``in``, ``tied`` (at the line) or ``out``. ``gap_chips``: the lead of an entry that is in over
    place ``against_place``, or what an entry that is out lacks to it. ``against_place`` is None if the line
    is not a place: only players who cannot cover the minimum bet are cut.
    """

    side: str
    gap_chips: int
    against_place: int | None


@value
class RoundResult:
    """A closed round: the stacks of all its players, and those who advanced.

    ``gone_since``: the ones among them who were disqualified in the next round, which is not closed. Stacks
    are those before a play-off, which are reported (T23).
    """

    standings: tuple[Finish, ...]
    advanced: frozenset[str] = frozenset()
    gone_since: frozenset[str] = frozenset()


def rank(finishes: Iterable[Finish]) -> list[Ranked]:
    """Return everybody's place: most chips first, ties share the lower number (T20), disqualified last (T26).

    Players without a hand come behind all others (T15). A disqualified player has no chips, whenever it
    happened: the stack has left play.
    """
    of, ranked = {each.entry: each for each in finishes}, list[Ranked]()
    for level in levels(of.values()):
        place, tied = len(ranked) + 1, len(level) > 1
        for each in map(of.__getitem__, level):
            chips, out = 0 if each.disqualified else each.chips, each.out is not None
            ranked.append(Ranked(each.entry, chips, place, tied, each.disqualified, out))
    return ranked


def gap_to_cut(finishes: Iterable[Finish], seats: int, minimum_chips: int | None = None) -> dict[str, Gap]:
    """Return the distance from the cut of every entry whose chips count at it, like "200 behind 12th"."""
    chips = {each.entry: each.chips for each in finishes if not each.disqualified and each.out is None}
    found = best((Finish(entry, stack) for entry, stack in chips.items()), seats, minimum_chips)
    through, level = found.entries, found.level
    out = chips.keys() - {*through, *level}
    if level:
        in_line = out_line = (chips[level[0]], seats)
    elif len(through) == seats and out:
        in_line = (max(chips[entry] for entry in out), seats + 1)
        out_line = (chips[through[-1]], seats)
    else:
        # T24, T20: only players who cannot cover the minimum are cut; the gap is what they lack.
        return {
            **{entry: Gap("in", 0, None) for entry in through},
            **{entry: Gap("out", (minimum_chips or 0) - chips[entry], None) for entry in out},
        }
    return {
        **{entry: Gap("in", chips[entry] - in_line[0], in_line[1]) for entry in through},
        **{entry: Gap("tied", 0, seats) for entry in level},
        **{entry: Gap("out", out_line[0] - chips[entry], out_line[1]) for entry in out},
    }


def final_places(rounds: Sequence[RoundResult]) -> list[Ranked]:
    """Return everybody's place in the event, from its rounds in the order of their closing.

    An entry is placed by its last round, behind all who went further (T20), in the order of that round.
    Entries with equal stacks share the lower number, including losers of a play-off, which changes no place
    (T23); a disqualified entry is last of its round (T26). Before the last round is closed, those who have
    advanced come first; if one of them was disqualified in the current round, that entry gets the last of
    their places at once.
    """
    placed: list[Ranked] = []
    seen: set[str] = set()
    for result in reversed(rounds):
        here = [s for s in result.standings if s.entry not in seen]
        through = [s for s in here if s.entry in result.advanced and not s.disqualified]
        ahead = [replace(s, disqualified=s.entry in result.gone_since) for s in through]
        behind = [s for s in here if s not in through]
        for tier in (ahead, behind):
            base = len(placed)
            placed += [replace(r, place=base + r.place) for r in rank(tier)]
        seen.update(s.entry for s in here)
    return placed
