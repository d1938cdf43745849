"""The prize of every entry, the amounts paid, and what happens to unclaimed prizes.

| rule                                                 | clause | where          |
|------------------------------------------------------|--------|----------------|
| a prize: that of the place, plus unclaimed prizes    | T35    | ``prizes_of``  |
| a ruling holds while its places are unclaimed        | T26    | ``_in_force``  |
| an unclaimed prize: ruled, in proportion, or to rule | T26    | ``_unclaimed`` |
| nobody has a prize in an event that is called off    | T8     | ``prizes_of``  |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tournament.engine.ranking import Ranked
from tournament.engine.stages import CALLED_OFF
from tournament.engine.ties import places_unheld, prizes_by_entry, prizes_whole


class Goes(StrEnum):
    """What happens to an unclaimed prize."""

    RULED = "ruled"
    ASKED = "asked"
    IN_PROPORTION = "in_proportion"
    TO_RULE = "to_rule"


@dataclass(frozen=True, slots=True)
class Unclaimed:
    """Places without a holder, their prizes together in cents, and what happens to them.

    T26: a place whose only holder is disqualified is still shown as theirs, but nobody is paid for it.
    ``shares_cents``: the ruled or requested shares, by entry code.
    """

    goes: Goes
    places: tuple[int, ...]
    cents: int
    shares_cents: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sharing:
    """A ruling by two people on which entries get the unclaimed prizes (T26)."""

    places: tuple[int, ...]
    shares_cents: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Prize:
    """The prize of an entry in cents: for its place, from unclaimed prizes, and the amount paid so far.

    ``place`` is None if the entry is paid for no place.
    """

    place: int | None
    by_place_cents: int
    shared_cents: int
    paid_cents: int

    @property
    def whole_cents(self) -> int:
        """The whole prize, in cents."""
        return self.by_place_cents + self.shared_cents

    @property
    def left_cents(self) -> int:
        """The unpaid amount, in cents; below 0 if too much was paid."""
        return self.whole_cents - self.paid_cents


@dataclass(frozen=True, slots=True)
class Prizes:
    """The prizes of an event: those of the placed entries, and those of the places that nobody holds, best
    first.

    ``paid_cents``: what each entry has been paid, including entries that have no place any more.
    """

    by_entry: Mapping[str, Prize]
    paid_cents: Mapping[str, int]
    unheld: tuple[int, ...]
    unclaimed: tuple[Unclaimed, ...]

    @property
    def whole(self) -> dict[str, int]:
        """The whole prize of each placed entry, in cents."""
        return {code: each.whole_cents for code, each in self.by_entry.items()}

    @property
    def unheld_cents(self) -> int:
        """The unclaimed prizes together, in cents."""
        return sum(each.cents for each in self.unclaimed)

    def of(self, entry: str) -> Prize:
        """Return the prize of any entry."""
        return self.by_entry.get(entry) or Prize(None, 0, 0, self.paid_cents.get(entry, 0))


def prizes_of(
    status: str,
    places: Iterable[Ranked],
    prizes_cents: Sequence[int],
    paid_cents: Mapping[str, int],
    sharing: Sharing | None,
) -> Prizes:
    """Return the prizes of an event from its places, its structure and its payments (T35, T26).

    ``sharing`` is the latest ruling on this structure. Nobody has a prize before places are decided.
    """
    ranked = list(places) if prizes_cents and status != CALLED_OFF else []
    unheld = places_unheld(ranked, prizes_cents) if ranked else ()
    there = {each.entry: each.place for each in ranked if not each.out_of_play}
    ruled = sharing if sharing and _in_force(sharing, unheld, there) else Sharing((), {})
    by_place = prizes_by_entry(ranked, prizes_cents)
    whole = prizes_whole(ranked, prizes_cents, paid_cents, ruled.shares_cents)
    by_entry = {
        code: Prize(there.get(code), cents, whole[code] - cents, paid_cents.get(code, 0))
        for code, cents in by_place.items()
    }
    return Prizes(by_entry, paid_cents, unheld, tuple(_unclaimed(unheld, prizes_cents, ruled)))


def _in_force(sharing: Sharing, unheld: Iterable[int], there: Mapping[str, int]) -> bool:
    """Whether a ruling applies: all its places are unclaimed, and each of its entries is paid for a place."""
    return set(sharing.places) <= set(unheld) and sharing.shares_cents.keys() <= there.keys()


def _unclaimed(unheld: Sequence[int], prizes_cents: Sequence[int], ruled: Sharing) -> Iterable[Unclaimed]:
    given_cents, rest = sum(ruled.shares_cents.values()), tuple(p for p in unheld if p not in ruled.places)
    if ruled.places:
        yield Unclaimed(Goes.RULED, ruled.places, given_cents, ruled.shares_cents)
    if rest:
        goes = Goes.IN_PROPORTION if len(unheld) < len(prizes_cents) else Goes.TO_RULE
        yield Unclaimed(goes, rest, sum(prizes_cents[place - 1] for place in unheld) - given_cents)
