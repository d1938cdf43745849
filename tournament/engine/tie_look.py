"""A look at a play-off or a sudden death after a hand: who is decided, and what chips move (T23, T33)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tournament.engine.advance import Finish, best
from tournament.engine.ties import TieGroup, group_present, group_priced, sudden_death_step

ADVANCED, CUT, RANKED = "advanced", "cut", "ranked"
PLAY_OFF_TIE = "0"
"""The key of the one tie of a play-off; those of a sudden death are keyed by their first place."""


def tie_key(group: TieGroup) -> str:
    """What names a tie of a sudden death while it is played: the first place it is about."""
    return str(group.places[0])


@dataclass(frozen=True, slots=True)
class Decided:
    """An entry that is fixed: its outcome, and in a sudden death its place."""

    entry: str
    outcome: str
    place: int | None = None


@dataclass(frozen=True, slots=True)
class TieLook:
    """What a look decides; ``seats`` (play-off) or ``groups`` (sudden death) are still played for.

    Who is decided hands in the chips, and so do those in ``fresh``, who get equal stacks again.
    """

    decided: tuple[Decided, ...]
    fresh: tuple[str, ...] = ()
    seats: int = 0
    groups: tuple[TieGroup, ...] = ()
    over: bool = False


def play_off_look(
    chips: Mapping[str, int], absent: Collection[str], seats: int, minimum_chips: int
) -> TieLook:
    """A play-off for ``seats`` among those who hold ``chips``, looked at after a hand (T23).

    Players with more than the stack at the line are in, those with less are out, and those at it go on. An
    absent player is behind everybody who plays it (as in T33). Where those who go on cannot cover the minimum
    they get equal stacks again.
    """
    if not 1 <= seats < len(chips):
        raise ValueError(f"{len(chips)} players cannot play off for {seats} seats")
    held = {code: -1 if code in absent else each for code, each in chips.items()}
    found = best((Finish(code, each) for code, each in held.items()), seats)
    in_, going_on = found.entries, found.level
    out = tuple(sorted(held.keys() - {*in_, *going_on}, key=lambda code: (-held[code], code)))
    decided = [Decided(code, ADVANCED) for code in in_] + [Decided(code, CUT) for code in out]
    short = any(held[code] < minimum_chips for code in going_on) and not set(going_on) <= set(absent)
    over = not going_on
    return TieLook(tuple(decided), going_on if short else (), seats if over else found.seats, over=over)


def sudden_death_look(
    groups: Iterable[TieGroup],
    chips: Mapping[str, int],
    absent: Collection[str],
    minimum_chips: int,
    until: str,
) -> TieLook:
    """The tie groups that a hand has been played in: each is ranked only inside its own places (T33, T34)."""
    decided, left, fresh = list[Decided](), list[TieGroup](), list[str]()
    for group in groups:
        present = group_present(group, absent)
        placed = list(present.decided)
        for playing in present.groups:
            step = sudden_death_step(playing, chips, minimum_chips, until)
            placed += step.decided
            left += step.groups
            if step.fresh_stacks:
                going_on = (code for part in step.groups for code in part.entries)
                fresh += [code for code in going_on if chips[code] < minimum_chips]
        decided += [Decided(code, RANKED, place) for place, code in placed]
    return TieLook(tuple(decided), tuple(fresh), groups=tuple(left), over=not left)


def sudden_death_priced(groups: Iterable[TieGroup], prizes_cents: Sequence[int]) -> TieLook:
    """The tie groups of a sudden death once they play for other prizes or places (T26, T31, T33).

    Each plays on for what its places pay now; whose places pay the same now has nothing to play for, and
    shares them.
    """
    priced = [group_priced(group, prizes_cents) for group in groups]
    left = tuple(group for group in priced if group.is_for_money)
    shared = [group for group in priced if not group.is_for_money]
    decided = tuple(Decided(code, RANKED, group.places[0]) for group in shared for code in group.entries)
    return TieLook(decided, groups=left, over=not left)


def play_off_without(
    playing: Collection[str], won: Collection[str], tied: Collection[str], contested: int
) -> TieLook:
    """A play-off with ``playing`` left in it and ``won`` through, once another is disqualified (T23, T26).

    ``tied`` are level at the cut of the round without who is disqualified, for ``contested`` seats: fewer
    play for them, or one has come free. With a seat for everybody who is left the play-off is over.
    """
    seats = contested - len(set(won) & set(tied)) if set(playing) <= set(tied) else len(playing)
    over = seats >= len(playing)
    decided = tuple(Decided(code, ADVANCED) for code in sorted(playing)) if over else ()
    return TieLook(decided, seats=seats, over=over)


def is_level(since: Mapping[int, int], can_bet: Collection[int]) -> bool:
    """Whether a tie may be looked at: none of its tables is a hand ahead of one that can still bet.

    ``since`` is table → hands since its last look, of the tables where players of this tie sit: other ties
    hold it up in nothing (T19). A table whose players are all absent or out of chips deals no hand and holds
    nobody up (T33).
    """
    able = [since[table] for table in can_bet]
    return not able or max(since.values()) <= min(able)
