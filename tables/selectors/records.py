"""Recorded hands for readers: boxes, cards, decisions, nets; and as fields to enter them again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from games.protocol import AnyGame, HandSummary
from games.registry import game_of
from tables.models import Deal, Shoe, Table
from tables.selectors.floor import event_rules
from tournament.models import Entry, Event, Round

Json = dict[str, Any]


@dataclass(frozen=True)
class BoxLine:
    """One box of a recorded hand. ``decisions`` in order; ``insurance_chips`` is what it won or lost."""

    box: int
    entry: Entry | None
    bet_chips: int
    hands: tuple[HandSummary, ...]
    decisions: tuple[str, ...]
    insurance_chips: int | None
    net_chips: int | None


@dataclass(frozen=True)
class HandRecord:
    """A recorded hand: its boxes, the dealer's cards, and its correction."""

    deal: Deal
    boxes: tuple[BoxLine, ...]
    dealer: tuple[str, ...]
    corrected: bool

    @property
    def by_cards(self) -> bool:
        """Whether the cards of the hand were recorded, so that it can be replayed."""
        return "cards" in (self.deal.record or {})

    @property
    def stands_for(self) -> str:
        """Return ``corrected`` or ``taken_back`` for a settled hand in place of another one; else empty.

        Only a correction has a reason.
        """
        if self.deal.corrects_id is None or self.deal.status != Deal.Status.SETTLED:
            return ""
        return "corrected" if self.deal.reason else "taken_back"


def recorded_hands(event: Event, table: Table, round_: Round) -> list[HandRecord]:
    """Return the settled, void and reversed hands of a table in a round, newest first, in two queries."""
    shoes = Shoe.objects.filter(round=round_, table=table)
    found = Deal.objects.filter(shoe__in=shoes).exclude(status=Deal.Status.OPEN)
    deals = list(found.select_related("opened_by", "shoe").order_by("-shoe__number", "-number", "-id"))
    entries = _entries(event, deals)
    fixed = {deal.corrects_id for deal in deals}
    game = game_of(event_rules(event))
    return [_record(game, deal, entries, deal.pk in fixed) for deal in deals]


def recorded_by_cards(deal_ids: Iterable[int]) -> set[int]:
    """Return which of these hands are ``by_cards``, in one query."""
    found = Deal.objects.filter(pk__in=list(deal_ids), record__has_key="cards").order_by()
    return set(found.values_list("pk", flat=True))


def recorded_hand(event: Event, deal: Deal) -> HandRecord:
    """Return one hand; an unsaved hand as it would be recorded."""
    fixed = deal.pk is not None and Deal.objects.filter(corrects=deal).exists()
    return _record(game_of(event_rules(event)), deal, _entries(event, [deal]), fixed)


def _entries(event: Event, deals: Iterable[Deal]) -> dict[int, Entry]:
    ids = {entry for deal in deals for entry in deal.entries.values()}
    found = Entry.objects.filter(event=event, pk__in=ids).select_related("player")
    return {entry.pk: entry for entry in found}


def _record(game: AnyGame, deal: Deal, entries: dict[int, Entry], corrected: bool) -> HandRecord:
    answer = deal.answer or {}
    boxes = tuple(
        _box(game, deal, answer, box, entries.get(deal.entries.get(box, 0)))
        for box in sorted(deal.bets, key=int)
    )
    return HandRecord(deal, boxes, tuple(answer.get("dealer", ())), corrected)


def _box(game: AnyGame, deal: Deal, answer: Json, box: str, entry: Entry | None) -> BoxLine:
    decisions = [d for d in (deal.record or {}).get("decisions", []) if str(d["seat"]) == box]
    return BoxLine(
        box=int(box),
        entry=entry,
        bet_chips=deal.bets[box],
        hands=tuple(game.hand_summaries(deal.bets[box], box, answer, deal.outcomes.get(box))),
        decisions=tuple(_decision(each) for each in decisions),
        insurance_chips=answer.get("insurance", {}).get(box),
        net_chips=answer.get("net", {}).get(box),
    )


def _decision(decision: Json) -> str:
    words = str(decision["action"]).replace("_", " ")
    return f"{words} {decision['amount']:,}" if decision.get("amount") else words


# -- As it is entered again -------------------------------------------------------------------------------


def cards_of(deal: Deal) -> dict[str, str]:
    """Return a recorded hand as fields of the cards form: ``cards`` and ``decisions`` as text, ``bet-3``."""
    record = deal.record or {}
    lines = [
        f"{d['seat']} {d['action'].replace('_', ' ')}" + (f" {d['amount']}" if d.get("amount") else "")
        for d in record.get("decisions", [])
    ]
    return {
        **{f"bet-{box}": str(chips) for box, chips in deal.bets.items()},
        "cards": " ".join(record.get("cards", [])),
        "decisions": "\n".join(lines),
    }
