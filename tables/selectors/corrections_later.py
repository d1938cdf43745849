"""Corrections that wait for the end of an open hand (T17).

The journal holds the corrections; the shoe lists those that wait.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ground.refused import Conflict, Refused
from ground.words import sentence_of
from tables.models import Deal, Shoe
from tournament.models import Event, JournalEntry, Round

LATER, LAPSE, DROP = "deal.correct_later", "deal.correct_lapse", "deal.correct_drop"


@dataclass(frozen=True)
class Later:
    """A correction that waits, or that could not be made when the hand ended.

    ``seq``: number of the journal entry of the request; ``deal``: id of the hand, ``hand``: its number;
    ``no`` and ``why``: code and sentence (``Sentence.to_json``) of its refusal, empty while it waits.
    """

    shoe: Shoe
    seq: int
    deal: int
    hand: int
    no: str
    why: str | dict[str, Any]

    @property
    def waits(self) -> bool:
        """Whether it still waits."""
        return not self.no

    @property
    def sentence(self) -> str:
        """The sentence of its refusal."""
        return sentence_of(self.why)

    @property
    def entry(self) -> JournalEntry:
        """The entry with the director, the reason, and the correct hand."""
        found = JournalEntry.objects.select_related("actor")
        return found.get(event=self.shoe.round.event_id, seq=self.seq)


def later_at(shoe: Shoe) -> list[Later]:
    """Return the corrections of a shoe that wait, or were refused and are unread, oldest first."""
    return [Later(shoe, **each) for each in shoe.to_correct]


def later_of(deal: Deal) -> list[Later]:
    """Return the corrections of one hand, as ``later_at`` does."""
    return [each for each in later_at(deal.shoe) if each.deal == deal.pk]


def later_in(event: Event) -> list[Later]:
    """Return the corrections at all tables of an event, as ``later_at`` does."""
    shoes = Shoe.objects.filter(round__event=event).exclude(to_correct=[]).order_by("pk")
    return [each for shoe in shoes.select_related("table", "round") for each in later_at(shoe)]


def waiting(found: Iterable[Later]) -> list[Later]:
    """Return the corrections that still wait."""
    return [each for each in found if each.waits]


def waiting_beside(shoe: Shoe) -> list[Later]:
    """Return the corrections that wait for a hand of this shoe; in a tie, at any table of the tie."""
    if shoe.round.kind == Round.Kind.ROUND:
        return waiting(later_at(shoe))
    shoes = Shoe.objects.filter(round=shoe.round_id).select_related("table", "round__event").order_by("pk")
    return [each for other in shoes for each in waiting(later_at(other))]


def shoes_to_correct() -> list[int]:
    """Return the ids of all shoes with a waiting correction."""
    found = Shoe.objects.filter(to_correct__contains=[{"no": ""}]).order_by("pk")
    return list(found.values_list("pk", flat=True))


def hand_open(deal: Deal) -> Deal | None:
    """Return the open hand that a correction of ``deal`` waits for; in a tie, at any table of the tie."""
    found = Deal.objects.filter(status=Deal.Status.OPEN).select_related("shoe__table").order_by("pk")
    here = found.filter(shoe=deal.shoe_id).first()
    if here is not None or deal.shoe.round.kind == Round.Kind.ROUND:
        return here
    return found.filter(shoe__round=deal.shoe.round_id).first()


def why_hand_open(deal: Deal) -> Refused | None:
    """Return ``deal_open`` (409) while a correction of this hand must wait."""
    found = hand_open(deal)
    if found is None:
        return None
    return Conflict(
        "deal_open", "A hand is open at %(table)s. Finish it, or void it, first.", table=found.shoe.table
    )


def why_correction_waits(deal: Deal) -> Refused | None:
    """Return ``already_asked`` (409) while a correction of the same hand waits."""
    if not waiting(later_of(deal)):
        return None
    return Conflict(
        "already_asked",
        "A correction of this hand already waits for the end of the open hand. Take it back first.",
    )
