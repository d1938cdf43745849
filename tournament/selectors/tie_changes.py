"""What another payout structure would change for tied entries (T31, T33)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tournament.engine.steps.places import money_ties_open, play_is_over
from tournament.engine.steps.ties import tie_open
from tournament.engine.ties import TieGroup, group_priced
from tournament.models import Event
from tournament.selectors.stages import state_of


@dataclass(frozen=True)
class Tie:
    """Entries that are tied, by code, and the places that they share."""

    entries: tuple[str, ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class TiesChanged:
    """Ties that are no longer played for money, and those that are from then on.

    ``opens``: the places were decided, and are open again until the new ties are.
    """

    ended: tuple[Tie, ...] = ()
    begun: tuple[Tie, ...] = ()
    opens: bool = False


def ties_changed(event: Event, prizes_cents: Sequence[int]) -> TiesChanged:
    """Compare the ties that are played for money with those that these prizes would make."""
    state = state_of(event)
    if not play_is_over(state) or not prizes_cents:
        return TiesChanged()
    open_tie, anew = tie_open(state), list[TieGroup]()
    playing = list(open_tie.tie.groups) if open_tie and open_tie.tie else money_ties_open(state)
    if state.prizes_cents is not None:
        anew = money_ties_open(replace(state, prizes_cents=tuple(prizes_cents)))
    ended = [group for group in playing if len(set(group_priced(group, prizes_cents).prizes_cents)) == 1]
    known = {code for group in playing for code in group.entries}
    begun = [group for group in anew if not known & set(group.entries)]
    opens = bool(begun) and event.status == Event.Status.FINISHED
    return TiesChanged(ties_of(ended), ties_of(begun), opens)


def ties_of(groups: Iterable[TieGroup]) -> tuple[Tie, ...]:
    """Return which entries are tied for which places, without the prizes."""
    return tuple(Tie(tuple(sorted(group.entries)), tuple(group.places)) for group in groups)
