"""A paid place that nobody holds any more: what becomes of its prize (T26)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tournament.engine.ranking import Ranked
from tournament.engine.ties import places_unheld
from tournament.models import Entry, Event, PayoutStructure, Posting, Request
from tournament.selectors.stages import live_payouts

SHARE = "prize_sharing"
"""The request of two persons about the prize of a place that nobody holds."""


@dataclass(frozen=True)
class Unheld:
    """The paid places that nobody holds, best first, and what they pay together, in cents.

    ``sharing`` is the ruling of two persons that is in force, about some of them or all; ``others`` says
    whether anybody holds a paid place, so that the rest can go in proportion.
    """

    places: tuple[int, ...]
    cents: int
    sharing: Posting | None
    others: bool

    @property
    def shares_cents(self) -> dict[str, int]:
        """The shares of the ruling, by entry code; empty without one."""
        return dict(self.sharing.body["shares_cents"]) if self.sharing else {}

    @property
    def ruled_places(self) -> tuple[int, ...]:
        """The places that the ruling is about."""
        return tuple(self.sharing.body["places"]) if self.sharing else ()

    @property
    def left_cents(self) -> int:
        """The amount without a ruling, which is shared in proportion."""
        return self.cents - sum(self.shares_cents.values())


def places_ranked(event: Event) -> list[Ranked]:
    """The places that are written, best first; empty before they are decided."""
    placed = event.entries.filter(place__isnull=False).order_by("place", "number")
    return [
        Ranked(e.code, e.final_chips or 0, e.place or 0, e.place_tied, e.status == Entry.Status.DISQUALIFIED)
        for e in placed
    ]


def unheld_of(
    event: Event, live: PayoutStructure | None = None, ranked: Sequence[Ranked] | None = None
) -> Unheld | None:
    """Return the unclaimed prizes; None where every paid place is held, or places are not decided."""
    live = live or live_payouts(event)
    ranked = places_ranked(event) if ranked is None else ranked
    if live is None or not ranked or event.status == Event.Status.CALLED_OFF:
        return None
    prizes_cents: list[int] = live.prizes_cents
    places = places_unheld(ranked, prizes_cents)
    if not places:
        return None
    cents = sum(prizes_cents[place - 1] for place in places)
    return Unheld(
        places, cents, _in_force(event, live, places, ranked), others=len(places) < len(prizes_cents)
    )


def sharing_asked(event: Event, code: str) -> int | None:
    """Return what a waiting ruling would give to an entry, in cents; None without one.

    Nothing is 0: who would have a part in proportion, and none by the ruling.
    """
    asked = event.requests.filter(kind=SHARE, status=Request.Status.OPEN).first()
    return None if asked is None else int(asked.body["shares_cents"].get(code, 0))


def sharing_waits(event: Event, unheld: Unheld, live: PayoutStructure) -> Request | None:
    """The ruling that a second person is asked about, if it is about these places and this structure."""
    asked = event.requests.filter(kind=SHARE, status=Request.Status.OPEN).first()
    holds = asked and (asked.body["version"], asked.body["places"]) == (live.version, list(unheld.places))
    return asked if holds else None


class Goes(StrEnum):
    """What happens to an unclaimed prize."""

    RULED = "ruled"
    ASKED = "asked"
    IN_PROPORTION = "in_proportion"
    TO_RULE = "to_rule"


@dataclass(frozen=True)
class Unclaimed:
    """Places without a holder, what they pay together in cents, and what happens to it.

    T26: a place whose only holder is disqualified is still theirs on every list, but nobody is paid for it.
    ``shares_cents``: what was ruled, or is asked for, by entry code.
    """

    goes: Goes
    places: tuple[int, ...]
    cents: int
    shares_cents: Mapping[str, int] = field(default_factory=dict)


def unclaimed(event: Event) -> list[Unclaimed]:
    """Return the unclaimed prizes and what happens to each; empty where every place is held."""
    unheld = unheld_of(event)
    if unheld is None:
        return []
    return unclaimed_by(
        unheld.places, unheld.cents, unheld.ruled_places, unheld.shares_cents, others=unheld.others
    )


def unclaimed_by(
    places: Sequence[int], cents: int, ruled: Sequence[int], shares_cents: Mapping[str, int], *, others: bool
) -> list[Unclaimed]:
    """The same of these places, which pay ``cents``: ``ruled`` are those that a ruling gives shares of.

    ``others``: whether anybody holds a paid place.
    """
    given_cents, rest = sum(shares_cents.values()), tuple(place for place in places if place not in ruled)
    found = [Unclaimed(Goes.RULED, tuple(ruled), given_cents, shares_cents)] if ruled else []
    goes = Goes.IN_PROPORTION if others else Goes.TO_RULE
    return [*found, Unclaimed(goes, rest, cents - given_cents)] if rest else found


def unclaimed_or_asked(event: Event) -> list[Unclaimed]:
    """As ``unclaimed``, for the staff: a ruling that waits for its second person, where one does."""
    live = live_payouts(event)
    unheld = unheld_of(event, live)
    asked = sharing_waits(event, unheld, live) if live and unheld else None
    if asked is None or unheld is None:
        return unclaimed(event)
    return [Unclaimed(Goes.ASKED, unheld.places, unheld.cents, dict(asked.body["shares_cents"]))]


def sharings(event: Event) -> list[Posting]:
    """Every ruling about a prize that nobody holds, the last one first: all stay public."""
    return list(event.postings.filter(kind=Posting.Kind.SHARING).order_by("-number"))


def _in_force(
    event: Event, live: PayoutStructure, places: Sequence[int], ranked: Iterable[Ranked]
) -> Posting | None:
    """The last ruling, while the structure and the places that it is about are the same.

    A player disqualified since gets nothing, so a ruling that gives them a share is void.
    """
    last = event.postings.filter(kind=Posting.Kind.SHARING).order_by("number").last()
    if last is None or last.body["version"] != live.version or not set(last.body["places"]) <= set(places):
        return None
    there = {each.entry for each in ranked if not each.out_of_play}
    return last if there.issuperset(last.body["shares_cents"]) else None
