"""What another payout structure would change for tied entries (T31, T33)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournament.engine.ties import TieGroup, group_priced
from tournament.models import Event, Round
from tournament.selectors.stages import groups_of, open_money_ties, play_is_over


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
    if not play_is_over(event) or not prizes_cents:
        return TiesChanged()
    playing = _playing(event)
    ended = [group for group in playing if len(set(group_priced(group, prizes_cents).prizes_cents)) == 1]
    known = {code for group in playing for code in group.entries}
    begun = [group for group in open_money_ties(event, prizes_cents) if not known & set(group.entries)]
    opens = bool(begun) and event.status == Event.Status.FINISHED
    return TiesChanged(ties_of(ended), ties_of(begun), opens)


def ties_of(groups: Iterable[TieGroup]) -> tuple[Tie, ...]:
    """Return which entries are tied for which places, without the prizes."""
    return tuple(Tie(tuple(sorted(group.entries)), tuple(group.places)) for group in groups)


def _playing(event: Event) -> list[TieGroup]:
    """The ties for money that are played, or wait for their draw."""
    deaths = event.rounds.filter(kind=Round.Kind.SUDDEN_DEATH)
    stage = deaths.exclude(status=Round.Status.CLOSED).first()
    if stage is None:
        return open_money_ties(event)
    return list(groups_of(stage.stacks.select_related("entry")))
