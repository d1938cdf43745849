"""Rank the entries of a round and of an event, and measure how far each is from the cut.

| rule                                              | clause   | where               |
|---------------------------------------------------|----------|---------------------|
| most chips first                                  | T1, T20  | ``rank``            |
| tied places share the lower number                | T20      | ``rank``            |
| no hand of the round played: behind all who did   | T15      | ``rank``            |
| disqualified: last of the round                   | T26      | ``rank``            |
| placed by the round in which one was cut          | T20      | ``final_places``    |
| who loses a play-off keeps the tied place         | T23      | ``final_places``    |
| how far from the cut line                         | T20      | ``gap_to_cut``      |
| who goes on                                       | T20, T23 | ``advance.py``      |
| ties for money                                    | T33, T34 | ``ties.py``         |

Chips are integers. Entries are codes; where chips are equal they are listed by code, which decides
nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tournament.engine.advance import Finish, best, levels
from tournament.engine.value import value


@value
class Ranked:
    """A place, with the chips that it was reached with; ``tied``: shared with at least one other entry.

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
    """How far an entry is from the cut line.

    ``side`` is ``in``, ``tied`` (at the line) or ``out``. ``gap_chips`` is how many chips an entry
    that is in has over place ``against_place``, or lacks to it when it is out. ``against_place`` is
    None where the line is no place: nobody is cut but who cannot cover the minimum.
    """

    side: str
    gap_chips: int
    against_place: int | None


@value
class RoundResult:
    """A round as it was closed: the stacks of all who played it, and who went on.

    ``gone_since``: those of them who have been disqualified in the next round, which is not closed.

    Stacks are those from before a play-off, which are the ones that are reported (T23).
    """

    standings: tuple[Finish, ...]
    advanced: frozenset[str] = frozenset()
    gone_since: frozenset[str] = frozenset()


def rank(finishes: Iterable[Finish]) -> list[Ranked]:
    """Everybody's place: most chips first, ties share the lower number (T20), disqualified last (T26).

    Players without a hand come behind all who played (T15). Whoever is disqualified has no chips, whenever
    it happened: the stack has left play.
    """
    of, ranked = {each.entry: each for each in finishes}, list[Ranked]()
    for level in levels(of.values()):
        place, tied = len(ranked) + 1, len(level) > 1
        for each in map(of.__getitem__, level):
            chips, out = 0 if each.disqualified else each.chips, each.out is not None
            ranked.append(Ranked(each.entry, chips, place, tied, each.disqualified, out))
    return ranked


def gap_to_cut(finishes: Iterable[Finish], seats: int, minimum_chips: int | None = None) -> dict[str, Gap]:
    """How far every entry whose chips count at the cut is from it, like "200 behind 12th"."""
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
        # T24, T20: nobody is cut but those who cannot cover the minimum, and they lack that.
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
    """Everybody's place in the event, from the rounds in the order in which they were closed.

    An entry is placed by the last round that it played, behind all who went further (T20), in the
    order of that round. Entries with equal stacks share the lower number, also those who lost a
    play-off against each other, which changes no place (T23); a disqualified entry is last of its
    round (T26). Called before the last round is closed, those who have advanced come first, and who of
    them was disqualified in the round that is played has the last of their places at once.
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
