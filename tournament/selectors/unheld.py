"""A paid place that nobody holds any more: what becomes of its prize (T26)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.engine.ranking import Ranked
from tournament.engine.ties import places_unheld
from tournament.figures import money, ordinal
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
        """What the ruling gives, by entry code; empty without one."""
        return dict(self.sharing.body["shares_cents"]) if self.sharing else {}

    @property
    def ruled_places(self) -> tuple[int, ...]:
        """The places that the ruling is about."""
        return tuple(self.sharing.body["places"]) if self.sharing else ()

    @property
    def left_cents(self) -> int:
        """What is not ruled on and goes in proportion."""
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
    """What nobody holds; None where every paid place is held, or places are not decided."""
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
    """What a ruling that waits for its second person would give to an entry, in cents; None without one.

    Nothing is 0: who would have a part in proportion, and none by the ruling.
    """
    asked = event.requests.filter(kind=SHARE, status=Request.Status.OPEN).first()
    return None if asked is None else int(asked.body["shares_cents"].get(code, 0))


def sharing_waits(event: Event, unheld: Unheld, live: PayoutStructure) -> Request | None:
    """The ruling that a second person is asked about, if it is about these places and this structure."""
    asked = event.requests.filter(kind=SHARE, status=Request.Status.OPEN).first()
    holds = asked and (asked.body["version"], asked.body["places"]) == (live.version, list(unheld.places))
    return asked if holds else None


def waiting_words(unheld: Unheld, asked: Request, currency: str) -> str:
    """What is asked to become of the prizes that nobody holds, while it waits for its second person."""
    words = ngettext(
        "Nobody is paid for %(places)s place any more. A second person is asked to have its prize of"
        " %(amount)s shared out: %(shares)s.",
        "Nobody is paid for %(places)s place any more. A second person is asked to have their prizes of"
        " %(amount)s together shared out: %(shares)s.",
        len(unheld.places),
    )
    return words % {
        "places": places_words(unheld.places),
        "amount": money(unheld.cents, currency),
        "shares": shares_words(asked.body["shares_cents"], currency),
    }


def sharings(event: Event) -> list[Posting]:
    """Every ruling about a prize that nobody holds, the last one first: all stay public."""
    return list(event.postings.filter(kind=Posting.Kind.SHARING).order_by("-number"))


def _in_force(
    event: Event, live: PayoutStructure, places: Sequence[int], ranked: Iterable[Ranked]
) -> Posting | None:
    """The last ruling, while the structure and the places that it is about are the same.

    Who is disqualified since gets nothing, so a ruling that gives them something holds no longer.
    """
    last = event.postings.filter(kind=Posting.Kind.SHARING).order_by("number").last()
    if last is None or last.body["version"] != live.version or not set(last.body["places"]) <= set(places):
        return None
    there = {each.entry for each in ranked if not each.out_of_play}
    return last if there.issuperset(last.body["shares_cents"]) else None


def unheld_words(unheld: Unheld, prizes_cents: Sequence[int], currency: str) -> list[str]:
    """What becomes of the prizes that nobody holds, in sentences.

    T26: a place whose only holder is disqualified is still theirs on every list, so what is said is that
    nobody is paid for it.
    """
    ruled = unheld.ruled_places
    rest = tuple(place for place in unheld.places if place not in ruled)
    said = []
    if ruled:
        words = ngettext(
            "Nobody is paid for %(places)s place any more. Its prize of %(amount)s is shared out as two"
            " persons ruled: %(shares)s.",
            "Nobody is paid for %(places)s place any more. Their prizes of %(amount)s together are shared out"
            " as two persons ruled: %(shares)s.",
            len(ruled),
        )
        said.append(
            words
            % {
                "places": places_words(ruled),
                "amount": money(sum(prizes_cents[place - 1] for place in ruled), currency),
                "shares": shares_words(unheld.shares_cents, currency),
            }
        )
    if rest:
        amount = money(sum(prizes_cents[place - 1] for place in rest), currency)
        said.append(_rest_words(len(rest), unheld.others) % {"places": places_words(rest), "amount": amount})
    return said


def _rest_words(places: int, others: bool) -> str:
    if others:
        return ngettext(
            "Nobody is paid for %(places)s place any more. Its prize of %(amount)s goes to the others in"
            " proportion to theirs.",
            "Nobody is paid for %(places)s place any more. Their prizes of %(amount)s together go to the"
            " others in proportion to theirs.",
            places,
        )
    return _("Nobody is paid by their place any more. Two persons have to rule who is paid %(amount)s.")


def places_words(places: Sequence[int]) -> str:
    """Places in words: ``3rd``, ``3rd and 4th``, ``2nd, 3rd and 4th``."""
    *first, last = map(ordinal, places)
    return _("%(first)s and %(last)s") % {"first": ", ".join(first), "last": last} if first else last


def shares_words(shares_cents: dict[str, int], currency: str) -> str:
    """Who gets how much: ``E002 $60.00, E003 $40.00``."""
    return ", ".join(f"{code} {money(cents, currency)}" for code, cents in sorted(shares_cents.items()))
