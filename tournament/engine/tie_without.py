"""A play-off or sudden death that goes on without somebody who is disqualified in the middle of it (T26).

The same step is taken at once and when the stage is played again after a correction (T17).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from tournament.engine.tie_look import ADVANCED, RANKED, Decided
from tournament.engine.ties import TieGroup, groups_without


@dataclass(frozen=True, slots=True)
class Without:
    """The remaining entries that are decided at once, and the ``seats`` or ``groups`` the others play for."""

    decided: tuple[Decided, ...]
    seats: int = 0
    groups: tuple[TieGroup, ...] = ()
    over: bool = False


def play_off_without(
    playing: Collection[str], won: Collection[str], tied: Collection[str], contested: int
) -> Without:
    """A play-off with ``playing`` left in it, ``won`` through already (T23, T26).

    ``tied`` are level at the cut of the round without who is disqualified, for ``contested`` seats: fewer
    play for them, or one has come free. With a seat for everybody who is left the play-off is over.
    """
    seats = contested - len(set(won) & set(tied)) if set(playing) <= set(tied) else len(playing)
    over = seats >= len(playing)
    decided = tuple(Decided(code, ADVANCED) for code in sorted(playing)) if over else ()
    return Without(decided, seats=seats, over=over)


def sudden_death_without(
    groups: Iterable[TieGroup], code: str, place: int, prizes_cents: Sequence[int]
) -> Without:
    """A sudden death without ``code``, who held ``place``: those behind move up (T26, T33, T34).

    Who is left with places that pay the same has nothing to play for and is decided.
    """
    left = groups_without(groups, code, place, prizes_cents)
    still = tuple(group for group in left if len(set(group.prizes_cents)) > 1)
    done = [group for group in left if group not in still]
    decided = tuple(Decided(entry, RANKED, each.places[0]) for each in done for entry in each.entries)
    return Without(decided, groups=still, over=not still)


def moved_up(held: int | None, place: int) -> int | None:
    """A place that was decided, once who held ``place`` is disqualified: those behind it move up (T26)."""
    return held - 1 if held is not None and held > place else held
