"""The prize of every entry, the amounts paid, and what happens to unclaimed prizes.

| rule                                                 | clause | where          |
|------------------------------------------------------|--------|----------------|
| a prize: that of the place, plus unclaimed prizes    | T35    | ``prizes_of``  |
| an unclaimed prize: in proportion                    | T26    | ``_unclaimed`` |
| nobody has a prize in an event that is called off    | T8     | ``prizes_of``  |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournament.engine.ranking import Ranked
from tournament.engine.stages import CALLED_OFF
from tournament.engine.ties import places_unclaimed, prizes_whole


class Goes(StrEnum):
    """What happens to an unclaimed prize; nobody gets it if nobody holds a paid place."""

    IN_PROPORTION = "in_proportion"
    TO_NOBODY = "to_nobody"


@dataclass(frozen=True, slots=True)
class Unclaimed:
    """Places without a holder, their prizes together in cents, and what happens to them.

    T26: a place whose only holder is disqualified is still shown as theirs, but nobody is paid for it.
    """

    goes: Goes
    places: tuple[int, ...]
    cents: int


@dataclass(frozen=True, slots=True)
class Prize:
    """The prize of an entry in cents, with its share of unclaimed prizes, and the amount paid so far."""

    whole_cents: int
    paid_cents: int

    @property
    def left_cents(self) -> int:
        """The unpaid amount, in cents; below 0 if too much was paid."""
        return self.whole_cents - self.paid_cents


@dataclass(frozen=True, slots=True)
class Prizes:
    """The prizes of an event: those of the placed entries, and those of the places that nobody holds.

    ``paid_cents``: what each entry has been paid, including entries that have no place any more.
    """

    by_entry: Mapping[str, Prize]
    paid_cents: Mapping[str, int]
    unclaimed: Unclaimed | None

    @property
    def whole(self) -> dict[str, int]:
        """The whole prize of each placed entry, in cents."""
        return {code: each.whole_cents for code, each in self.by_entry.items()}

    def of(self, entry: str) -> Prize:
        """Return the prize of any entry."""
        return self.by_entry.get(entry) or Prize(0, self.paid_cents.get(entry, 0))


def prizes_of(
    status: str, places: Iterable[Ranked], prizes_cents: Sequence[int], paid_cents: Mapping[str, int]
) -> Prizes:
    """Return the prizes of an event from its places, its structure and its payments (T35, T26).

    Nobody has a prize before places are decided.
    """
    ranked = list(places) if prizes_cents and status != CALLED_OFF else []
    whole = prizes_whole(ranked, prizes_cents, paid_cents)
    by_entry = {code: Prize(cents, paid_cents.get(code, 0)) for code, cents in whole.items()}
    return Prizes(by_entry, paid_cents, _unclaimed(ranked, prizes_cents) if ranked else None)


def _unclaimed(ranked: Iterable[Ranked], prizes_cents: Sequence[int]) -> Unclaimed | None:
    unclaimed = places_unclaimed(ranked, prizes_cents)
    if not unclaimed:
        return None
    goes = Goes.IN_PROPORTION if len(unclaimed) < len(prizes_cents) else Goes.TO_NOBODY
    return Unclaimed(goes, unclaimed, sum(prizes_cents[place - 1] for place in unclaimed))
